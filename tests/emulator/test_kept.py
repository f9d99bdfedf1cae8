"""Rows that a block keeps: in shared memory where registers are too few; and rows by ranges of elements, one after the other."""

import re

import numpy as np
import pytest

from benchmarks.kernels import others, rows
from tile2cpp import schedule
from tile2cpp.build import nvrtc

from . import Launch, Policy

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")

SINGLE = re.compile(r"(?:ld|st)\.global(?:\.nc)?\.u16")
EPS = 1e-5
BLOCKS = 2
TILE = 256
SCRATCH = 4 * TILE  # a tile of floats moves through it at once


def run(kernel, names: str, columns: int, constants: tuple, seed: int, blocks: int, count: int = 5) -> str:
    """Checks the kernel on rows in half precision, and gives its PTX."""
    rng = np.random.default_rng(seed)
    x, weight, bias = (rng.standard_normal(shape).astype("e") for shape in ((count, columns), columns, columns))
    y, seen = np.full((count, columns), np.nan, "e"), []
    args = (*({"x": x, "w": weight, "b": bias, "y": y, "e": EPS}[n] for n in names), *constants)
    Launch(kernel, args, lambda text: seen.append(text) or text).run(args, (blocks,), Policy.drawn(seed))
    wide = [a.astype("d") for a in (x, weight, bias)]
    np.testing.assert_allclose(y, expected(names, *wide), rtol=2e-3, atol=2e-3)
    return seen[0]


def expected(names, x, weight, bias):
    if "w" not in names:
        powers = np.exp(x - x.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)
    x = x - x.mean(1, keepdims=True) if "b" in names else x
    return x / np.sqrt((x * x).mean(1, keepdims=True) + EPS) * weight + (bias if "b" in names else 0)


KERNELS = [(rows.softmax_whole, "xy"), (rows.layer_norm_whole, "xwbye"), (rows.rms_norm_whole, "xwye")]


@pytest.mark.parametrize("kernel, names", KERNELS, ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("columns", [1024, 1000, 901])
@pytest.mark.parametrize("places", [3, 8])
def test_tiles_wait_in_shared_memory(kernel, names, columns, places, monkeypatch):
    """All of them, or those for which there is room; rows of 901 are moved element by element."""
    monkeypatch.setattr(schedule, "BESIDE_TILES", 250)
    monkeypatch.setattr(schedule, "SHARED_BYTES", {90: SCRATCH + schedule.SHARED_OVERHEAD + places * 2 * TILE})
    kernel = type(kernel)(kernel.__wrapped__)
    text = run(kernel, names, columns, (4, TILE, TILE // 4), places, 5)
    assert len(set(re.findall(r"cp\.async\.wait_group (\d+)", text))) == min(places, 4)


@pytest.mark.parametrize("columns", [1024, 1000, 901])
def test_rows_by_ranges_in_turn(columns):
    run(others.softmax_by_gathers, "xy", columns, (1024,), columns, BLOCKS)


def test_ranges_move_in_vectors():
    """Where extents are known to be whole vectors, nothing moves alone."""
    assert not SINGLE.search(run(others.softmax_by_gathers, "xy", 1008, (1024,), 0, BLOCKS))
