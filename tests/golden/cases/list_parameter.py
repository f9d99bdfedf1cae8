"""A list of arrays: a table for each thing that an array has as parameters."""

import tile2cpp
import tile2cpp.lang as ct


def block_of(arrays, i, T):
    return ct.load(arrays[i], (ct.bid(0),), (T,))


@tile2cpp.jit("xs: [f32[?%16]], ys: [f32[?]:(?)@4], y: f32[?], T=256")
def list_parameter(xs, ys, y, T: ct.Constant[int]):
    total = ct.zeros((T,), ct.float32)
    for i in range(len(xs)):
        x = xs[i]
        total = total + ct.load(x, (ct.bid(0),), (T,)) / x.shape[0]
    # The last one counts twice.
    total = total + block_of(xs, len(xs) - 1, T)
    ct.store(y, (ct.bid(0),), total)
    ct.store(ys[-1], (ct.bid(0),), total)
