"""Draws mathematics, reductions and scans."""

from __future__ import annotations

from values import FLOATS, Value, following, inexact


class Functions:
    """Part of `Expressions`."""

    def function(self, dtype, shape, depth, exact) -> Value:
        """A function of an exact operand, in the range where it is tame."""
        source = dtype
        if dtype == "f32" and self.choices.chance(4):
            source = self.choices.one_of(("b", "i8", "u16", "i32", "i64"))
        x = self.draw(source, shape, depth, True).text
        tame = f"min(max({x}, -4.0), 4.0)" if source in FLOATS else f"({x} & 3)" if source != "b" else x
        positive = f"(abs({tame}) + 0.25)" if source in FLOATS else f"({tame} | 1)" if source != "b" else x
        name = self.choices.one_of(("exp", "exp2", "tanh", "sin", "cos", "tan", "sinh", "cosh", "log", "log2", "sqrt", "rsqrt"))
        if name in ("log", "log2", "sqrt", "rsqrt"):
            tame = positive
        if name == "sqrt" and source != "b":
            return Value(f"ct.sqrt({tame})", dtype, shape)
        if source == "b" and name in ("log", "log2", "rsqrt"):
            name = "exp"
        return inexact(f"ct.{name}({tame})", dtype, shape, (), "function")

    def power(self, dtype, shape, depth, exact) -> Value:
        x = self.draw(dtype, shape, depth, True).text
        base = f"min(abs({x}) + 0.5, 4.0)"
        exponent = self.choices.one_of(("2", "3", "-1", "0.5", "1.5", "FIVE"))
        if self.choices.chance(4):
            return inexact(f"ct.atan2({base}, {self.loaded(dtype, shape).text})", dtype, shape, (), "power")
        return inexact(f"({base} ** {exponent})", dtype, shape, (), "power")

    def floor(self, dtype, shape, depth, exact) -> Value:
        x = self.draw(dtype, shape, depth, True)
        return Value(f"ct.{self.choices.one_of(('floor', 'ceil'))}({x.text})", dtype, shape)

    # --- reductions -----------------------------------------------------------------

    def _larger(self, shape: tuple) -> tuple[tuple, str] | None:
        """A shape that reduces to `shape`, and the arguments that say how."""
        if 1 in shape and self.choices.below(2):
            axis = shape.index(1)
            full = (*shape[:axis], self.choices.one_of((2, 4)), *shape[axis + 1 :])
            return full, f"{axis if self.choices.below(2) else axis - len(shape)}, keepdims=True"
        if len(shape) == 0 and self.choices.below(2):
            return self.choices.one_of(((4, 8), (2, 4, 4), (1, 8))), self.choices.one_of(("None", "axis=None", "")).removesuffix(" ")
        if len(shape) <= 1 and self.choices.chance(3):
            return (4, *shape, 2), "axis=(0, -1)"
        if len(shape) >= 3:
            return None
        axis = self.choices.below(len(shape) + 1)
        return (*shape[:axis], self.choices.one_of((2, 4)), *shape[axis:]), f"{axis if self.choices.below(2) else axis - len(shape) - 1}"

    def reduction(self, dtype, shape, depth, exact) -> Value:
        larger = self._larger(shape)
        if larger is None:
            return None
        full, how = larger
        name = self.choices.one_of(("max", "min") if dtype in FLOATS and self.choices.below(2) else ("sum", "prod", "max", "min"))
        call = lambda x: f"ct.{name}({x.text}{', ' if how else ''}{how})"  # noqa: E731
        if dtype not in FLOATS:
            source = "b" if dtype == "i32" and self.choices.chance(4) else dtype
            return Value(call(self.draw(source, full, depth)), dtype, shape)
        if name in ("max", "min"):
            x = self.draw(dtype, full, depth, exact)
            return following(call(x), dtype, shape, (x,), x.product)
        # A sum of positive terms does not cancel; a product of loaded values stays in range.
        x = Value(f"abs({self.draw(dtype, full, depth, True).text})", dtype, full) if name == "sum" else self.loaded(dtype, full)
        count = 1
        for extent in full:
            count *= extent
        return inexact(call(x), dtype, shape, (), "sum", count)

    def position(self, dtype, shape, depth, exact) -> Value:
        larger = self._larger(shape)
        if larger is None or "(0" in larger[1]:
            return None
        full, how = larger
        kind = self.choices.one_of(("i8", "u16", "i32", "i64", "f16", "f32", "f64", "bf16"))
        x = self.draw(kind, full, depth, True)
        if kind in FLOATS:  # where all is NaN there is no answer
            x = Value(f"ct.where(ct.isnan({x.text}), 0.0, {x.text})", kind, full)
        return Value(f"ct.{self.choices.one_of(('argmax', 'argmin'))}({x.text}{', ' if how else ''}{how})", "i32", shape)

    def scan(self, dtype, shape, depth, exact) -> Value:
        if not shape:
            return None
        axis, name = self.choices.below(len(shape)), self.choices.one_of(("cumsum", "cumprod"))
        reverse = ", reverse=True" if self.choices.chance(3) else ""
        return Value(f"ct.{name}({self.draw(dtype, shape, depth).text}, {axis}{reverse})", dtype, shape)
