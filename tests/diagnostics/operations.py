"""Rules of particular operations.

Each kernel is wrong on purpose. The marks below a line are what its message points at.
"""

import tile2cpp.lang as ct
from tile2cpp import jit


# E01: `mma` inner dimensions differ
@jit("x: f16[?,?], y: f16[?,?]")
def e01(x, y):
    a = ct.load(x, (0, 0), (16, 32))
    b = ct.load(y, (0, 0), (16, 16))
    c = ct.mma(a, b, ct.zeros((16, 16), ct.float32))
#                 ^ TileTypeError


# E02: `mma` accumulator of the wrong shape
@jit("x: f16[?,?], y: f16[?,?]")
def e02(x, y):
    a = ct.load(x, (0, 0), (16, 32))
    b = ct.load(y, (0, 0), (32, 8))
    c = ct.mma(a, b, ct.zeros((16, 16), ct.float32))
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# E03: `mma` accumulator dtype not allowed
@jit("x: bf16[?,?], y: bf16[?,?]")
def e03(x, y):
    a = ct.load(x, (0, 0), (16, 16))
    b = ct.load(y, (0, 0), (16, 16))
    c = ct.mma(a, b, ct.zeros((16, 16), ct.bfloat16))
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# E04: `mma` operands of different dtype
@jit("x: f16[?,?], y: f32[?,?]")
def e04(x, y):
    a = ct.load(x, (0, 0), (16, 16))
    b = ct.load(y, (0, 0), (16, 16))
    c = ct.mma(a, b, ct.zeros((16, 16), ct.float32))
#                 ^ TileTypeError


# E05: `mma` on int32
@jit("x: i32[?,?], y: i32[?,?]")
def e05(x, y):
    a = ct.load(x, (0, 0), (16, 16))
    b = ct.load(y, (0, 0), (16, 16))
    c = ct.mma(a, b, ct.zeros((16, 16), ct.int32))
#              ^ TileTypeError


# E06: `mma` on 1-D tiles
@jit("x: f32[?]")
def e06(x):
    a = ct.load(x, (0,), (16,))
    c = ct.mma(a, a, ct.zeros((16, 16), ct.float32))
#              ^ TileTypeError


# E07: `mma` without an accumulator
@jit("x: f16[?,?], y: f16[?,?]")
def e07(x, y):
    a = ct.load(x, (0, 0), (16, 16))
    b = ct.load(y, (0, 0), (16, 16))
    c = ct.mma(a, b)
#       ^^^^^^^^^^^^ TileTypeError


# E08: `use_fast_acc` on non-FP8 operands
@jit("x: f16[?,?], y: f16[?,?]")
def e08(x, y):
    a = ct.load(x, (0, 0), (16, 16))
    b = ct.load(y, (0, 0), (16, 16))
    c = ct.mma(a, b, ct.zeros((16, 16), ct.float32), use_fast_acc=True)
#                                                                 ^^^^ TileTypeError


# E09: `mma_scaled` with a scale block size that is not allowed
@jit("x: e4m3[?,?], s: e8m0[?,?]")
def e09(x, s):
    a = ct.load(x, (0, 0), (64, 64))
    sa = ct.load(s, (0, 0), (64, 4))
    b = ct.transpose(a)
    sb = ct.transpose(sa)
    c = ct.mma_scaled(a, sa, b, sb, ct.zeros((64, 64), ct.float32))
#                        ^^ TileTypeError


# E10: `reduce` function that branches at run time
@jit("x: f32[?]")
def e10(x):
    def pick(a, b):
        if a > b:
#          ^^^^^ TileSyntaxError
            return a
        return b
    s = ct.reduce(ct.load(x, (0,), (16,)), 0, pick, 0.0)


# E11: `reduce` function with a memory operation
@jit("x: f32[?]")
def e11(x):
    def f(a, b):
        ct.printf("%f", a)
#       ^^^^^^^^^^^^^^^^^^ TileSyntaxError
        return a + b
    s = ct.reduce(ct.load(x, (0,), (16,)), 0, f, 0.0)


# E12: Nested `reduce`
@jit("x: f32[?]")
def e12(x):
    t = ct.load(x, (0,), (16,))
    def f(a, b):
        return a + b + ct.sum(t)
#                      ^^^^^^^^^ TileSyntaxError
    s = ct.reduce(t, 0, f, 0.0)


# E13: `reduce` identity that is not a constant
@jit("x: f32[?]")
def e13(x):
    s = ct.reduce(ct.load(x, (0,), (16,)), 0, lambda a, b: a + b, ct.bid(0))
#                                                                 ^^^^^^^^^ TileTypeError


# E14: `reduce` function returns too few values for a tuple input
@jit("x: f32[?]")
def e14(x):
    t = ct.load(x, (0,), (16,))
    s = ct.reduce((t, t), 0, lambda a, b, c, d: a + c, (0.0, 0.0))
#                                               ^^^^^ TileTypeError


# E15: `reduce` function changes the dtype
@jit("x: i32[?]")
def e15(x):
    s = ct.reduce(ct.load(x, (0,), (16,)), 0, lambda a, b: a + b + 0.5, 0)
#                                                          ^^^^^^^^^^^ TileTypeError


# E16: Rounding mode an operation does not take
@jit("x: f32[?]")
def e16(x):
    t = ct.add(ct.load(x, (0,), (16,)), 1.0, rounding_mode=ct.RoundingMode.APPROX)
#                                                          ^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# E17: Approximate rounding on a non-float32 operand
@jit("x: f16[?]")
def e17(x):
    t = ct.truediv(ct.load(x, (0,), (16,)), 3.0, rounding_mode=ct.RoundingMode.APPROX)
#                                                              ^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# E18: `flush_to_zero` on a non-float32 operand
@jit("x: f16[?]")
def e18(x):
    t = ct.exp2(ct.load(x, (0,), (16,)), flush_to_zero=True)
#                                                      ^^^^ TileTypeError


# E19: `astype` rounding mode on an integer conversion
@jit("x: f32[?]")
def e19(x):
    t = ct.load(x, (0,), (16,)).astype(ct.int32, rounding_mode=ct.RoundingMode.RZ)
#                                                              ^^^^^^^^^^^^^^^^^^ TileTypeError


# E20: `latency` hint out of range
@jit("x: f32[?]")
def e20(x):
    t = ct.load(x, (0,), (16,), latency=11)
#                                       ^^ TileValueError


# E21: `allow_tma` that is not a boolean
@jit("x: f32[?]")
def e21(x):
    t = ct.load(x, (0,), (16,), allow_tma=1)
#                                         ^ TileTypeError


# E22: Unknown padding mode name
@jit("x: f32[?]")
def e22(x):
    t = ct.load(x, (0,), (16,), padding_mode="zero")
#                                            ^^^^^^ TileTypeError


# E23: Runtime value for a constant keyword
@jit("x: f32[?], flag: bool")
def e23(x, flag):
    t = ct.gather(x, ct.arange(16, dtype=ct.int32), check_bounds=flag)
#                                                                ^^^^ TileTypeError


# E24: `load` memory order without a scope
@jit("x: f32[?]")
def e24(x):
    t = ct.load(x, (0,), (16,), memory_order=ct.MemoryOrder.ACQUIRE)
#                                            ^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# E25: `store` with an acquire order
@jit("x: f32[?]")
def e25(x):
    ct.store(x, (0,), 0, memory_order=ct.MemoryOrder.ACQUIRE, memory_scope=ct.MemoryScope.DEVICE)
#                                     ^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# E26: Atomic with weak order
@jit("x: f32[?]")
def e26(x):
    ct.atomic_add(x, 0, 1.0, memory_order=ct.MemoryOrder.WEAK, memory_scope=ct.MemoryScope.NONE)
#                                         ^^^^^^^^^^^^^^^^^^^ TileTypeError


# E27: Atomic max on floats
@jit("x: f32[?]")
def e27(x):
    ct.atomic_max(x, 0, 1.0)
#                 ^ TileTypeError


# E28: Atomic add on int8
@jit("x: i8[?]")
def e28(x):
    ct.atomic_add(x, 0, 1)
#                 ^ TileTypeError


# E29: Bitwise atomic with an update of another dtype
@jit("x: u32[?]")
def e29(x):
    ct.atomic_or(x, 0, 1)
#                      ^ TileTypeError


# E30: Compare-and-swap on float16
@jit("x: f16[?]")
def e30(x):
    ct.atomic_cas(x, 0, 0.0, 1.0)
#                 ^ TileTypeError


# E31: `printf` specifier that does not fit the argument
@jit("x: f32[?]")
def e31(x):
    ct.printf("%d", ct.load(x, (0,), (16,)))
#             ^^^^ TileTypeError


# E32: `printf` with too few arguments
@jit("x: f32[?]")
def e32(x):
    ct.printf("%d %d", ct.bid(0))
#             ^^^^^^^ TileTypeError


# E33: `print` format spec that does not fit the dtype
@jit("x: f32[?]")
def e33(x):
    print(f"{ct.bid(0):.2f}")
#         ^^^^^^^^^^^^^^^^^^ TileTypeError


# E34: `assert_` on a non-boolean tile
@jit("x: f32[?]")
def e34(x):
    ct.assert_(ct.load(x, (0,), (16,)))
#              ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# E35: `assume_divisible_by` contradicting a constant
@jit("x: f32[?]")
def e35(x):
    n = ct.assume_divisible_by(30, 16)
#                              ^^ TileTypeError


# E36: `unpack_from_bytes` of a non-byte tile
@jit("x: f32[?]")
def e36(x):
    t = ct.unpack_from_bytes(ct.load(x, (0,), (16,)), ct.int32)
#                            ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# E37: `load_advanced_indexing` without an index tile
@jit("x: f32[?,?]")
def e37(x):
    t = ct.load_advanced_indexing(x, (ct.Slice(0, 4), ct.Slice(0, 4)))
#                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# E38: FP8 on a GPU that lacks it
@jit("x: e4m3[?]")
def e38(x):
#       ^ TileUnsupportedFeatureError
    t = ct.load(x, (0,), (16,))
    ct.store(x, (0,), t)
