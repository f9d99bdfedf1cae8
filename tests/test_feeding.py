"""The part of a kernel that says which factors are multiplied next, for the warp that fetches them (compute capability 9.0)."""

import sys
from pathlib import Path

import pytest

import tile2cpp.lang as ct
from tile2cpp.build import nvrtc
from tile2cpp.build.entry import device_entry
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature

sys.path.insert(0, str(Path(__file__).parent / "kernels"))
import called  # noqa: E402
import warpgroups as kernels  # noqa: E402

ZERO = ct.PaddingMode.ZERO
SUMS = "ct::tile<float, ct::shape<64, 64>>"
ALIGNED = "A: f16[?%16,?%16], B: f16[?%16,?%16], C: f32[?%16,?%16]"


def feeder(kernel, signature=ALIGNED):
    return prepare.emit(kernel, Signature.parse(signature), 90, True).schedule.feeder


def body(text):
    """The statements, without what is declared at the beginning."""
    lines = [line.strip() for line in text.splitlines()[2:-1]]
    return [line for line in lines if not line.startswith("constexpr") and "assume" not in line and "tensor_span" not in line and "partition_view" not in line]


def test_a_product():
    text = feeder(kernels.product, f"{ALIGNED}, TM=64, TN=64, TK=32")
    assert body(text) == [
        "auto [i, j] = grouped_block(ct::bid().x, ct::ceildiv(A_shape0, int(TM)), ct::ceildiv(B_shape1, int(TN)));",
        "for (auto k : ct::irange(0, ct::ceildiv(A_shape1, int(TK)))) {",
        "auto a = A_tiles.load_masked(i, k);",
        "auto b = B_tiles.load_masked(k, j);",
        "feeder__.give<ct::tile<float, ct::shape<TM, TN>>>(a, b, &map__0, &map__1);",
        "}",
    ]
    head = text.splitlines()[0]
    assert head.startswith("static __device__ __forceinline__ void product__feed(tile2cpp::backend::feeder& feeder__, __half const* A_ptr, ") and head.endswith("tensor_map const& map__1) {")


def test_the_entry_runs_it_beside_the_kernel():
    emitted = prepare.emit(kernels.product, Signature.parse(f"{ALIGNED}, TM=128, TN=256, TK=64"), 90, True)
    text = device_entry(emitted)
    assert emitted.schedule.launched_threads == 384 and "__launch_bounds__(384, 1)" in text
    assert "leave_registers<40>();" in text and "take_registers<232>();" in text
    assert 128 * 40 + 256 * 232 <= 65536
    assert text.index("prepare_rings()") < text.index("product__feed(feeder__, A_ptr") < text.index(" ::product(A_ptr")


@ct.kernel
def listed(A, B, C, which, skipped):
    """Tiles of a list that memory holds, some of which are left out."""
    acc = ct.zeros((64, 64), ct.float32)
    noise = ct.zeros((64, 64), ct.float32)
    for n in range(which.shape[0]):
        k = ct.load(which, n, ()).item()
        if k == skipped:
            continue
        noise = noise + 1.0
        acc = ct.mma(ct.load(A, (0, k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), acc)
    ct.store(C, (0, 0), acc + noise)


def test_indices_from_memory_and_branches():
    text = body(feeder(listed, f"{ALIGNED}, which: i32[?], skipped: i32"))
    assert text[:5] == ["for (auto n : ct::irange(0, which_shape0)) {", "int k = int(which_elements.load_masked(n));", "if (k == skipped) {", "continue;", "}"]
    assert text[5].startswith("feeder__.give<ct::tile<float, ct::shape<64, 64>>>(A_tiles.load_masked(0, k), B_tiles.load_masked(k, 0), &map__0") and len(text) == 7


@ct.kernel
def listed_by_tiles(A, B, C, which):
    """As above, with indices that come as tiles of one element."""
    acc = ct.zeros((64, 64), ct.float32)
    count = ct.load(which, index=(0,), shape=(1,)).reshape((1, 1)).item()
    for n in range(count):
        k = ct.load(which, index=(n,), shape=(1,))
        j = k.item()
        acc = ct.mma(ct.load(A, (0, j), (64, 32), padding_mode=ZERO), ct.load(B, (j, 0), (32, 64), padding_mode=ZERO), acc)
        j = n
    ct.store(C, (0, 0), acc)


def test_indices_in_tiles_of_one_element():
    text = body(feeder(listed_by_tiles, f"{ALIGNED}, which: i32[?]"))
    assert text[1:4] == ["for (auto n : ct::irange(0, count)) {", "auto k = which_elements.load_masked(n);", "int j = int(k);"]


@ct.kernel
def led_by_tiles(A, B, C):
    """How often it multiplies depends on the sums."""
    acc = ct.zeros((64, 64), ct.float32)
    k = 0
    while k < 4 and ct.max(acc) < 100.0:
        acc = ct.mma(ct.load(A, (0, k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), acc)
        k += 1
    ct.store(C, (0, 0), acc)


@ct.kernel
def led_by_its_own_results(A, B, C, next_tile):
    """Other blocks say what is multiplied next."""
    acc = ct.zeros((64, 64), ct.float32)
    for n in range(4):
        k = ct.atomic_add(next_tile, 0, 1)
        acc = ct.mma(ct.load(A, (0, k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), acc)
    ct.store(C, (0, 0), acc)


@ct.kernel
def two_at_once(A, B, C):
    """Which of the two is multiplied first is the compiler's choice."""
    zero = ct.zeros((64, 64), ct.float32)
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(4):
        b = ct.load(B, (k, 0), (32, 64), padding_mode=ZERO)
        acc = acc + (ct.mma(ct.load(A, (0, k), (64, 32), padding_mode=ZERO), b, zero) - ct.mma(ct.load(A, (1, k), (64, 32), padding_mode=ZERO), b, zero))
    ct.store(C, (0, 0), acc)


def part(A, B, k):
    return ct.mma(ct.load(A, (0, k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), ct.zeros((64, 64), ct.float32))


@ct.kernel
def by_a_helper(A, B, C):
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(4):
        acc = acc + part(A, B, k)
    ct.store(C, (0, 0), acc)


def test_a_product_in_a_helper():
    """It is led like one of the kernel's own; the file calls the helper."""
    assert body(feeder(by_a_helper)) == [
        "for (auto k : ct::irange(0, 4)) {",
        "int k_1 = k;",
        "feeder__.give<ct::tile<float, ct::shape<64, 64>>>(A_tiles.load_masked(0, k_1), B_tiles.load_masked(k_1, 0), &map__0, &map__1);",
        "}",
    ]
    assert "acc = acc + part(A, B, k);" in prepare.emit(by_a_helper, Signature.parse(ALIGNED), 90, True).text


def test_helpers_in_helpers_and_tiles_that_are_given_to_them():
    signature = Signature.parse(f"{ALIGNED}, D: f32[?%16,?%16], TM=64, TK=64")
    made = prepare.emit(called.given_tiles, signature, 90, True)
    text = body(made.schedule.feeder)
    feeds = [line for line in text if "give" in line]
    assert len(feeds) == 2 and "(a_2, b_2, &map__0, &map__1)" in feeds[0] and "(a_3, b_3, &map__0, &map__2)" in feeds[1]
    assert "auto b_2 = ct::transpose(b_1);" in text
    # What a helper multiplies need not have been read, and its sums not be complete; what is given back with others is.
    assert "__tile__ auto multiplied(auto a, auto b, auto acc) {" in made.text and "__tile__ both_result both(auto a, auto b, auto gate, auto up) {" in made.text
    assert "auto a" not in prepare.emit(called.given_tiles, signature, 90, False).text.split("extern")[0]


def test_sums_that_begin_with_a_load_have_been_read():
    signature = f"{ALIGNED}, D: f32[?%16,?%16], TM=64, TN=64, TK=32"
    text = prepare.emit(called.begun_with_a_load, Signature.parse(signature), 90, True).text
    assert "> more_steps(auto x, auto y, int i, int j, int last, ct::tile<float, ct::shape<64, 64>> acc)" in text.replace("\n    ", " ").replace("( ", "(")
    text = prepare.emit(called.stepwise, Signature.parse(f"{ALIGNED}, TM=64, TN=64, TK=32"), 90, True).text
    assert "__tile__ auto more_steps(auto x, auto y, int i, int j, int first, int last, auto acc) {" in text


def test_arguments_that_take_other_values():
    text = body(feeder(called.by_effects, f"{ALIGNED}, TM=64, TK=32"))
    assert ["int k_2 = k_1;", "bool odd_1 = k_1 % 4 == 2;", "i_2 = i_2 + 0 * k_2;", "if (odd_1) {", "k_2 = k_2 + 1;"] == text[3:8]


def test_helpers_called_from_two_places_take_turns():
    text = body(feeder(called.persistent, f"{ALIGNED}, TM=64, TN=64, TK=32"))
    assert [line for line in text if "irange" in line or "give" in line][1:] == [
        "for (auto k_1 : ct::irange(0, last_1)) {",
        "feeder__.give<ct::tile<float, ct::shape<TM, TN>>>(a_1, b_1, &map__0, &map__1);",
        "for (auto k_2 : ct::irange(first_1, last_2)) {",
        "feeder__.give<ct::tile<float, ct::shape<TM, TN>>>(a_2, b_2, &map__0, &map__1);",
    ]


@ct.kernel
def by_two_helpers_at_once(A, B, C):
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(4):
        acc = acc + (part(A, B, k) - part(B, A, k))
    ct.store(C, (0, 0), acc)


def part_or_nothing(A, B, k):
    if k % 2 == 0:
        return ct.zeros((64, 64), ct.float32)
    return part(A, B, k)


@ct.kernel
def by_a_helper_with_two_ends(A, B, C):
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(4):
        acc = acc + part_or_nothing(A, B, k)
    ct.store(C, (0, 0), acc)


def one_part(A, B, C, last):
    """What follows the early end is the other branch."""
    if last < 4:
        return
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(last):
        acc = ct.mma(ct.load(A, (0, k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), acc)
    ct.store(C, (0, 0), acc)


@ct.kernel
def by_a_helper_that_ends_early(A, B, C, last):
    one_part(A, B, C, last)


def test_a_helper_that_ends_early():
    text = body(feeder(by_a_helper_that_ends_early, f"{ALIGNED}, last: i32"))
    assert "return;" not in text and sum("feeder__.give" in line for line in text) == 1


def half(A, k):
    return ct.load(A, (0, k), (64, 32), padding_mode=ZERO)


@ct.kernel
def given_back(A, B, C):
    """The left factor comes from a helper; the right one is loaded here, and changed in the helper that multiplies."""
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(4):
        acc = acc + scaled(half(A, k), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO))
    ct.store(C, (0, 0), acc)


def scaled(x, y):
    y = y * 2
    return ct.mma(x, y, ct.zeros((64, 64), ct.float32))


@ct.kernel
def and_another(A, B, C):
    """The second product has a left factor that no ring holds."""
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(4):
        b = ct.load(B, (k, 0), (32, 64), padding_mode=ZERO)
        acc = ct.mma(ct.load(A, (0, k), (64, 32), padding_mode=ZERO), b, acc)
        acc = ct.mma(ct.load(C, (0, k), (64, 32), padding_mode=ZERO).astype(ct.float16), ct.load(A, (0, k), (64, 32), padding_mode=ZERO).reshape((32, 64)), acc)
    ct.store(C, (0, 0), acc)


def until_large(A, B):
    """It has no one end behind which others could go on."""
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(4):
        acc = acc + part(A, B, k)
        if k * 5 > B.shape[0]:
            return acc
    return acc * 2.0


@ct.kernel
def by_a_helper_that_leaves_a_loop(A, B, C):
    ct.store(C, (0, 0), until_large(A, B))


def test_a_helper_with_several_ends():
    """What follows a branch that returns is the other branch."""
    assert body(feeder(by_a_helper_with_two_ends)) == [
        "for (auto k : ct::irange(0, 4)) {", "int k_1 = k;", "if (k_1 % 2 == 0) {", "} else {", "int k_2 = k_1;",
        f"feeder__.give<{SUMS}>(A_tiles.load_masked(0, k_2), B_tiles.load_masked(k_2, 0), &map__0, &map__1);", "}", "}",
    ]  # fmt: skip
    assert feeder(called.ended_early, f"{ALIGNED}, TM=64, TN=64, TK=32").count("feeder__.give<") == 3
    made = feeder(by_ends_with_two_results)
    assert made.count("feeder__.give<") == 1 and "acc" not in "".join(body(made))


def step_or_end(A, B, k, acc):
    if k > B.shape[0]:
        return acc, k
    return acc + part(A, B, k), k + 2


@ct.kernel
def by_ends_with_two_results(A, B, C):
    """The second result says where the next factors lie."""
    acc, k = ct.zeros((64, 64), ct.float32), 0
    for _ in range(4):
        acc, k = step_or_end(A, B, k, acc)
    ct.store(C, (0, 0), acc)


def test_right_factors_from_registers_alone_are_nobodys_business():
    """Left factors by themselves are not fetched for products whose right ones are computed."""
    assert not feeder(given_back)
    assert not feeder(kernels.widened, f"{ALIGNED.replace('B: f16[?%16,?%16]', 'W: i8[?%16,?%16], S: f16[?,?%16]')}, TM=64, TN=64, TK=64")


@pytest.mark.parametrize(
    "kernel, signature",
    [
        (led_by_tiles, ALIGNED),
        (led_by_its_own_results, f"{ALIGNED}, next_tile: i32[?]"),
        (two_at_once, ALIGNED),
        (by_two_helpers_at_once, ALIGNED),
        (by_a_helper_that_leaves_a_loop, ALIGNED),
        (and_another, ALIGNED),
        (kernels.changed_at_times, f"{ALIGNED}, TM=64, TN=64, TK=32"),
        (kernels.picked_from_a_tile, "A: f16[?%16,?%16], B: f16[?%16,?%16], order: i32[?], C: f32[?%16,?%16], TM=64, TN=64, TK=32"),
        (kernels.product, "A: f16[?,?], B: f16[?%16,?%16], C: f32[?%16,?%16], TM=64, TN=64, TK=32"),  # threads fetch A
    ],
)
def test_products_that_look_after_themselves(kernel, signature):
    assert not feeder(kernel, signature)


CHUNKS = "q: {0}[?,?,64], k: {0}[?,?,64], v: {0}[?,?,64], decays: f32[?,?], scale: f32, out: f32[?,?,64], last: f32[?,64,64], T=64, D=64"


def given(kernel, signature):
    return [line.split("give<")[1] for line in body(feeder(kernel, signature)) if "give<" in line]


def test_computed_right_factors():
    """The queries were scaled, and the faded keys too: all that is fetched are right factors, and nothing for a product of queries and state."""
    signature = CHUNKS.format("bf16")
    assert [line.count("{}") for line in given(kernels.chunked, signature)] == [1, 1, 1]
    # Keys are left factors here, and fetched; the weights are computed, so their product with the values takes no turn.
    cache = "q: f16[?,?,?,64], k: f16[?,?,?,64], v: f16[?,?,?,64], lengths: i32[?], out: f32[?,?,?,64], scale: f32, ROWS=16, TN=64, D=64"
    found = prepare.emit(kernels.decoded_in_columns, Signature.parse(cache), 90, True).schedule
    assert [(ring.left.turned, ring.right) for ring in found.rings] == [(False, None)]
    assert [(place.role, place.factor.lines) for place in found.residents] == [("b", 16)]
    assert len(given(kernels.decoded_in_columns, cache)) == 1


def test_products_without_sums_take_turns_as_wide_as_they_are():
    signature = "A: {0}[?%16,?%16], W: i8[?%16,?%16], scales: f32[1,?], V: {0}[?%16,?%16], C: f32[?%16,?%16], TM=64, TN=64, TK=64"
    assert [line.split(">")[0] for line in given(kernels.weights_as_read, signature.format("bf16"))] == 2 * ["ct::tile<float, ct::shape<TM, TN"]
    kinds = ["float", "__half"]  # halves are added up as such
    assert [line.split(">")[0] for line in given(kernels.weights_as_read, signature.format("f16"))] == [f"ct::tile<{kind}, ct::shape<TM, TN" for kind in kinds]


@ct.kernel
def weighed(A, B, C):
    """8-bit floats in registers are no left factor of the instructions."""
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(ct.num_tiles(B, 1, (64, 64))):
        b = ct.transpose(ct.load(B, (0, k), (64, 64), padding_mode=ZERO))
        weights = ct.mma(ct.load(A, (0, k), (64, 64), padding_mode=ZERO), b, ct.zeros((64, 64), ct.float32))
        acc = ct.mma(weights.astype(A.dtype), b, acc)
    ct.store(C, (0, 0), acc)


def test_left_factors_that_no_instruction_takes():
    assert len([line for line in body(feeder(weighed, ALIGNED.replace("f16", "e4m3"))) if "give" in line]) == 1
    assert len([line for line in body(feeder(weighed, ALIGNED)) if "give" in line]) == 2


# --- blocks that follow each other on the same threads ---


def walks(kernel, signature=ALIGNED, target=90):
    return prepare.emit(kernel, Signature.parse(signature), target, True).schedule.walks


TILES = "TM=64, TN=64, TK=32"


@ct.kernel
def as_far_as_the_diagonal(A, B, C):
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(ct.bid(0) + 1):
        acc = ct.mma(ct.load(A, (ct.bid(0), k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), acc)
    ct.store(C, (ct.bid(0), 0), acc)


@ct.kernel
def some_blocks_only(A, B, C):
    i = ct.bid(0)
    odd = i % 2
    if odd == 1:
        acc = ct.zeros((64, 64), ct.float32)
        for k in range(4):
            acc = ct.mma(ct.load(A, (i, k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), acc)
        ct.store(C, (i, 0), acc)


@ct.kernel
def one_after_the_other(A, B, C, tickets):
    """A block may wait for what others have counted."""
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(4):
        acc = ct.mma(ct.load(A, (ct.bid(0), k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), acc)
    number = ct.atomic_add(tickets, 0, 1)
    ct.store(C, (number.item(), 0), acc)


def test_blocks_that_take_the_same_time_follow_each_other():
    assert walks(kernels.product, f"{ALIGNED}, {TILES}")
    assert not walks(kernels.persistent, f"{ALIGNED.replace('f32', 'f16')}, D: f32[?%16,?%16], {TILES}")  # it does so itself
    assert not walks(as_far_as_the_diagonal) and not walks(some_blocks_only)
    assert not walks(one_after_the_other, f"{ALIGNED}, tickets: i32[?]")
    assert not walks(kernels.product, f"{ALIGNED}, {TILES}", 80)


def test_a_launch_that_passes_no_more_has_no_walks():
    """Exports and C++ launchers keep the grid as it is."""
    assert not prepare.emit(kernels.product, Signature.parse(f"{ALIGNED}, {TILES}"), 90, False).schedule.walks


def test_the_entry_walks_over_the_grid():
    text = device_entry(prepare.emit(kernels.product, Signature.parse(f"{ALIGNED}, {TILES}"), 90, True))
    assert "#define T2C_WALKING 1" in text and "uint3 grid__extents) {" in text
    assert text.count("block_walk walk__(grid__extents); walk__.in_grid(); walk__.advance()") == 2


@ct.kernel
def with_names_of_the_entry(A, B, C, feeder, map0):
    walk, grid = feeder + 0, map0 + 0
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(walk, grid):
        acc = ct.mma(ct.load(A, (0, k), (64, 32), padding_mode=ZERO), ct.load(B, (k, 0), (32, 64), padding_mode=ZERO), acc)
    ct.store(C, (0, 0), acc)


def test_names_of_the_author_and_of_the_entry_do_not_meet():
    emitted = prepare.emit(with_names_of_the_entry, Signature.parse(f"{ALIGNED}, feeder: i32, map0: i32"), 90, True)
    assert emitted.schedule.feeder and "feeder__.give" in emitted.schedule.feeder
    if nvrtc.find() is not None:
        nvrtc.compile(emitted, 90)


def one_step(x, y, i, k, acc):
    return ct.mma(ct.load(x, (i, k), (64, 32), padding_mode=ct.PaddingMode.ZERO), ct.load(y, (k, 0), (32, 64), padding_mode=ct.PaddingMode.ZERO), acc)


@ct.kernel
def exchanged_sums(A, B, C):
    """Two sums take turns, so each is made of the other."""
    one, two = ct.zeros((64, 64), ct.float32), ct.ones((64, 64), ct.float32)
    for k in range(ct.num_tiles(A, 1, (64, 32))):
        one = one_step(A, B, ct.bid(0), k, one)
        one, two = two, one
    ct.store(C, (ct.bid(0), 0), one - two)


def test_sums_that_take_turns_in_helpers():
    assert body(feeder(exchanged_sums, ALIGNED))
