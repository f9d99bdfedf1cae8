"""Kernels as libraries write them: on every backend against NumPy, and through NVIDIA's compilers."""

import sys
import time
import zlib
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from tile2cpp.build import nvidia, nvrtc
from tile2cpp.launch import prepare

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from case import BACKENDS, check, load_module  # noqa: E402  (the folder of `tilekit` has to be on the path first)

SM = 90
# Generous, for slow and busy machines: a translation takes tenths of a second, NVRTC one to three.
TRANSLATION_SECONDS, NVRTC_SECONDS = 5, 30  # of this process

PROGRAMS = {path.stem: load_module(path, "kernels") for path in sorted(HERE.glob("*.py")) if path.stem not in ("tilekit", Path(__file__).stem)}
CASES = {f"{name}/{case.name}": case for name, program in PROGRAMS.items() for case in program.CASES}


def test_there_are_enough_of_them():
    assert len({id(case.kernel.__wrapped__) for case in CASES.values()}) >= 32


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CASES)
def test_kernel(name, backend):
    check(CASES[name], backend)


@pytest.mark.parametrize("backend", ["interpret", "host"])
def test_lists_of_arrays(backend):
    PROGRAMS["arguments"].run_lists(backend)


@lru_cache(maxsize=None)
def emitted(name):
    """The file that runs on an H100, and how long its translation took."""
    case = CASES[name]
    args = case.make_args(np.random.default_rng(zlib.crc32(case.name.encode())))
    signature = case.kernel.signature_of(args)
    started = time.process_time()
    made = prepare.emit(case.kernel, signature, SM, maps=True)
    return made, time.process_time() - started


@pytest.mark.parametrize("name", CASES)
def test_translation_is_quick(name, record_property):
    _, seconds = emitted(name)
    record_property("translation_seconds", round(seconds, 3))
    assert seconds < TRANSLATION_SECONDS


@pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")
@pytest.mark.parametrize("name", CASES)
def test_compiled_for_a_gpu(name, record_property, monkeypatch, tmp_path):
    """In registers alone: no stack, nothing spilled, no matrix instruction that waits for another."""
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path))  # a build found in the cache tells no time
    started = time.process_time()
    facts = nvrtc.compile(emitted(name)[0], SM).facts
    seconds = time.process_time() - started
    record_property("nvrtc_seconds", round(seconds, 3))
    assert (facts["stack_bytes"], facts["spill_stores"], facts["spill_loads"], facts["serialised"]) == (0, 0, 0, []), facts
    assert seconds < NVRTC_SECONDS


@pytest.mark.toolkit
@pytest.mark.parametrize("program", PROGRAMS)
def test_accepted_by_the_tile_compiler(program, tmp_path):
    """All files of a program in one, each in a namespace of its own: the compiler starts once."""
    texts = {n: emitted(n)[0].text for n in CASES if n.startswith(f"{program}/")}
    lines = [line for text in texts.values() for line in text.splitlines()]
    includes = dict.fromkeys(line for line in lines if line.startswith("#include"))
    parts = []
    for number, (name, text) in enumerate(texts.items()):
        body = "\n".join(line for line in text.splitlines() if not line.startswith("#include"))
        body = body.replace('extern "C" ', "")  # several cases run one kernel
        parts.append(f"namespace kernel_{number} {{\n{body}\n}}")
    file = tmp_path / f"{program}.cu"
    file.write_text("\n".join([*includes, *parts]), encoding="utf-8")
    nvidia.check(file, SM)
