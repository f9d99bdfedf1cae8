"""Parts of arrays: segments of rows whose bounds are read at run time."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], starts: i32[?], out: f32[?,64]")
def array_slices(x, starts, out):
    i = ct.bid(0)
    first = ct.gather(starts, i)
    segment = x.slice(axis=0, start=first, stop=ct.gather(starts, i + 1))
    total = ct.zeros((8, 64), ct.float32)
    for k in range(ct.num_tiles(segment, 0, (8, 64))):
        total = total + ct.load(segment, (k, 0), (8, 64), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (i, 0), ct.sum(total, 0, keepdims=True))
