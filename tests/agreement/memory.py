"""Draws loads and gathers, and makes the arrays that drawn kernels read."""

from __future__ import annotations

import math

import numpy as np
from values import DTYPES, FLOATS, NAMES, SIGNED, Value, numpy_dtype

# Every input dtype has a vector and a matrix, whose extents are no multiples of any tile.
LENGTH, ROWS, COLUMNS = 27, 7, 21
SCALARS = {"whole": 6, "real": 1.5, "flag": True, "COUNT": 4, "HALF": 0.5, "FLAG": True}  # upper case: constants
PADDED = 'padding_mode=ct.PaddingMode.ZERO'


def inputs() -> dict[str, np.ndarray]:
    """The arrays, by parameter name."""
    rng = np.random.default_rng(20)
    made = {}
    for dtype in DTYPES:
        made[f"v_{dtype}"] = _filled(rng, dtype, (LENGTH,))
        made[f"m_{dtype}"] = _filled(rng, dtype, (ROWS, COLUMNS))
    return made


def _filled(rng, dtype: str, shape: tuple) -> np.ndarray:
    kind = numpy_dtype(dtype)
    if dtype == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype in FLOATS:
        # Eighths are exact in every float dtype, and so are their sums.
        values = (rng.integers(-64, 65, shape) / 8).astype(kind)
        flat = values.reshape(-1)
        flat[[5, 11]] = np.array([np.nan, np.inf]).astype(kind)
        return values
    info = np.iinfo(kind)
    small = rng.integers(-9 if dtype in SIGNED else 0, 10, shape).astype(kind)
    any_ = rng.integers(info.min, info.max, shape, dtype=kind, endpoint=True)
    values = np.where(rng.integers(0, 3, shape) > 0, small, any_)
    flat = values.reshape(-1)
    flat[[3, 9]] = info.min, info.max
    return values


class Memory:
    """Part of `Expressions`."""

    @staticmethod
    def name_of(dtype: str) -> str:
        return NAMES[dtype]

    def loaded(self, dtype: str, shape: tuple) -> Value:
        """Loaded values, often partly from outside the array."""
        rank = len(shape)
        if rank == 0:
            return Value(self._scalar(dtype), dtype)
        if rank == 1:
            row = self.choices.one_of(("0", "b", "1", f"{(LENGTH - 1) // shape[0]}"))
            return Value(f"ct.load(v_{dtype}, ({row},), {self._shape(shape)}, {self._padding(dtype)})", dtype, shape)
        if rank == 2:
            row, column = self.choices.one_of(("0", "b")), self.choices.one_of(("0", "b"))
            if self.choices.chance(6):
                order = f"ct.load(m_{dtype}, ({row}, 0), {shape}, order={self.choices.one_of(('(1, 0)', chr(34) + 'F' + chr(34)))}, {self._padding(dtype)})"
                return Value(order, dtype, shape)
            return Value(f"ct.load(m_{dtype}, ({row}, {column}), {self._shape(shape)}, {self._padding(dtype)})", dtype, shape)
        flat = (math.prod(shape[:-1]), shape[-1])
        return Value(f"ct.reshape(ct.load(m_{dtype}, (0, b), {flat}, {PADDED}), {shape})", dtype, shape)

    def _scalar(self, dtype: str) -> str:
        given = {"i32": ["whole", "b"], "f32": ["real"], "b": ["flag"]}.get(dtype, [])
        if given and self.choices.below(2):
            return self.choices.one_of(given)
        return self.choices.one_of((f"ct.load(v_{dtype}, b + {self.choices.below(16)}, ())", f"ct.load(m_{dtype}, (b, {self.choices.below(16)}), ())"))

    def _shape(self, shape: tuple) -> str:
        return str(shape).replace("8", "EIGHT") if self.choices.chance(4) else str(shape)

    def _padding(self, dtype: str) -> str:
        modes = ("ZERO", "NEG_INF", "POS_INF", "NAN", "NEG_ZERO") if dtype in FLOATS and self.choices.chance(4) else ("ZERO",)
        return f"padding_mode=ct.PaddingMode.{self.choices.one_of(modes)}"

    def gather(self, dtype, shape, depth, exact) -> Value:
        """Elements by index, some of them outside: those are the padding value."""
        if len(shape) != 1 and len(shape) != 2:
            return None
        kind = self.choices.one_of(("i32", "i64", "i16", "u8"))
        index = f"({self.draw(kind, shape, depth).text} % 40{'' if kind == 'u8' else ' - 5'})"
        if self.choices.chance(3) and len(shape) == 1:
            index = f"(ct.arange({shape[0]}, dtype=ct.int32) * 5 - {self.choices.below(6)})"
        arguments = [f"padding_value={self.weak(dtype)}"] if self.choices.below(2) else []
        if self.choices.chance(3):
            arguments.append(f"mask={self.draw('b', shape, depth).text}")
        if len(shape) == 2 or self.choices.below(2):
            text = f"ct.gather({', '.join([f'v_{dtype}', index, *arguments])})"
        else:
            other = f"(({self.draw('i32', (), depth).text} & 15) - 1)"
            text = f"ct.gather({', '.join([f'm_{dtype}', f'({other}, {index})', *arguments])})"
        return Value(text, dtype, shape)
