"""Every batch and program as NVRTC compiles it for an H100: what the host takes, a GPU's compiler must take as well."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

import batch  # noqa: E402  (the folder has to be on the path first)
import program  # noqa: E402
from families import BATCHES, PROGRAMS  # noqa: E402
from tile2cpp.build import nvrtc  # noqa: E402

SM = 90


@pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")
@pytest.mark.parametrize("name", BATCHES)
def test_batch(name):
    assert nvrtc.compile(batch.translated(BATCHES[name], SM), SM).facts["kind"] == "cuda"


@pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    assert nvrtc.compile(program.translated(PROGRAMS[name], SM), SM).facts["kind"] == "cuda"
