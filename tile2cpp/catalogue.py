"""The operations of the tile language as a table, for `tile2cpp ops` and docs/operations.md."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from tile2cpp.examples import example_spelling
from tile2cpp.ops import REGISTRY, Op


@dataclass(frozen=True)
class Row:
    """An operation: how it is called, what else means it in Python, its C++, and what it does."""

    name: str
    call: str
    python: str
    spelling: str
    summary: str
    family: str


def families() -> list[str]:
    """The families, in the order of the documentation."""
    return list(dict.fromkeys(op.family for op in REGISTRY.values()))


def rows(family: str | None = None) -> list[Row]:
    """All operations that have a name or an operator, or those of a family."""
    shown = (op for op in REGISTRY.values() if op.public or op.method or op.operator)
    return [row_of(op) for op in shown if family in (None, op.family)]


def row_of(op: Op) -> Row:
    return Row(shown_name(op), call_of(op), python_of(op), example_spelling(op), op.summary, op.family)


def shown_name(op: Op) -> str:
    """The name a user writes: that of the function, of the method, or the operator."""
    if op.public:
        return op.name
    return f"{op.owner or 'tile'}.{op.method}" if op.method else operation(op)


def parameters_of(op: Op) -> list[inspect.Parameter]:
    """The parameters without their annotations, which are kinds and no Python types."""
    return [p.replace(annotation=inspect.Parameter.empty) for p in op.signature.parameters.values()]


def call_of(op: Op) -> str:
    """`max(x, axis=None, *, keepdims=False)`, or `view.load(index)` for a method."""
    parameters = [p for p in parameters_of(op) if p.name not in HIDDEN]
    if not op.public and op.method:
        parameters = parameters[1:]
    if not op.public and op.operator:
        return operation(op)
    text = str(inspect.Signature([p.replace(kind=plain(p.kind)) for p in parameters]))
    return shown_name(op) + text


# Options that many operations share; the page on the language explains them once.
HIDDEN = ("rounding_mode", "flush_to_zero", "latency", "allow_tma", "memory_order", "memory_scope")


def plain(kind):
    """Positional-only is the rule for tiles and says nothing to a reader."""
    return inspect.Parameter.POSITIONAL_OR_KEYWORD if kind is inspect.Parameter.POSITIONAL_ONLY else kind


def operation(op: Op) -> str:
    """`x + y`, `-x`, `not x`."""
    symbol = op.operator.removeprefix("unary ")
    if len([p for p in parameters_of(op) if p.default is p.empty]) > 1:
        return f"x {symbol} y"
    return f"{symbol} x" if symbol.isalpha() else f"{symbol}x"


def python_of(op: Op) -> str:
    """What else in Python means the operation."""
    forms = []
    if op.operator:
        forms.append(operation(op))
    if op.method and op.public:
        forms.append(f"{'x' if (op.owner or 'tile') == 'tile' else op.owner}.{op.method}(...)")
    return ", ".join(forms)
