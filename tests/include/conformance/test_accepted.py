"""What Tile C++ accepts: each kernel compiles with three compilers and gives the result its comment names, wherever it can run."""

import pytest
from areas import AREAS, GPU_ENTRY, HOST_ENTRY, run_on_gpu, run_on_host

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
    assert faults(area, lambda kernel: run_on_host(kernel, built)) == []


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
