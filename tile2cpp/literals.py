"""Constants as C++ literals of their dtype."""

from __future__ import annotations

import math
from typing import Any

from tile2cpp.dtypes import DType

INTEGER = {
    "i8": "(signed char){}", "i16": "short({})", "i32": "{}", "i64": "{}ll",
    "u8": "(unsigned char){}", "u16": "(unsigned short){}", "u32": "{}u", "u64": "{}ull",
}  # fmt: skip


def spell_literal(value: Any, dtype: DType) -> str:
    """`2.5f`, `__half(2.5f)`, `(signed char)2`: the constant in exactly its dtype."""
    if dtype.kind == "bool":
        return "true" if value else "false"
    if dtype.is_integral:
        return _integer(int(value), dtype)
    if dtype.name == "float32":
        return _float32(value)
    if dtype.name == "float64":
        return _float64(float(value))
    return f"{dtype.cpp}({_narrow(float(value), dtype)})"


def _integer(value: int, dtype: DType) -> str:
    if value == -(2 ** (dtype.bits - 1)) and dtype.bits >= 32 and dtype.kind == "int":
        # The smallest value has no literal: -2147483648 is the negation of a number that does not fit.
        return f"({INTEGER[dtype.short].format(value + 1)} - {INTEGER[dtype.short].format(1)})"
    return INTEGER[dtype.short].format(value)


def _float32(value: Any) -> str:
    import numpy as np

    with np.errstate(all="ignore"):
        number = np.float32(value)
    if not np.isfinite(number):
        return _special(float(number))
    return _decimal(np.format_float_positional(number, unique=True, trim="0") if 1e-4 <= abs(number) < 1e7 or number == 0 else np.format_float_scientific(number, unique=True, trim="0")) + "f"


def _float64(value: float) -> str:
    if not math.isfinite(value):
        return f"double({_special(value)})"
    return _decimal(repr(value))


def _decimal(text: str) -> str:
    return text if any(c in text for c in ".e") else text + ".0"


def _special(value: float) -> str:
    return "NAN" if value != value else "INFINITY" if value > 0 else "-INFINITY"


def _narrow(value: float, dtype: DType) -> str:
    """A float literal that converts to exactly the element nearest to `value`."""
    import numpy as np

    with np.errstate(all="ignore"):
        exact = np.asarray(value).astype(dtype.numpy)
        short = np.asarray(np.float32(value)).astype(dtype.numpy)
    same = bool(exact == short) or bool(np.isnan(np.float32(exact)))
    return _float32(value if same else float(np.float32(exact)))
