"""Symbols that say what a kernel was compiled for, as cuTile writes them.

    my_kernel_Kt1_A2f32_3l0_I256        an array of rank 2 whose strides (axes 0 and 1: mask 3) are 0 or more, and 256

Behind the name stand `_K`, the calling convention, and one word for each parameter. What is
said of an array's axes is grouped by the axes of which it holds, a hexadecimal mask.
"""

from __future__ import annotations

import re
import struct
from typing import Any, Iterator, Sequence

from tile2cpp import dtypes
from tile2cpp.constraints import ArrayConstraint, CallingConvention, ConstantConstraint, ListConstraint, ParameterConstraint, ScalarConstraint, TupleConstraint, described

WORDS = {
    "bool_": "b8", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "tfloat32": "tf32",
    "float8_e4m3fn": "f8m3fn", "float8_e5m2": "f8m2", "float8_e8m0fnu": "f8m0fnu",
}  # fmt: skip
DTYPES = {word: dtypes.BY_NAME[name] for name, word in WORDS.items()}
A_DTYPE = "|".join(sorted(DTYPES, key=len, reverse=True))

# What can be said of an axis: its letter, the constraint's field, and the value that says nothing.
AXES = (("s", "shape_constant", None), ("i", "shape_divisible_by", 1), ("t", "stride_constant", None), ("v", "stride_divisible_by", 1), ("l", "stride_lower_bound_incl", None))
IMPLIED = {"shape_divisible_by": "shape_constant", "stride_divisible_by": "stride_constant", "stride_lower_bound_incl": "stride_constant"}  # by a constant
INDICES = {"": dtypes.int32, "u": dtypes.uint32, "w": dtypes.int64}


def mangled(function_name: str, parameters: Sequence[Any], convention: CallingConvention) -> str:
    """The symbol of a kernel for these parameters."""
    parameters = list(map(described, parameters))
    for parameter in parameters:
        _fits(parameter, convention)
    groups = {group: number for number, group in enumerate(dict.fromkeys(g for p in parameters for g in _groups(p)))}
    return f"{function_name}_K{convention.code}" + "".join(f"_{_word(p, groups)}" for p in parameters)


def demangled(symbol: str) -> tuple[str, tuple[ParameterConstraint, ...], CallingConvention]:
    """The function's name, the parameters and the calling convention that a symbol tells."""
    name, mark, rest = symbol.rpartition("_K")
    if not mark:
        raise ValueError(f"`{symbol}` is not a mangled kernel name")
    reader = _Reader(symbol, rest)
    convention, parameters = CallingConvention.from_code(reader.take("[^_]+")), []
    while reader.rest:
        reader.take("_")
        parameters.append(reader.constraint())
        _fits(parameters[-1], convention)
    return name, tuple(parameters), convention


def _fits(constraint: Any, convention: CallingConvention) -> None:
    """Reject what only the second convention can pass."""
    array = constraint.element if isinstance(constraint, ListConstraint) else constraint
    what = ""
    if isinstance(array, TupleConstraint):
        what = "a tuple"
    elif isinstance(array, ArrayConstraint) and any(e is not None for e in array.for_axes("shape_constant")):
        what = "a constant extent"
    if what and convention.version < 2:
        raise ValueError(f"{what} needs a calling convention of version >= 2, such as CallingConvention.cutile_python_v2()")


# --- writing ------------------------------------------------------------------------


def _groups(constraint: Any) -> Iterator[str]:
    """The alias groups of a parameter, in the order in which they are numbered."""
    if isinstance(constraint, TupleConstraint):
        for item in constraint.items:
            yield from _groups(described(item))
    yield from getattr(constraint, "alias_groups", ())
    if isinstance(constraint, ListConstraint):
        yield from constraint.element.alias_groups


def _word(constraint: Any, groups: dict[str, int]) -> str:
    match constraint:
        case ArrayConstraint():
            return f"A{_array(constraint, groups)}"
        case ListConstraint():
            return f"L{_aliases(constraint, groups)}{'i' * constraint.elements_may_alias}{_word(constraint.element, groups)}"
        case TupleConstraint():
            return f"T{len(constraint.items)}" + "".join(_word(described(item), groups) for item in constraint.items)
        case ScalarConstraint():
            return f"S{_dtype(constraint.dtype)}"
        case ConstantConstraint(value=bool(value)):
            return f"B{value:d}"
        case ConstantConstraint(value=int(value)):
            return f"I{_number(value)}"
        case ConstantConstraint(value=float(value)):
            return f"F{struct.pack('>d', value).hex()}"
    raise TypeError(f"{constraint!r} has no word in a kernel's name")


def _array(array: ArrayConstraint, groups: dict[str, int]) -> str:
    said: dict[str, int] = {}  # each promise, and the axes of which it holds
    for letter, field, nothing in AXES:
        implied = array.for_axes(IMPLIED[field]) if field in IMPLIED else (None,) * array.ndim
        for axis, value in enumerate(array.for_axes(field)):
            if value != nothing and implied[axis] is None:
                said[f"{letter}{_number(value)}"] = said.get(f"{letter}{_number(value)}", 0) | 1 << axis
    masks = {mask: "".join(word for word, axes in said.items() if axes == mask) for mask in sorted(set(said.values()))}
    base = f"p{_number(array.base_addr_divisible_by)}" if array.base_addr_divisible_by != 1 else ""
    index = next(letter for letter, dtype in INDICES.items() if dtype == dtypes.as_dtype(array.index_dtype))
    rest = base + _aliases(array, groups) + "i" * array.may_alias_internally + index
    return f"{array.ndim}{_dtype(array.dtype)}" + "".join(f"_{mask:x}{words}" for mask, words in masks.items()) + (f"_{rest}" if rest else "")


def _aliases(constraint: Any, groups: dict[str, int]) -> str:
    return "".join(f"g{number:x}" for number in sorted(groups[g] for g in constraint.alias_groups))


def _dtype(dtype: Any) -> str:
    found = dtypes.as_dtype(dtype)
    if found is None or found.name not in WORDS:
        raise ValueError(f"{dtype} has no place in a kernel's name")
    return WORDS[found.name]


def _number(value: int) -> str:
    return f"_{-value}" if value < 0 else f"{value}"


# --- reading ------------------------------------------------------------------------


class _Reader:
    """What is left of a symbol."""

    def __init__(self, symbol: str, rest: str):
        self.symbol, self.rest = symbol, rest

    def take(self, pattern: str, default: str | None = None) -> str:
        """The next word, if it looks like this; else the default, or an error."""
        found = re.match(pattern, self.rest)
        if found is None:
            if default is None:
                raise ValueError(f"Invalid mangled name '{self.symbol}', at '{self.rest[:20]}'")
            return default
        self.rest = self.rest[found.end() :]
        return found.group()

    def number(self) -> int:
        return int(self.take("_?[0-9]+").replace("_", "-"))

    def groups(self) -> tuple[str, ...]:
        """Groups have no names in a symbol: they are told apart by their numbers."""
        found = []
        while self.take("g", ""):
            found.append(f"group{int(self.take('[0-9a-f]+'), 16)}")
        return tuple(found)

    def constraint(self) -> Any:
        match self.take("[ALTSBIF]"):
            case "A":
                return self.array()
            case "L":
                groups, alias = self.groups(), bool(self.take("i", ""))
                self.take("A")
                return ListConstraint(self.array(), groups, alias)
            case "T":
                return TupleConstraint(tuple(self.constraint() for _ in range(int(self.take("[0-9]+")))))
            case "S":
                return ScalarConstraint(DTYPES[self.take(A_DTYPE)])
            case "B":
                return ConstantConstraint(self.take("[01]") == "1")
            case "I":
                return ConstantConstraint(self.number())
            case _:
                return ConstantConstraint(struct.unpack(">d", bytes.fromhex(self.take("[0-9a-f]{16}")))[0])

    def array(self) -> ArrayConstraint:
        rank = int(self.take("[0-9]+"))
        dtype = DTYPES[self.take(A_DTYPE)]
        said = {field: [nothing] * rank for _, field, nothing in AXES}
        while mask := int(self.take(r"_[0-9a-f]+(?=[sitvl])", "_0")[1:], 16):
            if mask >> rank:
                raise ValueError(f"Invalid mangled name '{self.symbol}': axes beyond rank {rank}")
            for letter, field, _ in AXES:
                if self.take(letter, ""):
                    value = self.number()
                    said[field] = [value if mask >> axis & 1 else before for axis, before in enumerate(said[field])]
        more = self.take("_(?=[pgiuw])", "")
        base = self.number() if more and self.take("p", "") else 1
        groups, alias, index = (self.groups(), bool(self.take("i", "")), self.take("[uw]", "")) if more else ((), False, "")
        return ArrayConstraint(dtype, rank, INDICES[index], alias_groups=groups, may_alias_internally=alias, base_addr_divisible_by=base, **{f: tuple(v) for f, v in said.items()})
