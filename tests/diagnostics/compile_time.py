"""What is evaluated while a kernel is translated.

Each kernel is wrong on purpose. The marks below a line are what its message points at.
"""

import tile2cpp.lang as ct
from tile2cpp import jit


# B01: `static_assert` that fails
@jit("x: f32[?], T=16")
def b01(x, T: ct.Constant[int]):
    ct.static_assert(T % 32 == 0, f"T must be a multiple of 32, got {T}")
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileStaticAssertionError
    ct.store(x, (0,), ct.zeros((T,), x.dtype))


# B02: `static_assert` on a runtime condition
@jit("x: f32[?]")
def b02(x):
    ct.static_assert(ct.bid(0) == 0)
#                    ^^^^^^^^^ TileStaticEvalError


# B03: `static_assert` on a symbolic tile
@jit("x: f32[?]")
def b03(x):
    b = ct.bid(0)
    ct.static_assert(b == 0)
#                    ^^^^^^ TileTypeError


# B04: Device operation inside `static_eval`
@jit("x: f32[?]")
def b04(x):
    n = ct.static_eval(ct.load(x, (0,), (16,)))
#                      ^^^^^^^^^^^^^^^^^^^^^^^ TileStaticEvalError


# B05: Assignment inside `static_eval`
@jit("x: f32[?]")
def b05(x):
    v = 1
    n = ct.static_eval((v := 2))
#                       ^^^^^^ TileSyntaxError


# B06: Exception inside `static_eval`
TABLE = {64: 2}


@jit("x: f32[?], T=16")
def b06(x, T: ct.Constant[int]):
    n = ct.static_eval(TABLE[T])
#                      ^^^^^^^^ StaticException


# B07: `static_eval` under another name
se = ct.static_eval


@jit("x: f32[?]")
def b07(x):
    f = ct.static_eval
    n = f(1 + 1)
#       ^^^^^^^^ TileSyntaxError


# B08: `static_iter` outside a `for`
@jit("x: f32[?]")
def b08(x):
    it = ct.static_iter(range(3))
#        ^^^^^^^^^^^^^^^^^^^^^^^^ TileSyntaxError


# B09: `static_iter` over more than 1000 items
@jit("x: f32[?]")
def b09(x):
    for i in ct.static_iter(range(2000)):
#                           ^^^^^^^^^^^ TileStaticEvalError
        ct.store(x, (i,), ct.zeros((16,), x.dtype))


# B10: `static_iter` over something not iterable
@jit("x: f32[?]")
def b10(x):
    for i in ct.static_iter(x.ndim):
#                           ^^^^^^ TileTypeError
        ct.store(x, (i,), ct.zeros((16,), x.dtype))


# B11: `ensure_constant` on a runtime value
@jit("x: f32[?]")
def b11(x):
    if ct.ensure_constant(x.shape[0] > 16):
#                         ^^^^^^^^^^^^^^^ TileStaticAssertionError
        ct.store(x, (0,), 0)


# B12: `raise ct.static_exception(...)` reached
@jit("x: f32[?]")
def b12(x):
    if x.ndim != 2:
        raise ct.static_exception(ValueError("matrix expected"))
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ StaticException
    ct.store(x, (0, 0), 0)


# B13: Truth value of a symbolic tile inside `static_eval`
@jit("x: f32[?]")
def b13(x):
    b = ct.bid(0)
    n = ct.static_eval(1 if b > 0 else 2)
#                           ^^^^^ StaticException


# B14: `static_eval` yields an unsupported object
@jit("x: f32[?]")
def b14(x):
    n = ct.static_eval(object())
#       ^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError
