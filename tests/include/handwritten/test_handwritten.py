"""Kernels as people write them, in the manner of a library of templates: they compile everywhere and compute what NumPy computes."""

import ctypes

import numpy as np
import pytest
from cases import CASES, FOLDER

from tile2cpp.build import host, nvidia, nvrtc

# Products are other code on each generation of GPUs, everything else is the same.
TARGETS = [(case, 90) for case in CASES] + [(case, 80) for case in CASES if "::mma" in case.emitted().text]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def test_no_file_is_forgotten():
    assert {case.file for case in CASES} == {path.stem for path in FOLDER.glob("*.cu")}


@every_case
def test_host(case):
    built = host.compile(case.emitted())
    arguments = case.arguments()
    held = [np.array([a.ctypes.data], "uint64") if isinstance(a, np.ndarray) else np.array([a]) for a in arguments]
    addresses = (ctypes.c_void_p * len(held))(*[h.ctypes.data for h in held])
    getattr(ctypes.CDLL(str(built.binary)), built.entry)(addresses, *map(ctypes.c_uint, case.blocks()))
    case.check(arguments)


@pytest.mark.parametrize("case, target", TARGETS, ids=lambda value: getattr(value, "id", value))
def test_nvrtc(case, target):
    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed")
    facts = nvrtc.compile(case.emitted(), target).facts
    assert (facts["stack_bytes"], facts["spill_stores"]) == (0, 0)


@pytest.mark.toolkit
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.cu")), ids=lambda path: path.stem)
def test_tile_compiler(path):
    nvidia.check(path, 90)


@pytest.mark.gpu
@every_case
def test_gpu(case):
    import cupy

    emitted = case.emitted()
    built = nvrtc.compile(emitted, int(cupy.cuda.Device().compute_capability))
    kernel = cupy.RawModule(path=str(built.binary)).get_function(built.entry)
    before = case.arguments()
    held = [cupy.asarray(a.view(np.uint8)) if isinstance(a, np.ndarray) else a for a in before]
    kernel(case.blocks(), (emitted.schedule.threads,), tuple(held))
    case.check([cupy.asnumpy(h).view(a.dtype) if isinstance(a, np.ndarray) else a for h, a in zip(held, before)])
