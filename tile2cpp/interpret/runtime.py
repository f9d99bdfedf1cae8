"""What rewritten functions ask while they run: conditions, loops, built-ins, calls.

Everything here concerns Python's statements and built-ins. The meaning of operations
lies in the op registry.
"""

from __future__ import annotations

import builtins
import contextlib
import sys
import types
from typing import Any, Callable, Iterator

from tile2cpp import dtypes
from tile2cpp.directives import is_static_def
from tile2cpp.dtypes import DType
from tile2cpp.errors import Reject
from tile2cpp.interpret.values import ArrayValue, ListValue, TileValue, ViewValue, is_number, lift, strict
from tile2cpp.ops import BUILTINS
from tile2cpp.ops.cast import convert
from tile2cpp.ops.compare import logical_and, logical_not, logical_or
from tile2cpp.ops.create import scalar
from tile2cpp.types import Weak, promote

# --- conditions ---------------------------------------------------------------------


def holds(value: Any) -> bool:
    """Whether a condition is true; tiles must be scalars."""
    return bool(lift(value))


def negation(value: Any) -> Any:
    """`not value`: elementwise for tiles."""
    value = lift(value)
    return logical_not(value) if isinstance(value, TileValue) else not value


def alone(value: Any) -> Any:
    """The left side of `and` or `or` when it decides: a run-time scalar becomes a bool."""
    value = lift(value)
    return TileValue(dtypes.bool_, value.data != 0) if isinstance(value, TileValue) else value


def both(left: Any, right: Any) -> Any:
    """`left and right` once `left` is true."""
    return _joined_by(logical_and, left, right)


def either(left: Any, right: Any) -> Any:
    """`left or right` once `left` is false."""
    return _joined_by(logical_or, left, right)


def _joined_by(op: Callable, left: Any, right: Any) -> Any:
    left, right = lift(left), lift(right)
    if not isinstance(left, TileValue):
        return right
    return op(left, right if isinstance(right, TileValue) or is_number(right) else bool(right))


def chosen(condition: Any, value: Any) -> Any:
    """A branch of `x if condition else y`: a constant chosen at run time gets its own dtype."""
    return strict(value) if isinstance(lift(condition), TileValue) else value


joined = chosen  # the same holds for a name assigned in a branch of an `if` statement


def returned(value: Any, conditions: tuple) -> Any:
    """A returned value: one of several places, chosen at run time, returns no weak constant."""
    return strict(value) if any(isinstance(lift(c), TileValue) for c in conditions) else value


def contained(item: Any, items: Any, wanted: bool) -> Any:
    """`item in items` (or `not in`): a run-time bool where a run-time value decides."""
    if not isinstance(items, tuple):
        return (item in items) == wanted
    result: Any = not wanted
    for other in items:
        same = lift(item) == lift(other)
        if not isinstance(same, TileValue):
            if same:
                return wanted
            continue
        one = same if wanted else logical_not(same)
        result = (logical_or if wanted else logical_and)(result, one) if isinstance(result, TileValue) else one
    return result


# --- loops --------------------------------------------------------------------------


def bound(name: str) -> bool:
    """Whether the calling function's variable `name` has a value."""
    return name in sys._getframe(1).f_locals


class TypeChanged(Exception):
    """A variable that a loop carries has changed its type."""

    def __init__(self, name: str, before: Any, after: Any, line: int, column: int):
        super().__init__(name)
        self.name, self.before, self.after, self.loop = name, before, after, (line, column)


class Loop:
    """The types of the variables that a loop carries, taken when it is entered."""

    def __init__(self, line: int, column: int):
        self.place = line, column
        self.types: dict[str, Any] = {}

    def carry(self, name: str, value: Any) -> Any:
        """Before the loop: a constant gets its own dtype, everything else keeps its type."""
        value = strict(lift(value))
        self.types[name] = type_of(value)
        return value

    def keep(self, name: str, value: Any) -> Any:
        """After a round: the type must be that from before the loop."""
        if name not in self.types:
            return value
        value, before = strict(lift(value)), self.types[name]
        if type_of(value) != before:
            raise TypeChanged(name, before, type_of(value), *self.place)
        return value


def type_of(value: Any) -> Any:
    """What a loop must keep of a value; arrays may be others of their dtype and rank."""
    if isinstance(value, tuple):
        return tuple(type_of(item) for item in value)
    if isinstance(value, ArrayValue):
        return ("array", value.dtype, value.ndim)
    if isinstance(value, ViewValue):
        return ("view", type_of(value.array), value.type.shape, value.type.steps)
    return value.type if isinstance(value, TileValue) else type(value)


class Range:
    """`range(...)` in tile code: counts in an int32 or int64 scalar, upwards."""

    def __init__(self, *bounds: Any):
        if not 1 <= len(bounds) <= 3:
            raise Reject("", f"range takes 1 to 3 arguments, not {len(bounds)}")
        start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        self.dtype = dtypes.int32
        self.numbers = tuple(self._bound(name, value) for name, value in (("start", start), ("stop", stop), ("step", step)))
        if self.numbers[2] <= 0:
            raise Reject("step", f"the step of a range must be positive, but it is {self.numbers[2]}", hint="count up, and compute `n - 1 - i` in the body")

    def _bound(self, name: str, value: Any) -> int:
        value = lift(value)
        kind = value.type if isinstance(value, TileValue) else Weak(value) if is_number(value) else None
        if kind is None or kind.shape or promote(kind, kind).kind != "int":
            raise Reject(name, f"the {name} of a range must be a signed integer scalar, but it is {kind or value!r}", hint="convert it with .astype(ct.int32)")
        if promote(kind, kind).bits > 32:
            self.dtype = dtypes.int64
        return int(value.data) if isinstance(value, TileValue) else value

    def __iter__(self) -> Iterator[TileValue]:
        return (TileValue(self.dtype, i) for i in range(*self.numbers))

    def __repr__(self) -> str:
        return f"range{self.numbers}"


def iterate(items: Any) -> Any:
    """What a `for` statement may go over."""
    if isinstance(items, Range):
        return iter(items)
    what = str(items.type) if isinstance(items, (TileValue, ArrayValue)) else f"a {type(items).__name__}"
    raise Reject("", f"a loop goes over range(...), but this is {what}", hint="write `for i in range(...)` and compute what you need from i")


# --- attributes ---------------------------------------------------------------------


def with_attributes(value: Any) -> Any:
    """A number as the scalar whose attributes are asked for; everything else as it is."""
    return strict(value) if is_number(value) else value


# --- calls --------------------------------------------------------------------------


def callee(function: Any) -> Any:
    """What calling `function` means in tile code.

    The caller calls the answer itself, so that a debugger steps from the author's
    function straight into the author's helper.
    """
    if is_static_def(getattr(function, "__func__", function)):
        return function  # Python's own evaluation is what the mark asks for
    if isinstance(function, types.FunctionType):
        if function.__code__.co_filename == contextlib.__file__ and hasattr(function, "__wrapped__"):
            return contextlib.contextmanager(_copied(function.__wrapped__))
        return function if function.__module__ in ("contextlib", "dataclasses") else _copied(function)
    if isinstance(function, types.MethodType) and isinstance(function.__func__, types.FunctionType):
        return types.MethodType(_copied(function.__func__), function.__self__)
    if isinstance(function, DType):
        return lambda value=0: _scalar(function, value)
    if isinstance(function, types.BuiltinFunctionType) or isinstance(function, type):
        return BUILT_IN.get(function, function)
    if _is_helper(function):
        return _copied(_plain(function))
    if _is_kernel(function):
        raise Reject("", f"a kernel cannot call the kernel `{function.__name__}`", hint="call its plain function, or share a helper")
    return function


def _copied(function: types.FunctionType) -> types.FunctionType:
    from tile2cpp.interpret.copies import copied

    return copied(function)


def _is_helper(function: Any) -> bool:
    from tile2cpp.lang import TileFunction

    return isinstance(function, TileFunction)


def _plain(function: Any) -> types.FunctionType:
    if not function.tile:
        raise Reject("", f"`{function.__name__}` is host code (tile=False)", hint="mark it with @ct.function()")
    return function.__wrapped__


def _is_kernel(function: Any) -> bool:
    return "__wrapped__" in getattr(function, "__dict__", {}) and type(function).__module__ == "tile2cpp.jit"


def _scalar(dtype: DType, value: Any = 0) -> TileValue:
    """`ct.float16(x)`: a strictly typed scalar; without a number it is zero."""
    value = float(value) if isinstance(value, str) and dtype.is_floating else lift(value)
    if not isinstance(value, TileValue) and not is_number(value):
        raise Reject("value", f"{dtype}(...) takes a number, not {value!r}")
    result = scalar(dtype, value.type if isinstance(value, TileValue) else Weak(value))
    if isinstance(value, TileValue):
        return TileValue(result.dtype, convert(value.data, dtype))
    return TileValue(result.dtype, convert(value, dtype), known=True)


def _constant_only(function: Callable, advice: str) -> Callable:
    def call(*args, **kwargs):
        for value in args:
            if isinstance(lift(value), TileValue):
                raise Reject("", f"{function.__name__}(...) works on constants, but this is {lift(value).type}", hint=advice)
        return function(*args, **kwargs)

    return call


def _length(value: Any) -> Any:
    return value.length if isinstance(value, ListValue) else _constant_only(len, "a tile's extents are t.shape")(value)


def _truth(value: Any = False) -> Any:
    value = lift(value)
    if not isinstance(value, TileValue):
        return bool(value)
    holds(value)
    return alone(value)


def _two(function: Callable) -> Callable:
    """A built-in that means an op when one of its operands is a tile."""

    def call(*args, **kwargs):
        if any(isinstance(lift(value), TileValue) for value in args):
            return BUILTINS[function](*args, **kwargs)
        return function(*args, **kwargs)

    return call


BUILT_IN: dict[Callable, Callable] = {
    range: Range,
    bool: _truth,
    int: _constant_only(int, "convert it with .astype(ct.int32)"),
    float: _constant_only(float, "convert it with .astype(ct.float32)"),
    len: _length,
    divmod: lambda x, y: (x // y, x % y),
    **{function: _two(function) for function in BUILTINS},
}
assert all(getattr(builtins, function.__name__, None) is function for function in BUILT_IN)
