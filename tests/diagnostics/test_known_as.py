"""The words that cuTile has for a mistake stand in the message, too: programs look for them."""

import dataclasses
import re

import numpy as np
import pytest

import tile2cpp.lang as ct
from tile2cpp.directives import static_def

SYNTAX, TYPE, VALUE, STATIC, ASSERTION = ct.TileSyntaxError, ct.TileTypeError, ct.TileValueError, ct.TileStaticEvalError, ct.TileStaticAssertionError
KNOWN = []


def known(kind, words, *args):
    """A kernel that is wrong on purpose, with what its message holds."""

    def keep(function):
        KNOWN.append(pytest.param(function, kind, words, args, id=f"{len(KNOWN)}-{words[:30]}"))
        return function

    return keep


@dataclasses.dataclass
class Thawed:
    x: int


@dataclasses.dataclass(frozen=True)
class Plain:
    x: int


@dataclasses.dataclass(frozen=True)
class OwnInit:
    x: int

    def __init__(self):
        pass


@dataclasses.dataclass(frozen=True)
class OwnNew:
    x: int

    def __new__(cls, x):
        return super().__new__(cls)


class Derived(Plain):
    pass


@dataclasses.dataclass(frozen=True)
class Late:
    x: int = dataclasses.field(default_factory=lambda: 5)


MADE = {
    Thawed: "Only frozen dataclasses are supported",
    OwnInit: "Dataclass instance creation is only supported for dataclasses with a default generated __init__() method",
    OwnNew: "Dataclasses with custom __new__ are not supported",
    Derived: "Non-dataclass subclasses of a dataclass are not supported",
    Late: "Dataclasses with default_factory fields are not supported",
}


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_dataclasses_that_are_not_made(made):
    @ct.kernel
    def kernel():
        made(3)

    with pytest.raises(ct.TileTypeError, match=re.escape(MADE[made])):
        ct.launch(0, (1,), kernel, ())


@known(TYPE, "Unsupported operand types for +:")
def added():
    Plain(3) + 4


@known(TYPE, "Cannot call an object of type Plain")
def called():
    Plain(3)(4)


@known(TYPE, "Dataclass 'Plain' has no such field 'y'")
def replaced():
    dataclasses.replace(Plain(3), y=4)


@known(TYPE, "Only frozen dataclasses are supported")
def evaluated():
    ct.static_eval(Thawed(2))


@known(TYPE, "Tuple indices must be constant")
def picked():
    (1, 2)[ct.bid(0)]


@known(TYPE, "Tuple indices must be integers or slices")
def picked_by_a_float():
    pair = (1, 2)
    pair[1.0]


@known(TYPE, "Tuples are immutable: item assignment is not supported")
def changed():
    pair = (1, 2)
    pair[0] = 3


@known(TYPE, "Operator 'is not' expects one of the operands to be None")
def compared():
    t = ct.zeros((1,), ct.int32)
    t is not t


@known(TYPE, "Arrays are not directly subscriptable", np.zeros(4, "f"))
def indexed(x):
    x[0] += 1


@known(TYPE, "Type of `a` depends on path taken")
def by_path():
    a = 1 if ct.bid(0) == 0 else 2
    for _ in range(3):
        a *= 2.0


@known(TYPE, 'Invalid argument "shape" of full(): Expected a constant integer tuple, but given value is not constant')
def unknown_shape():
    size = 4
    while True:
        if ct.bid(0) == 0:
            size = 8
            break
        break
    ct.full((size,), 0, ct.int32)


@known(TYPE, 'Invalid argument "shape" of full(): Dimension #1 of shape (2, 3) is not a power of two')
def odd_shape():
    ct.full((2, 3), 0, ct.int32)


@known(TYPE, "Invalid argument #1 of permute(): Expected a tile, but given value has type Array[float32,(?,?):(?,1)]", np.zeros((2, 2), "f"))
def permuted(x):
    ct.permute(x, (1, 0))


@known(VALUE, "Negative values cannot be represented in an unsigned float format")
def without_sign():
    ct.float8_e8m0fnu(-0.5)


@known(ASSERTION, "Static assertion failed: 3 is odd\n")
def asserted():
    ct.static_assert(3 % 2 == 0, f"{3} is odd")


@known(TYPE, "static_assert() condition must be a boolean")
def asserted_number():
    ct.static_assert(1)


@known(SYNTAX, "static_assert(cond, msg=None, /) expects one or two positional arguments")
def asserted_thrice():
    ct.static_assert(True, "yes", 3)


@known(STATIC, "static_eval() cannot be used inside static_eval().")
def twice():
    ct.static_eval(ct.static_eval(3))


@known(STATIC, "f() cannot be called inside static_eval()")
def nested():
    def f(n):
        return n

    ct.static_eval(f(3))


@known(STATIC, "slice() cannot be called inside static_eval()", np.zeros(4, "f"))
def sliced(x):
    ct.static_eval(x.slice(0, 1, 2))


@known(ct.StaticException, "Exception was raised inside static_eval() (ZeroDivisionError:")
def divided():
    ct.static_eval(1 // 0)


@static_def
def quotient(x, y):
    return x // y


@known(ct.StaticException, "Exception was raised inside @static_def function (ZeroDivisionError:")
def divided_by_a_helper():
    quotient(1, 0)


@static_def
def block():
    return ct.bid(0)


@known(STATIC, "bid() cannot be called inside @static_def function")
def device_code_for_python():
    block()


@known(STATIC, "Symbolic tile has no concrete value and thus cannot be converted to an integer", 3)
def counted(n):
    for i in ct.static_iter(range(n)):
        pass


@known(STATIC, "Invalid item #1 of static_iter() iterable: Cannot create constant from value of type list.")
def listed():
    for item in ct.static_iter((1, [2])):
        pass


@known(ct.StaticException, "Exception was raised at compile time (ValueError: no)")
def raised():
    raise ct.static_exception(ValueError("no"))


@known(SYNTAX, "!r, !s, !a")
def converted():
    print(f"{ct.bid(0)!r}")


@known(TYPE, "Not enough arguments for format string")
def few():
    ct.printf("%d %d", 1)


@known(TYPE, "Dimension #1 of traversal_steps (4, 0) is not positive", np.zeros((8, 8), "f"))
def still(x):
    x.tiled_view((4, 4), traversal_steps=(4, 0))


@known(TYPE, "Expected traversal_steps length to be 2, got 0", np.zeros((8, 8), "f"))
def without_axes(x):
    x.tiled_view((), traversal_steps=())


@known(TYPE, "Tile shape (1, 1) is not broadcastable to the tiled view's tile shape ()", np.zeros((8, 8), "f"))
def stored_with_axes(x):
    x.tiled_view(()).store((0, 0), ct.ones((1, 1), ct.float32))


@known(TYPE, "Update shape (8,) is not broadcastable to the tiled view's tile shape (4,)", np.zeros(8, "f"))
def added_with_more(x):
    x.tiled_view(4).atomic_store_add(0, ct.ones((8,), ct.float32))


@known(TYPE, "Unsupported tiled view dtype: int8", np.zeros(8, "i1"))
def added_to_bytes(x):
    x.tiled_view(4).atomic_store_add(0, ct.ones((4,), ct.int8))


@known(TYPE, "Non-arithmetic dtype float8_e5m2 is unsupported for reduction")
def summed():
    ct.sum(ct.zeros((4,), ct.float8_e5m2))


@known(TYPE, "Non-arithmetic dtype float8_e5m2 is unsupported for prefix scans")
def summed_up():
    ct.cumsum(ct.zeros((4,), ct.float8_e5m2))


@known(TYPE, "Rounding mode nearest_int_to_zero is not supported")
def summed_to_whole_numbers():
    ct.sum(ct.zeros((4,), ct.float32), rounding_mode=ct.RoundingMode.RZI)


@known(TYPE, "Expected an integer constant, but given value has type None")
def folded_along_nothing():
    ct.scan(ct.zeros((4,), ct.float32), None, lambda a, b: a + b, 0)


@known(SYNTAX, "Loops inside reduction body are not supported")
def folded_in_a_loop():
    def far(a, b):
        total = 0
        for i in range(ct.bid(0)):
            total = total + a * i
        return total + b

    ct.reduce(ct.zeros((4,), ct.int32), 0, far, 0)


@known(SYNTAX, "Operations with memory effects are not supported inside scan body")
def folded_aloud():
    def loud(a, b):
        print(a)
        return a + b

    ct.scan(ct.zeros((4,), ct.int32), 0, loud, 0)


@known(TYPE, "pack_to_bytes from a bool_ tile is not supported")
def packed_bools():
    ct.pack_to_bytes(ct.zeros((8,), ct.bool_))


@known(TYPE, "total bits (2 * 8) not divisible by 32")
def unpacked_too_few():
    ct.unpack_from_bytes(ct.zeros((2,), ct.uint8), ct.float32)


@known(TYPE, "unpack_from_bytes requires a 1D tile, got 2D tile with shape (2, 2)")
def unpacked_square():
    ct.unpack_from_bytes(ct.zeros((2, 2), ct.uint8), ct.float32)


@known(TYPE, "x and y must have the same dtype")
def multiplied_unlike():
    ct.mma(ct.ones((2, 2), ct.float16), ct.ones((2, 2), ct.bfloat16), ct.ones((2, 2), ct.float32))


@known(TYPE, "Implicit promotion of float8_e5m2 and float16 is not supported")
def promoted_for_a_product():
    ct.ones((2, 2), ct.float8_e5m2) @ ct.ones((2, 2), ct.float16)


@known(TYPE, "x_scale and y_scale must have the same dtype, got float8_e8m0fnu and float8_e4m3fn")
def scaled_unlike():
    x, y = ct.ones((2, 32), ct.float8_e4m3fn), ct.ones((32, 2), ct.float8_e4m3fn)
    ct.mma_scaled(x, ct.ones((2, 1), ct.float8_e8m0fnu), y, ct.ones((1, 2), ct.float8_e4m3fn), ct.zeros((2, 2), ct.float32))


@known(TYPE, "y_scale shape (2, 4) is not compatible with y shape (32, 2)")
def scaled_askew():
    x, y = ct.ones((2, 32), ct.float8_e4m3fn), ct.ones((32, 2), ct.float8_e4m3fn)
    ct.mma_scaled(x, ct.ones((2, 1), ct.float8_e8m0fnu), y, ct.ones((2, 4), ct.float8_e8m0fnu), ct.zeros((2, 2), ct.float32))


@known(TYPE, "`assume_divisible_by` requires an integer scalar", 0.5)
def divisible_half(x):
    ct.assume_divisible_by(x, 2)


@known(TYPE, "`assume_divisible_by` requires a positive divisor, got 0", 4)
def divisible_by_nothing(n):
    ct.assume_divisible_by(n, 0)


@known(TYPE, "Expected an integer constant, but given value is not constant", 4)
def divisible_by_itself(n):
    ct.assume_divisible_by(n, n)


@pytest.mark.parametrize("function, kind, words, args", KNOWN)
def test_words(function, kind, words, args):
    with pytest.raises(kind, match=re.escape(words)):
        ct.launch(0, (1,), ct.kernel(function), args)


def test_launches():
    @ct.kernel
    def one(x):
        pass

    for args, grid, words in (((1, 2), (1,), "Kernel expects 1 argument but 2 were given"), ((1,), (2**24,), "Grid[0] exceeds 24-bit limit: max=16777215, got=16777216")):
        with pytest.raises((TypeError, ValueError), match=re.escape(words)):
            ct.launch(0, grid, one, args)
    with pytest.raises(ValueError, match=re.escape("num_worker_warps should be a power of 2 in [1, 32]")):
        ct.kernel(one, num_worker_warps=3)
    with pytest.raises(ValueError, match="Invalid GPU architecture name: sm100, expected sm_<major><minor>"):
        ct.ByTarget(sm100=4)


def test_a_return_that_fails_is_not_one_that_is_missing():
    def half(a):
        if ct.bid(0) == 0:
            return a.kind()
        return a

    @ct.kernel
    def kernel(x):
        ct.scatter(x, 0, half(ct.gather(x, 1)))

    with pytest.raises(ct.TileTypeError, match="has no attribute `kind`") as caught:
        ct.launch(0, (1,), kernel, (np.zeros(4, "f"),))
    assert "the returns of" not in str(caught.value)
