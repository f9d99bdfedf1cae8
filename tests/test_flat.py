"""How kernels run whose results have too few rows for warpgroups (compute capability 9.0)."""

import sys
from pathlib import Path

import pytest

import tile2cpp.lang as ct
from tile2cpp.build.entry import device_entry
from tile2cpp.emitted import Factor
from tile2cpp.launch import prepare
from tile2cpp.launch.explaining import schedule_rows
from tile2cpp.signature import Signature

sys.path.insert(0, str(Path(__file__).parent / "kernels"))
import flat as kernels  # noqa: E402

from benchmarks.kernels import attention  # noqa: E402

ZERO = ct.PaddingMode.ZERO
ALIGNED = "A: f16[?%16,?%16], B: f16[?%16,?%16], C: f32[?%16,?%16]"
CACHE = "q: f16[?,?,?,128], k: f16[?,?,?,128], v: f16[?,?,?,128], part_out: f32[?,?,?,128], part_log: f32[?,?,?], scale: f32, KV_HEADS=8, GROUP=4, ROWS=16, TN={}, D=128, SPAN=1024"


def plan(kernel, signature, passed=True, target=90):
    return prepare.emit(kernel, Signature.parse(signature), target, passed).schedule


def test_both_factors_of_a_product_are_fetched_ahead():
    found = plan(kernels.product, f"{ALIGNED}, TM=16, TN=128, TK=64")
    (ring,) = found.rings
    assert found.flat and found.feeder and found.walks
    assert (ring.left, ring.right) == (Factor(16, 64, 2, False), Factor(128, 64, 2, True))
    # Four warps beside each other, so that each reads other columns of the right factor.
    assert (found.threads, found.column_threads) == (128, 16)
    assert found.blocks * (found.shared + 20 * 1024) <= 228 * 1024


def test_two_blocks_that_decode_share_a_multiprocessor_where_both_have_room():
    small, large = (plan(attention.decode, CACHE.format(keys)) for keys in (64, 128))
    assert (small.threads, small.blocks, small.rings[0].stages) == (128, 2, 2)
    assert (large.threads, large.blocks, large.rings[0].stages) == (256, 1, 2)
    wide = plan(attention.decode, CACHE.replace("128]", "256]").replace("D=128", "D=256").format(128))
    assert (wide.threads, wide.blocks, wide.rings[0].stages) == (256, 1, 1)
    assert [(r.left, r.right) for r in small.rings] == [(None, Factor(64, 128, 2, False)), (None, Factor(128, 64, 2, True))]
    assert [(r.role, r.factor) for r in small.residents] == [("a", Factor(16, 128, 2, False))]


def test_explaining_says_who_multiplies():
    rows = dict(schedule_rows(plan(kernels.product, f"{ALIGNED}, TM=16, TN=128, TK=64")))
    assert rows["products"].startswith("by single warps, 4 stages of")


def test_loops_are_not_turned():
    """Nothing runs on behind a product."""
    emitted = prepare.emit(attention.decode, Signature.parse(CACHE.format(64)), 90, True)
    assert emitted.text.count("ct::mma(") == 2 and not emitted.schedule.ahead
    assert "#define T2C_FLAT 1" in device_entry(emitted)


@ct.kernel
def led_by_sums(A, B, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    acc = ct.zeros((TM, TN), ct.float32)
    k = 0
    while k < ct.num_tiles(A, 1, (TM, TK)) and ct.max(acc) < 9:
        acc = ct.mma(ct.load(A, (0, k), (TM, TK), padding_mode=ZERO), ct.load(B, (k, 0), (TK, TN), padding_mode=ZERO), acc)
        k += 1
    ct.store(C, (0, 0), acc)


@ct.kernel
def once(A, B, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    a, b = ct.load(A, (0, 0), (TM, TK), padding_mode=ZERO), ct.load(B, (0, 0), (TK, TN), padding_mode=ZERO)
    ct.store(C, (0, 0), ct.mma(a, b, ct.zeros((TM, TN), ct.float32)))


def test_one_stage_where_no_more_fit():
    shape = "bf16[?,?,{}]"
    wide, narrow = shape.format(512), shape.format(64)
    found = plan(kernels.latent, f"q: {wide}, place_q: {narrow}, kv: {wide}, place_k: {narrow}, out: f32[?,?,512], scale: f32, ROWS=16, TN=64, D=512, P=64")
    assert found.flat and [ring.stages for ring in found.rings] == [1, 1, 1] and found.threads == 128


def test_what_threads_see_of_each_other_has_barriers():
    found = plan(kernels.in_place, f"{ALIGNED}, TM=16, TN=64, TK=64")
    assert found.flat and found.ordered and found.early


@pytest.mark.parametrize(
    "kernel, signature, tile, passed, target",
    [
        (kernels.product, ALIGNED, (16, 64, 64), False, 90),  # the launch passes no descriptors
        (kernels.product, ALIGNED, (16, 64, 64), True, 80),
        (kernels.product, ALIGNED, (16, 32, 64), True, 90),  # too few columns for several warps
        (kernels.product, ALIGNED, (64, 64, 64), True, 90),  # rows enough for warpgroups
        (kernels.product, ALIGNED.replace("f16", "f32"), (16, 64, 64), True, 90),
        (led_by_sums, ALIGNED, (16, 64, 64), True, 90),  # nobody but the products knows how far they go
        (once, ALIGNED, (16, 64, 64), True, 90),  # nothing to fetch ahead
    ],
)
def test_what_is_not_fed(kernel, signature, tile, passed, target):
    found = plan(kernel, f"{signature}, TM={tile[0]}, TN={tile[1]}, TK={tile[2]}", passed, target)
    assert not found.flat
