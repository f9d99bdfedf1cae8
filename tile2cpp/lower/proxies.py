"""Run-time values inside compile-time expressions: what Python sees of a tile or an array while it evaluates."""

from __future__ import annotations

import ast
import operator
from typing import Any

from tile2cpp.lower.values import ArrayValue, Closure, Method, Runtime, Value, describe


class DeviceOperation(Exception):
    """An op was called inside a compile-time expression."""


class Symbolic(TypeError):
    """A run-time value was asked for its number; the text says for what."""


class Proxy:
    """A run-time value inside a compile-time expression: its type is known, its elements are not."""

    def __init__(self, value: Value, frame: Any, node: ast.AST):
        self._value, self._frame, self._node = value, frame, node

    def __getattr__(self, name: str) -> Any:
        found = self._frame._known_attribute(self._value, name) if not name.startswith("_") else None
        if found is None:
            raise AttributeError(f"{describe(self._value)} has no attribute {name!r} at compile time")
        return self._frame.to_python(found, self._node)

    def __repr__(self) -> str:
        """As cuTile shows it: `<tile[int32, (4, 8)]>`, `<array[float32, (?, 16)]>`."""
        match self._value:
            case Runtime():
                return f"<tile[{self._value.type.dtype}, {tuple(int(e) for e in self._value.type.shape)}]>"
            case ArrayValue():
                array = self._value.expr.type
                extents = [str(e) if e.value is not None else "?" for e in array.extents]
                return f"<array[{array.dtype}, ({', '.join(extents)}{',' * (len(extents) == 1)})]>"
        return f"<{describe(self._value)}>"

    def __call__(self, *args, **kwargs):
        name = _called_name(self._value)
        if not name:
            raise TypeError(f"{describe(self._value)} cannot be called")
        raise DeviceOperation(name)

    def __bool__(self) -> bool:
        raise TypeError("a run-time value has no truth value at compile time")

    def __index__(self) -> int:
        raise Symbolic("an integer")

    __int__ = __index__

    def __float__(self) -> float:
        raise Symbolic("a number")

    def __iter__(self):
        raise TypeError(f"{describe(self._value)} cannot be iterated at compile time")

    __hash__ = None


def _operator(symbol: str, function, reflected: bool):
    def apply(self: Proxy, other: Any) -> Any:
        frame, node = self._frame, self._node
        mine, theirs = self._value, frame.from_python(other, node)
        left, right = (theirs, mine) if reflected else (mine, theirs)
        return frame.to_python(frame.binary(symbol, function, node, node, left, node, right), node)

    return apply


for _name, _symbol in (
    ("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "**"),
    ("and", "&"), ("or", "|"), ("xor", "^"), ("lshift", "<<"), ("rshift", ">>"),
):  # fmt: skip
    _function = getattr(operator, f"{_name}_" if _name in ("and", "or") else _name)
    setattr(Proxy, f"__{_name}__", _operator(_symbol, _function, False))
    setattr(Proxy, f"__r{_name}__", _operator(_symbol, _function, True))
for _name, _symbol in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
    setattr(Proxy, f"__{_name}__", _operator(_symbol, getattr(operator, _name), False))


def _called_name(value: Value) -> str:
    """The name of what a call of a value at compile time would run on the device."""
    if isinstance(value, Method):
        return getattr(value.op, "method", "") or value.op.__name__
    return value.syntax.name if isinstance(value, Closure) else ""
