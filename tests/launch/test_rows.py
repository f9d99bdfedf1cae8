"""Kernels that deal rows out in a loop: a launch has a block for each of them, whichever way it is launched."""

import numpy as np
import pytest
from standin_cupy import on_gpu

import tile2cpp
import tile2cpp.lang as ct
from tile2cpp.build import nvrtc

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed: pip install 'tile2cpp[cuda13]'")

# The GPU has five multiprocessors: a grid that leaves some of them alone means that.
GRIDS = {(4,): (4, 1, 1), (5,): (40, 1, 1), (40,): (40, 1, 1), (41, 2): (41, 2, 1), (1, 5, 2): (1, 5, 2), (6, 2, 2): (40, 2, 2)}


@ct.kernel
def negated(x, y, N: ct.Constant[int]):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.store(y, (row, 0), -ct.load(x, (row, 0), (1, N)))


def arrays(rows=40):
    return on_gpu(np.ones((rows, 4096), "e")), on_gpu(np.zeros((rows, 4096), "e"))


def check(gpu, launch):
    for grid in GRIDS:
        launch(grid)
    assert [launched.grid for launched in gpu.launches[-len(GRIDS) :]] == list(GRIDS.values())


@pytest.fixture(autouse=True)
def ran(gpu):
    gpu.run = lambda *_: None


def test_launches_of_python(gpu):
    kernel, (x, y) = tile2cpp.jit(negated.__wrapped__), arrays()
    check(gpu, lambda grid: kernel[grid](x, y, 4096))
    assert "one for each row of `x`" in kernel.explain(x, y, 4096)


def test_launches_of_the_general_way(gpu):
    kernel, args = tile2cpp.jit(negated.__wrapped__), (*arrays(), 4096)
    check(gpu, lambda grid: kernel._start_any((*grid, 1, 1)[:3], None, None, False, args, {}))


def test_launches_of_cpp(gpu, in_cpp, monkeypatch):
    kernel, (x, y) = tile2cpp.jit(negated.__wrapped__), arrays()
    kernel[(1,)](x, y, 4096)
    monkeypatch.setattr(type(kernel), "_start_in_python", lambda *_: pytest.fail("Python was asked"))
    check(gpu, lambda grid: kernel[grid](x, y, 4096))


def test_dependent_launches(gpu):
    kernel, args = tile2cpp.jit(negated.__wrapped__), (*arrays(), 4096)
    tile2cpp.launch(5, (5,), kernel, args, programmatic_dependent_launch=True)
    assert gpu.launches[0].grid == (40, 1, 1) and gpu.launches[0].attributes


def test_other_shapes_have_other_rows(gpu):
    kernel = tile2cpp.jit(negated.__wrapped__)
    for rows in (40, 20, 0):
        kernel[(10,)](*arrays(rows), 4096)
    kernel[(2, 0)](*arrays(), 4096)
    assert [launched.grid for launched in gpu.launches] == [(40, 1, 1), (20, 1, 1), (10, 1, 1)]
