"""Runs a kernel's own Python body, block by block, over NumPy arrays.

`breakpoint()`, `print` and exceptions work as in any Python function and show the
author's file; operations mean what the op registry says, with the dialect's dtypes.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np

from tile2cpp import types
from tile2cpp.errors import Reject
from tile2cpp.interpret.copies import copied
from tile2cpp.interpret.evaluate import evaluate
from tile2cpp.interpret.faults import changed, endless, mistaken, refused, without_our_frames
from tile2cpp.interpret.runtime import TypeChanged
from tile2cpp.interpret.values import ArrayValue, ListValue, TileValue
from tile2cpp.ops import ACTIVE_INTERPRETER
from tile2cpp.ops.cast import convert


@dataclass
class Block:
    """Which block runs: its index in the grid, and how many there are."""

    count: tuple[int, int, int]
    index: tuple[int, int, int] = (0, 0, 0)


def run(function: Callable, signature: Any, grid: tuple[int, ...], args: tuple, hints: dict | None = None) -> None:
    """Run the plain function `function` for every block of `grid`, x fastest, on `args`.

    `signature` says what each argument is; `hints` have no meaning here. Arrays are
    NumPy arrays and are written in place.
    """
    count = (*grid, 1, 1, 1)[:3]
    block = Block(count)
    values = [_argument(*item) for item in zip(signature.names, signature.types, args)]
    token = ACTIVE_INTERPRETER.set(lambda op, args, kwargs: _evaluate(op, args, kwargs, block))
    try:
        copy = copied(function)
        by_place = len(values) - copy.__code__.co_kwonlyargcount  # arguments of a launch have no names
        named = dict(zip(signature.names[by_place:], values[by_place:]))
        for z, y, x in itertools.product(*(range(n) for n in reversed(count))):
            block.index = (x, y, z)
            copy(*values[:by_place], **named)
    except Exception as problem:
        error, frames = _explained(problem), without_our_frames(problem.__traceback__)
    else:
        return
    finally:
        ACTIVE_INTERPRETER.reset(token)
    raise error.with_traceback(frames) from error.__cause__


def _evaluate(op: Any, args: tuple, kwargs: dict, block: Block) -> Any:
    try:
        return evaluate(op, args, kwargs, block)
    except Reject as reject:
        reject.op = op  # tells a call's parameters from those of an operator
        raise


def _explained(problem: Exception) -> Exception:
    """The error that the author sees: refusals of the language with their place, other exceptions as they are."""
    if isinstance(problem, Reject):
        return refused(problem)
    if isinstance(problem, TypeChanged):
        return changed(problem)
    if isinstance(problem, RecursionError):
        return endless(problem)
    return mistaken(problem) or problem


def _argument(name: str, kind: Any, value: Any) -> Any:
    """An argument as the kernel sees it: an array, a typed scalar, or a constant."""
    if isinstance(kind, tuple):
        return tuple(_argument(f"{name}_{i}", *item) for i, item in enumerate(zip(kind, value)))
    if isinstance(kind, types.Array):
        return ArrayValue(name, np.asarray(value), kind)
    if isinstance(kind, types.ArrayList):
        return ListValue(name, [ArrayValue(f"{name}_item", np.asarray(item), kind.element) for item in value])
    if isinstance(kind, types.Tile):
        return TileValue(kind.dtype, convert(value, kind.dtype))
    return kind.value
