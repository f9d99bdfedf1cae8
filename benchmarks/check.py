"""Whether an answer is right: its distance from one in double precision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from benchmarks.arrays import wide

# One wrong element of millions is invisible in a norm, so the largest deviation counts too: in typical elements of the answer.
LARGEST = 0.05
LARGEST_PER_LIMIT = 60


@dataclass(frozen=True)
class Distance:
    """The norm of the error by that of the answer, and the largest error by the answer's root mean square."""

    norm: float
    largest: float

    def is_within(self, limit: float) -> bool:
        if limit == 0:
            return self.norm == 0
        return self.norm <= limit and self.largest <= max(LARGEST, LARGEST_PER_LIMIT * limit)  # false for NaN


def distance(got: Any, expected: Any) -> Distance:
    """How far `got` is from `expected`, arrays of NumPy or torch of one kind."""
    got, expected = wide(got).reshape(-1), expected.reshape(-1)
    if got.shape != expected.shape:
        return Distance(math.nan, math.nan)
    # In pieces: the differences of 2^28 elements in double precision are gigabytes.
    piece, error, whole, largest = 1 << 25, 0.0, 0.0, 0.0
    for start in range(0, len(expected), piece):
        e = expected[start : start + piece]
        d = got[start : start + piece] - e
        error += float((d * d).sum())
        whole += float((e * e).sum())
        top = float(abs(d).max())
        largest = top if top > largest or math.isnan(top) else largest
    typical = math.sqrt(whole / max(1, len(expected))) or 1.0
    return Distance(math.sqrt(error / whole) if whole else math.sqrt(error), largest / typical)
