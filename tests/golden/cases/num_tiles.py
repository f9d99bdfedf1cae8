"""How many tiles an array has, seen from inside and by division."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], out: i32[?]")
def num_tiles(x, out):
    ct.store(out, (0,), ct.num_tiles(x, 0, (16, 64)))
    ct.store(out, (1,), ct.num_tiles(x, axis=1, shape=(16, 64)))
    ct.store(out, (2,), ct.cdiv(x.shape[0], 16) * ct.num_blocks(0))
