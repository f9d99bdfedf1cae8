"""64-bit elements, sums and scalars."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: i64[?], y: i64[?], total: i64[1], TILE=128")
def int64(x, y, total, TILE: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (TILE,), padding_mode=ct.PaddingMode.ZERO)
    # 3000000000 does not fit 32 bits.
    t = t * 3000000000 + i
    ct.store(y, (i,), t)
    ct.atomic_add(total, 0, ct.sum(t))
