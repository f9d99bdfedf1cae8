"""GPU builds, which need NVRTC but no GPU."""

import pytest
from handmade import TEXT, vector_add

from tile2cpp.build import cache, nvrtc, toolkits
from tile2cpp.build.entry import device_entry
from tile2cpp.build.ptxas import read_log
from tile2cpp.errors import TileCompilerExecutionError, TileUnsupportedFeatureError

needs_nvrtc = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed: pip install 'tile2cpp[cuda13]'")


@needs_nvrtc
@pytest.mark.parametrize("target, arch", [(75, "sm_75"), (80, "sm_80"), (90, "sm_90a")])
def test_a_cubin_for_each_generation(emitted, target, arch):
    built = nvrtc.compile(emitted, target)
    assert built.binary.read_bytes()[:4] == b"\x7fELF"
    assert built.facts["target"] == arch and 0 < built.facts["registers"] <= 255 and built.facts["spill_stores"] == 0
    assert {path.name for path in built.folder.iterdir()} == {"scaled_add.cu", "entry.cu", "scaled_add.cubin", "build.log", "meta.json"}
    assert nvrtc.compile(emitted, target).folder == built.folder


@needs_nvrtc
def test_the_schedule_and_the_target_make_other_builds(emitted):
    folders = {nvrtc.compile(e, t).folder for e, t in ((emitted, 80), (emitted, 86), (vector_add(threads=256), 80))}
    assert len(folders) == 3


@needs_nvrtc
@pytest.mark.parametrize("header, element", [("cuda_fp16.h", "__half"), ("cuda_bf16.h", "__nv_bfloat16")])
def test_types_of_cuda_are_found(header, element):
    if not toolkits.headers_for(nvrtc.find().version[0]):
        pytest.skip("CUDA's headers are not installed: pip install 'tile2cpp[cuda13]'")
    text = TEXT.replace("#include <cuda_tile.h>", f"#include <cuda_tile.h>\n#include <{header}>")
    assert nvrtc.compile(vector_add(text, element), 80).facts["registers"]


@needs_nvrtc
def test_a_refused_file_keeps_its_log(emitted):
    with pytest.raises(TileCompilerExecutionError, match="NVRTC .* rejected the emitted file of `scaled_add`") as caught:
        nvrtc.compile(vector_add(TEXT.replace("int i =", "int i !=")), 90)
    (folder,) = (cache.settings.cache_folder() / "failed").iterdir()
    assert str(folder) in str(caught.value) and "scaled_add.cu(" in (folder / "build.log").read_text()
    assert cache.entries() == []


def test_architectures():
    known = (75, 80, 86, 90, 100)
    assert [nvrtc.architecture(t, known) for t in (75, 86, 89, 90, 100, 103)] == ["sm_75", "sm_86", "sm_86", "sm_90a", "sm_100a", "sm_100"]
    with pytest.raises(TileUnsupportedFeatureError, match="7.0"):
        nvrtc.architecture(70, known)
    with pytest.raises(TileUnsupportedFeatureError, match="newer"):
        nvrtc.architecture(120, known)


def test_the_entry_holds_the_schedule():
    text = device_entry(vector_add(threads=256, vector=8, column_threads=16, ordered=False, blocks=2))
    for line in ("#define T2C_THREADS 256", "#define T2C_VECTOR 8", "#define T2C_COLUMN_THREADS 16", "#define T2C_ORDERED 0"):
        assert text.index(line) < text.index('#include "scaled_add.cu"')
    assert "__launch_bounds__(T2C_THREADS, 2)" in text
    assert "float* __restrict__ z_ptr" in text


def test_the_log_is_read():
    log = (
        "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized\n"
        "ptxas info    : (C7517) warpgroup.wait is injected in around line 12 by compiler\n"
        "ptxas         .     16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n"
        "ptxas info    : Used 168 registers, used 1 barriers, 32768 bytes smem\n"
    )
    assert read_log(log) == {"registers": 168, "shared_bytes": 32768, "stack_bytes": 16, "spill_stores": 4, "spill_loads": 8, "serialised": ["C7510"]}
    assert read_log("")["registers"] == 0


def test_loading_ahead(monkeypatch):
    """It loads what a build then finds; what goes wrong is left for the build to say."""
    asked = []
    monkeypatch.setattr(nvrtc, "find", lambda newest: asked.append(newest))
    nvrtc.load_ahead(12).join()
    monkeypatch.setattr(nvrtc, "find", lambda newest: 1 / 0)
    nvrtc.load_ahead(12).join()
    assert asked == [12]
