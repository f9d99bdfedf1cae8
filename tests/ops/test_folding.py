"""Ops of constants alone: constants again, which serve as extents and adapt to the tile they meet; on every way to run a kernel."""

import operator

import numpy as np
import pytest

import tile2cpp.lang as ct

WIDTH = np.int32(8)  # a constant of a dtype
BACKENDS = ("interpret", "host")


@ct.kernel
def extents(x, o, N: ct.Constant[int], T: ct.Constant[int]):
    width = ct.minimum(N, T)
    strict = ct.int32(16)
    ct.store(o, (0, 0), ct.load(x, (0,), (width,)).reshape((1, width)))
    ct.store(o, (1, 0), ct.full((1, WIDTH * 2), ct.log2(width), o.dtype))
    ct.store(o, (2, 0), ct.zeros((1, strict), o.dtype) + ct.abs(-ct.cdiv(N, 2)))
    ct.store(o, (3, 0), ct.ones((1, ct.astype(16.9, ct.int32)), o.dtype) * ct.int16(3))


@pytest.mark.parametrize("backend", BACKENDS)
def test_extents(backend):
    x, o = np.arange(16, dtype=np.float16), np.empty((4, 16), np.float16)
    ct.launch(0, (1,), extents, (x, o, 16, 32), backend=backend)
    assert (o == [x, [4] * 16, [8] * 16, [3] * 16]).all()


@ct.kernel
def adapt(halves, bytes_, wide):
    """Every value stays in its array's dtype, although its own would be wider."""
    h, b = ct.load(halves, (0,), (16,)), ct.load(bytes_, (0,), (16,))
    h = h * ct.exp2(2) + ct.sqrt(2.25) - ct.maximum(0.5, 1) + ct.truediv(1, 4) + ct.sum(0.5) + ct.floor(2.5)
    b = b + ct.add(1, 2) * ct.bitwise_lshift(1, 2) - ct.mod(-7, 4) + operator.floordiv(7, 2) + ct.pow(2, 3) + ct.max(1) + ct.assume_divisible_by(2, 2)
    b = b + ct.astype(3, ct.int32) + ct.reshape(1, ()) + operator.neg(2) + ct.bitwise_not(0)
    ct.store(halves, (0,), h)
    ct.store(bytes_, (0,), b)
    ct.store(wide, (0,), ct.load(wide, (0,), (16,)) + ct.exp(1.0) + ct.atan2(1, 2) + ct.astile(3, dtype=ct.float64))


@pytest.mark.parametrize("backend", BACKENDS)
def test_they_adapt(backend):
    h, b, w = np.ones(16, np.float16), np.ones(16, np.int8), np.zeros(16)
    ct.launch(0, (1,), adapt, (h, b, w), backend=backend)
    assert (h == 4 + 1.5 - 1 + 0.25 + 0.5 + 2).all()
    assert (b == 1 + 12 - 1 + 3 + 8 + 1 + 2 + 3 + 1 - 2 - 1).all()
    assert np.allclose(w, np.e + np.arctan2(1, 2) + 3, rtol=1e-15, atol=0)


@ct.kernel
def choose(x, o, N: ct.Constant[int]):
    """Bounds are tested only where the tiles do not fit, which the translation knows."""
    blocks = ct.cdiv(N, 16)
    whole = blocks * 16 == N
    for i in range(blocks):
        place = i * 16 + ct.arange(16, dtype=ct.int32)
        ct.scatter(o, place, ct.gather(x, place, check_bounds=not whole), check_bounds=ct.not_equal(whole, True))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("n", [32, 40])
def test_options(backend, n):
    x, o = np.arange(n, dtype="f"), np.empty(n, "f")
    ct.launch(0, (1,), choose, (x, o, n), backend=backend)
    assert (o == x).all()
    assert ("masked" in choose.source(x, o, n)) == (n == 40)


def test_operators_by_their_functions():
    def both(x, y):
        return operator.add(x, y) * operator.sub(operator.neg(x), 2)

    @ct.kernel
    def functions(x, o):
        t = ct.load(x, (0,), (16,))
        ct.store(o, (0,), ct.where(operator.lt(t, 4.0), both(t, t), operator.pos(t)))

    x = np.arange(16, dtype="f")
    for backend in BACKENDS:
        o = np.empty(16, "f")
        ct.launch(0, (1,), functions, (x, o), backend=backend)
        assert (o == np.where(x < 4, 2 * x * (-x - 2), x)).all()


@ct.kernel
def whole_numbers(x, o, q):
    """Integers have no NaN, a divisor need not fit them, and what is not converted is not rounded."""
    t = ct.load(x, (0,), (16,))
    ct.store(o, (0, 0), ct.maximum(t, 7, propagate_nan=True).reshape((1, 16)))
    ct.store(o, (1, 0), ct.max(t, propagate_nan=True))
    ct.store(o, (2, 0), ct.argmin(t, propagate_nan=True).astype(ct.uint8))
    ct.store(o, (3, 0), ct.arange(16, dtype=ct.uint8, start=2.9, step=1.5).reshape((1, 16)))
    ct.store(q, (0,), ct.astype(t / -2 + 300 / t, ct.float32, rounding_mode=ct.RoundingMode.RM))


@pytest.mark.parametrize("backend", BACKENDS)
def test_whole_numbers(backend):
    x = np.arange(1, 17, dtype=np.uint8)[::-1].copy()
    o, q = np.zeros((4, 16), np.uint8), np.empty(16, np.float32)
    ct.launch(0, (1,), whole_numbers, (x, o, q), backend=backend)
    assert (o[0] == np.maximum(x, 7)).all() and o[1, 0] == 16 and o[2, 0] == 15 and (o[3] == np.arange(2, 18)).all()
    f = x.astype(np.float32)
    assert np.allclose(q, f / -2 + 300 / f, rtol=1e-6)


@ct.kernel
def counted(x, o):
    """Axes may be counted from the end; methods take their arguments by name."""
    t = ct.load(x, (0, 1), (4, 2), order=(-1, 0)).astype(dtype=ct.int32)
    view = x.tiled_view((2, 4))
    ct.store(o, (0, 0), t + ct.num_tiles(x, -1, (2, 4)) * 100 + view.num_tiles(-2) * 1000)


@pytest.mark.parametrize("backend", BACKENDS)
def test_axes_from_the_end(backend):
    x, o = np.arange(48, dtype="f").reshape(6, 8), np.zeros((4, 2), np.int32)
    ct.launch(0, (1,), counted, (x, o), backend=backend)
    assert (o == x[2:4, :4].T + 200 + 3000).all()
