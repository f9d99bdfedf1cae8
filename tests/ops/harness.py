"""Runs one op, or one expression, on whole tiles and holds the result against an independent expectation.

The same property runs on every backend in `BACKENDS`: an expression is loaded, computed
and stored by a kernel made for the occasion. Shapes come from a small pool, because on
backends that compile each new shape costs a build.
"""

import inspect
import math

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tile2cpp.lang as ct
from tile2cpp import dtypes, interpret
from tile2cpp.signature import Signature

BACKENDS = ("interpret",)
SHAPES = ((), (4,), (2, 8), (1, 4), (2, 2, 4))

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
SIGNED = INTEGERS[:4]
FLOATS = ("float16", "float32", "float64")
ARITHMETIC = (*INTEGERS, *FLOATS)

quick = settings(max_examples=30, deadline=None)


def tiles(dtype, shape, low=None, high=None):
    """Arrays of one dtype and shape; floats include infinities and NaN unless bounds are given."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        bounded = low is not None
        elements = st.floats(low, high, width=dtype.itemsize * 8, allow_nan=not bounded, allow_infinity=not bounded)
    elif dtype.kind == "b":
        elements = st.booleans()
    else:
        info = np.iinfo(dtype)
        elements = st.integers(info.min if low is None else max(math.ceil(low), info.min), info.max if high is None else min(math.floor(high), info.max))
    return hnp.arrays(dtype, shape, elements=elements)


@st.composite
def tile_pairs(draw, names=ARITHMETIC, low=None, high=None):
    """Two tiles of one shape and one dtype."""
    dtype, shape = draw(st.sampled_from(names)), draw(st.sampled_from(SHAPES))
    return draw(tiles(dtype, shape, low, high)), draw(tiles(dtype, shape, low, high))


@st.composite
def any_tile(draw, names=ARITHMETIC, shapes=SHAPES, low=None, high=None):
    return draw(tiles(draw(st.sampled_from(names)), draw(st.sampled_from(shapes)), low, high))


def launch(function, grid, args, backend):
    """Run the plain kernel function on `backend`; arrays are written in place."""
    if backend != "interpret":
        import tile2cpp

        return tile2cpp.launch(0, grid, ct.kernel(function), tuple(args), backend=backend)
    parameters = list(inspect.signature(function).parameters.values())
    constants = frozenset(i for i, p in enumerate(parameters) if ct.is_constant(p.annotation))
    signature = Signature.of(tuple(p.name for p in parameters), constants, args)
    return interpret.run(function, signature, grid, tuple(args), {})


def compute(expression, *arrays, shape, dtype, backend="interpret"):
    """`expression` of whole tiles, which must give `dtype` and `shape`, as an array."""
    wanted = dtypes.as_dtype(np.dtype(dtype))
    out = np.zeros(shape or (1,), wanted.numpy)
    right = np.zeros(1, np.int32)
    kernel = KERNELS[len(arrays)]
    shapes = tuple(a.shape for a in arrays)
    memory = [np.ascontiguousarray(a).reshape(a.shape or (1,)) for a in arrays]
    launch(kernel(expression, shapes, tuple(shape), wanted), (1,), (*memory, out, right), backend)
    assert right[0] == 1, f"the result is not {wanted} of shape {tuple(shape)}"
    return out.reshape(shape)


def zeros_for(shape):
    return (0,) * max(1, len(shape))


def _no_tiles(expression, shapes, shape, dtype):
    at = zeros_for(shape)

    def kernel(out, right):
        tile = expression()
        if tile.dtype == dtype and tile.shape == shape:
            ct.store(out, at, tile)
            ct.store(right, (0,), 1)

    return kernel


def _one_tile(expression, shapes, shape, dtype):
    (x_shape,), at = shapes, zeros_for(shape)
    x_at = zeros_for(x_shape)

    def kernel(x, out, right):
        tile = expression(ct.load(x, x_at, x_shape))
        if tile.dtype == dtype and tile.shape == shape:
            ct.store(out, at, tile)
            ct.store(right, (0,), 1)

    return kernel


def _two_tiles(expression, shapes, shape, dtype):
    (x_shape, y_shape), at = shapes, zeros_for(shape)
    x_at, y_at = zeros_for(x_shape), zeros_for(y_shape)

    def kernel(x, y, out, right):
        tile = expression(ct.load(x, x_at, x_shape), ct.load(y, y_at, y_shape))
        if tile.dtype == dtype and tile.shape == shape:
            ct.store(out, at, tile)
            ct.store(right, (0,), 1)

    return kernel


def _three_tiles(expression, shapes, shape, dtype):
    (x_shape, y_shape, z_shape), at = shapes, zeros_for(shape)
    x_at, y_at, z_at = zeros_for(x_shape), zeros_for(y_shape), zeros_for(z_shape)

    def kernel(x, y, z, out, right):
        tile = expression(ct.load(x, x_at, x_shape), ct.load(y, y_at, y_shape), ct.load(z, z_at, z_shape))
        if tile.dtype == dtype and tile.shape == shape:
            ct.store(out, at, tile)
            ct.store(right, (0,), 1)

    return kernel


KERNELS = (_no_tiles, _one_tile, _two_tiles, _three_tiles)


def check(expression, *arrays, expected, rtol=0.0, backends=BACKENDS):
    """On every backend, `expression` of `arrays` has the dtype, the shape and the values of `expected`."""
    expected = np.asarray(expected)
    for backend in backends:
        got = compute(expression, *arrays, shape=expected.shape, dtype=expected.dtype, backend=backend)
        np.testing.assert_allclose(got.astype(_exact(got)), expected.astype(_exact(got)), rtol=rtol, atol=rtol, equal_nan=True, err_msg=backend)


def _exact(array):
    """Integers are compared as integers, everything else as float64."""
    return array.dtype if array.dtype.kind in "biu" else np.float64


def refuses(expression, *arrays, words, error=ct.TileError):
    """The language refuses `expression` of tiles like `arrays`, and says `words`."""
    import pytest

    with pytest.raises(error) as told:
        compute(expression, *arrays, shape=(1,), dtype="float32")
    for word in words if isinstance(words, tuple) else (words,):
        assert word in str(told.value), str(told.value)
