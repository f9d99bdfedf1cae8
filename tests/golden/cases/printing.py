"""Print and assert: lines of scalars, tiles as nested lists."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], n: i32")
def printing(x, n):
    i = ct.bid(0)
    t = ct.load(x, (i,), (4,))
    print("block", i, f"of {n:>4d}:", t)
    ct.printf("%d%% done, %.2f\n", 100 * i // n, ct.sum(t))
    print(ct.load(x, (i,), (32,)).reshape((2, 16)), sep=",")
    ct.assert_(t < 100.0, "values are below 100")
