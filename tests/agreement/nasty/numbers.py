"""Literals and arithmetic at the edges of dtypes."""

# ruff: noqa
import math

import numpy as np
from nasty_case import case

import tile2cpp.lang as ct


def k(t):
    return t + 1


@case(3478.0)
def negative_literals(x, n, o):
    a = -3 // 2
    b = -3 % 5
    c = n - -2
    d = - -n
    e = -n // 2
    f = (-n) % 4
    g = 2 - -(-1)
    h = -(2 ** 2)
    ct.store(o, (0,), ct.full((8,), a + b * 10 + c * 100 + d * 1000 + e * 3 + f * 7 + g * 11 + h * 13, ct.float32))


@case([3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5])
def minus_minus(x, n, o):
    t = ct.load(x, (0,), (8,))
    ct.store(o, (0,), - -t - -(-t) + +t - (-2.0) - -1)


@case(320.0)
def precedence(x, n, o):
    a = n | 1 ^ 6 & 3 << 1 + 1
    b = (n | 1) ^ 6
    c = n - (2 - 1) - (n - 3)
    d = n * (2 + n) % 5 // 2
    e = -n ** 2 if False else n
    f = not n == 3
    g = ~n & 7
    h = (n == 3) == (n > 1)
    ct.store(o, (0,), ct.full((8,), a + 10 * b + 100 * c + 1000 * d + e + g, ct.float32) + ct.where(f, 5, 6) + ct.where(h, 50, 60))


@case(1.0)
def constants_extreme(x, n, o):
    big = 2**63 - 1
    small = -2**63
    ubig = 2**64 - 1
    t = ct.full((8,), big, ct.int64) + 1
    u = ct.full((8,), ubig, ct.uint64) + 1
    v = ct.full((8,), small, ct.int64)
    w = ct.full((8,), -2**31, ct.int32)
    ok = (t == v) & (u == 0) & (w == -2147483648) & (ct.full((8,), big, ct.int64) == big)
    ct.store(o, (0,), ok.astype(ct.float32))


@case(1.0)
def unsigned_wrap(x, n, o):
    u = ct.full((8,), 3, ct.uint8) - 5
    v = -ct.full((8,), 1, ct.uint32)
    w = ct.uint8(n) - 5
    z = -ct.uint16(n)
    ok = (u == 254) & (v == 4294967295) & (w == 254) & (z == 65533)
    ct.store(o, (0,), ok.astype(ct.float32))


@case(21566.0)
def small_scalar_wrap(x, n, o):
    a = ct.int8(n) + 125
    b = ct.int8(n) * 100
    c = ct.uint8(n) << 7
    d = ~ct.uint8(n)
    e = abs(ct.int8(-128))
    f = ct.int8(-128) // -1 if n > 100 else ct.int8(1)
    g = (ct.uint8(200) + ct.uint8(n) * 20) // 3
    h = a < 0
    i = ct.uint16(n) * 30000 > 40000
    ct.store(o, (0,), ct.full((8,), a.astype(ct.int32) + b.astype(ct.int32) * 10, ct.float32) + c + d + e + f + g + ct.where(h, 1000, 2000) + ct.where(i, 10000, 20000))


@case(799.0)
def int64_scalar(x, n, o):
    a = ct.int64(n) * 3000000000
    b = a // 1000000007
    c = a % -7
    d = a >> 3
    e = (a - 9000000000000000000) * 0 + 1
    ct.store(o, (0,), ct.full((8,), b * 100 + c, ct.float32) + (d % 1000).astype(ct.float32) + e.astype(ct.float32))


@case([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0])
def int32_min_literal(x, n, o):
    a = n + (-2147483648)
    b = -2147483648
    c = ct.where(ct.load(x, (0,), (8,)) > 3, b, a)
    ct.store(o, (0,), (c == -2147483648).astype(ct.float32))


@case(2.0)
def int64_min_literal(x, n, o):
    a = ct.int64(n) + (-9223372036854775808)
    b = ct.full((8,), -9223372036854775808, ct.int64)
    c = ct.uint64(18446744073709551615)
    ct.store(o, (0,), (b + 3 == a).astype(ct.float32) + (c + ct.uint64(1) == 0))


@case([0.0, 3.0, 3.0, 0.0, 3.0, 0.0, 0.0, 0.0])
def compare_const_both(x, n, o):
    t = ct.load(x, (0,), (8,))
    a = 1 < t
    b = 5 >= t
    c = a & b & (3.5 != t)
    ct.store(o, (0,), c.astype(ct.float32) + (True == c) * 2)


@case([1.0, 3.0, 3.0, 5.0, 5.0, 7.0, 7.0, 9.0])
def big_float_const(x, n, o):
    t = ct.load(x, (0,), (8,))
    ct.store(o, (0,), t * 1e30 * 1e-30 + 16777217 - 16777216.0 + ct.where(t < 3.4e38, 1, 0) + 1e-50)


@case(3.900390625)
def half_consts(x, n, o):
    t = ct.load(x, (0,), (8,)).astype(ct.float16)
    u = t * 0.1 + 65504.0 - 65504 + 1e-8
    v = ct.float16(n) * 0.3 + 2
    w = ct.bfloat16(n) / 3
    ct.store(o, (0,), u.astype(ct.float32) + v + w.astype(ct.float32))


@case(-2887.5)
def scalar_floor_ops(x, n, o):
    f = ct.float16(n) * -1.5
    g = f // 2
    h = f % 2
    i = (-7.5) // n
    j = n % -2.5
    k = ct.bfloat16(n) % -2
    ct.store(o, (0,), ct.full((8,), 0, ct.float32) + f + g * 10 + h * 100 + i * 1000 + j + k.astype(ct.float32))


@case(295.0)
def bool_arith(x, n, o):
    b = n > 1
    c = n > 100
    s = b + 1
    t = -b
    u = b * 3
    v = b & c | (not c) ^ b
    w = b == True
    z = (b | c) + (n & 1)
    ct.store(o, (0,), ct.full((8,), s + t * 10 + u * 100 + z, ct.float32) + v + w)


@case([3.2415926456451416, 3.2415926456451416, 3.2415926456451416, 1.0000000150474662e+30, 1.0000000150474662e+30, 1.0000000150474662e+30, 1.0000000150474662e+30, 1.0000000150474662e+30])
def math_constants(x, n, o):
    t = ct.load(x, (0,), (8,))
    a = ct.where(t > 3, math.inf, -math.inf)
    b = ct.where(t > 3, float("nan"), math.pi)
    ct.store(o, (0,), ct.where(ct.isnan(b), 1.0, b) + ct.where(a > 0, 1e30, 1e-30) + np.float32(0.1))


@case([3.049999952316284, 3.1500000953674316, 3.25, 3.3499999046325684, 3.450000047683716, 3.549999952316284, 3.6500000953674316, 3.75])
def float_literals(x, n, o):
    t = ct.load(x, (0,), (8,))
    ct.store(o, (0,), t * 1e-45 + t * 1e38 * 1e-38 + 1_0.5 + .5e1 + 0x10 + 1e400 * 0 if False else t * 0.1 + 3.)


@case(362.0)
def minmax_scalar(x, n, o):
    a = min(n, 2)
    b = max(a, n, ) + abs(-n)
    c = min(max(n, 0), 10)
    ct.store(o, (0,), ct.full((8,), a + b * 10 + c * 100, ct.float32))
