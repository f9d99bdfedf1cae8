"""How C++ expressions are put together: text, how tightly it binds, and its shape in C++.

A reduction keeps its axis in C++ and drops it in Python; `Spelled.shape` says what the
text has, so that the consumer reshapes only where the two really differ.
"""

from __future__ import annotations

from typing import NamedTuple

CONDITIONAL, OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQUAL, LESS, SHIFT, ADD, MULTIPLY, UNARY, PRIMARY = range(13)

LEVELS = {
    "||": OR, "&&": AND, "|": BIT_OR, "^": BIT_XOR, "&": BIT_AND, "==": EQUAL, "!=": EQUAL,
    "<": LESS, "<=": LESS, ">": LESS, ">=": LESS, "<<": SHIFT, ">>": SHIFT,
    "+": ADD, "-": ADD, "*": MULTIPLY, "/": MULTIPLY, "%": MULTIPLY,
}  # fmt: skip


class Spelled(NamedTuple):
    """C++ text; `level` is its precedence; `shape` its extents in C++ where they differ from Python's.

    `bare` is shorter text of another scalar type, for places that convert by themselves.
    """

    text: str
    level: int = PRIMARY
    shape: tuple[int, ...] | None = None
    bare: str = ""


def infix(symbol: str, function: str = ""):
    """The spelling `x symbol y`; two scalars of a small dtype use `function`, which does not promote."""
    level = LEVELS[symbol]
    # A compiler warns of these mixtures, and readers stumble over them: parenthesise.
    inner = ADD if level in (BIT_AND, BIT_XOR, BIT_OR, SHIFT) else level
    if level == AND:
        inner = BIT_OR
    if level == OR:
        inner = BIT_OR
    if level == BIT_AND or level == BIT_XOR or level == BIT_OR:
        inner = ADD

    def spell(call, c) -> Spelled:
        x, y = call["x"], call["y"]
        if function and not x.type.shape and not y.type.shape and x.type.dtype.bits < 32 and not x.type.dtype.is_float:
            return Spelled(f"{function}({c(x)}, {c(y)})")
        plain = not x.type.shape and not y.type.shape
        return Spelled(f"{c(x, inner, plain)} {symbol} {c(y, inner + 1, plain)}", level)

    return spell


def prefix(symbol: str, function: str = ""):
    """The spelling `symbol x`."""

    def spell(call, c) -> Spelled:
        x = call["x"]
        if function and not x.type.shape and x.type.dtype.bits < 32 and not x.type.dtype.is_float:
            return Spelled(f"{function}({c(x)})")
        text = c(x, UNARY)
        # `--x` would be another operator.
        return Spelled(f"{symbol}({text})" if text.startswith(symbol) else f"{symbol}{text}", UNARY)

    return spell


def tags(call, *names: str) -> str:
    """The trailing constant tags of a call, `, ct::round_toward_zero_t{}` and the like; none for defaults."""
    texts = []
    for name in names:
        value = call[name]
        texts.append(f"ct::{value}_t{{}}" if value else "{}")
    while texts and texts[-1] == "{}":
        texts.pop()
    return "".join(f", {text}" for text in texts)
