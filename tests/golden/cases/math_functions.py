"""Element-wise functions."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], y: f32[?], out: f32[?]")
def math_functions(x, y, out):
    i = ct.bid(0)
    a, b = ct.load(x, (i,), (64,)), ct.load(y, (i,), (64,))
    c = ct.exp(a) + ct.exp2(b) + ct.log(a) + ct.log2(b)
    c = c + ct.sqrt(a) + ct.rsqrt(b) + ct.pow(a, b)
    c = c + ct.sin(a) + ct.cos(b) + ct.tan(a) + ct.sinh(b) + ct.cosh(a) + ct.tanh(b)
    c = ct.maximum(c, ct.minimum(ct.floor(a), ct.ceil(b)))
    ct.store(out, (i,), ct.negative(c) + ct.mod(a, b) + ct.floordiv(a, b))
