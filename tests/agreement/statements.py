"""Draws statements: assignments, branches, loops, helpers; and remembers what each name holds.

Floats are exact here: errors would grow in loops.
"""

from __future__ import annotations

import re

from choices import Choices
from expressions import Expressions
from memory import SCALARS, inputs
from values import DTYPES, INTEGERS, Value

NAMES = ("x", "acc", "int", "ct_", "view", "y", "auto", "t", "tile", "i", "m_f32_tiles")
SHAPES = ((), (8,), (4, 8), (1, 8), (8,), ())


class Statements:
    """Makes the lines of a kernel's body. `draw.variables` are the names that hold a value there."""

    def __init__(self, choices: Choices, helpers: list[str] | None = None):
        self.choices = choices
        self.draw = Expressions(choices)
        self.lines: list[str] = []
        self.helpers: list[str] = [] if helpers is None else helpers
        self.pinned: dict[str, Value] = {}  # names that a loop carries keep their type
        self.lost: set[str] = set()  # names that have a value on some paths only: a loop does not assign them
        self.reserved: set[str] = set()  # a loop's own counters are not assigned
        self.loops = 0

    @property
    def variables(self) -> dict[str, Value]:
        return self.draw.variables

    # --- blocks ---------------------------------------------------------------------

    def block(self, count: int, depth: int, indent: int) -> None:
        start = len(self.lines)
        for _ in range(count):
            kinds = [self.assign] * 4 + [self.augment] * 2 + [self.pair]
            if depth:
                kinds += [self.branch] * 3 + [self.loop, self.loop, self.while_loop, self.helper, self.helper]
            self.choices.one_of(kinds)(depth - 1, indent)
        if len(self.lines) == start:
            self.line(indent, "pass")

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def bind(self, name: str, value: Value) -> None:
        self.variables[name] = value.named(name)

    def some_type(self) -> tuple[str, tuple]:
        return self.choices.one_of(DTYPES), self.choices.one_of(SHAPES)

    def target(self) -> tuple[str, str, tuple]:
        """A name to assign, and the type that it gets."""
        free = [n for n in NAMES if n not in self.reserved and not (self.reserved and n in self.lost)]
        name = self.choices.one_of(free or [f"v{len(self.lines)}"])
        if name == "i":  # also the index of loops
            return name, "i32", ()
        if name in self.pinned:
            return name, self.pinned[name].dtype, self.pinned[name].shape
        return name, *self.some_type()

    # --- statements -----------------------------------------------------------------

    def assign(self, depth: int, indent: int) -> None:
        name, dtype, shape = self.target()
        value = self.draw.draw(dtype, shape, 2, exact=True)
        self.line(indent, f"{name} = {value.text}")
        self.bind(name, value)

    def augment(self, depth: int, indent: int) -> None:
        known = [v for n, v in self.variables.items() if v.dtype in INTEGERS and n not in self.reserved]
        if not known:
            return self.assign(depth, indent)
        target = self.choices.one_of(known)
        target = self.variables[target.text]
        value = self.draw.draw(target.dtype, self.choices.one_of((target.shape, ())), 1)
        self.line(indent, f"{target.text} {self.choices.one_of(('+', '-', '*', '^', '|'))}= {value.text}")

    def pair(self, depth: int, indent: int) -> None:
        """`a, b = ...`: a swap, or two new values that may read the old ones."""
        known = [n for n in self.variables if n not in self.reserved]
        if len(known) >= 2 and self.choices.below(2):
            first, second = self.choices.one_of(known), self.choices.one_of(known)
            x, y = self.variables[first], self.variables[second]
            if first != second and "i" not in (first, second) and ((x.dtype, x.shape) == (y.dtype, y.shape) or not {first, second} & set(self.pinned)):
                self.line(indent, f"{first}, {second} = {second}, {first}")
                self.bind(first, y)
                self.bind(second, x)
            return
        (a, *of_a), (b, *of_b) = self.target(), self.target()
        if a != b:
            x, y = self.draw.draw(*of_a, 1, exact=True), self.draw.draw(*of_b, 1, exact=True)
            self.line(indent, f"{a}, {b} = {x.text}, {y.text}")
            self.bind(a, x)
            self.bind(b, y)

    def condition(self) -> str:
        if self.choices.chance(6):
            return self.choices.one_of(("COUNT > 3", "HALF > 1.0", "FLAG", "v_f32.dtype == ct.float32"))
        return self.draw.draw("b" if self.choices.below(4) else "i32", (), 2, exact=True).text

    def branch(self, depth: int, indent: int) -> None:
        before = dict(self.variables)
        self.line(indent, f"if {self.condition()}:")
        self.block(1 + self.choices.below(2), depth, indent + 1)
        then = dict(self.variables)
        self.draw.variables = dict(before)
        if self.choices.below(3):
            self.line(indent, "else:")
            self.block(1 + self.choices.below(2), depth, indent + 1)
        other = self.variables
        # What is left afterwards: names with one type on both paths.
        self.draw.variables = {n: v for n, v in then.items() if n in other and (other[n].dtype, other[n].shape) == (v.dtype, v.shape)}
        self.lost |= {*then, *other} - set(self.variables)

    def loop(self, depth: int, indent: int) -> None:
        index = self.choices.one_of(("i", "k", "j"))
        if index in self.reserved or index in self.lost:
            return
        bounds = self.choices.one_of(("3", "b + 1", "1, COUNT", "0, 5, 2", "(whole & 3)", "b, 4", "2, 1"))
        with_loop = dict(self.variables)
        self.line(indent, f"for {index} in range({bounds}):")
        self._body(index, Value(index, "i32"), with_loop, depth, indent)

    def while_loop(self, depth: int, indent: int) -> None:
        count = f"w{self.loops}"
        self.line(indent, f"{count} = {self.choices.one_of(('0', 'ct.bid(0)', '1'))}")
        with_loop = dict(self.variables)
        also = f" and {self.draw.draw('b', (), 1, exact=True).text}" if self.choices.chance(3) else ""
        self.line(indent, f"while {count} < 4{also}:")
        self.line(indent + 1, f"{count} = {count} + 1")
        self._body(count, Value(count, "i32"), with_loop, depth, indent)

    def _body(self, index: str, value: Value, outside: dict, depth: int, indent: int) -> None:
        pinned, reserved = self.pinned, self.reserved
        self.pinned, self.reserved = {**pinned, **outside}, {*reserved, index}
        self.loops += 1
        self.variables[index] = value
        self.block(1 + self.choices.below(2), depth, indent + 1)
        if self.choices.chance(3):
            self.line(indent + 1, f"if {self.draw.draw('b', (), 1, exact=True).text}:")
            self.line(indent + 2, self.choices.one_of(("break", "continue")))
            self.block(1, 0, indent + 1)
        self.pinned, self.reserved = pinned, reserved
        # What the body alone assigns has no value if it runs zero times.
        self.lost |= set(self.variables) - set(outside)
        self.draw.variables = dict(outside)

    def helper(self, depth: int, indent: int) -> None:
        """A call of a new helper function, which takes some variables and returns one value or two."""
        passed = [self.choices.one_of(list(self.variables.values())) for _ in range(2)] if self.variables else []
        inner = Statements(self.choices, self.helpers)
        for parameter, value in zip(("x", "other"), passed):
            inner.variables[parameter] = value.named(parameter)
        (a, *of_a), (b, *of_b) = self.target(), self.target()
        names = [a] if a == b or self.choices.below(2) else [a, b]
        types = [of_a, of_b][: len(names)]
        inner.block(self.choices.below(3), depth, 1)
        if self.choices.below(2):
            inner.line(1, f"if {inner.condition()}:")
            inner.line(2, f"return {self._results(inner, types)}")
        inner.line(1, f"return {self._results(inner, types)}")
        body = "\n".join(inner.lines)
        needed = [n for n in (*inputs(), *SCALARS, "b") if re.search(rf"\b{n}\b", body)]
        name = f"helper{len(self.helpers)}"
        self.helpers.append(f"def {name}({', '.join([*('x', 'other')[: len(passed)], *needed])}):\n{body}\n")
        self.line(indent, f"{', '.join(names)} = {name}({', '.join([v.text for v in passed] + needed)})")
        for target, (dtype, shape) in zip(names, types):
            self.bind(target, Value(target, dtype, shape))

    @staticmethod
    def _results(inner: "Statements", types: list) -> str:
        return ", ".join(inner.draw.draw(*t, 1, exact=True).text for t in types)
