"""What a kernel uses, read off its translation: operations, the dtypes they work on, and their options."""

from __future__ import annotations

from typing import Any, Iterator

from tile2cpp import ir
from tile2cpp.errors import Reject
from tile2cpp.lower import lower
from tile2cpp.ops import Op, result_of
from tile2cpp.types import Tile, Weak

# Constants that an op cannot do without, where its rule is tried out.
SAMPLES = {"axis": 0, "axes": (0,), "divisor": 1, "shape": (4,), "size": (4,), "tile_shape": (4,), "index": (Weak(0),)}
DIRECTIONS = ("RN", "RZ", "RM", "RP", "RA", "FULL", "APPROX")
OPTIONS = {
    "rounding_mode": DIRECTIONS, "flush_to_zero": (True,), "propagate_nan": (True,), "keepdims": (True,), "reverse": (True,), "use_fast_acc": (True,),
}  # fmt: skip


def calls(kernel, args: tuple) -> Iterator[ir.Call]:
    """All calls of operations in a kernel as it is translated for `args`."""
    made, _ = lower(kernel.__wrapped__, kernel.signature_of(args), {})
    for function in made.functions:
        for stmt in ir.statements(function.body):
            for root in ir.roots(stmt):
                yield from (e for e in ir.walk(root) if isinstance(e, ir.Call))


def dtype_of(value: Any) -> str:
    kind = getattr(value, "type", None)
    if isinstance(value, tuple):
        return next((d for d in map(dtype_of, value) if d), "")
    if isinstance(value, ir.ViewName):
        return value.array.type.dtype.name
    return getattr(getattr(kind, "dtype", None), "name", "")


def operand_of(call: ir.Call) -> str:
    """The dtype that a call works on: that of its first operand, or of its result where it makes a tile."""
    found = next((dtype_of(value) for _, value in call.arguments if dtype_of(value)), "")
    making = call.op.family == "create"
    return call.type.dtype.name if making and call.type is not None else found


def facts(kernel, args: tuple) -> set[tuple]:
    """(operation, dtype), and (operation, dtype, option, value); a conversion has its target, too."""
    found = set()
    for call in calls(kernel, args):
        name, dtype = call.op.name, operand_of(call)
        found.add((name, dtype))
        if name == "astype":
            found.add((name, dtype, "dtype", call.type.dtype.name))
        for parameter, value in call.arguments:
            value = getattr(value, "name", value) if parameter in ("rounding_mode", "memory_order", "memory_scope", "padding_mode") else value
            if isinstance(value, (bool, str, int)) and value is not None:
                found.add((name, dtype, parameter, value))
    return found


def accepts(op: Op, dtype, **options) -> str:
    """The dtype that `op` works on when it gets tiles of `dtype`; empty where its rule refuses them."""
    given = {}
    for parameter in op.signature.parameters.values():
        if parameter.name in options:
            given[parameter.name] = options[parameter.name]
        elif parameter.default is not parameter.empty:
            given[parameter.name] = Weak(parameter.default) if parameter.annotation == "Tile" and parameter.default is not None else parameter.default
        elif parameter.annotation == "Tile":
            given[parameter.name] = Tile(dtype, () if parameter.name == "fill_value" else (4,))
        elif parameter.annotation == "Tiles":
            given[parameter.name] = (Tile(dtype, (4,)),)
        elif parameter.name == "dtype":
            given[parameter.name] = dtype
        elif parameter.name in SAMPLES:
            given[parameter.name] = SAMPLES[parameter.name]
        elif parameter.annotation in ("Const", "Combiner"):
            given[parameter.name] = 0
        else:
            return ""
    positional = [given[p.name] for p in op.signature.parameters.values() if p.kind is not p.KEYWORD_ONLY]
    keywords = {p.name: given[p.name] for p in op.signature.parameters.values() if p.kind is p.KEYWORD_ONLY}
    try:
        typed = result_of(op.rule(*positional, **keywords))
    except Reject:
        return ""
    first = next((p.name for p in op.signature.parameters.values() if p.annotation in ("Tile", "Tiles")), "")
    operand = typed.operands.get(first, given.get(first))
    operand = operand[0] if isinstance(operand, tuple) else operand
    if op.family == "create":
        return typed.result.dtype.name
    return operand.dtype.name if isinstance(operand, Tile) else dtype.name


def demanded(op: Op, dtypes) -> set[tuple]:
    """Everything that the rule of an elementwise operation, a reduction or a shape operation takes."""
    found = set()
    for dtype in dtypes:
        taken = accepts(op, dtype)
        if not taken:
            continue
        found.add((op.name, taken))
        for parameter, values in OPTIONS.items():
            if parameter in op.signature.parameters:
                found |= {(op.name, accepts(op, dtype, **{parameter: v}), parameter, v) for v in values if accepts(op, dtype, **{parameter: v})}
    return found
