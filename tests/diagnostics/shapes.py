"""Shapes, axes and indices.

Each kernel is wrong on purpose. The marks below a line are what its message points at.
"""

import tile2cpp.lang as ct
from tile2cpp import jit


# C01: Tile dimension that is not a power of two
@jit("x: f32[?]")
def c01(x):
    t = ct.load(x, (0,), (48,))
#                         ^^ TileTypeError


# C02: Tile shape that is not a compile-time constant
@jit("x: f32[?], n: i32")
def c02(x, n):
    t = ct.load(x, (0,), (n,))
#                         ^ TileTypeError


# C03: Runtime array extent used as tile shape
@jit("x: f32[?]")
def c03(x):
    t = ct.zeros((x.shape[0],), ct.float32)
#                 ^^^^^^^^^^ TileTypeError


# C04: Zero or negative tile dimension
@jit("x: f32[?]")
def c04(x):
    t = ct.zeros((0,), ct.float32)
#                 ^ TileTypeError


# C05: Index rank differs from array rank
@jit("x: f32[?]")
def c05(x):
    t = ct.load(x, (0, 0), (16,))
#                  ^^^^^^ TileTypeError


# C06: Shape rank differs from array rank
@jit("x: f32[?]")
def c06(x):
    t = ct.load(x, (0,), (16, 16))
#                        ^^^^^^^^ TileTypeError


# C07: Floating-point index
@jit("x: f32[?]")
def c07(x):
    t = ct.load(x, (ct.bid(0) / 2,), (16,))
#                   ^^^^^^^^^^^^^ TileTypeError


# C08: Unsigned index in `load`
@jit("x: f32[?], u: u32")
def c08(x, u):
    t = ct.load(x, (u,), (16,))
#                   ^ TileTypeError


# C09: Non-scalar tile as tile-space index
@jit("x: f32[?]")
def c09(x):
    t = ct.load(x, (ct.arange(4, dtype=ct.int32),), (16,))
#                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# C10: `order` is no permutation
@jit("x: f32[?,?]")
def c10(x):
    t = ct.load(x, (0, 0), (16, 16), order=(0, 0))
#                                          ^^^^^^ TileTypeError


# C11: `order` has the wrong length
@jit("x: f32[?,?]")
def c11(x):
    t = ct.load(x, (0, 0), (16, 16), order=(0,))
#                                          ^^^^ TileTypeError


# C12: `order` is an unknown string
@jit("x: f32[?,?]")
def c12(x):
    t = ct.load(x, (0, 0), (16, 16), order="K")
#                                          ^^^ TileTypeError


# C13: Operands do not broadcast
@jit("x: f32[?,?]")
def c13(x):
    a = ct.load(x, (0, 0), (16, 8))
    b = ct.load(x, (0, 0), (8, 16))
    c = a + b
#           ^ TileTypeError


# C14: `reshape` changes the element count
@jit("x: f32[?,?]")
def c14(x):
    a = ct.load(x, (0, 0), (16, 8))
    b = a.reshape((16, 16))
#                 ^^^^^^^^ TileTypeError


# C15: `reshape` with two unknown dimensions
@jit("x: f32[?,?]")
def c15(x):
    b = ct.load(x, (0, 0), (16, 8)).reshape((-1, -1))
#                                           ^^^^^^^^ TileTypeError


# C16: `broadcast_to` an incompatible shape
@jit("x: f32[?]")
def c16(x):
    a = ct.broadcast_to(ct.load(x, (0,), (8,)), (8, 16))
#                                               ^^^^^^^ TileTypeError


# C17: `cat` of three tiles
@jit("x: f32[?]")
def c17(x):
    a = ct.load(x, (0,), (8,))
    b = ct.cat((a, a, a), 0)
#              ^^^^^^^^^ TileTypeError


# C18: `cat` result not a power of two
@jit("x: f32[?]")
def c18(x):
    a = ct.load(x, (0,), (8,))
    b = ct.load(x, (0,), (4,))
    c = ct.cat((a, b), 0)
#              ^^^^^^ TileTypeError


# C19: `cat` of tiles of different dtype
@jit("x: f32[?]")
def c19(x):
    a = ct.load(x, (0,), (8,))
    c = ct.cat((a, a.astype(ct.float16)), 0)
#              ^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# C20: `cat` given a list
@jit("x: f32[?]")
def c20(x):
    a = ct.load(x, (0,), (8,))
    c = ct.cat([a, a], 0)
#              ^^^^^^ TileSyntaxError


# C21: `permute` with a repeated axis
@jit("x: f32[?,?]")
def c21(x):
    b = ct.permute(ct.load(x, (0, 0), (16, 8)), (0, 0))
#                                               ^^^^^^ TileTypeError


# C22: `permute` with too few axes
@jit("x: f32[?,?]")
def c22(x):
    b = ct.permute(ct.load(x, (0, 0), (16, 8)), (1,))
#                                               ^^^^ TileTypeError


# C23: `transpose` of a 1-D tile
@jit("x: f32[?]")
def c23(x):
    b = ct.transpose(ct.load(x, (0,), (16,)))
#                    ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# C24: `transpose` of a 3-D tile without axes
@jit("x: f32[?]")
def c24(x):
    b = ct.transpose(ct.zeros((2, 4, 8), ct.float32))
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# C25: Axis out of range
@jit("x: f32[?]")
def c25(x):
    s = ct.sum(ct.load(x, (0,), (16,)), axis=1)
#                                            ^ TileTypeError


# C26: Reduction axis repeated
@jit("x: f32[?,?]")
def c26(x):
    s = ct.sum(ct.load(x, (0, 0), (16, 8)), axis=(0, -2))
#                                                ^^^^^^^ TileTypeError


# C27: `argmax` over a tuple of axes
@jit("x: f32[?,?]")
def c27(x):
    s = ct.argmax(ct.load(x, (0, 0), (16, 8)), axis=(0, 1))
#                                                   ^^^^^^ TileTypeError


# C28: `extract` shape does not divide the tile
@jit("x: f32[?]")
def c28(x):
    s = ct.extract(ct.load(x, (0,), (16,)), (0,), (32,))
#                                                 ^^^^^ TileTypeError


# C29: `extract` constant index out of range
@jit("x: f32[?]")
def c29(x):
    s = ct.extract(ct.load(x, (0,), (16,)), (4,), (4,))
#                                            ^ TileTypeError


# C30: `insert` of another dtype
@jit("x: f32[?]")
def c30(x):
    t = ct.load(x, (0,), (16,))
    s = t.insert((0,), ct.zeros((4,), ct.int32))
#                      ^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# C31: `.item()` of a tile with several elements
@jit("x: f32[?]")
def c31(x):
    v = ct.load(x, (0,), (16,)).item()
#       ^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# C32: Stored tile has another rank than the array
@jit("x: f32[?,?]")
def c32(x):
    ct.store(x, (0, 0), ct.zeros((16,), ct.float32))
#                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# C33: `arange` size not a power of two
@jit("x: f32[?]")
def c33(x):
    i = ct.arange(10, dtype=ct.int32)
#                 ^^ TileTypeError


# C34: `arange` without a dtype
@jit("x: f32[?]")
def c34(x):
    i = ct.arange(16)
#       ^^^^^^^^^^^^^ TileTypeError


# C35: `zeros` without a dtype
@jit("x: f32[?]")
def c35(x):
    i = ct.zeros((16,))
#       ^^^^^^^^^^^^^^^ TileTypeError


# C36: Dtype given as a string
@jit("x: f32[?]")
def c36(x):
    i = ct.zeros((16,), "float32")
#                       ^^^^^^^^^ TileTypeError


# C37: `full` with a non-scalar fill value
@jit("x: f32[?]")
def c37(x):
    t = ct.load(x, (0,), (16,))
    u = ct.full((16, 16), t, ct.float32)
#                         ^ TileTypeError


# C38: `bid` axis out of range
@jit("x: f32[?]")
def c38(x):
    b = ct.bid(3)
#              ^ TileTypeError


# C39: `bid` axis not constant
@jit("x: f32[?], n: i32")
def c39(x, n):
    b = ct.bid(n)
#              ^ TileTypeError


# C40: `num_tiles` axis out of range
@jit("x: f32[?]")
def c40(x):
    n = ct.num_tiles(x, axis=1, shape=(16,))
#                            ^ TileTypeError


# C41: Too many `:` in a tile subscript
@jit("x: f32[?]")
def c41(x):
    t = ct.load(x, (0,), (16,))[:, :, None]
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# C42: `tiled_view` tile shape of the wrong rank
@jit("x: f32[?,?]")
def c42(x):
    v = x.tiled_view((16,))
#                    ^^^^^ TileTypeError


# C43: `TiledView.store` of a tile that does not broadcast
@jit("x: f32[?]")
def c43(x):
    v = x.tiled_view((16,))
    v.store((0,), ct.zeros((32,), ct.float32))
#                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# C44: `Array.slice` with a negative constant start
@jit("x: f32[?]")
def c44(x):
    y = x.slice(axis=0, start=-4, stop=8)
#                             ^^ TileTypeError


# C45: `Array.slice` with stop before start
@jit("x: f32[?]")
def c45(x):
    y = x.slice(axis=0, start=8, stop=4)
#                                     ^ TileTypeError


# C46: `Array.slice` on an axis that does not exist
@jit("x: f32[?]")
def c46(x):
    y = x.slice(axis=1, start=0, stop=4)
#                    ^ TileTypeError


# C47: `astile` of a tuple whose length is no power of two
@jit("x: f32[?]")
def c47(x):
    t = ct.astile((1, 2, 3), dtype=ct.float32)
#                 ^^^^^^^^^ TileTypeError
