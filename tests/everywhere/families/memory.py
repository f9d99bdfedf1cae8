"""Loads, stores, gathers, scatters, views and raw memory, of arrays of every dtype that arrays can have."""

from __future__ import annotations

import numpy as np
from families.formats import NATIVE
from families.program import Program
from families.values import INTEGERS, numpy_of

import tile2cpp.lang as ct
from tile2cpp.ops.memory import PADDED

VALUES = {"ZERO": 0, "NEG_ZERO": -0.0, "NAN": np.nan, "POS_INF": np.inf, "NEG_INF": -np.inf}
ROWS, COLUMNS, OUTPUTS = 6, 10, 21


def paddings(name: str) -> tuple[str, ...]:
    if name in PADDED:
        return PADDED[name]
    return ("ZERO",) if name == "bool" or name in INTEGERS else tuple(VALUES)


def source(name: str) -> np.ndarray:
    """Elements that are all different, where the dtype has as many."""
    if name == "bool":
        return np.random.default_rng(51).integers(0, 2, (ROWS, COLUMNS)).astype(bool)
    if name.startswith("float8"):
        return np.arange(1, ROWS * COLUMNS + 1, dtype=np.uint8).reshape(ROWS, COLUMNS).view(numpy_of(name))
    return (np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS) + 1).astype(numpy_of(name))


def kernel(name: str):
    modes = tuple(ct.PaddingMode[mode] for mode in paddings(name))
    one = modes[0]

    @ct.kernel
    def accesses(x, y, places, padded, outs):
        for n, mode in ct.static_iter(enumerate(modes)):
            ct.store(padded[n], (0, 0), ct.load(x, (1, 1), (4, 8), padding_mode=mode))
        full = ct.load(x, index=(0, 0), shape=(4, 8), allow_tma=False)
        i, j = ct.load(places, (0, 0), (1, 8)).reshape((8,)), ct.load(places, (1, 0), (1, 8)).reshape((8,))
        inside = (i >= 0) & (i < 6) & (j >= 0) & (j < 10)

        # Tiles: orders, bounds, hints, memory orders.
        ct.store(outs[0], (0, 0), ct.load(x, (2, 1), (4, 2), order="F", padding_mode=one))
        ct.store(outs[1], (1, 0), ct.load(x, (0, 1), (2, 4), order=(0, 1), check_bounds=False), order="F")
        ct.store(outs[2], (0, 1), full, order="C", latency=3, allow_tma=False)
        ct.static_assert(x.ndim == 2 and x.shape[0].dtype == ct.int32 and len(x.strides) == 2)
        ct.store(outs[3], (0, 0), ct.load(x, (1, 2), (2, 2), latency=1, allow_tma=True), check_bounds=False, allow_tma=True)
        ct.store(outs[4], (0, 0), ct.load(x, (1, 1), (2, 4), memory_order=ct.MemoryOrder.ACQUIRE, memory_scope=ct.MemoryScope.DEVICE), memory_order=ct.MemoryOrder.RELEASE, memory_scope=ct.MemoryScope.SYS)
        ct.store(outs[5], (0, 0), ct.load(x, (0, 0), (2, 4), memory_order="RELAXED", memory_scope="BLOCK"), memory_order="RELAXED", memory_scope="DEVICE")
        ct.store(outs[6], (3, 2), ct.load(x, (5, 9), ()))
        ct.store(outs[7], (1, 1), ct.load(x, (0, 0), (4, 8), memory_order=ct.MemoryOrder.WEAK, memory_scope=ct.MemoryScope.NONE, padding_mode=ct.PaddingMode.UNDETERMINED))

        # Elements: bounds, masks, padding.
        first = ct.load(x, (0, 0), ())
        ct.store(outs[8], (0, 0), ct.gather(x, (i, j), padding_value=first)[None, :])
        ct.store(outs[9], (0, 0), ct.gather(x, (i, j), mask=inside & (i > 2), padding_value=first, check_bounds=False, latency=2)[None, :])
        ct.store(outs[10], (0, 0), ct.gather(x, (ct.arange(4, dtype=ct.uint8)[:, None], ct.arange(8, dtype=ct.int64)), check_bounds=False))
        ct.scatter(outs[11], (i, j), ct.gather(x, (i, j), padding_value=first))
        ct.scatter(outs[12], (i, j), first, mask=inside & (j > 3), check_bounds=False, latency=1)
        ct.scatter(outs[13], (2, 3), ct.gather(x, (1, 1)))

        # Rows from anywhere, and parts of arrays.
        rows = ct.load(places, (2, 0), (1, 4)).reshape((4,))
        ct.store(outs[14], (0, 0), ct.load_advanced_indexing(x, (rows, ct.Slice(1, 8)), padding_mode=one, latency=2, allow_tma=True))
        ct.store_advanced_indexing(outs[15], (ct.Slice(ct.bid(0) + 1, 4), rows), full.extract((0, 0), (4, 4)), latency=2, allow_tma=False)
        ct.store(outs[16], (0, 0), ct.load(x.slice(1, 2, 2 + ct.num_blocks(0) * 4).slice(axis=0, start=1, stop=5), (0, 0), (4, 4)))

        # Views, side by side and with steps.
        view, target = x.tiled_view((2, 4), padding_mode=one), outs[17].tiled_view((2, 4))
        for a in range(view.num_tiles(0)):
            for b in range(view.num_tiles(axis=1)):
                target.store((a, b), view.load((a, b), latency=4, allow_tma=True), latency=4, allow_tma=False)
        steps = x.tiled_view((2, 4), padding_mode=one, traversal_steps=(1, 3))
        ct.static_assert(steps.traversal_steps == (1, 3) and view.tile_shape == (2, 4) and view.dtype == x.dtype)
        outs[18].tiled_view((2, 4)).store((1, 1), steps.load((2, 1), check_bounds=False), check_bounds=False)
        ct.store(y, (0,), ct.num_tiles(x, 1, (4, 4)))
        ct.store(y, (1,), ct.num_tiles(x, axis=0, shape=(8, 4), order="F"))
        ct.store(y, (2,), steps.num_tiles(1))

        # Memory by offsets.
        raw, made = x.get_raw_memory(), outs[19].get_raw_memory()
        t = raw.load_offset(ct.arange(8, dtype=ct.int32) * 2, latency=2)
        made.store_offset(ct.arange(8, dtype=ct.int32) + 5, t, latency=2)
        masked = raw.load_offset(ct.arange(8, dtype=ct.int64), mask=inside, padding_value=first)
        made.store_offset(ct.arange(8, dtype=ct.int64) + 20, masked, mask=i > 0)
        again = ct.Array.from_foreign(x.foreign_pointer, (6, 10), (10, 1))
        ct.store(outs[20], (0, 0), ct.load(again, (1, 1), (2, 4)))

    return accesses


@np.errstate(invalid="ignore")  # NaN and infinities of formats that lack them
def meant(name: str):
    dtype = numpy_of(name)
    fill = {mode: np.asarray(value).astype(dtype) for mode, value in VALUES.items()}
    one = fill[paddings(name)[0]]

    def part(x, low, shape, padding):
        made = np.full(shape, padding, dtype)
        inside = x[low[0] : low[0] + shape[0], low[1] : low[1] + shape[1]]
        made[: inside.shape[0], : inside.shape[1]] = inside
        return made

    def run(x, y, places, padded, outs):
        i, j, rows = places[0], places[1], places[2][:4]
        inside = (i >= 0) & (i < ROWS) & (j >= 0) & (j < COLUMNS)
        for mode, out in zip(paddings(name), padded):
            out[...] = part(x, (4, 8), (4, 8), fill[mode])
        outs[0][:4, :2] = part(x.T, (8, 2), (4, 2), one)
        outs[1][0:4, 2:4] = x[0:2, 4:8].T
        outs[2][:4, 8:10] = x[:4, :2]
        outs[3][:2, :2] = x[2:4, 4:6]
        outs[4][:2, :4] = x[2:4, 4:8]
        outs[5][:2, :4] = x[:2, :4]
        outs[6][3, 2] = x[5, 9]
        outs[7][4:6, 8:10] = x[:2, :2]
        picked = np.where(inside, x[np.clip(i, 0, 5), np.clip(j, 0, 9)], x[0, 0])
        outs[8][0, :8] = picked
        outs[9][0, :8] = np.where(i > 2, picked, x[0, 0])
        outs[10][:4, :8] = x[:4, :8]
        outs[11][i[inside], j[inside]] = picked[inside]
        live = inside & (j > 3)
        outs[12][i[live], j[live]] = x[0, 0]
        outs[13][2, 3] = x[1, 1]
        for k, row in enumerate(rows):
            outs[14][k, :8] = part(x, (row, 1), (1, 8), one)[0] if 0 <= row < ROWS else one
            if 0 <= row < COLUMNS:
                outs[15][1:5, row] = x[:4, k]
        outs[16][:4, :4] = x[1:5, 2:6]
        outs[17][...] = x
        outs[18][2:4, 4:8] = x[2:4, 3:7]
        y[:] = 3, 2, 4
        flat, memory = outs[19].reshape(-1), x.reshape(-1)
        flat[5:13] = memory[0:16:2]
        flat[20:28] = np.where(i > 0, np.where(inside, memory[:8], x[0, 0]), flat[20:28])
        outs[20][:2, :4] = x[2:4, 4:8]

    return run


def arguments(name: str):
    def make():
        x = source(name)
        places = np.array([[0, 5, 3, -1, 6, 2, 4, 1], [9, 0, 4, 2, 3, 10, 7, -2], [5, 1, 7, 0, 0, 0, 0, 0]], np.int32)
        blank = lambda shape: np.full(shape, x[0, 1], x.dtype)  # noqa: E731
        padded = tuple(blank((4, 8)) for _ in paddings(name))
        return x, np.zeros(3, np.int32), places, padded, tuple(blank((ROWS, COLUMNS)) for _ in range(OUTPUTS))

    return make


PROGRAMS = [Program(f"memory {name}", kernel(name), (1,), arguments(name), meant(name)) for name in NATIVE]
