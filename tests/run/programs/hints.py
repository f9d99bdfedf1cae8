"""Hints change no result: on the kernel, per target, replaced, and at single loads and stores."""

from case import Case, blank, fresh

import tile2cpp.lang as ct
from tile2cpp.lang import ByTarget


@ct.kernel(num_ctas=ByTarget(sm_90=4, sm_100=8))
def optimization_hints(in_, out, TILE: ct.Constant[int]):
    bid = ct.bid(0)

    # This load is heavy on bandwidth.
    tile = ct.load(in_, index=(bid,), shape=(TILE,), latency=8)

    ct.store(out, index=(bid,), tile=tile)


# The same kernel, tuned again without touching its source.
tuned_kernel = optimization_hints.replace_hints(num_ctas=8)


@ct.kernel(occupancy=2, opt_level=3, num_worker_warps=ByTarget(default=4, sm_100=8))
def every_kernel_hint(x, y):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (32,)) * 3)


@ct.kernel(occupancy=ByTarget(default=4))
def call_hints(x, y, z):
    i = ct.bid(0)
    t = ct.load(x, (i,), (32,), latency=3, allow_tma=False)
    ct.store(y, (i,), t, latency=2, allow_tma=True)
    lanes = i * 32 + ct.arange(32, dtype=ct.int32)
    ct.scatter(z, lanes, ct.gather(x, lanes, latency=10), latency=1)


@ct.kernel()
def view_hints(x, y):
    source, target = x.tiled_view((32,)), y.tiled_view((32,))
    target.store((ct.bid(0),), source.load((ct.bid(0),), latency=5), allow_tma=False)


def copy_case(name, kernel, *constants, factor=1):
    return Case(name, kernel, (4,), lambda rng: (fresh(rng, 100), blank(100), *constants), (1,),
                lambda x, y, *_: [x * factor])


CASES = [
    copy_case("by target", optimization_hints, 32),
    copy_case("replaced", tuned_kernel, 32),
    copy_case("replaced twice", tuned_kernel.replace_hints(occupancy=2, num_ctas=1), 32),
    copy_case("every kernel hint", every_kernel_hint, factor=3),
    Case("at calls", call_hints, (4,), lambda rng: (fresh(rng, 100), blank(100), blank(100)), (1, 2),
         lambda x, *_: [x, x]),
    copy_case("at views", view_hints),
]
