"""Combining functions of `ct.reduce` and `ct.scan` in the interpreter: Python calls them on whole rows of elements."""

from __future__ import annotations

import inspect
from contextvars import ContextVar
from typing import Any, Callable

import numpy as np

from tile2cpp.errors import Reject, TileSyntaxError
from tile2cpp.interpret.values import TileValue, is_number, lift
from tile2cpp.ops.cast import convert
from tile2cpp.ops.rules import implicit
from tile2cpp.types import Weak

# The op whose combining function runs now.
COMBINING: ContextVar[str] = ContextVar("tile2cpp_combining", default="")


def check(op: Any) -> None:
    """Inside a combining function: only elementwise operations."""
    name = COMBINING.get()
    if not name:
        return
    if op.effect or op.family in ("memory", "atomics", "debug"):
        raise Reject("", f"the function of ct.{name} must not access memory or print", hint="it only combines two elements", kind=TileSyntaxError)
    if op.family in ("reduce", "scan", "combine", "mma"):
        raise Reject("", f"there is no reduction inside the function of ct.{name}", hint="compute it before, and use the result", kind=TileSyntaxError)


def combiner(op: Any, function: Any, targets: tuple) -> Callable:
    """`function` as the meaning of an op calls it: arrays in, a tuple of arrays of the tiles' dtypes out."""
    from tile2cpp.interpret.runtime import callee

    if not callable(function):
        raise Reject("func", f"`func` must be a function of two elements, but this is {function!r}")
    meant = callee(function)
    _check_arity(op, function, 2 * len(targets))

    def combine(*operands: np.ndarray) -> tuple[np.ndarray, ...]:
        token = COMBINING.set(op.name)
        try:
            made = meant(*(TileValue(t.dtype, o) for t, o in zip(targets * 2, operands)))
        finally:
            COMBINING.reset(token)
        items = made if isinstance(made, tuple) else (made,)
        if len(items) != len(targets):
            wanted = "one value" if len(targets) == 1 else f"{len(targets)} values"
            raise Reject("func", f"`func` must return {wanted}, but it returns {len(items)}")
        return tuple(_typed(item, t, operands[0].shape) for item, t in zip(items, targets))

    return combine


def _check_arity(op: Any, function: Any, count: int) -> None:
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError as error:
        raise Reject("func", f"`func` gets {count} elements: {error}") from None
    except ValueError:  # a built-in without a signature
        return


def _typed(value: Any, target: Any, shape: tuple[int, ...]) -> np.ndarray:
    value = lift(value)
    if not isinstance(value, TileValue) and not is_number(value):
        raise Reject("func", f"`func` must return numbers, but this is {value!r}")
    kind = value.type if isinstance(value, TileValue) else Weak(value)
    try:
        implicit("func", kind, target.dtype)
    except Reject:
        what = kind.dtype if isinstance(value, TileValue) else kind
        raise Reject("func", f"`func` turns {target.dtype} into {what}; results keep the dtype of the tile", hint=f"convert it: .astype(ct.{target.dtype.name})") from None
    return np.broadcast_to(convert(value.data if isinstance(value, TileValue) else value, target.dtype), shape)
