"""Variables, branches and loops: names without a value, values of two types.

Each kernel is wrong on purpose. The marks below a line are what its message points at.
"""

import tile2cpp.lang as ct
from tile2cpp import jit


# A30: Undefined name
@jit("x: f32[?]")
def a30(x):
    t = ct.load(x, (0,), (TILE,))
#                         ^^^^ TileSyntaxError


# A31: Variable assigned in one branch only, used after
@jit("x: f32[?]")
def a31(x):
    if ct.bid(0) == 0:
        v = ct.zeros((16,), ct.float32)
    ct.store(x, (0,), v)
#                     ^ TileTypeError


# A32: Variable first assigned inside a `for`, used after
@jit("x: f32[?]")
def a32(x):
    for i in range(x.shape[0]):
        last = ct.load(x, (i,), (16,))
    ct.store(x, (0,), last)
#                     ^^^^ TileTypeError


# A33: Loop variable changes dtype (int accumulator becomes float)
@jit("x: f32[?]")
def a33(x):
    acc = ct.zeros((16,), ct.int32)
    for i in range(4):
        acc = acc + ct.load(x, (i,), (16,))
#       ^^^ TileTypeError
    ct.store(x, (0,), acc)


# A34: Loop variable changes shape (`()` accumulator becomes a tile)
@jit("x: f32[?]")
def a34(x):
    acc = 0.0
    for i in range(x.shape[0]):
        acc = acc + ct.load(x, (i,), (16,))
#       ^^^ TileTypeError
    ct.store(x, (0,), acc)


# A35: Branches give one variable different types
@jit("x: f32[?]")
def a35(x):
    if ct.bid(0) == 0:
        v = ct.zeros((16,), ct.float32)
    else:
        v = ct.zeros((16,), ct.float16)
    ct.store(x, (0,), v.astype(x.dtype))
#                     ^ TileTypeError


# A36: Helper returns different types on different paths
def pick_a36(b):
    if b > 0:
        return ct.zeros((16,), ct.float32)
    return ct.zeros((8,), ct.float32)
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


@jit("x: f32[?]")
def a36(x):
    ct.store(x, (0,), pick_a36(ct.bid(0)))


# A37: Helper falls off the end on one path
def pick_a37(b):
#   ^^^^^^^^ TileTypeError
    if b > 0:
        return ct.zeros((16,), ct.float32)


@jit("x: f32[?]")
def a37(x):
    ct.store(x, (0,), pick_a37(ct.bid(0)))


# A38: `if` on a non-scalar tile
@jit("x: f32[?]")
def a38(x):
    t = ct.load(x, (0,), (16,))
    if t > 0:
#      ^^^^^ TileTypeError
        ct.store(x, (0,), t)


# A39: `while` on a non-scalar tile
@jit("x: f32[?]")
def a39(x):
    t = ct.load(x, (0,), (16,))
    while t < 10:
#         ^^^^^^ TileTypeError
        t = t + 1


# A40: `and` / `or` between tiles
@jit("x: f32[?]")
def a40(x):
    t = ct.load(x, (0,), (16,))
    m = (t > 0) and (t < 1)
#        ^^^^^ TileTypeError


# A41: Chained comparison of tiles
@jit("x: f32[?]")
def a41(x):
    t = ct.load(x, (0,), (16,))
    m = 0 < t < 1
#       ^^^^^^^^^ TileTypeError


# A42: `is` between two values
@jit("x: f32[?]")
def a42(x):
    b = ct.bid(0)
    if b is 0:
#      ^^^^^^ TileTypeError
        ct.store(x, (0,), 0)
