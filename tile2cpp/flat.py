"""Products of few rows on compute capability 9.0: how a kernel runs whose results are too flat for warpgroups.

Such products do little with each element that they fetch, so what counts is that factors are always on their way. They wait in rings
that a warp of its own fills, as those of warpgroups do, and single warps multiply, each some columns of the result.
"""

from __future__ import annotations

from dataclasses import replace

from tile2cpp import ir
from tile2cpp.emitted import FEEDING_THREADS, SCRATCH_BYTES, WARP, Schedule
from tile2cpp.factors import Reading, arrays_of, is_flat, is_product, products_of
from tile2cpp.warpgroups import BESIDE_SUMS, MOST_FED_STAGES, SHARED_BYTES, TARGET, Plan, feeder_of, keeps_loads, places

THREADS, MANY_THREADS = 128, 256
# Blocks of a multiprocessor, threads, stages at least. With one stage, the factors of one product are still fetched while another is computed.
SHAPES = (3, THREADS, 3), (2, THREADS, 2), (1, MANY_THREADS, 2), (1, THREADS, 2), (1, MANY_THREADS, 1), (1, THREADS, 1)
COLUMNS_OF_WARP = 16
RESIDENT_THREADS = 2048  # of a multiprocessor
RESERVED = 1024  # of shared memory, for each block, by the system


def plan(kernel: ir.Kernel, target: int | None, maps: bool) -> Plan | None:
    """How single warps run the products of `kernel` from what a feeder fetches; None where not all of them can."""
    if target != TARGET or not maps:
        return None
    products = [p for f in kernel.functions for p in products_of(f.body, Reading(arrays_of(kernel, f), {}, turned=False, flat=True), 0)]
    if not products or len(products) != sum(is_product(c) for f in kernel.functions for c in ir.calls(f.body)) or not all(map(keeps_loads, kernel.functions)):
        return None
    results = [call.type for call, *_ in products]
    held = max((call["x"].type.size * call["x"].type.dtype.bytes for call, left, _ in products if left is None), default=0)
    if held > SCRATCH_BYTES:
        return None
    pairs = [tuple(pair) for _, *pair in products]
    columns = min(int(t.shape[1]) for t in results)
    for blocks, threads, least in SHAPES:
        if columns < threads // WARP * COLUMNS_OF_WARP or not _has_registers(max(t.size for t in results), threads, blocks):
            continue
        placed = places(pairs, threads, blocks, least, MOST_FED_STAGES, (SHARED_BYTES + RESERVED) // blocks - RESERVED - SCRATCH_BYTES)
        if placed is None or not placed.rings:
            continue
        fed = replace(placed, maps=tuple(dict.fromkeys([*placed.maps, *(o.map for pair in pairs for o in pair if o is not None and o.map is not None)])))
        feeds = feeder_of(kernel, fed, products, is_flat)
        return replace(fed, fixed_loads=True, feeder=feeds, flat=True) if feeds is not None else None
    return None


def _has_registers(sums: int, threads: int, blocks: int) -> bool:
    """Whether threads have registers for two results, or what is computed of them, and for the rest."""
    shape = Schedule(threads=threads, blocks=blocks, feeder="some")
    return 2 * sums // threads + BESIDE_SUMS <= shape.product_registers and blocks * (threads + FEEDING_THREADS) <= RESIDENT_THREADS
