"""Every batch and program as NVRTC compiles it for an H100: what the host takes, a GPU's compiler must take as well."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from families import batch  # noqa: E402  (the folder has to be on the path first)
from families import program  # noqa: E402
from families import BATCHES, PROGRAMS  # noqa: E402
from tile2cpp.build import nvidia, nvrtc  # noqa: E402

SM = 90


@pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")
@pytest.mark.parametrize("name", BATCHES)
def test_batch(name):
    assert nvrtc.compile(batch.translated(BATCHES[name], SM), SM).facts["kind"] == "cuda"


@pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    assert nvrtc.compile(program.translated(PROGRAMS[name], SM), SM).facts["kind"] == "cuda"


# What NVIDIA's compiler cannot take, whatever stands in the file.
NOT_TAKEN = {"made float4_e2m1fn": "it inlines no function of 4-bit tiles that is called twice"}


def target_of(text: str) -> int:
    """The first GPU that has all formats of a file, as NVIDIA's compiler sees it."""
    return 100 if "__nv_fp8_e8m0" in text or "__nv_fp4_e2m1" in text else SM


@pytest.mark.toolkit
@pytest.mark.parametrize("name", [*BATCHES, *PROGRAMS])
def test_accepted_by_the_tile_compiler(name, tmp_path):
    """Down to Tile IR: assembling takes far longer and finds no fault of ours."""
    emitted = batch.translated(BATCHES[name], SM) if name in BATCHES else program.translated(PROGRAMS[name], SM)
    if name in NOT_TAKEN or "__nv_fp8_ue5m3" in emitted.text:
        pytest.skip(NOT_TAKEN.get(name, "it has e5m3 scales for one GPU only, sm_107f"))
    file = tmp_path / "kernel.cu"
    file.write_text(emitted.text, encoding="utf-8")
    nvidia.check(file, target_of(emitted.text), assemble=False)
