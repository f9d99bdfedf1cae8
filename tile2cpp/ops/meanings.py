"""How NumPy's functions become meanings of operations: without warnings, with the zeros, NaNs and roundings of GPUs."""

from __future__ import annotations

import numpy as np

from tile2cpp.ops import directed


def quiet(function):
    """`function` without NumPy's floating-point and overflow warnings: tiles wrap and go to infinity silently."""

    def evaluate(*args, **kwargs):
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)

    evaluate.__wrapped__ = function
    return evaluate


def extreme(of_both, skipping, propagating):
    """Of two zeros the larger one is +0, the smaller one -0, as GPUs have it; NumPy takes either."""

    def meaning(x, y, flush_to_zero, propagate_nan):
        x, y = (directed.flushed(v, flush_to_zero) for v in (x, y))
        with np.errstate(all="ignore"):
            made = (propagating if propagate_nan else skipping)(x, y)
            return np.where((x == 0) & (y == 0), of_both(x, y), made) if made.dtype.kind not in "iu" else made

    return meaning


def in_float(function):
    """A meaning computed in float32 for the 16-bit floats, rounded once, as the compilers do."""

    def meaning(x):
        with np.errstate(all="ignore"):
            return function(x.astype(np.float32)) if x.dtype.itemsize < 4 else function(x)

    return meaning


def flushing_float(function):
    """The same, for float32 without subnormals on either side when asked."""
    plain = in_float(function)
    return lambda x, flush_to_zero: directed.flushed(plain(directed.flushed(x, flush_to_zero)), flush_to_zero)
