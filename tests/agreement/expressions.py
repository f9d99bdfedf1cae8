"""Draws expressions of tile code: text of a wanted dtype and shape, with no undefined result."""

from __future__ import annotations

from choices import Choices
from functions import Functions
from memory import Memory
from moves import Moves
from values import DTYPES, FLOATS, INTEGERS, NAMES, SIGNED, Value, bits, following, limits, widened

WEAK_FLOATS = ("0.5", "-1.5", "3.0", "HALF", "SCALE", "0.1", "-2")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Expressions(Functions, Moves, Memory):
    """`draw(dtype, shape, depth)`: an expression; `variables` are the names it may read."""

    def __init__(self, choices: Choices):
        self.choices = choices
        self.variables: dict[str, Value] = {}

    # --- entry ----------------------------------------------------------------------

    def draw(self, dtype: str, shape: tuple, depth: int, exact: bool = False) -> Value:
        if depth <= 0:
            return self.leaf(dtype, shape)
        makers = [self.leaf, *self.common]
        if dtype == "b":
            makers += [self.comparison] * 4 + [self.logic] * 3 + ([] if shape else [self.chained, self.both])
        elif dtype in INTEGERS:
            makers += [self.arithmetic] * 5 + [self.bitwise, self.shift, self.quotient, self.quotient, self.extreme, self.sign, self.reduction, self.scan]
            makers += [self.position] if dtype == "i32" else []
        else:
            makers += [self.arithmetic] * 4 + [self.division, self.extreme, self.sign, self.floor, self.reduction]
            makers += [self.float_quotient]
            makers += [] if exact else [self.function] * 3 + [self.power]
        maker = self.choices.one_of(makers)
        made = maker(dtype, shape) if maker == self.leaf else maker(dtype, shape, depth - 1, exact)
        if made is None or (exact and not made.exact):
            return self.leaf(dtype, shape)
        return made

    @property
    def common(self):
        return [self.where, self.where, self.choice, self.cast, self.cast, self.reshape, self.permute, self.broadcast, self.joined, self.extract, self.gather]

    # --- leaves ---------------------------------------------------------------------

    def leaf(self, dtype: str, shape: tuple) -> Value:
        known = [v for v in self.variables.values() if v.dtype == dtype and v.shape == shape and v.exact]
        if known and self.choices.below(3):
            return self.choices.one_of(known)
        return self.loaded(dtype, shape)

    def weak(self, dtype: str) -> str:
        """A constant that adapts to `dtype`."""
        if dtype == "b":
            return self.choices.one_of(("True", "False"))
        if dtype in FLOATS:
            return self.choices.one_of(WEAK_FLOATS)
        low, high = limits(dtype)
        options = ["1", "2", "3", "7", "FIVE", "COUNT", str(high), str(high - 1), "True", "LARGE" if high > 2**33 else "FIVE"]
        if low:
            options += ["-1", "-3", "-FIVE", str(low), "(-7)", "LOW" if bits(dtype) >= 32 else "-2"]
        return self.choices.one_of(options)

    def operands(self, dtype: str, shape: tuple, depth: int, exact: bool) -> tuple[Value, Value]:
        """Two operands whose common dtype is `dtype`: typed, of a lower dtype, or one of them a constant."""
        first, second = widened(shape, self.choices.below)
        x, kind = self.draw(dtype, first, depth, exact), self.choices.below(6)
        if kind == 0:
            y = Value(self.weak(dtype), dtype, ())
            x = x if first == shape else self.draw(dtype, shape, depth, exact)
        elif kind == 1 and (lower := self.lower(dtype)):
            y = self.draw(self.choices.one_of(lower), second, depth, True)
        else:
            y = self.draw(dtype, second, depth, exact)
        return (x, y) if self.choices.below(2) else (y, x)

    @staticmethod
    def lower(dtype: str) -> list[str]:
        """Dtypes that promote to `dtype` when they meet it."""
        if dtype in FLOATS:
            return ["b", *INTEGERS] + {"f32": ["f16", "bf16"], "f64": ["f16", "bf16", "f32"]}.get(dtype, [])
        return ["b", *(d for d in INTEGERS if d[0] == dtype[0] and bits(d) < bits(dtype))] if dtype != "b" else []

    # --- arithmetic -----------------------------------------------------------------

    def arithmetic(self, dtype, shape, depth, exact) -> Value:
        symbol = self.choices.one_of("+-*")
        x, y = self.operands(dtype, shape, depth, exact)
        spelled = {"+": "ct.add", "-": "ct.sub", "*": "ct.mul"}[symbol]
        text = f"{spelled}({x.text}, {y.text})" if self.choices.chance(8) else f"({x.text} {symbol} {y.text})"
        if dtype in INTEGERS:
            return Value(text, dtype, shape)
        if symbol == "*":
            return following(text, dtype, shape, (x, y), product=True)
        # Sums of inexact values may cancel, and sums of products may be fused.
        if not (x.exact and y.exact) or x.product or y.product:
            return None
        return following(text, dtype, shape, (x, y))

    def division(self, dtype, shape, depth, exact) -> Value:
        if dtype == "f32" and self.choices.chance(3):
            kind = self.choices.one_of(INTEGERS)
            x, y = self.draw(kind, shape, depth, True), self.draw(kind, (), 0)
            return Value(f"({x.text} / {y.text})", dtype, shape)
        x, y = self.operands(dtype, shape, depth, exact)
        return following(f"({x.text} / {y.text})", dtype, shape, (x, y), product=True)

    def quotient(self, dtype, shape, depth, exact) -> Value:
        """Integer `//` and `%` by what is never 0, and never -1 (which may overflow)."""
        x = self.draw(dtype, shape, depth)
        first, second = widened(shape, self.choices.below)
        y = self.draw(dtype, second, depth - 1)
        divisor = self.choices.one_of([f"({y.text} % 5 + 1)", f"ct.where({y.text} > 2, {y.text}, 3)", "7", "FIVE", "3"])
        if dtype in SIGNED:
            divisor = self.choices.one_of([divisor, f"({y.text} % 5 - 7)", "-3", "-FIVE"])
        symbol = self.choices.one_of(("//", "%"))
        return Value(f"({x.text} {symbol} {divisor})", dtype, shape)

    def float_quotient(self, dtype, shape, depth, exact) -> Value:
        """`//` and `%` jump, so their operands must be exact, and the quotient small."""
        x = self.loaded(dtype, shape)
        divisor = self.choices.one_of(("0.5", "3.0", "-2.0", "HALF", "1.5"))
        return Value(f"({x.text} {self.choices.one_of(('//', '%'))} {divisor})", dtype, shape)

    def sign(self, dtype, shape, depth, exact) -> Value:
        x = self.draw(dtype, shape, depth, exact)
        form = self.choices.one_of(("(-{})", "abs({})", "(+{})", "ct.abs({})", "ct.negative({})") + (("(~{})",) if dtype in INTEGERS else ()))
        return following(form.format(x.text), dtype, shape, (x,), x.product)

    def extreme(self, dtype, shape, depth, exact) -> Value:
        x, y = self.operands(dtype, shape, depth, exact)
        form = self.choices.one_of(("min({}, {})", "max({}, {})", "ct.minimum({}, {})", "ct.maximum({}, {})"))
        return following(form.format(x.text, y.text), dtype, shape, (x, y), x.product or y.product)

    # --- bits -----------------------------------------------------------------------

    def bitwise(self, dtype, shape, depth, exact) -> Value:
        first, second = widened(shape, self.choices.below)
        x = self.draw(dtype, first, depth)
        y = Value(self.weak(dtype), dtype) if self.choices.chance(3) and first == shape else self.draw(dtype, second, depth)
        return Value(f"({x.text} {self.choices.one_of('&|^')} {y.text})", dtype, shape)

    def shift(self, dtype, shape, depth, exact) -> Value:
        first, second = widened(shape, self.choices.below)
        x, most = self.draw(dtype, first, depth), bits(dtype) - 1
        count = f"({self.draw(dtype, second, depth).text} & {most})" if self.choices.below(2) or first != shape else str(self.choices.below(most + 1))
        return Value(f"({x.text} {self.choices.one_of(('<<', '>>'))} {count})", dtype, shape)

    # --- truth ----------------------------------------------------------------------

    def comparison(self, dtype, shape, depth, exact) -> Value:
        kind = self.choices.one_of(DTYPES)
        x, y = self.operands(kind, shape, depth, True) if kind != "b" else (self.draw("b", shape, depth), self.draw("b", (), depth))
        if self.choices.chance(8) and kind in FLOATS:
            return Value(f"ct.isnan({self.draw(kind, shape, depth, True).text})", "b", shape)
        return Value(f"({x.text} {self.choices.one_of(COMPARISONS)} {y.text})", "b", shape)

    def logic(self, dtype, shape, depth, exact) -> Value:
        first, second = widened(shape, self.choices.below)
        x, y = self.draw("b", first, depth), self.draw("b", second, depth)
        kind = self.choices.below(5)
        if kind == 0:
            return Value(f"(~{self.draw('b', shape, depth).text})", "b", shape)
        if kind == 1:
            return Value(f"(not {self.draw(self.choices.one_of(DTYPES), shape, depth, True).text})", "b", shape)
        return Value(f"({x.text} {self.choices.one_of('&|^')} {y.text})", "b", shape)

    def chained(self, dtype, shape, depth, exact) -> Value:
        kind = self.choices.one_of(INTEGERS + FLOATS)
        x, y, z = (self.draw(kind, (), depth, True).text for _ in range(3))
        return Value(f"({x} {self.choices.one_of(COMPARISONS)} {y} {self.choices.one_of(COMPARISONS)} {z})", "b", ())

    def both(self, dtype, shape, depth, exact) -> Value:
        x, y = (self.draw(self.choices.one_of(DTYPES), (), depth, True).text for _ in range(2))
        return Value(f"({x} {self.choices.one_of(('and', 'or'))} {y})", "b", ())

    def where(self, dtype, shape, depth, exact) -> Value:
        first, second = widened(shape, self.choices.below)
        condition = self.draw("b" if self.choices.below(3) else self.choices.one_of(DTYPES), first, depth, True)
        x = self.draw(dtype, second if first == shape else shape, depth, exact)
        y = Value(self.weak(dtype), dtype) if self.choices.chance(3) else self.draw(dtype, shape, depth, exact)
        if y.shape != shape and x.shape != shape and first != shape:
            return None
        x, y = (x, y) if self.choices.below(2) else (y, x)
        if dtype == "b" and "True" in (x.text, y.text) or dtype == "b" and "False" in (x.text, y.text):
            return None if x.text in ("True", "False") and y.text in ("True", "False") else following(f"ct.where({condition.text}, {x.text}, {y.text})", dtype, shape, (x, y))
        return following(f"ct.where({condition.text}, {x.text}, {y.text})", dtype, shape, (x, y), x.product or y.product)

    def choice(self, dtype, shape, depth, exact) -> Value:
        condition = self.draw(self.choices.one_of(("b", "i32", "f32")), (), depth, True)
        x, y = self.draw(dtype, shape, depth, exact), self.draw(dtype, shape, depth, exact)
        return following(f"({x.text} if {condition.text} else {y.text})", dtype, shape, (x, y), x.product or y.product)

    # --- conversions ----------------------------------------------------------------

    def cast(self, dtype, shape, depth, exact) -> Value:
        kind = self.choices.one_of(DTYPES)
        to_integer = dtype not in FLOATS
        x = self.draw(kind, shape, depth, exact or to_integer)
        target = f"ct.{NAMES[dtype]}"
        if kind in FLOATS and dtype in INTEGERS:
            low = 0 if dtype not in SIGNED else -100
            return Value(f"ct.minimum(ct.maximum({x.text}, {low}.0), 100.0).astype({target})", dtype, shape)
        if kind in FLOATS and dtype == "b":
            return Value(f"({x.text} != 0)", dtype, shape)
        form = self.choices.one_of(("{}.astype({})", "ct.astype({}, {})") + ((() if shape else ("{1}({0})",))))
        return following(form.format(x.text, target), dtype, shape, (x,))
