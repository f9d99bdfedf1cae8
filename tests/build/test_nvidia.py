"""NVIDIA's tile compiler as a second opinion."""

import pytest
from handmade import TEXT

from tile2cpp.build import nvidia
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


def test_a_chosen_compiler_must_run(monkeypatch):
    monkeypatch.setenv("TILE2CPP_NVCC", "/no/such/nvcc")
    with pytest.raises(TileUnsupportedFeatureError, match="/no/such/nvcc"):
        nvidia.find()


def test_without_it_the_way_is_named(monkeypatch):
    monkeypatch.delenv("TILE2CPP_NVCC", raising=False)
    monkeypatch.setattr(nvidia, "_candidates", lambda: [])
    with pytest.raises(TileUnsupportedFeatureError) as caught:
        nvidia.require()
    assert "tile2cpp[check]" in str(caught.value)
