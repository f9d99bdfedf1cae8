"""What Tile C++ accepts: each kernel compiles with three compilers and gives the result its comment names, wherever it can run."""

import subprocess

import pytest
from areas import AREAS, EMULATED_ENTRY, FOLDER, GPU_ENTRY, HOST_ENTRY, run_on_gpu, run_on_host

from tile2cpp import resources
from tile2cpp.build import host, nvidia, nvrtc

every_area = pytest.mark.parametrize("area", AREAS, ids=lambda area: area.path.stem)


def faults(area, run):
    return [fault for kernel in area.kernels() if (fault := kernel.fault(run(kernel)))]


def test_every_kernel_is_read():
    """A comment that the pattern does not match would leave its kernel out."""
    for area in AREAS:
        assert len(area.kernels()) == area.path.read_text().count("\n// ->") + area.path.read_text().count("\n// ~>"), area.path.name
    names = [kernel.name for area in AREAS for kernel in area.kernels()]
    assert len(set(names)) == len(names) >= 150


@every_area
def test_host(area):
    built = host.compile(area.emitted(HOST_ENTRY))
    assert faults(area, lambda kernel: run_on_host(kernel, built.binary)) == []


@every_area
def test_emulated_block(area, tmp_path):
    """What a block of 32 threads computes, with tiles spread over them as on a GPU."""
    compiler = host.find()
    if compiler is None:
        pytest.skip("no C++ compiler")
    source, binary, include = tmp_path / "emulated.cpp", tmp_path / "emulated.so", resources.include()
    source.write_text(area.text() + "".join(EMULATED_ENTRY.format(k.name, k.element) for k in area.kernels()))
    folders = [f"-I{path}" for path in (include, include / "host_shims", FOLDER.parent / "core")]
    schedule = ["-DT2C_THREADS=32", "-DT2C_COLUMN_THREADS=8", "-DT2C_VECTOR=2", '-DT2C_BACKEND_HEADER="emulated_block.hpp"']
    options = ["-std=c++20", "-O1", "-fPIC", "-shared", "-pthread", "-w"]
    subprocess.run([*compiler.command, *options, *folders, *schedule, str(source), "-o", str(binary)], check=True)
    assert faults(area, lambda kernel: run_on_host(kernel, binary)) == []


@every_area
@pytest.mark.parametrize("target", (75, 90))
def test_nvrtc(area, target):
    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed")
    assert nvrtc.compile(area.emitted(GPU_ENTRY), target).facts["spill_stores"] == 0


@pytest.mark.toolkit
@every_area
def test_tile_compiler(area):
    assert nvidia.compile(area.emitted(), area.oldest).binary.stat().st_size


@pytest.mark.gpu
@every_area
def test_gpu(area):
    import cupy

    emitted = area.emitted(GPU_ENTRY)
    built = nvrtc.compile(emitted, int(cupy.cuda.Device().compute_capability))
    assert faults(area, lambda kernel: run_on_gpu(kernel, built.binary, f"{kernel.name}__entry", emitted.schedule.threads)) == []


@pytest.mark.gpu
@pytest.mark.toolkit
@every_area
def test_gpu_by_the_tile_compiler(area):
    """NVIDIA's own compiler gives the same results."""
    import cupy

    target = int(cupy.cuda.Device().compute_capability)
    if target < area.oldest:
        pytest.skip("NVIDIA's compiler takes these types for later GPUs only")
    built = nvidia.compile(area.emitted(), target)
    assert faults(area, lambda kernel: run_on_gpu(kernel, built.binary, kernel.name, 1)) == []
