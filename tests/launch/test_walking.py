"""Kernels that walk over the grid: a launch has the blocks that run at once, and the kernel is told the grid, whichever way it is launched."""

import ctypes
import sys
from pathlib import Path

import numpy as np
import pytest
from standin_cupy import on_gpu

import tile2cpp
from tile2cpp.build import nvrtc

sys.path.insert(0, str(Path(__file__).parents[1] / "kernels"))
from walking import batched  # noqa: E402

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed: pip install 'tile2cpp[cuda13]'")

AT_ONCE = 10  # by the GPU that is played: five multiprocessors with two blocks each
GRIDS = [(4, 1, 1), (10,), (11, 1, 1), (3, 2, 1), (100, 7, 5), (2, 5, 65537), (2**20, 2**20, 2**20)]


@pytest.fixture
def told(gpu):
    """The grids that kernels are told; the last of their parameters."""
    found = []
    kinds = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, *[ctypes.c_void_p] * 5, *[ctypes.c_int] * 4
    gpu.cuTensorMapEncodeTiled = ctypes.CFUNCTYPE(ctypes.c_int, *kinds)(lambda *_: 0)
    gpu.run = lambda parameters, *_: found.append(tuple((ctypes.c_uint32 * 3).from_address((ctypes.c_void_p * 16).from_address(parameters)[count_of(batched)])))
    return found


def count_of(kernel):
    """Parameters before the grid: those of three arrays with three extents, and two descriptors."""
    return 3 * 4 + 2


def matrices():
    for dtype in ("float16", "float16", "float32"):
        room = np.zeros(64 * 64 + 8, dtype)
        start = -room.ctypes.data % 16 // room.itemsize
        yield on_gpu(room[start : start + 64 * 64].reshape(1, 64, 64))


def padded(grid):
    return (*grid, 1, 1)[:3]


def check(gpu, told, launch):
    for grid in GRIDS:
        launch(grid)
    assert told[-len(GRIDS) :] == [padded(grid) for grid in GRIDS]
    assert [launched.grid for launched in gpu.launches[-len(GRIDS) :]] == [(min(AT_ONCE, int(np.prod(padded(grid), dtype=object))), 1, 1) for grid in GRIDS]


def test_launches_of_python(gpu, told):
    kernel, arrays = tile2cpp.jit(batched.__wrapped__), tuple(matrices())
    check(gpu, told, lambda grid: kernel[grid](*arrays, 64, 64, 32))
    assert "walk" in kernel.explain(*arrays, 64, 64, 32)


def test_launches_of_the_general_way(gpu, told):
    kernel, arrays = tile2cpp.jit(batched.__wrapped__), tuple(matrices())
    check(gpu, told, lambda grid: kernel._start_any(padded(grid), None, None, False, (*arrays, 64, 64, 32), {}))


def test_launches_of_cpp(gpu, told, in_cpp, monkeypatch):
    kernel, arrays = tile2cpp.jit(batched.__wrapped__), tuple(matrices())
    kernel[(1,)](*arrays, 64, 64, 32)
    monkeypatch.setattr(type(kernel), "_start_in_python", lambda *_: pytest.fail("Python was asked"))
    check(gpu, told, lambda grid: kernel[grid](*arrays, 64, 64, 32))


def test_dependent_launches(gpu, told):
    kernel, arrays = tile2cpp.jit(batched.__wrapped__), tuple(matrices())
    tile2cpp.launch(5, (4, 3, 2), kernel, (*arrays, 64, 64, 32), programmatic_dependent_launch=True)
    assert told == [(4, 3, 2)] and gpu.launches[0].grid == (AT_ONCE, 1, 1) and gpu.launches[0].attributes
