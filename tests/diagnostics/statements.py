"""Statements and expressions of Python that are not in the language.

Each kernel is wrong on purpose. The marks below a line are what its message points at.
"""

import functools

import tile2cpp.lang as ct
from tile2cpp import jit


# A01: `try`/`except` in a kernel
@jit("x: f32[?]")
def a01(x):
    t = ct.load(x, (0,), (16,))
    try:
#   ^^^ TileSyntaxError
        t = t + 1
    except ValueError:
        pass
    ct.store(x, (0,), t)


# A02: List literal as a value
@jit("x: f32[?]")
def a02(x):
    parts = [ct.bid(0), 1]
#           ^^^^^^^^^^^^^^ TileSyntaxError
    ct.store(x, (0,), ct.full((16,), parts[1], x.dtype))


# A03: Dict literal as a value
@jit("x: f32[?]")
def a03(x):
    cfg = {"n": 16}
#         ^^^^^^^^^ TileSyntaxError
    t = ct.load(x, (0,), (cfg["n"],))


# A04: List comprehension
@jit("x: f32[?]")
def a04(x):
    t = ct.load(x, (0,), (16,))
    ys = [t * i for i in range(4)]
#        ^^^^^^^^^^^^^^^^^^^^^^^^^ TileSyntaxError


# A05: Tuple comprehension over a plain `range`
@jit("x: f32[?]")
def a05(x):
    t = ct.load(x, (0,), (16,))
    ys = tuple(t * i for i in range(4))
#                             ^^^^^^^^ TileSyntaxError


# A06: Set literal
@jit("x: f32[?]")
def a06(x):
    s = {1, 2}
#       ^^^^^^ TileSyntaxError


# A07: Class defined inside the kernel
@jit("x: f32[?]")
def a07(x):
    class Acc:
#   ^^^^^ TileSyntaxError
        v = 0
    ct.store(x, (0,), ct.zeros((16,), x.dtype))


# A08: `for ... else`
@jit("x: f32[?]")
def a08(x):
    for i in range(4):
        ct.store(x, (i,), ct.zeros((16,), x.dtype))
    else:
#   ^^^^ TileSyntaxError
        ct.store(x, (0,), ct.ones((16,), x.dtype))


# A09: `while ... else`
@jit("x: f32[?]")
def a09(x):
    i = 0
    while i < 4:
        i += 1
    else:
#   ^^^^ TileSyntaxError
        i = 9


# A10: `for` over a tuple
@jit("x: f32[?]")
def a10(x):
    acc = ct.zeros((16,), ct.float32)
    for w in (1, 2, 3):
#            ^^^^^^^^^ TileTypeError
        acc = acc + w


# A11: `for` over a tile
@jit("x: f32[?]")
def a11(x):
    t = ct.load(x, (0,), (16,))
    for v in t:
#            ^ TileTypeError
        ct.store(x, (0,), v)


# A12: `enumerate` / `zip`
@jit("x: f32[?]")
def a12(x):
    for i, j in enumerate(range(4)):
#               ^^^^^^^^^ TileError
        ct.store(x, (i,), ct.full((16,), j, x.dtype))


# A13: `range` with a negative constant step
@jit("x: f32[?]")
def a13(x):
    for i in range(8, 0, -1):
#                        ^^ TileTypeError
        ct.store(x, (i,), ct.zeros((16,), x.dtype))


# A14: `range` with a float bound
@jit("x: f32[?]")
def a14(x):
    n = x.shape[0] / 16
    for i in range(n):
#                  ^ TileTypeError
        ct.store(x, (i,), ct.zeros((16,), x.dtype))


# A15: `break` inside a `static_iter` loop
@jit("x: f32[?]")
def a15(x):
    for i in ct.static_iter(range(4)):
        if i == 2:
            break
#           ^^^^^ TileSyntaxError


# A16: `return` inside a `static_iter` loop
@jit("x: f32[?]")
def a16(x):
    for i in ct.static_iter(range(4)):
        return
#       ^^^^^^ TileSyntaxError


# A17: Kernel returns a value
@jit("x: f32[?]")
def a17(x):
    t = ct.load(x, (0,), (16,))
    return t
#          ^ TileTypeError


# A18: Assigning to a module global with `global`
COUNT = 0


@jit("x: f32[?]")
def a18(x):
    global COUNT
#   ^^^^^^ TileSyntaxError
    COUNT = 1


# A19: Assigning to an outer function's local with `nonlocal`
@jit("x: f32[?]")
def a19(x):
    n = 0
    def bump():
        nonlocal n
#       ^^^^^^^^ TileSyntaxError
        n = n + 1
    bump()


# A20: Variadic kernel parameters
@jit("arrays: f32[?]")
def a20(*arrays):
#        ^^^^^^ TileSyntaxError
    ct.store(arrays[0], (0,), 0)


# A21: Decorated nested function
@jit("x: f32[?]")
def a21(x):
    @functools.cache
#    ^^^^^^^^^^^^^^^ TileSyntaxError
    def sq(v):
        return v * v
    ct.store(x, (0,), sq(ct.load(x, (0,), (16,))))


# A22: `yield` in a kernel
@jit("x: f32[?]")
def a22(x):
    t = ct.load(x, (0,), (16,))
    yield t
#   ^^^^^^^ TileSyntaxError


# A23: Walrus operator
@jit("x: f32[?]")
def a23(x):
    if (b := ct.bid(0)) > 3:
#       ^^^^^^^^^^^^^^ TileSyntaxError
        ct.store(x, (b,), ct.zeros((16,), x.dtype))


# A24: `del`
@jit("x: f32[?]")
def a24(x):
    t = ct.load(x, (0,), (16,))
    del t
#   ^^^ TileSyntaxError


# A25: Plain `assert`
@jit("x: f32[?]")
def a25(x):
    t = ct.load(x, (0,), (16,))
    assert ct.sum(t) > 0, "negative"
#   ^^^^^^ TileSyntaxError


# A26: `raise` of an ordinary exception
@jit("x: f32[?]")
def a26(x):
    if x.ndim != 2:
        raise ValueError("need a matrix")
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileSyntaxError


# A27: `import` inside a kernel
@jit("x: f32[?]")
def a27(x):
    import math
#   ^^^^^^ TileSyntaxError
    ct.store(x, (0,), ct.full((16,), math.pi, x.dtype))


# A28: F-string with a conversion (`!r`)
@jit("x: f32[?]")
def a28(x):
    t = ct.load(x, (0,), (16,))
    print(f"{t!r}")
#         ^^^^^^^^ TileSyntaxError


# A29: F-string with a computed format spec
@jit("x: f32[?]")
def a29(x):
    t = ct.load(x, (0,), (16,))
    w = 4
    print(f"{t:.{w}f}")
#         ^^^^^^^^^^^^ TileSyntaxError
