"""A linear recurrence along each row, h[i] = f[i] * h[i - 1] + x[i], as a scan of pairs."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("f: f32[?,128], x: f32[?,128]")
def scan_function(f, x):
    i = ct.bid(0)
    factors = ct.load(f, (i, 0), (4, 128))
    values = ct.load(x, (i, 0), (4, 128))
    _, made = ct.scan((factors, values), 1, lambda f1, v1, f2, v2: (f1 * f2, f2 * v1 + v2), (1.0, 0.0))
    ct.store(x, (i, 0), made)
