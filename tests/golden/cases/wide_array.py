"""Arrays that span more than 2^31 elements: offsets in 64 bits, extents only where the signature says so."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?,?%16]w, n: f32[?]W, y: f32[?,?]:(?%16,1)w")
def wide_array(x, n: ct.IndexedWithInt64, y):
    i, j = ct.bid(0), ct.bid(1)
    columns = ct.arange(64, dtype=ct.int32)
    t = ct.load(x, (i, j, 0), (1, 1, 64)).reshape((64,)) + ct.gather(x, (i, j, columns))
    ct.store(y, (i, 0), (t * (n.shape[0] - 1)).reshape((1, 64)))
