"""All 65536 numbers of the 16-bit floats, converted and rounded."""

from __future__ import annotations

import numpy as np
from families.casts import want
from families.formats import FORMATS, dtype_of
from families.program import Program
from families.values import numpy_of

import tile2cpp.lang as ct

TARGETS = ("float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "bool")
WIDTH = 512


def kernel(source: str):
    dtypes = tuple(dtype_of(target) for target in TARGETS)

    @ct.kernel
    def converted(x, outs, rounded):
        t = ct.load(x, (ct.bid(0),), (WIDTH,))
        for n in ct.static_iter(range(len(dtypes))):
            ct.store(outs[n], (ct.bid(0),), t.astype(dtypes[n]))
        whole = ct.where(ct.isnan(t), ct.zeros((WIDTH,), t.dtype), t)
        ct.store(rounded[0], (ct.bid(0),), ct.floor(whole) + ct.ceil(whole))
        ct.store(rounded[1], (ct.bid(0),), ct.sqrt(abs(whole)))
        ct.store(rounded[2], (ct.bid(0),), whole * whole + 0)

    return converted


def meant(source: str):
    def run(x, outs, rounded):
        for target, out in zip(TARGETS, outs):
            out[...] = want(source, target)(x)
        whole = np.where(np.isnan(x), x.dtype.type(0), x)
        rounded[0][...] = np.floor(whole) + np.ceil(whole)
        rounded[1][...] = np.sqrt(np.abs(whole).astype(np.float64)).astype(x.dtype)
        rounded[2][...] = whole * whole + x.dtype.type(0)

    return run


def arguments(source: str):
    def make():
        x = np.arange(65536, dtype=np.uint16).view(numpy_of(source))
        outs = tuple(np.zeros(x.size, FORMATS[target].stored) for target in TARGETS)
        return x, outs, tuple(np.zeros_like(x) for _ in range(3))

    return make


PROGRAMS = [Program(f"every {source}", kernel(source), (65536 // WIDTH,), arguments(source), meant(source)) for source in ("float16", "bfloat16")]
