"""Evaluates one op: binds arguments, asks the typing rule, converts operands, calls the NumPy meaning."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tile2cpp import types
from tile2cpp.errors import Reject, TileInternalError
from tile2cpp.interpret import combine
from tile2cpp.interpret.values import ArrayValue, TileValue, ViewValue, is_number, lift
from tile2cpp.ops import Op, Typed, folding, result_of
from tile2cpp.ops.advanced import Part
from tile2cpp.ops.cast import convert
from tile2cpp.ops.create import flattened
from tile2cpp.ops.rules import POINTER_HINT, own_dtype

SEQUENCES = ("Index", "Indices", "Tiles")


def evaluate(op: Op, args: tuple, kwargs: dict, block: Any) -> Any:
    """The result of a call; raises `Reject` where the language refuses it."""
    layout = layout_of(op)
    combine.check(op)
    if op.name == "print":
        return print(*args, **kwargs)  # whoever reads it is a human, so Python's own words do
    values = {name: normal(name, layout.kinds[name], value, op.addresses) for name, value in _bind(op, layout, args, kwargs).items()}
    numbers = folding.numbers_of(op, values, lambda value: value if is_number(value) else None)
    if numbers is not None:
        return folding.MEANINGS[op.name](*numbers)
    of = {name: type_of(layout.kinds[name], value) for name, value in values.items()}
    typed = result_of(op.rule(*(of[n] for n in layout.positional), *of.get(layout.rest, ()), **{n: of[n] for n in layout.keywords}))
    if is_number(values.get("x")) and not typed.result.shape:
        if op.name in folding.UNCHANGED or op.name in folding.CONVERSIONS and own_dtype(values["x"]) == typed.result.dtype:
            return values["x"]
    values |= typed.constants
    if isinstance(typed.result, types.View):
        return ViewValue(values["array"], typed.result, values["padding_mode"])
    if isinstance(typed.result, types.Array):
        return _part(op, values, typed, layout)
    if layout.combiner:
        values[layout.combiner] = combine.combiner(op, values[layout.combiner], typed.operands["x"])
    given = {name: _operand(value, typed.operands.get(name)) for name, value in values.items()}
    given |= {"result": typed.result, "block": block, "types": typed.operands}
    with np.errstate(all="ignore"):  # tiles wrap, overflow and compare NaN silently
        made = _results(op, typed, op.numpy(*(given[name] for name in layout.meaning)), *args)
    if op.name in folding.MEANINGS or op.name == "astype":
        made.known = all(is_number(v) or v.known for name, v in values.items() if layout.kinds[name] == "Tile")
    return made


class Layout(NamedTuple):
    """An op's parameters, taken apart once: their kinds and defaults, and what its meaning asks for."""

    kinds: dict[str, str]
    defaults: dict[str, Any]
    positional: tuple[str, ...]
    positional_only: frozenset[str]
    keywords: tuple[str, ...]
    meaning: tuple[str, ...]
    combiner: str = ""
    rest: str = ""  # a parameter such as `*args`


@lru_cache(maxsize=None)
def layout_of(op: Op) -> Layout:
    parameters = op.signature.parameters.values()
    return Layout(
        kinds={p.name: p.annotation for p in parameters},
        defaults={p.name: p.default for p in parameters if p.default is not p.empty},
        positional=tuple(p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)),
        rest=next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), ""),
        positional_only=frozenset(p.name for p in parameters if p.kind is p.POSITIONAL_ONLY),
        keywords=tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY),
        meaning=parameters_of(op),
        combiner=next((p.name for p in parameters if p.annotation == "Combiner"), ""),
    )


def _bind(op: Op, layout: Layout, args: tuple, kwargs: dict) -> dict[str, Any]:
    """The arguments by name, defaults included; `inspect`, which is slow, words the mistakes."""
    given = dict(zip(layout.positional, args))
    known = all(name in layout.kinds and name not in given and name not in layout.positional_only for name in kwargs)
    bound = layout.defaults | given | kwargs
    if known and len(args) <= len(layout.positional) and len(bound) == len(layout.kinds):
        return bound
    try:
        made = op.signature.bind(*args, **kwargs)
    except TypeError as error:
        raise Reject("", f"{error}", hint=f"its parameters are {_plain_signature(op)}") from None
    made.apply_defaults()
    return made.arguments


def _plain_signature(op: Op) -> str:
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in op.signature.parameters.values()]
    return str(op.signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def normal(name: str, kind: str, value: Any, addresses: bool = False) -> Any:
    """An argument in the form that its annotation asks for: sequences as tuples, NumPy scalars typed."""
    if kind in SEQUENCES:
        items = value if isinstance(value, tuple) else (value,)
        return tuple(_tile(name, item, addresses) for item in items)
    if kind == "Tile":
        return None if value is None else _tile(name, value, addresses)
    if kind == "Shape":
        return _shape(value)
    if kind in ("Array", "View"):
        wanted = {"Array": ArrayValue, "View": ViewValue}[kind]
        if not isinstance(value, wanted):
            raise Reject(name, f"`{name}` must be {'an array parameter' if kind == 'Array' else 'a tiled view'}, but it is {describe(value)}")
        return value
    if kind == "Pointer":
        if not _is_pointer(value):
            raise Reject(name, f"`{name}` must be a foreign pointer, but it is {describe(value)}", hint="array.foreign_pointer is one")
        return value
    if kind in ("Combiner", "Printed"):
        return value
    if kind == "Nested":
        return tuple(normal(name, kind, item) for item in value) if isinstance(value, tuple) else _tile(name, value)
    if kind == "Picks":
        return tuple(item if _is_slice(item) else _tile(name, item) for item in (value if isinstance(value, tuple) else (value,)))
    return _constant(name, value)


def _is_slice(value: Any) -> bool:
    return type(value).__name__ == "Slice" and type(value).__module__ == "tile2cpp.lang"


def _part(op: Op, values: dict, typed: Typed, layout: Layout) -> ArrayValue:
    """A part of an array, as an array over the same memory."""
    given = {name: _operand(value, typed.operands.get(name)) for name, value in values.items()}
    name = values["array"].name if "array" in values else "array"
    return ArrayValue(name, op.numpy(*(given[name] for name in layout.meaning)), typed.result)


def _tile(name: str, value: Any, addresses: bool = False) -> Any:
    value = lift(value)
    if _is_pointer(value) and not addresses:
        raise Reject(name, f"`{name}` must be a tile or a number, but it is {value.type}", hint=POINTER_HINT)
    if not isinstance(value, TileValue) and not is_number(value):
        raise Reject(name, f"`{name}` must be a tile or a number, but it is {describe(value)}")
    return value


def _is_pointer(value: Any) -> bool:
    return isinstance(value, TileValue) and value.dtype.kind == "pointer"


def _shape(value: Any) -> tuple:
    """Extents as numbers. A constant that all paths agree on is a scalar here, which remembers it; translation knows the rest."""
    items = value if isinstance(value, tuple) else (value,)
    return tuple(int(item) if isinstance(item, np.integer) else item for item in map(_number, items))


def _number(value: Any) -> Any:
    """A constant of a dtype as the number that it is."""
    return value.data.item() if isinstance(value, TileValue) and value.known else value


def _constant(name: str, value: Any) -> Any:
    value = _number(value)
    if isinstance(value, (TileValue, ArrayValue, ViewValue)):
        hint = "only literals, Constant parameters, globals and what is computed from them are known"
        raise Reject(name, f"`{name}` must be known at compile time, but it is {describe(value)}", hint=hint)
    return value.item() if isinstance(value, np.generic) else value


def describe(value: Any) -> str:
    if isinstance(value, (TileValue, ArrayValue, ViewValue)):
        return str(value.type)
    return "None" if value is None else f"{value!r} of type {type(value).__name__}"


def type_of(kind: str, value: Any) -> Any:
    """What the typing rule gets for an argument: the type of a value, `Weak` for a number."""
    if isinstance(value, tuple):
        return tuple(type_of("Const" if kind == "Shape" else kind, item) for item in value)
    if isinstance(value, (TileValue, ArrayValue, ViewValue)):
        return value.type
    if _is_slice(value):
        return Part(type_of("Tile", lift(value.start)), value.length)
    if kind in ("Tile", "Picks", "Nested", *SEQUENCES) and is_number(value):
        return types.Weak(value)
    return value


def _operand(value: Any, target: Any) -> Any:
    """A value as the meaning gets it: in the dtype and shape that the rule asks for."""
    if isinstance(value, ArrayValue):
        return value.memory
    if isinstance(value, ViewValue):
        return value.numpy
    if _is_slice(value):
        return _operand(lift(value.start), target)
    if isinstance(target, tuple):
        value = flattened(value)
        return tuple(_operand(item, wanted) for item, wanted in zip(value, target))
    if isinstance(value, TileValue):
        return _fitted(value.data if target is None or value.dtype == target.dtype else convert(value.data, target.dtype), target)
    if target is not None:
        return _fitted(convert(value, target.dtype), target)
    return value


def _fitted(data: np.ndarray, target: types.Tile | None) -> np.ndarray:
    if target is None or data.shape == tuple(target.shape):
        return data
    if data.size == target.size:  # a unit axis comes or goes, as for the 1-D operands of matmul
        return data.reshape(target.shape)
    return np.broadcast_to(data, target.shape)


@lru_cache(maxsize=None)
def parameters_of(op: Op) -> tuple[str, ...]:
    """The names that an op's meaning asks for, in order; a ufunc takes the op's own parameters."""
    meaning = inspect.unwrap(op.numpy)
    if isinstance(meaning, np.ufunc):
        return tuple(op.signature.parameters)[: meaning.nin]
    return tuple(inspect.signature(meaning).parameters)


def _results(op: Op, typed: Typed, out: Any, *args: Any) -> Any:
    """The value of a call; an op over a tuple of tiles gives a tuple, over one tile one."""
    if not isinstance(typed.result, tuple):
        return _result(op, typed, out)
    made = tuple(_result(op, Typed(kind), part) for kind, part in zip(typed.result, out))
    return made[0] if op.family == "combine" and not isinstance(args[0], tuple) else made


def _result(op: Op, typed: Typed, out: Any) -> Any:
    if typed.result is None:
        return None
    if isinstance(typed.result, types.Weak):
        return typed.result.value
    data = np.asarray(out)
    if data.dtype != typed.result.dtype.numpy:
        data = convert(data, typed.result.dtype)
    if data.shape != tuple(typed.result.shape):
        raise TileInternalError(f"the meaning of {op!r} gives shape {data.shape}, but its rule says {typed.result}")
    return TileValue(typed.result.dtype, data)
