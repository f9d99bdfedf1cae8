"""Conversions between floating formats: every code, against the formats' definitions and on the host."""

import math

import ml_dtypes
import numpy as np
import pytest
from harness import launch

import tile2cpp.lang as ct
from tile2cpp.ops.formats import FORMATS, rounded

SMALL = {"float8_e4m3fn": ct.float8_e4m3fn, "float8_e5m2": ct.float8_e5m2, "float8_e8m0fnu": ct.float8_e8m0fnu}


def same(got, wanted):
    """Equal numbers, and NaN in the same places."""
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(got.astype(np.float64), wanted.astype(np.float64))


def widened(x, out):
    ct.store(out, (ct.bid(0),), ct.load(x, (ct.bid(0),), (256,)).astype(ct.float32))


@pytest.mark.parametrize("backend", ("interpret", "host"))
@pytest.mark.parametrize("name", [*SMALL, "float16", "bfloat16"])
def test_every_code_widens_exactly(name, backend):
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    codes = np.arange(256 ** dtype.itemsize, dtype=f"u{dtype.itemsize}").view(dtype)
    out = np.zeros(codes.size, np.float32)
    launch(widened, (codes.size // 256,), (codes, out), backend)
    same(out, codes.astype(np.float32))


def narrowed(x, half, brain, e4m3, e5m2):
    i = ct.bid(0)
    t = ct.load(x, (i,), (256,))
    ct.store(half, (i,), t.astype(ct.float16))
    ct.store(brain, (i,), t.astype(ct.bfloat16))
    ct.store(e4m3, (i,), t.astype(ct.float8_e4m3fn))
    ct.store(e5m2, (i,), t.astype(ct.float8_e5m2))


@pytest.mark.parametrize("backend", ("interpret", "host"))
def test_narrowing_rounds_to_nearest_and_small_formats_stop_at_their_largest(backend):
    half = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
    between = np.random.default_rng(0).standard_normal(1 << 14).astype(np.float32) * 100
    x = np.concatenate([half, between])
    outs = [np.zeros(x.size, d) for d in (np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)]
    launch(narrowed, (x.size // 256,), (x, *outs), backend)
    with np.errstate(all="ignore"):
        same(outs[0], x.astype(np.float16))
        same(outs[1], x.astype(ml_dtypes.bfloat16))
        same(outs[2], np.clip(x, -448, 448).astype(ml_dtypes.float8_e4m3fn))
        same(outs[3], np.clip(x, -57344, 57344).astype(ml_dtypes.float8_e5m2))


@pytest.mark.parametrize("mode", ("RN", "RZ", "RM", "RP", "RA"))
@pytest.mark.parametrize("name", ("float16", "float32", "tfloat32"))
def test_directions(name, mode):
    """Neighbours of the result lie on the far side of the number, whatever the direction."""
    x = np.random.default_rng(1).standard_normal(1000) * 10.0 ** np.random.default_rng(2).integers(-6, 4, 1000)
    made = rounded(x, name, mode)
    assert {"RZ": np.abs(made) <= np.abs(x), "RM": made <= x, "RP": made >= x}.get(mode, np.ones(1, bool)).all()
    step = 2.0 ** (np.maximum(np.frexp(x)[1] - 1, FORMATS[name].least) - FORMATS[name].fraction)
    assert (np.abs(made - x) <= step * (1 if mode in ("RZ", "RM", "RP") else 0.5)).all()
    assert all(math.ldexp(m, 0) == m for m in made)
