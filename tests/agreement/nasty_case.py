"""The decorator of the kernels in nasty/: what eight elements a kernel leaves behind."""

from __future__ import annotations

from typing import Any, Callable

import tile2cpp.lang as ct

CASES: dict[str, list] = {}


def case(want: Any) -> Callable:
    """A kernel `(x, n, o)`, called with x = 0.5, 1.5, ..., n = 3 and zeros; it leaves `want` in `o`."""

    def register(function: Callable) -> Callable:
        CASES.setdefault(function.__module__, []).append((function.__name__, ct.kernel(function), want))
        return function

    return register
