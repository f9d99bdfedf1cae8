"""Addresses of arrays used as numbers, and arrays made of what is no address.

Each kernel is wrong on purpose. The marks below a line are what its message points at.
"""

import tile2cpp.lang as ct
from tile2cpp import jit


# F01: Arithmetic with an address
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f01(x, y, n):
    p = x.foreign_pointer
    q = p + 4
#       ^ TileTypeError


# F02: Addresses compared
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f02(x, y, n):
    p, q = x.foreign_pointer, y.foreign_pointer
    same = p == q
#          ^ TileTypeError


# F03: An address converted
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f03(x, y, n):
    p = x.foreign_pointer.astype(ct.int64)
#       ^^^^^^^^^^^^^^^^^ TileTypeError


# F04: An address called into a number
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f04(x, y, n):
    n = ct.int64(x.foreign_pointer)
#                ^^^^^^^^^^^^^^^^^ TileTypeError


# F05: An address as a condition
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f05(x, y, n):
    if x.foreign_pointer:
#      ^^^^^^^^^^^^^^^^^ TileTypeError
        ct.store(x, (0,), 0.0)


# F06: An address stored
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f06(x, y, n):
    ct.store(x, (0,), x.foreign_pointer)
#                     ^^^^^^^^^^^^^^^^^ TileTypeError


# F07: An address printed
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f07(x, y, n):
    print(x.foreign_pointer)
#         ^^^^^^^^^^^^^^^^^ TileTypeError


# F08: A choice between an address and a number
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f08(x, y, n):
    p = x.foreign_pointer if ct.bid(0) > 0 else 0
#       ^^^^^^^^^^^^^^^^^ TileTypeError


# F09: Branches with addresses of different elements
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f09(x, y, n):
    p = x.foreign_pointer
    if ct.bid(0) > 0:
        p = n.foreign_pointer
    a = ct.Array.from_foreign(p, (8,), (1,))
#                             ^ TileTypeError


# F10: A loop that changes the elements behind an address
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f10(x, y, n):
    p = x.foreign_pointer
    for i in range(4):
        p = n.foreign_pointer
#       ^ TileTypeError


# F11: An array where an address is meant
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f11(x, y, n):
    a = ct.Array.from_foreign(x, (8,), (1,))
#                             ^ TileTypeError


# F12: A number as an address
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f12(x, y, n):
    a = ct.Array.from_foreign(0, (8,), (1,))
#                             ^ TileTypeError


# F13: As many strides as extents
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f13(x, y, n):
    a = ct.Array.from_foreign(x.foreign_pointer, (8, 8), (1,))
#                                                        ^^^^ TileTypeError


# F14: A stride below 0
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f14(x, y, n):
    a = ct.Array.from_foreign(x.foreign_pointer, (8, 8), (-8, 1))
#                                                         ^^ TileTypeError


# F15: An extent that is no integer
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f15(x, y, n):
    a = ct.Array.from_foreign(x.foreign_pointer, (8.0,), (1,))
#                                                 ^^^ TileTypeError


# F16: Strides left out
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f16(x, y, n):
    a = ct.Array.from_foreign(x.foreign_pointer, (8, 8))
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# F17: The dtype of addresses of addresses
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f17(x, y, n):
    d = ct.foreign_pointer_dtype(ct.foreign_pointer_dtype(ct.float32))
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# F18: The dtype of what is no dtype
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f18(x, y, n):
    d = ct.foreign_pointer_dtype(x)
#                                ^ TileTypeError


# F19: A tile of addresses
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f19(x, y, n):
    t = ct.zeros((8,), ct.foreign_pointer_dtype(ct.float32))
#                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# F20: An address made of a number
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f20(x, y, n):
    p = ct.foreign_pointer_dtype(ct.float32)(0)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TileTypeError


# F21: An address as an index
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f21(x, y, n):
    t = ct.load(x, x.foreign_pointer, (8,))
#                  ^^^^^^^^^^^^^^^^^ TileTypeError


# F22: An address negated by `not`
@jit("x: f32[?], y: f32[?], n: i32[?]")
def f22(x, y, n):
    b = not x.foreign_pointer
#           ^^^^^^^^^^^^^^^^^ TileTypeError
