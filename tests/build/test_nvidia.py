"""NVIDIA's tile compiler as a second opinion."""

import pytest
from handmade import TEXT

import tile2cpp.lang as ct
from tile2cpp.build import nvidia
from tile2cpp.doctor import check_finding
from tile2cpp.errors import TileCompilerExecutionError, TileUnsupportedFeatureError


@pytest.mark.toolkit
def test_a_canonical_file_is_accepted(emitted, monkeypatch, tmp_path):
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))  # tileiras would look for its libraries there
    built = nvidia.compile(emitted, 90)
    assert built.binary.read_bytes()[:4] == b"\x7fELF" and built.entry == "scaled_add"


@pytest.mark.toolkit
def test_a_file_is_checked_without_assembling(tmp_path):
    file = tmp_path / "scaled_add.cu"
    file.write_text(TEXT)
    nvidia.check(file, 100, assemble=False)
    file.write_text(TEXT.replace("load_masked(i)", "load_masked(0_ic)"))  # view indices are plain scalars
    with pytest.raises(TileCompilerExecutionError, match="NVIDIA's tile compiler"):
        nvidia.check(file, 100, assemble=False)


@pytest.mark.toolkit
def test_a_dtype_of_other_gpus_is_no_bug(tmp_path):
    @ct.kernel
    def kernel(x):
        ct.store(x, (0,), ct.full((2,), 1.5, ct.float4_e2m1fn).astype(ct.float32))

    with pytest.raises(TileUnsupportedFeatureError, match="float4_e2m1fn is not supported on sm_90"):
        kernel.compile("x: f32[?]", backend="nvidia", target=90)
    kernel.compile("x: f32[?]", backend="nvidia", target=100)


def test_a_chosen_compiler_must_run(monkeypatch):
    monkeypatch.setenv("TILE2CPP_NVCC", "/no/such/nvcc")
    with pytest.raises(TileUnsupportedFeatureError, match="/no/such/nvcc"):
        nvidia.find()


@pytest.mark.toolkit
def test_builds_of_another_machine_need_no_compiler(emitted, monkeypatch, tmp_path):
    """`TILE2CPP_NVCC=13.5`: what that release has built is found in the cache, and nothing is compiled."""
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path))
    built = nvidia.compile(emitted, 90)
    release = ".".join(map(str, nvidia.require().version))
    monkeypatch.setenv("TILE2CPP_NVCC", release)
    monkeypatch.setattr(nvidia.process, "run", None)
    assert nvidia.compile(emitted, 90) == built
    with pytest.raises(TileUnsupportedFeatureError, match=f"no build of `scaled_add` for sm_100 by nvcc {release}"):
        nvidia.compile(emitted, 100)
    assert nvidia.find().path is None and check_finding()[2].startswith("not on this machine")
    with pytest.raises(TileUnsupportedFeatureError, match="without a program"):
        nvidia.require()


def test_without_it_the_way_is_named(monkeypatch):
    monkeypatch.delenv("TILE2CPP_NVCC", raising=False)
    monkeypatch.setattr(nvidia, "_candidates", lambda: [])
    with pytest.raises(TileUnsupportedFeatureError) as caught:
        nvidia.require()
    assert "tile2cpp[check]" in str(caught.value)
