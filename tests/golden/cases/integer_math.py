"""Division of integers floors, and the remainder has the sign of the divisor."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: i32[?], y: i32[?], quotient: i32[?], remainder: i32[?], ratio: f32[?], bits: i32[?]")
def integer_math(x, y, quotient, remainder, ratio, bits):
    i = ct.bid(0)
    a, b = ct.load(x, (i,), (64,)), ct.load(y, (i,), (64,))
    ct.store(quotient, (i,), a // b)
    ct.store(remainder, (i,), a % -3)
    ct.store(ratio, (i,), a / b)  # true division gives float32
    ct.store(bits, (i,), (a << 2 | b >> 1) & ~a ^ b)
