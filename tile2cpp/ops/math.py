"""Elementwise arithmetic and mathematics."""

from __future__ import annotations

import builtins

import numpy as np

from tile2cpp import dtypes
from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, directed, op
from tile2cpp.ops.meanings import extreme, flushing_float, in_float, quiet
from tile2cpp.ops.rules import ROUNDINGS, arithmetic, as_float, binary, constant_bool, dtype_of, floating, flushing, integral, pair, rounding
from tile2cpp.ops.spelling import MULTIPLY, UNARY, Spelled, infix, prefix
from tile2cpp.types import Tile, Weak

IEEE = ("RN", "RZ", "RM", "RP")


def options(call, nan: bool = False) -> str:
    """The tags of rounding mode (or NaN rule) and subnormals, empty for the defaults."""
    if nan:
        plain = not call["propagate_nan"] or not call.type.dtype.is_float  # integers have no NaN
        first = "ct::suppress_nan_t{}" if plain else "ct::propagate_nan_t{}"
    else:
        mode = call["rounding_mode"]
        first = f"ct::{ROUNDINGS[getattr(mode, 'name', mode) or 'RN']}_t{{}}"
        plain = mode is None
    if call["flush_to_zero"]:
        return f", {first}, ct::round_subnormals_to_zero_t{{}}"
    return "" if plain else f", {first}"


def _arithmetic(symbol: str, function: str):
    operator = infix(symbol, f"ct::{function}")

    def spell(call, c) -> Spelled:
        extra = options(call)
        if extra:
            return Spelled(f"ct::{function}({c(call['x'])}, {c(call['y'])}{extra})")
        if symbol == "-" and call.type.dtype.is_integral and call.type.shape == call["y"].type.shape != () and c.is_literal(call["x"], 0):
            return prefix("-")({"x": call["y"]}, c)  # what the author means
        return operator(call, c)

    return spell


def _rounding_meaning(name: str):
    def meaning(x, y, rounding_mode, flush_to_zero, result):
        return directed.compute(name, (x, y), rounding_mode, flush_to_zero, result.dtype)

    return meaning


def _arithmetic_rule(x, y, rounding_mode, flush_to_zero, allowed=IEEE, dtype=None) -> Typed:
    arithmetic(("x", x), ("y", y))
    result, operands = pair(x, y, dtype)
    if result.dtype.kind == "bool":
        raise Reject("x", "two bools have no arithmetic", hint="use & or |, or convert with .astype(ct.int32)", known_as="Binary arithmetic op `{op}` does not support bool, please cast bool to int")
    rounding("rounding_mode", rounding_mode, result.dtype, allowed)
    flushing(flush_to_zero, result.dtype)
    return Typed(result, operands)


@op(cpp=_arithmetic("+", "add"), numpy=_rounding_meaning("add"), operator="+", nonnegative="operands")
def add(x: Tile, y: Tile, /, *, rounding_mode: Const = None, flush_to_zero: Const = False) -> Tile:
    """`x + y`, elementwise in the common dtype."""
    return _arithmetic_rule(x, y, rounding_mode, flush_to_zero)


@op(cpp=_arithmetic("-", "sub"), numpy=_rounding_meaning("sub"), operator="-")
def sub(x: Tile, y: Tile, /, *, rounding_mode: Const = None, flush_to_zero: Const = False) -> Tile:
    """`x - y`, elementwise in the common dtype."""
    return _arithmetic_rule(x, y, rounding_mode, flush_to_zero)


@op(cpp=_arithmetic("*", "mul"), numpy=_rounding_meaning("mul"), operator="*", nonnegative="operands")
def mul(x: Tile, y: Tile, /, *, rounding_mode: Const = None, flush_to_zero: Const = False) -> Tile:
    """`x * y`, elementwise in the common dtype."""
    return _arithmetic_rule(x, y, rounding_mode, flush_to_zero)


@op(cpp=_arithmetic("/", "div"), numpy=_rounding_meaning("div"), operator="/")
def truediv(x: Tile, y: Tile, /, *, rounding_mode: Const = None, flush_to_zero: Const = False) -> Tile:
    """`x / y`; integers are divided as float32."""
    arithmetic(("x", x), ("y", y))
    numbers = [v for v in (x, y) if isinstance(v, Weak)]
    whole = len(numbers) == 1 and not isinstance(numbers[0].value, float) and not (y if x is numbers[0] else x).dtype.is_float
    common = dtypes.float32 if whole else pair(x, y)[0].dtype  # a whole number need not fit the integers that it divides
    dtype = common if common.is_float else dtypes.float32
    return _arithmetic_rule(x, y, rounding_mode, flush_to_zero, (*IEEE, "FULL", "APPROX"), dtype)


FLOOR_MOD = """\
// Python's %: the result has the sign of the divisor; C++ gives it that of the dividend.
template <class X, class Y>
__tile__ auto {name}(X x, Y y) {{
  return x - ct::floordiv(x, y) * y;
}}"""

FLOAT_MOD = """\
// Python's % on floats: the result has the sign of the divisor; ct::remainder gives it that of the dividend.
template <class X, class Y>
__tile__ auto {name}(X x, Y y) {{
  auto r = ct::remainder(x, y);
  return ct::select(r != {zero} && (r < {zero}) != (y < {zero}), r + y, r);
}}"""


def _spell_floordiv(call, c) -> Spelled:
    x, y = call["x"], call["y"]
    if call.type.dtype.is_float:
        return Spelled(f"ct::floor({c(x, MULTIPLY)} / {c(y, MULTIPLY + 1)})")
    if c.nonnegative(x) and c.nonnegative(y) and (call.type.dtype.bits >= 32 or call.type.shape):
        return Spelled(f"{c(x, MULTIPLY)} / {c(y, MULTIPLY + 1)}", MULTIPLY)
    return Spelled(f"ct::floordiv({c(x)}, {c(y)})")


@op(cpp=_spell_floordiv, numpy=quiet(lambda x, y: np.floor(x / y) if x.dtype.kind not in "iub" else np.floor_divide(x, y)), operator="//", nonnegative="operands")
def floordiv(x: Tile, y: Tile, /) -> Tile:
    """`x / y` rounded down, for integers and floats."""
    return _arithmetic_rule(x, y, None, False)


def _spell_mod(call, c) -> Spelled:
    x, y = call["x"], call["y"]
    dtype = call.type.dtype
    if dtype.is_float:
        # The small floats compare with nothing but themselves.
        name, zero = ("float_mod", "0") if dtype.bits >= 32 else (f"{dtype.name}_mod", f"{dtype.cpp}(0)")
        return Spelled(f"{c.snippet(name, FLOAT_MOD.replace('{zero}', zero))}({c(x)}, {c(y)})")
    if c.nonnegative(x) and c.nonnegative(y) and (call.type.dtype.bits >= 32 or call.type.shape):
        return Spelled(f"{c(x, MULTIPLY)} % {c(y, MULTIPLY + 1)}", MULTIPLY)
    spelled = f"{c.snippet('floor_mod', FLOOR_MOD)}({c(x)}, {c(y)})"
    # C++ computes with small scalars as int.
    return Spelled(spelled) if call.type.shape or dtype.bits >= 32 else Spelled(f"({dtype.cpp}){spelled}", UNARY, bare=spelled)


@op(cpp=_spell_mod, numpy=quiet(lambda x, y: np.mod(x, y)), operator="%", nonnegative="operands")
def mod(x: Tile, y: Tile, /) -> Tile:
    """The remainder of `x // y`, which has the sign of `y`."""
    return _arithmetic_rule(x, y, None, False)


def _spell_pow(call, c) -> Spelled:
    name = "powi" if call["y"].type.dtype.is_integral else "pow"
    return Spelled(f"ct::{name}({c(call['x'])}, {c(call['y'])})")


def _power(x, y, result):
    """16-bit floats are raised in float32 and rounded once; an integer exponent stays exact."""
    with np.errstate(all="ignore"):
        wide = x.astype(np.float32) if x.dtype.itemsize == 2 else x
        if y.dtype.kind in "iu":
            return np.power(wide.astype(np.float64), y.astype(np.float64)).astype(wide.dtype)
        # A single exponent of 0.5 would be NumPy's square root, which knows no power of -inf.
        return np.power(wide, np.broadcast_to(y, np.broadcast_shapes(x.shape, y.shape)).astype(wide.dtype, "C") if y.size == 1 else y.astype(wide.dtype))


@op(cpp=_spell_pow, numpy=_power, operator="**")
def pow(x: Tile, y: Tile, /) -> Tile:
    """`x ** y` for floats; an integer exponent keeps the dtype of `x`."""
    arithmetic(("x", x), ("y", y))
    result, operands = pair(x, y)
    if not result.dtype.is_float:
        raise Reject("x", "only floats have powers in tile code", hint="convert the base with .astype(ct.float32)")
    exponent = dtype_of(y)
    # An exponent in a float would lose what the float cannot hold; C++ takes signed ones of up to 32 bits.
    if isinstance(y, Tile) and exponent.kind == "int" and exponent.bits <= 32 and dtype_of(x) == result.dtype:
        operands["y"] = Tile(exponent, y.shape)
    return Typed(result, operands)


@op(cpp="", numpy=quiet(lambda x, y: (np.floor_divide(x, y), np.mod(x, y))), builtin=builtins.divmod)
def divmod(x: Tile, y: Tile, /) -> Tile:
    """The pair `x // y, x % y`, for integers."""
    integral("x", x)
    integral("y", y)
    result, operands = pair(x, y)
    return Typed((result, result), operands)


def _extreme(name: str):
    def spell(call, c) -> Spelled:
        return Spelled(f"ct::{name}({c(call['x'])}, {c(call['y'])}{options(call, nan=True)})")

    return spell


def _extreme_rule(x, y, flush_to_zero, propagate_nan) -> Typed:
    typed = binary(x, y)
    dtype = typed.result.dtype
    if dtype.kind == "bool":
        raise Reject("x", "two bools have no order", hint="use & or |")
    flushing(flush_to_zero, dtype)
    constant_bool("propagate_nan", propagate_nan)
    return typed


@op(cpp=_extreme("min"), numpy=extreme(lambda x, y: -(-x - y), np.fmin, np.minimum), builtin=builtins.min, nonnegative="operands")
def minimum(x: Tile, y: Tile, /, *, flush_to_zero: Const = False, propagate_nan: Const = False) -> Tile:
    """The smaller operand; a NaN is ignored unless `propagate_nan`."""
    return _extreme_rule(x, y, flush_to_zero, propagate_nan)


@op(cpp=_extreme("max"), numpy=extreme(np.add, np.fmax, np.maximum), builtin=builtins.max, nonnegative="operands")
def maximum(x: Tile, y: Tile, /, *, flush_to_zero: Const = False, propagate_nan: Const = False) -> Tile:
    """The larger operand; a NaN is ignored unless `propagate_nan`."""
    return _extreme_rule(x, y, flush_to_zero, propagate_nan)


def _signed(x: Tile) -> Typed:
    arithmetic(("x", x))
    dtype = dtypes.int32 if dtype_of(x).kind == "bool" else dtype_of(x)
    return Typed(Tile(dtype, x.shape), {"x": Tile(dtype, x.shape)})


def _spell_negative(call, c) -> Spelled:
    x = call["x"]
    if not x.type.shape and x.type.dtype.bits < 32 and not x.type.dtype.is_float:
        return Spelled(f"ct::sub({c.literal(0, x.type.dtype)}, {c(x)})")
    return prefix("-")(call, c)


@op(cpp=_spell_negative, numpy=quiet(lambda x: -x), operator="unary -")
def negative(x: Tile, /) -> Tile:
    """`-x`; bools become int32, unsigned integers wrap."""
    return _signed(x)


@op(cpp=lambda call, c: c.spelled(call["x"]), numpy=lambda x: x, operator="unary +", public=False, nonnegative="operands")
def positive(x: Tile, /) -> Tile:
    """`+x`; bools become int32."""
    return _signed(x)


@op(cpp="ct::abs({x})", numpy=quiet(np.abs), builtin=builtins.abs, nonnegative="operands")
def abs(x: Tile, /) -> Tile:
    """The absolute value; the dtype is kept."""
    arithmetic(("x", x))
    kept = Tile(dtype_of(x), x.shape)
    return Typed(kept, {"x": kept})


def _elementwise(name: str, summary: str, function) -> None:
    """Ops of one float operand without options."""

    def rule(x: Tile) -> Tile:
        return as_float(x)

    rule.__name__, rule.__doc__ = name, summary
    op(cpp=f"ct::{name}({{x}})", numpy=in_float(function))(rule)


for _name, _summary, _function in (
    ("log", "Natural logarithm.", np.log),
    ("log2", "Logarithm to base 2.", np.log2),
    ("sin", "Sine, of radians.", np.sin),
    ("cos", "Cosine, of radians.", np.cos),
    ("tan", "Tangent, of radians.", np.tan),
    ("sinh", "Hyperbolic sine.", np.sinh),
    ("cosh", "Hyperbolic cosine.", np.cosh),
):
    _elementwise(_name, _summary, _function)


def _moded(name: str):
    """`ct::name(x)`, with a rounding tag where one was asked for."""

    def spell(call, c) -> Spelled:
        mode = call["rounding_mode"]
        tag = f", ct::{ROUNDINGS[getattr(mode, 'name', mode)]}_t{{}}" if mode is not None else ""
        return Spelled(f"ct::{name}({c(call['x'])}{tag})")

    return spell


def _moded_rule(x, rounding_mode) -> Typed:
    typed = as_float(x)
    rounding("rounding_mode", rounding_mode, typed.result.dtype, ("FULL", "APPROX"))
    return typed


@op(cpp=_moded("exp"), numpy=in_float(np.exp))
def exp(x: Tile, /, *, rounding_mode: Const = None) -> Tile:
    """`e ** x`."""
    return _moded_rule(x, rounding_mode)


@op(cpp=_moded("tanh"), numpy=in_float(np.tanh))
def tanh(x: Tile, /, *, rounding_mode: Const = None) -> Tile:
    """Hyperbolic tangent."""
    return _moded_rule(x, rounding_mode)


def _flushed(name: str):
    def spell(call, c) -> Spelled:
        tag = ", ct::round_subnormals_to_zero_t{}" if call["flush_to_zero"] else ""
        return Spelled(f"ct::{name}({c(call['x'])}{tag})")

    return spell


def _flushed_rule(x, flush_to_zero) -> Typed:
    typed = as_float(x)
    flushing(flush_to_zero, typed.result.dtype)
    return typed


@op(cpp=_flushed("exp2"), numpy=flushing_float(np.exp2))
def exp2(x: Tile, /, *, flush_to_zero: Const = False) -> Tile:
    """`2 ** x`."""
    return _flushed_rule(x, flush_to_zero)


@op(cpp=_flushed("rsqrt"), numpy=flushing_float(lambda x: 1 / np.sqrt(x)))
def rsqrt(x: Tile, /, *, flush_to_zero: Const = False) -> Tile:
    """`1 / sqrt(x)`."""
    return _flushed_rule(x, flush_to_zero)


def _sqrt(x, rounding_mode, flush_to_zero, result):
    return directed.compute("sqrt", (x,), rounding_mode, flush_to_zero, result.dtype)


@op(cpp=lambda call, c: Spelled(f"ct::sqrt({c(call['x'])}{options(call)})"), numpy=_sqrt)
def sqrt(x: Tile, /, *, rounding_mode: Const = None, flush_to_zero: Const = False) -> Tile:
    """Square root."""
    typed = as_float(x)
    rounding("rounding_mode", rounding_mode, typed.result.dtype, (*IEEE, "APPROX"))
    flushing(flush_to_zero, typed.result.dtype)
    return typed


@op(cpp="ct::atan2({y}, {x})", numpy=quiet(lambda y, x: np.arctan2(y, x)))
def atan2(y: Tile, x: Tile, /) -> Tile:
    """The angle of the point (x, y), in radians."""
    arithmetic(("y", y), ("x", x))
    result, operands = pair(y, x, names=("y", "x"))
    if not result.dtype.is_float:
        raise Reject("y", f"atan2 needs floats, but the operands are {result.dtype}")
    return Typed(result, operands)


def _rounded(name: str, function):
    def rule(x: Tile, /) -> Tile:
        floating("x", x)
        kept = Tile(dtype_of(x), x.shape)
        return Typed(kept, {"x": kept})

    rule.__name__ = name
    rule.__doc__ = "The largest whole number not above `x`." if name == "floor" else "The smallest whole number not below `x`."
    return op(cpp=f"ct::{name}({{x}})", numpy=quiet(function))(rule)


floor = _rounded("floor", np.floor)
ceil = _rounded("ceil", np.ceil)


@op(cpp="ct::isnan({x})", numpy=lambda x: np.isnan(x))
def isnan(x: Tile, /) -> Tile:
    """Whether an element is not a number."""
    floating("x", x)
    kept = Tile(dtype_of(x), x.shape)
    return Typed(kept.like(dtypes.bool_), {"x": kept})
