"""Tuples, tiles and arrays used like Python objects.

Each kernel is wrong on purpose. The marks below a line are what its message points at.
"""

import tile2cpp.lang as ct
from tile2cpp import jit


# A43: Starred target in an assignment
@jit("x: f32[?]")
def a43(x):
    a, *rest = (1, 2, 3)
#      ^^^^^ TileSyntaxError


# A44: Too many names when unpacking
@jit("x: f32[?]")
def a44(x):
    a, b, c = x.shape[0], 2
#   ^^^^^^^ TileValueError


# A45: Unpacking something that is not a tuple
@jit("x: f32[?]")
def a45(x):
    t = ct.load(x, (0,), (2,))
    a, b = t
#          ^ TileTypeError


# A46: Tuple indexed by a runtime value
@jit("x: f32[?]")
def a46(x):
    w = (1.0, 2.0)
    s = w[ct.bid(0)]
#         ^^^^^^^^^ TileTypeError


# A47: Tuple index out of range
@jit("x: f32[?]")
def a47(x):
    n = x.shape[1]
#       ^^^^^^^^^^ TileTypeError


# A48: Assigning to a tuple item
@jit("x: f32[?]")
def a48(x):
    w = (1, 2)
    w[0] = 3
#   ^^^^ TileTypeError


# A49: Assigning to an element of a tile
@jit("x: f32[?]")
def a49(x):
    t = ct.load(x, (0,), (16,))
    t[0] = 1.0
#   ^^^^ TileTypeError


# A50: Assigning to an element of an array
@jit("x: f32[?]")
def a50(x):
    x[0] = 1.0
#   ^^^^ TileTypeError


# A51: Reading an array element with `[]`
@jit("x: f32[?]")
def a51(x):
    v = x[ct.bid(0)]
#       ^^^^^^^^^^^^ TileTypeError


# A52: Indexing a tile with an integer
@jit("x: f32[?]")
def a52(x):
    t = ct.load(x, (0,), (16,))
    v = t[3]
#         ^ TileTypeError


# A53: Slicing a tile
@jit("x: f32[?]")
def a53(x):
    t = ct.load(x, (0,), (16,))
    v = t[0:8]
#         ^^^ TileTypeError


# A54: Setting an attribute
@jit("x: f32[?]")
def a54(x):
    t = ct.load(x, (0,), (16,))
    t.scale = 2
#   ^^^^^^^ TileSyntaxError


# A55: `match` statement
@jit("x: f32[?]")
def a55(x):
    match ct.bid(0):
#   ^^^^^ TileSyntaxError
        case 0:
            ct.store(x, (0,), 0)


# A56: `with` on something that is no context manager
@jit("x: f32[?]")
def a56(x):
    with ct.bid(0):
#        ^^^^^^^^^ TileTypeError
        ct.store(x, (0,), 0)
