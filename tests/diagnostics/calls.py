"""Calls of what is no tile code, arguments that do not fit, names that do not exist.

Each kernel is wrong on purpose. The marks below a line are what its message points at.
"""

import dataclasses
import math
import numpy as np
import sys

import tile2cpp.lang as ct
from tile2cpp import jit


# A57: Unbounded recursion
def fact(n):
    return n * fact(n - 1)
#              ^^^^^^^^^^^ TileRecursionError


@jit("x: f32[?]")
def a57(x):
    ct.store(x, (0,), fact(ct.bid(0)))


# A58: NumPy function called on a tile
@jit("x: f32[?]")
def a58(x):
    t = ct.load(x, (0,), (16,))
    ct.store(x, (0,), np.exp(t))
#                     ^^^^^^ TileTypeError


# A59: `math` function called on a tile
@jit("x: f32[?]")
def a59(x):
    t = ct.load(x, (0,), (16,))
    ct.store(x, (0,), math.exp(t))
#                     ^^^^^^^^ TileError


# A60: Builtin with no tile meaning (`sum`)
@jit("x: f32[?]")
def a60(x):
    t = ct.load(x, (0,), (16,))
    s = sum(t)
#       ^^^ TileError


# A61: `len()` of a tile
@jit("x: f32[?]")
def a61(x):
    t = ct.load(x, (0,), (16,))
    n = len(t)
#           ^ TileTypeError


# A62: `int()` / `float()` of a runtime value
@jit("x: f32[?]")
def a62(x):
    n = int(ct.bid(0) / 2)
#       ^^^^^^^^^^^^^^^^^^ TileTypeError


# A63: `isinstance` / `type` in a kernel
@jit("x: f32[?]")
def a63(x):
    t = ct.load(x, (0,), (16,))
    if isinstance(t, tuple):
#      ^^^^^^^^^^ TileError
        ct.store(x, (0,), 0)


# A64: Calling a kernel from a kernel
@ct.kernel
def inner(x):
    ct.store(x, (0,), 0)


@jit("x: f32[?]")
def a64(x):
    inner(x)
#   ^^^^^ TileTypeError


# A65: Dataclass that is not frozen
@dataclasses.dataclass
class Cfg:
    n: int


@jit("x: f32[?]")
def a65(x):
    c = Cfg(16)
#       ^^^ TileTypeError
    ct.store(x, (0,), ct.zeros((c.n,), x.dtype))


# A66: Mutable global captured (a list)
WEIGHTS = [1.0, 2.0]


@jit("x: f32[?]")
def a66(x):
    ct.store(x, (0,), ct.full((16,), WEIGHTS[0], x.dtype))
#                                    ^^^^^^^ TileTypeError


# A67: Misspelt `ct` function
@jit("x: f32[?]")
def a67(x):
    t = ct.load(x, (0,), (16,))
    ct.store(x, (0,), ct.sigmoid(t))
#                     ^^^^^^^^^^ TileTypeError


# A68: Unknown tile attribute
@jit("x: f32[?]")
def a68(x):
    t = ct.load(x, (0,), (16,))
    ct.store(x, (0,), t.T)
#                     ^^^ TileTypeError


# A69: NumPy-style method on a tile
@jit("x: f32[?]")
def a69(x):
    t = ct.load(x, (0,), (16,))
    s = t.sum()
#       ^^^^^ TileTypeError


# A70: Missing argument
@jit("x: f32[?]")
def a70(x):
    t = ct.load(x, (0,))
#       ^^^^^^^^^^^^^^^^ TileTypeError


# A71: Unknown keyword argument
@jit("x: f32[?]")
def a71(x):
    t = ct.load(x, index=(0,), tile_shape=(16,))
#                              ^^^^^^^^^^ TileTypeError


# A72: Positional-only argument given by name
@jit("x: f32[?]")
def a72(x):
    t = ct.load(array=x, index=(0,), shape=(16,))
#               ^^^^^ TileTypeError


# A73: Unsupported print keyword
@jit("x: f32[?]")
def a73(x):
    print(ct.bid(0), file=sys.stderr)
#                    ^^^^ TileTypeError


# A74: Attribute of a module that does not exist
@jit("x: f32[?]")
def a74(x):
    ct.store(x, (0,), ct.full((16,), math.infinity, x.dtype))
#                                    ^^^^^^^^^^^^^ TileTypeError
