"""The same elements in other shapes."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: i32[32], flat: i32[32], matrix: i32[4,8], column: i32[32,1]")
def reshape(x, flat, matrix, column):
    t = ct.load(x, (0,), (32,)).reshape((4, 8))
    ct.store(matrix, (0, 0), t)
    ct.store(flat, (0,), ct.reshape(t * 2, (-1,)))
    ct.store(column, (0, 0), ct.expand_dims(t.reshape((32,)), 1))
