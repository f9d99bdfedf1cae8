"""A block chooses its path by a number, not by its elements."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], out: f32[?], TILE=128")
def conditional(x, out, TILE: ct.Constant[int]):
    block = ct.bid(0)
    if block < ct.num_blocks(0) - 1:
        t = ct.load(x, (block,), (TILE,))
    elif block % 2 == 0:
        t = ct.ones((TILE,), ct.float32)
    else:
        t = ct.zeros((TILE,), ct.float32)  # the last block, if its number is odd
    ct.store(out, (block,), t)
