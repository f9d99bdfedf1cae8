"""Data types that do not meet, and constants that do not fit.

Each kernel is wrong on purpose. The marks below a line are what its message points at.
"""

import tile2cpp.lang as ct
from tile2cpp import jit


# D01: Signed with unsigned
@jit("x: i32[?], y: u32[?]")
def d01(x, y):
    c = ct.load(x, (0,), (16,)) + ct.load(y, (0,), (16,))
#                                 ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D02: Float16 with bfloat16
@jit("x: f16[?], y: bf16[?]")
def d02(x, y):
    c = ct.load(x, (0,), (16,)) * ct.load(y, (0,), (16,))
#                                 ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D03: Arithmetic on an FP8 tile
@jit("x: e4m3[?]")
def d03(x):
    c = ct.load(x, (0,), (16,)) * 2.0
#       ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D04: Arithmetic on a tfloat32 tile
@jit("x: f32[?]")
def d04(x):
    t = ct.load(x, (0,), (16,)).astype(ct.tfloat32)
    c = t + t
#       ^ TileTypeError


# D05: Adding two bool tiles
@jit("x: f32[?]")
def d05(x):
    t = ct.load(x, (0,), (16,))
    c = (t > 0) + (t > 1)
#        ^^^^^ TileTypeError


# D06: Bitwise operator on floats
@jit("x: f32[?]")
def d06(x):
    t = ct.load(x, (0,), (16,))
    c = t & 1
#       ^ TileTypeError


# D07: Bitwise operator on different integer widths
@jit("x: i32[?], y: i64[?]")
def d07(x, y):
    c = ct.load(x, (0,), (16,)) & ct.load(y, (0,), (16,))
#                                 ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D08: Shifting a bool tile
@jit("x: f32[?]")
def d08(x):
    t = ct.load(x, (0,), (16,)) > 0
    c = t << 1
#       ^ TileTypeError


# D09: Integer constant too large for the tile's dtype
@jit("x: i8[?]")
def d09(x):
    c = ct.load(x, (0,), (16,)) + 300
#                                 ^^^ TileValueError


# D10: Negative constant with an unsigned tile
@jit("x: u8[?]")
def d10(x):
    c = ct.load(x, (0,), (16,)) + -1
#                                 ^^ TileValueError


# D11: Storing floats into an integer array
@jit("x: i32[?]")
def d11(x):
    ct.store(x, (0,), ct.zeros((16,), ct.float32))
#                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D12: Storing float32 into a float16 array without a cast
@jit("x: f16[?]")
def d12(x):
    ct.store(x, (0,), ct.zeros((16,), ct.float32))
#                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D13: Storing a float literal into an integer array
@jit("x: i32[?]")
def d13(x):
    ct.store(x, (0,), 0.5)
#                     ^^^ TileTypeError


# D14: `gather` padding value of the wrong category
@jit("x: i32[?]")
def d14(x):
    t = ct.gather(x, ct.arange(16, dtype=ct.int32), padding_value=0.5)
#                                                                 ^^^ TileTypeError


# D15: `gather` with a float index tile
@jit("x: f32[?]")
def d15(x):
    t = ct.gather(x, ct.arange(16, dtype=ct.float32))
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D16: `gather` with too few indices for the array's rank
@jit("x: f32[?,?]")
def d16(x):
    t = ct.gather(x, ct.arange(16, dtype=ct.int32))
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D17: `gather` index tiles that do not broadcast
@jit("x: f32[?,?]")
def d17(x):
    t = ct.gather(x, (ct.arange(16, dtype=ct.int32), ct.arange(8, dtype=ct.int32)))
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D18: `gather` mask that is not boolean
@jit("x: f32[?]")
def d18(x):
    i = ct.arange(16, dtype=ct.int32)
    t = ct.gather(x, i, mask=i)
#                            ^ TileTypeError


# D19: `scatter` value that does not broadcast to the indices
@jit("x: f32[?]")
def d19(x):
    i = ct.arange(16, dtype=ct.int32)
    ct.scatter(x, i, ct.zeros((32,), ct.float32))
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D20: `where` with operands that do not promote
@jit("x: i32[?], y: u32[?]")
def d20(x, y):
    a = ct.load(x, (0,), (16,))
    c = ct.where(a > 0, a, ct.load(y, (0,), (16,)))
#                          ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D21: `floor` of an integer tile
@jit("x: i32[?]")
def d21(x):
    c = ct.floor(ct.load(x, (0,), (16,)))
#                ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D22: `isnan` of an integer tile
@jit("x: i32[?]")
def d22(x):
    c = ct.isnan(ct.load(x, (0,), (16,)))
#                ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D23: `~` on a Python boolean
@jit("x: f32[?]")
def d23(x):
    flag = True
    c = ~flag
#        ^^^^ TileTypeError


# D24: `bitcast` between different widths
@jit("x: f32[?]")
def d24(x):
    c = ct.bitcast(ct.load(x, (0,), (16,)), ct.int16)
#                                           ^^^^^^^^ TileTypeError


# D25: `bitcast` to bool
@jit("x: i8[?]")
def d25(x):
    c = ct.bitcast(ct.load(x, (0,), (16,)), ct.bool_)
#                                           ^^^^^^^^ TileTypeError


# D26: Integer tile raised to an integer tile
@jit("x: i32[?]")
def d26(x):
    t = ct.load(x, (0,), (16,))
    ct.store(x, (0,), t ** t)
#                     ^ TileTypeError


# D27: `divmod` of floats
@jit("x: f32[?]")
def d27(x):
    q, r = divmod(ct.load(x, (0,), (16,)), 3.0)
#                 ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# D28: Constant division by zero
@jit("x: f32[?]")
def d28(x):
    n = 16 // 0
#       ^^^^^^^ TileValueError


# D29: Constant too big for any integer dtype
@jit("x: f32[?]")
def d29(x):
    n = ct.load(x, (0,), (16,)) + 2**70
#                                 ^^^^^ TileValueError


# D30: Negative constant in an unsigned-scale dtype
@jit("x: f32[?]")
def d30(x):
    s = ct.full((16,), -1.0, ct.float8_e8m0fnu)
#                      ^^^^ TileValueError
    ct.printf("%f", ct.sum(s.astype(ct.float32)))
