"""Puts drawn expressions and statements together into the source of one kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from choices import Choices
from expressions import Expressions
from memory import SCALARS, inputs
from statements import Statements
from values import DTYPES, FLOATS, INTEGERS, SHAPES, Value, numpy_dtype

BLOCKS = 2
HEAD = """\
import tile2cpp.lang as ct

FIVE, EIGHT, SCALE, LARGE, LOW = 5, 8, 1.25, 2**33 + 1, -(2**31)

"""


@dataclass(frozen=True)
class Drawn:
    """A kernel's source, and what its outputs are."""

    source: str
    outputs: tuple[Value, ...]

    def arguments(self) -> dict:
        """New arguments, by name."""
        return inputs() | SCALARS | {f"o{i}": np.zeros(stored_shape(v.shape), numpy_dtype(v.dtype)) for i, v in enumerate(self.outputs)}

    def only(self, number: int) -> str:
        """The source without the stores of the other outputs."""
        return "\n".join(line for line in self.source.splitlines() if "ct.store(o" not in line or f"ct.store(o{number}," in line)


def stored_shape(shape: tuple) -> tuple:
    """The array that holds a tile of every block."""
    return (BLOCKS * shape[0], *shape[1:]) if shape else (BLOCKS,)


def store(number: int, value: Value) -> str:
    index = ", ".join(["b"] + ["0"] * (len(value.shape) - 1))
    return f"    ct.store(o{number}, ({index},), {value.text})"


def assembled(helpers: list[str], lines: list[str], outputs: list[Value]) -> Drawn:
    stores = [store(i, v) for i, v in enumerate(outputs)]
    body = ["    b = ct.bid(0)", *lines, *stores]
    text = "\n".join(body)
    arrays = [name for name in inputs() if name in text]
    constants = [f"{n}: ct.Constant" if n.isupper() else n for n in SCALARS]
    parameters = ", ".join([*arrays, *constants, *(f"o{i}" for i in range(len(outputs)))])
    return Drawn(HEAD + "\n\n".join([*helpers, f"@ct.kernel\ndef drawn({parameters}):\n{text}\n"]), tuple(outputs))


def expressions(choices: Choices, dtypes=DTYPES, count: int = 20, depth: int = 3) -> Drawn:
    """A kernel of independent expressions, one for each output."""
    draw = Expressions(choices)
    outputs = [draw.draw(choices.one_of(dtypes), choices.one_of(SHAPES), 1 + choices.below(depth)) for _ in range(count)]
    return assembled([], [], outputs)


def scalars(choices: Choices) -> Drawn:
    """Expressions of scalars: in C++ these are plain variables, with C++'s own promotions."""
    draw = Expressions(choices)
    outputs = [draw.draw(choices.one_of(DTYPES), (), 1 + choices.below(3)) for _ in range(24)]
    return assembled([], [], outputs)


def programs(choices: Choices) -> Drawn:
    """A kernel of statements; what its variables hold in the end is stored."""
    draw = Statements(choices)
    draw.block(4 + choices.below(5), 3, 1)
    return assembled(draw.helpers, draw.lines, list(draw.variables.values()) or [draw.draw.loaded("i32", (8,))])


THEMES = {
    "integers": lambda c: expressions(c, INTEGERS),
    "floats": lambda c: expressions(c, FLOATS),
    "truth": lambda c: expressions(c, ("b",)),
    "scalars": scalars,
    "programs": programs,
}
