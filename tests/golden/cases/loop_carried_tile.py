"""A tile is carried through a loop."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], out: f32[?], TILE=256")
def loop_carried_tile(x, out, TILE: ct.Constant[int]):
    acc = ct.zeros((TILE,), ct.float32)
    for k in range(ct.num_tiles(x, 0, TILE)):
        acc = acc + ct.load(x, (k,), (TILE,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (0,), acc)
