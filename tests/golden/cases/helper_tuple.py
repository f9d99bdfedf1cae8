"""A helper returns two tiles."""

import tile2cpp
import tile2cpp.lang as ct


def mean_and_spread(t):
    mean = ct.sum(t, 1, keepdims=True) / t.shape[1]
    # The spread is the largest distance from the mean.
    return mean, ct.max(abs(t - mean), 1, keepdims=True)


@tile2cpp.jit("x: f32[?,64], means: f32[?,1], spreads: f32[?,1]")
def helper_tuple(x, means, spreads):
    i = ct.bid(0)
    mean, spread = mean_and_spread(ct.load(x, (i, 0), (16, 64)))
    ct.store(means, (i, 0), mean)
    ct.store(spreads, (i, 0), spread)
