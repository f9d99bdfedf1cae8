"""Where factors of products wait on compute capability 9.0, and the descriptors by which they are copied."""

import ctypes
import sys
from pathlib import Path

import numpy as np
import pytest

import tile2cpp.lang as ct
from tile2cpp.build import nvrtc
from tile2cpp.build.entry import device_entry
from tile2cpp.emitted import Factor
from tile2cpp.launch import maps, prepare
from tile2cpp.launch.explaining import schedule_rows
from tile2cpp.launch.packing import MAP_BYTES
from tile2cpp.signature import Signature, arrays

sys.path.insert(0, str(Path(__file__).parent / "kernels"))
import parts  # noqa: E402
import warpgroups as kernels  # noqa: E402

ZERO = ct.PaddingMode.ZERO
ALIGNED = "A: f16[?%16,?%16], B: f16[?%16,?%16], C: f32[?%16,?%16]"


def plan(kernel, signature, passed=True, target=90):
    return prepare.emit(kernel, Signature.parse(signature), target, passed).schedule


def test_a_product_fetches_both_factors():
    found = plan(kernels.product, f"{ALIGNED}, TM=128, TN=256, TK=64")
    (ring,) = found.rings
    assert (ring.left, ring.right) == (Factor(128, 64, 2, False), Factor(256, 64, 2, True))
    assert (ring.stages, ring.mapped, found.threads, found.column_threads) == (4, True, 256, 4)
    assert [(m.argument, m.name, m.row, m.column, m.box) for m in found.maps] == [(0, "A", 0, 1, (64, 128)), (1, "B", 0, 1, (64, 64))]
    assert found.shared <= 227 * 1024
    assert found.fixed_loads


def test_two_blocks_share_a_multiprocessor_where_both_have_room():
    small, middle, large = (plan(kernels.product, f"{ALIGNED}, TM={m}, TN={n}, TK=64") for m, n in ((64, 128), (128, 128), (128, 256)))
    assert (small.blocks, small.rings[0].stages, small.launched_threads) == (2, 4, 256)
    assert 2 * (small.shared + 14 * 1024) <= 228 * 1024
    # With the threads that fetch, two of these would begin with too few registers.
    assert (middle.blocks, middle.rings[0].stages, large.blocks) == (1, 6, 1)


@ct.kernel
def turned_round(A, B, C):
    acc = ct.zeros((128, 64), ct.float32)
    for k in range(ct.num_tiles(A, 1, (128, 64))):
        acc = ct.mma(ct.load(A, (0, k), (128, 64), padding_mode=ZERO), ct.load(B, (k, 0), (64, 64), padding_mode=ZERO), acc)
    ct.store(C, (0, 0), ct.transpose(acc))


@ct.kernel
def as_it_is(A, B, C):
    acc = ct.zeros((128, 64), ct.float32)
    for k in range(ct.num_tiles(A, 1, (128, 64))):
        acc = ct.mma(ct.load(A, (0, k), (128, 64), padding_mode=ZERO), ct.load(B, (k, 0), (64, 64), padding_mode=ZERO), acc)
    ct.store(C, (0, 0), acc)


def test_a_result_turned_round_leaves_no_room_for_a_second_block():
    """It has too few rows for all warps, so two of them hold each element."""
    assert [plan(kernel, ALIGNED).blocks for kernel in (turned_round, as_it_is)] == [1, 2]


def test_sums_of_several_products_leave_no_room_for_a_second_block():
    shape = "f16[?,?,64]"
    signature = f"q: {shape}, k: {shape}, v: {shape}, do: {shape}, logs: f32[?,?], delta: f32[?,?], dk: f32[?,?,64], dv: f32[?,?,64], scale: f32, TM=64, TN={{}}, D=64"
    assert plan(kernels.attended_backward, signature.format(64)).blocks == 2
    found = plan(kernels.attended_backward, signature.format(128))  # each thread has half as many registers
    assert found.blocks == 1 and found.feeder and found.threads == 256


def test_a_ring_of_one_stage_where_no_more_fit():
    shapes = "q: f16[?,?,128], place_q: f16[?,?,64], k: f16[?,?,128], place_k: f16[?,64], v: f16[?,?,128], out: f32[?,?,128]"
    found = plan(kernels.with_places, f"{shapes}, scale: f32, TM=128, TN=128, D=128, P=64")
    # A product that runs on needs its stage when the next one begins; one with a left factor in registers is complete when it returns.
    assert [(ring.right, ring.stages) for ring in found.rings] == [(Factor(128, 128, 2, False), 2), (Factor(128, 64, 2, False), 2), (Factor(128, 128, 2, True), 1)]
    assert found.feeder and not found.ahead and found.shared <= 227 * 1024
    assert not plan(kernels.with_places, f"{shapes}, scale: f32, TM=128, TN=128, D=128, P=64", passed=False).rings


def test_turned_factors():
    found = plan(kernels.product, "A: f16[?%16,?%16]:(1,?%16), B: f16[?%16,?%16]:(1,?%16), C: f32[?%16,?%16], TM=64, TN=64, TK=32")
    assert (found.rings[0].left, found.rings[0].right) == (Factor(64, 32, 2, True), Factor(64, 32, 2, False))
    assert [m.box for m in found.maps] == [(64, 32), (32, 64)]


@pytest.mark.parametrize("rows", ["f16[?,?]", "f16[?%16,?%16]@2", "f16[?%16,?%16]:(?,1)", "f16[?%16,?%16]:(?%16,?)"])
def test_threads_fetch_what_has_no_descriptor(rows):
    found = plan(kernels.product, f"A: {rows}, B: f16[?%16,?%16], C: f32[?%16,?%16], TM=64, TN=64, TK=64")
    assert not found.rings[0].mapped and not found.maps


def test_a_launch_that_passes_no_descriptors():
    found = plan(kernels.product, f"{ALIGNED}, TM=64, TN=64, TK=64", passed=False)
    assert found.rings and not found.rings[0].mapped and not found.maps


@pytest.mark.parametrize("passed, target", [(None, 90), (True, 80), (True, 100)])
def test_other_launches_and_targets_have_no_rings(passed, target):
    assert not plan(kernels.product, f"{ALIGNED}, TM=64, TN=64, TK=64", passed, target).rings


@pytest.mark.parametrize(
    "signature, tile",
    [
        (ALIGNED, "TM=32, TN=32, TK=64"),  # too few rows for a warpgroup, and too few columns for several warps
        ("A: f32[?%16,?%16], B: f32[?%16,?%16], C: f32[?%16,?%16]", "TM=64, TN=64, TK=64"),  # float is multiplied in full
        ("A: i8[?%16,?%16], B: i8[?%16,?%16], C: i32[?%16,?%16]", "TM=64, TN=64, TK=64"),  # too few columns to turn bytes in registers
        ("A: i8[?%16,?%16]:(1,?%16), B: i8[?%16,?%16], C: i32[?%16,?%16]", "TM=64, TN=128, TK=64"),  # left factors of bytes must lie along the summed axis
        (ALIGNED, "TM=256, TN=256, TK=32"),  # too many sums for the registers
    ],
)
def test_products_that_warpgroups_cannot_run(signature, tile):
    assert not plan(kernels.product, f"{signature}, {tile}").rings


ROUNDED = "A: f32[?%16,?%16], B: {}, bias: f32[1,?%16], C: f32[?%16,?%16], TM={}, TN={}, TK=32"


def test_right_factors_in_rows_along_the_columns_go_through_registers():
    found = plan(kernels.rounded, ROUNDED.format("f32[?%16,?%16]", 128, 256))
    assert found.turned and found.feeder and (found.threads, found.rings[0].mapped) == (256, True)
    assert (found.rings[0].left, found.rings[0].right) == (Factor(128, 32, 4, False), Factor(256, 32, 4, True))
    one = plan(kernels.rounded, ROUNDED.format("f32[?%16,?%16]", 128, 64))
    assert one.turned and one.threads == 128  # warpgroups lie along the columns
    # A thread would hold 128 elements and the sums of 64 rows, and these once more to add those of other warps.
    assert not plan(kernels.rounded, ROUNDED.format("f32[?%16,?%16]", 256, 64)).turned
    bytes_ = plan(kernels.product, "A: i8[?%16,?%16], B: i8[?%16,?%16], C: i32[?%16,?%16], TM=128, TN=128, TK=64")
    assert bytes_.turned and bytes_.threads == 128


def test_single_precision_is_rounded_by_who_fetches_it():
    found = plan(kernels.rounded, ROUNDED.format("f32[?%16,?%16]:(1,?%16)", 64, 64))
    assert not found.turned and found.feeder and found.rings[0].right == Factor(64, 32, 4, False)
    # Threads that fetch copy what they find.
    assert not plan(kernels.rounded, ROUNDED.format("f32[?,?]", 64, 64)).rings


def test_attention_keeps_the_queries():
    shape = "f16[?,?,?%16,?%16]"
    found = plan(kernels.attention, f"q: {shape}, k: {shape}, v: {shape}, out: {shape}, scale: f32, causal=False, TM=128, TN=128, D=64")
    assert [(r.role, r.factor) for r in found.residents] == [("a", Factor(128, 64, 2, False))]
    assert [(r.left, r.right) for r in found.rings] == [(None, Factor(128, 64, 2, False)), (None, Factor(64, 128, 2, True))]
    # The keys are loaded with their axes in another order, so the descriptor is, too.
    assert [(m.name, m.order, m.row, m.column) for m in found.maps] == [
        ("k", (0, 1, 3, 2), 3, 2), ("v", (0, 1, 2, 3), 2, 3), ("q", (0, 1, 2, 3), 2, 3),
    ]  # fmt: skip


def test_variables_that_take_other_values_are_noticed():
    assert not plan(kernels.changed_at_times, f"{ALIGNED}, TM=64, TN=64, TK=32").fixed_loads


def test_values_that_follow_each_other_have_variables_of_their_own():
    signature = f"{ALIGNED}, TM=64, TN=64, TK=32"
    found = plan(kernels.changed, signature)
    assert found.fixed_loads and found.feeder
    # The first product fetches both factors, the second one has the left one in registers.
    assert [(ring.left, ring.right) for ring in found.rings] == [(Factor(64, 32, 2, False), Factor(64, 32, 2, True)), (None, Factor(64, 32, 2, True))]
    text = prepare.emit(kernels.changed, Signature.parse(signature), 90, True).text
    assert "    acc = ct::mma(a, b, acc);" in text and "    auto a_2 = ct::max(a, __half(0.0f));" in text and "    acc = ct::mma(a_2, b, acc);" in text


@ct.kernel
def named_alike(A, B, C):
    """A name that a new variable would have is another one's; and one variable changes again in a loop inside."""
    acc = ct.zeros((64, 64), ct.float32)
    a_2 = ct.load(A, (0, 0), (64, 64), padding_mode=ZERO)
    for k in range(ct.num_tiles(A, 1, (64, 64))):
        a = ct.load(A, (0, k), (64, 64), padding_mode=ZERO)
        a = a + a_2
        b = ct.load(B, (k, 0), (64, 64), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
        for _ in range(k):
            b = b + b
        acc = ct.mma(a, b, acc)
    ct.store(C, (0, 0), acc)


def test_new_variables_have_names_of_their_own():
    found = prepare.emit(named_alike, Signature.parse(ALIGNED), 90, True)
    assert "auto a_3 = a + a_2;" in found.text and "b = b + b;" in found.text and not found.schedule.fixed_loads


def test_factors_of_one_form_stay_in_two_places():
    left, right = plan(kernels.single, "A: f16[?%16,?%16], B: f16[?%16,?%16], C: f32[?%16,?%16], TM=64, TK=64").residents
    assert (left.role, right.role) == ("a", "b") and left.factor == right.factor
    assert abs(left.offset - right.offset) >= left.factor.bytes


@ct.kernel
def converted(A, B, C):
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(ct.num_tiles(A, 1, (64, 64))):
        a = ct.load(A, (0, k), (64, 64), padding_mode=ZERO).astype(A.dtype)
        acc = ct.mma(a, ct.load(B, (k, 0), (64, 64), padding_mode=ZERO).astype(ct.float16), acc)
        a = a + a
        acc = ct.mma(a, ct.load(B, (k, 0), (64, 64), padding_mode=ZERO), acc)
    ct.store(C, (0, 0), acc)


def test_conversions_that_change_nothing():
    found = plan(converted, ALIGNED)
    assert found.rings[0].left == Factor(64, 64, 2, False)  # they are loads all the same
    assert found.fixed_loads and found.feeder  # and what is made of one has a name of its own


@pytest.mark.parametrize("dtype", ["f16", "e4m3"])
def test_factors_that_come_about_in_steps(dtype):
    """A name that gets a loaded tile, and then the same turned, holds one factor."""
    batched = f"A: {dtype}[?,?%16,?%16], B: {dtype}[?,?%16,?%16], C: f32[?,?,?]"
    for tiles in ("TM=64, TN=64, TK=64", "TM=64, TN=128, TK=64"):
        found = plan(kernels.in_steps, f"{batched}, {tiles}")
        assert found.feeder and found.fixed_loads and not found.rings[0].right.turned
    text = prepare.emit(kernels.in_steps, Signature.parse(f"{batched}, TM=64, TN=64, TK=64"), 90, True).text
    assert "b = ct::permute(B_tiles.load_masked(batch, j, k), ct::dimension_map{0_ic, 2_ic, 1_ic});" in text and "a = a;" not in text
    if dtype == "f16":
        (ring,) = plan(kernels.turned_in_place, f"{ALIGNED}, TM=64, TN=64, TK=64").rings
        assert (ring.left.turned, ring.right.turned) == (True, False)


@ct.kernel
def read_between(A, B, C):
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(ct.num_tiles(A, 1, (64, 64))):
        a = ct.load(A, (0, k), (64, 64), padding_mode=ZERO)
        b = a + a
        a = ct.transpose(a)  # one line for both
        acc = ct.mma(a, b, acc)
    ct.store(C, (0, 0), acc)


def test_what_is_read_between_stays_two_values():
    assert not plan(read_between, ALIGNED).rings  # the right factor is computed
    assert "auto a_2 = ct::transpose(a);  // one line for both" in prepare.emit(read_between, Signature.parse(ALIGNED), 90, True).text


def test_sums_that_are_loaded_are_read_at_once():
    signature = f"{ALIGNED.replace('C:', 'D: f32[?%16,?%16], C:')}, TM=64, TN=64, TK=32"
    assert plan(kernels.begun, signature).feeder
    assert "  acc = D_tiles.load_masked(i, j);" in prepare.emit(kernels.begun, Signature.parse(signature), 90, True).text


def test_matrices_with_an_axis_between_rows_and_columns():
    shape = "f16[?,?,?%16,?%16]"
    found = plan(kernels.between_heads, f"A: {shape}, B: {shape}, D: {shape}, C: f32[?,?,?,?], TM=64, TN=64, TK=32")
    assert found.feeder and [(m.name, m.order, m.row, m.column) for m in found.maps][:3] == [("A", (0, 1, 2, 3), 1, 3), ("B", (0, 1, 2, 3), 1, 3), ("D", (0, 1, 2, 3), 1, 3)]


def test_as_many_axes_as_descriptors_have():
    signature = "qkv: f16[?,?,3,?,64], out: f32[?,?,?,64], scale: f32, TM=64, TN=64, D=64"
    found = plan(kernels.packed, signature)
    assert found.feeder and {(m.name, m.order, m.row, m.column) for m in found.maps} == {("qkv", (0, 1, 2, 3, 4), 1, 4)}


def test_neighbours_along_no_axis_of_a_matrix_have_no_descriptor():
    found = plan(kernels.apart, "A: f16[?%16,?%16,?%16], B: f16[?%16,?%16,?%16], C: f32[?,?,?], TM=64, TN=64, TK=32")
    assert not found.maps and not any(ring.mapped for ring in found.rings)


def test_who_fetches_reads_numbers_from_memory():
    """Tiles of one element are such numbers, as lengths of sequences are often read."""
    found = plan(kernels.up_to, "A: f16[?,?%16,?%16], B: f16[?,?%16,?%16], depths: i32[?], C: f32[?,?,?], TM=64, TN=64, TK=32")
    assert "depths_elements.load_masked(batch)" in found.feeder


def dot(A, B, i, j, TM: ct.Constant[int], TK: ct.Constant[int]):
    acc = ct.zeros((TM, TM), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        acc = ct.mma(ct.load(A, (i, k), (TM, TK), padding_mode=ZERO), ct.load(B, (k, j), (TK, TM), padding_mode=ZERO), acc)
    return acc


@ct.kernel
def by_a_helper(A, B, C):
    ct.store(C, (ct.bid(0), 0), dot(A, B, ct.bid(0), 0, 64, 32))


@ct.kernel
def by_two_calls(A, B, C):
    ct.store(C, (ct.bid(0), 0), dot(A, B, ct.bid(0), 0, 64, 32) + dot(B, B, ct.bid(0), 0, 64, 32))


def test_arrays_of_helpers_are_those_of_the_kernel():
    assert [m.name for m in plan(by_a_helper, ALIGNED).maps] == ["A", "B"]
    assert not plan(by_two_calls, ALIGNED).maps  # A of the helper is one or the other


@ct.kernel
def led_by_sums(A, B, C):
    acc = dot(A, B, 0, 0, 64, 32)
    if ct.max(acc) > 0.0:
        acc = acc + dot(A, B, 1, 0, 64, 32)
    ct.store(C, (0, 0), acc)


def test_products_of_helpers_that_look_after_themselves():
    found = plan(led_by_sums, ALIGNED)
    assert [m.name for m in found.maps] == ["A", "B"] and found.rings[0].mapped and not found.feeder


def test_the_entry_binds_descriptors():
    emitted = prepare.emit(led_by_sums, Signature.parse("A: f16[?%16,?%16]:(?%16,1), B: f16[?%16,64], C: f32[?%16,64]"), 90, True)
    text = device_entry(emitted)
    assert "__grid_constant__ const tile2cpp::backend::tensor_map map__0" in text
    assert "bind_map<0, 2>(map__0, A_ptr, {A_shape0, A_shape1}, {A_stride0, 1});" in text
    assert "bind_map<1, 2>(map__1, B_ptr, {B_shape0, 64}, {(long long)64, 1});" in text
    assert text.index("bind_map<1") < text.index("prepare_rings()") < text.index("  ::led_by_sums(") < text.index("finish_rings()")


class Encoded:
    """Stands for the driver's function and keeps what it was given."""

    def __init__(self):
        self.calls = []

    def __call__(self, place, dtype, rank, address, extents, strides, box, steps, interleave, swizzle, promotion, fill):
        self.calls.append((dtype, rank, address, list(extents), list(strides), list(box), list(steps), swizzle))
        ctypes.memset(place, 1, MAP_BYTES)
        return 0


def described(tensor_map, array):
    encode, place = Encoded(), ctypes.create_string_buffer(MAP_BYTES)
    maps.Encoder(tensor_map, arrays.memory(array), encode)(4096, ctypes.addressof(place))
    return encode.calls, place.raw


def test_descriptors():
    found = plan(kernels.product, f"{ALIGNED}, TM=64, TN=128, TK=64")
    calls, _ = described(found.maps[1], np.zeros((48, 160), "float16"))
    assert calls == [(6, 2, 4096, [160, 48], [320], [64, 64], [1, 1], 3)]


def test_descriptors_of_permuted_axes():
    shape = "f16[?,?,?%16,?%16]"
    found = plan(kernels.attention, f"q: {shape}, k: {shape}, v: {shape}, out: {shape}, scale: f32, causal=False, TM=64, TN=64, D=32")
    calls, _ = described(found.maps[0], np.zeros((2, 3, 80, 32), "float16"))
    # Innermost axis first: the width, the keys, then heads and batches. Rows of 64 bytes.
    assert calls == [(6, 4, 4096, [32, 80, 3, 2], [64, 5120, 15360], [32, 64, 1, 1], [1, 1, 1, 1], 2)]


def test_arrays_without_a_descriptor_have_zeros():
    found = plan(kernels.product, f"{ALIGNED}, TM=64, TN=64, TK=64")
    for array in (np.zeros((0, 16), "float16"), np.zeros((16, 24), "float16")[:, :20].copy()):
        calls, place = described(found.maps[0], array)
        assert calls == [] and place == bytes(MAP_BYTES)


def test_descriptors_of_parts():
    """The cut axis ends with the part, wherever that lies: the axes behind the others bring the address there, modulo 2^64."""
    signature = "A: f16[?%16,?%16], B: f16[?,?%16,?%16], C: f32[?%16,?%16], sums: f32[?%16,?%16], starts: i32[?], group_of: i32[?], row_of: i32[?], TM=64, TN=64, TK=32"
    found = plan(parts.grouped, signature)
    assert [(m.name, m.part) for m in found.maps] == [("A", 0), ("B", None)] and found.feeder
    assert "part_map<0>{&map__0, A_ptr}, &map__1);" in found.feeder
    calls, _ = described(found.maps[0], np.zeros((48, 160), "float16"))
    assert calls == [(6, 4, 4096, [160, maps.END, maps.MOST, maps.MOST], [320, 16, 2**34 - 320], [32, 64, 1, 1], [1, 1, 1, 1], 2)]
    assert maps.END * 2**34 % 2**64 == 0
    # One row: the distance of rows counts all the same, as the kernel computes with it.
    calls, _ = described(found.maps[0], np.zeros((1, 160), "float16"))
    assert calls[0][4] == [320, 16, 2**34 - 320]


@ct.kernel
def parts_of_rows(A, B, C, first: int):
    """Where a part begins inside of rows, its elements have no alignment."""
    x = A.slice(1, first, first + 64)
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(2):
        acc = ct.mma(ct.load(x, (0, k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), acc)
    ct.store(C, (0, 0), acc)


@ct.kernel
def parts_led_by_sums(A, B, C, first: int):
    x = A.slice(0, first, first + 64)
    acc = ct.zeros((64, 64), ct.float32)
    k = 0
    while k < 4 and ct.max(acc) < 100.0:
        acc = ct.mma(ct.load(x, (0, k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), acc)
        k += 1
    ct.store(C, (0, 0), acc)


@pytest.mark.parametrize("kernel", [parts_of_rows, parts_led_by_sums])
def test_parts_that_threads_fetch(kernel):
    found = plan(kernel, f"{ALIGNED}, first: i32")
    assert found.rings and not found.feeder and not any(m.part is not None for m in found.maps)


def test_explained():
    shape = "f16[?,?,?%16,?%16]"
    found = plan(kernels.attention, f"q: {shape}, k: {shape}, v: {shape}, out: {shape}, scale: f32, causal=False, TM=128, TN=128, D=64")
    (_, schedule), *products = schedule_rows(found)
    assert schedule == f"{found.threads} threads, 4 along the last axis, vectors of 2, no barriers, {found.blocks} blocks per multiprocessor"
    stages = found.rings[0].stages
    assert products == [
        ("products", f"by warpgroups, {stages} stages of right 128x64 (2 bytes), filled by the copy engine, led by a warp of its own"),
        ("products", f"by warpgroups, {stages} stages of right 64x128 (2 bytes, turned), filled by the copy engine, led by a warp of its own"),
        ("products", "by warpgroups, left 128x64 (2 bytes), which stays"),
    ]


# --- results of two bytes ---


@pytest.mark.parametrize("kernel, dtype", [(kernels.added, "f16"), (kernels.added, "bf16"), (kernels.halved, "f16")])
def test_results_of_two_bytes_are_rounded_from_wider_sums(kernel, dtype):
    """Products take registers for both, so some tiles are too large."""
    arrays_ = f"A: {dtype}[?%16,?%16], B: {dtype}[?%16,?%16], C: {'f16' if kernel is kernels.halved else 'f32'}[?%16,?%16]"
    small, large = (plan(kernel, f"{arrays_}, TM=128, TN={n}, TK=64") for n in (128, 256))
    assert small.feeder and small.threads == 256 and not large.rings


# --- right factors that are computed ---

CHUNKS = "q: f16[?,?,64], k: f16[?,?,64], v: f16[?,?,64], decays: f32[?,?], scale: f32, out: f32[?,?,64], last: f32[?,64,64], T=64, D=64"
WIDENED = "A: f16[?%16,?%16], W: i8[?%16,?%16], S: f16[?,?%16], C: f32[?%16,?%16], TM=128, TN=128, TK=64"


def test_computed_right_factors_take_no_turn():
    """Others of the kernel are fetched ahead; a kernel that has no others has no rings."""
    found = plan(kernels.chunked, CHUNKS)
    assert found.feeder and len(found.rings) == 2 and not found.residents
    assert not plan(kernels.widened, WIDENED).rings
    assert not plan(kernels.rounded_in_the_loop, "A: f32[?%16,?%16], B: f32[?%16,?%16], C: f32[?%16,?%16], TM=64, TN=64, TK=32").rings


# --- what lies in shared memory beside the rings, and registers ---


@ct.kernel
def biased(A, B, bias, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    """The bias of a row lies in other threads than the sums."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        acc = ct.mma(ct.load(A, (i, k), (TM, TK), padding_mode=ZERO), ct.load(B, (k, j), (TK, TN), padding_mode=ZERO), acc)
    ct.store(C, (i, j), (acc + ct.load(bias, (j,), (TN,), padding_mode=ZERO)).astype(C.dtype))


@ct.kernel
def turned_twice(A, B, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    """A factor that is turned on the way to the product, and a result that is turned in registers."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        b = ct.transpose(ct.load(B, (j, k), (TN, TK), padding_mode=ZERO))
        acc = ct.mma(ct.load(A, (i, k), (TM, TK), padding_mode=ZERO), b, acc)
    ct.store(C, (j, i), ct.transpose(acc).astype(C.dtype))


@ct.kernel
def turned_once(A, B, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        b = ct.transpose(ct.load(B, (j, k), (TN, TK), padding_mode=ZERO))
        acc = ct.mma(ct.load(A, (i, k), (TM, TK), padding_mode=ZERO), b, acc)
    ct.store(C, (i, j), acc.astype(C.dtype))


HALVES = "A: f16[?%16,?%16], B: f16[?%16,?%16], C: f16[?%16,?%16]"
IN_COLUMNS = "A: f16[?%16,?%16], B: f16[?%16,?%16], C: f16[?,?]:(1,?)"
TURNED_FACTOR = "A: f16[?%16,?%16], B: f16[?%16,?%16]:(1,?%16), C: f16[?%16,?%16]"
WITH_BIAS = "A: f16[?%16,?%16], B: f16[?%16,?%16], bias: f32[?], C: f16[?%16,?%16]"
SHARED = 227 * 1024


@pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")
@pytest.mark.parametrize("tiles", ["TM=128, TN=256, TK=64", "TM=128, TN=128, TK=64", "TM=64, TN=64, TK=64"])
@pytest.mark.parametrize("kernel, signature", [(kernels.product, HALVES), (kernels.product, IN_COLUMNS), (biased, WITH_BIAS), (turned_once, HALVES), (turned_twice, HALVES)])
def test_all_that_is_shared_fits_and_nothing_spills(kernel, signature, tiles, monkeypatch, tmp_path):
    if kernel is turned_twice and "TN=256" in tiles:
        pytest.skip("the sums are turned in as many registers as they take")
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path))
    emitted, built = prepare.for_gpu(kernel, Signature.parse(f"{signature}, {tiles}"), 90, None)
    schedule, facts = emitted.schedule, built.facts
    assert schedule.feeder and facts["spill_stores"] == facts["stack_bytes"] == 0
    assert (schedule.shared + facts["shared_bytes"] + 1024) * schedule.blocks <= SHARED + 1024


def test_room_for_tiles_that_move():
    """It costs a stage, or lines of half the width."""
    tiles = "TM=128, TN=256, TK=64"
    found = {k.__name__: plan(k, f"{s}, {tiles}") for k, s in ((kernels.product, HALVES), (biased, WITH_BIAS), (turned_once, HALVES), (turned_twice, HALVES))}
    assert {name: (s.wide, s.rings[0].stages) for name, s in found.items()} == {
        "product": (True, 4), "biased": (False, 4), "turned_once": (True, 4), "turned_twice": (False, 4),
    }  # fmt: skip
    # Factors in columns go straight to their ring; results in columns are turned round between the threads.
    assert plan(kernels.product, f"{TURNED_FACTOR}, {tiles}").wide and not plan(kernels.product, f"{IN_COLUMNS}, {tiles}").wide
