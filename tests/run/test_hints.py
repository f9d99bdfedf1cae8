"""A hint changes how a kernel runs, never what it computes."""

import numpy as np
import pytest
import tile2cpp.lang as ct

ROWS, COLUMNS = 32, 512
# Of the other backends one thread is the block, whatever the hints say.
BLOCKS = [("interpret", 16, 4), ("host", 16, 4), *(pytest.param("cuda", w, o, marks=pytest.mark.gpu) for w in (None, 1, 2, 4, 8, 16, 32) for o in (None, 4))]


@ct.kernel
def rows(x, y, sums, turned, order):
    """What passes between threads in every way: along rows, along columns, from tile to tile and by index."""
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (ROWS, COLUMNS))
    ct.store(y, (i, 0), ct.exp(t - ct.max(t, 1, keepdims=True)) / ct.sum(ct.exp(t - ct.max(t, 1, keepdims=True)), 1, keepdims=True))
    ct.store(sums, (i, 0), ct.cumsum(t, 1) + ct.sum(t, 0, keepdims=True))
    ct.store(turned, (0, i), ct.transpose(t))
    ct.store(order, (i,), ct.argmax(t, 1))


@pytest.mark.parametrize("backend, warps, occupancy", BLOCKS)
def test_threads_of_a_block(backend, warps, occupancy):
    x = np.random.default_rng(0).integers(-50, 50, (2 * ROWS, COLUMNS)).astype(np.float32)
    arrays = [x, np.zeros_like(x), np.zeros_like(x), np.zeros((COLUMNS, 2 * ROWS), np.float32), np.zeros(2 * ROWS, np.int32)]
    if backend == "cuda":
        import cupy

        arrays = [cupy.asarray(a) for a in arrays]
    ct.launch(0, (2,), rows.replace_hints(num_worker_warps=warps, occupancy=occupancy), tuple(arrays), backend=backend)
    y, sums, turned, order = (a.get() if backend == "cuda" else a for a in arrays[1:])
    weights = np.exp((x - x.max(1, keepdims=True)).astype(float))
    np.testing.assert_allclose(y, weights / weights.sum(1, keepdims=True), rtol=2e-6, atol=1e-30)
    np.testing.assert_array_equal(sums, x.cumsum(1) + x.reshape(2, ROWS, COLUMNS).sum(1).repeat(ROWS, 0))  # whole numbers, exactly
    np.testing.assert_array_equal(turned, x.T)
    np.testing.assert_array_equal(order, x.argmax(1))
