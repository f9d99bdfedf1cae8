"""Rearranges the axes of a stack of matrices."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[2,4,8], moved: f32[8,2,4], swapped: f32[2,8,4]")
def permute(x, moved, swapped):
    t = ct.load(x, (0, 0, 0), (2, 4, 8))
    ct.store(moved, (0, 0, 0), ct.permute(t, (2, 0, 1)))
    ct.store(swapped, (0, 0, 0), ct.transpose(t, 1, 2))
