"""Factors that helpers load, and variables with several values: how the file is written where products fetch ahead."""

import sys
from pathlib import Path

import pytest

import tile2cpp.lang as ct
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature

for folder in ("kernels", "run"):
    sys.path.insert(0, str(Path(__file__).parent / folder))
import called  # noqa: E402
import warpgroups  # noqa: E402
from case import check  # noqa: E402

ZERO = ct.PaddingMode.ZERO
ALIGNED = "A: f16[?%16,?%16], B: f16[?%16,?%16], C: f32[?%16,?%16]"


def emitted(kernel, signature=ALIGNED, target=90):
    return prepare.emit(kernel, Signature.parse(signature), target, True)


def lines_of(text):
    return [line.strip() for line in text.splitlines()]


def test_helpers_that_load_are_written_out():
    """Also those that others call; one that multiplies stays a helper, and so does one that computes."""
    made = emitted(called.loaded_by_helpers, f"{ALIGNED}, TM=128, TN=128, TK=64, TURNED=True")
    lines = lines_of(made.text)
    assert made.schedule.feeder and made.schedule.fixed_loads
    loop = lines.index("for (auto k : ct::irange(0, ct::ceildiv(A_shape1, int(TK)))) {")
    assert lines[loop + 1 : loop + 8] == [
        "auto left = A_tiles.load_masked(i, k);",
        "auto a = left;",
        "auto b = ct::transpose(B_tiles.load_masked(j, k));",
        "acc = ct::mma(a, b, acc);",
        "acc = loading_step(A, B, i, j, k, acc);",
        "auto again = positive(A_tiles.load_masked(i, k));",
        "acc = ct::mma(again, ct::transpose(B_tiles.load_masked(j, k)), acc);",
    ]
    assert "return ct::mma(x_tiles.load_masked(i, k), ct::transpose(y_tiles.load_masked(j, k)), acc);" in lines
    assert not any(name in made.text for name in ("part_of", "right_part", "both_parts"))


@pytest.mark.parametrize("target", [None, 75])
def test_helpers_stay_where_nothing_is_fetched_ahead(target):
    text = emitted(called.loaded_by_helpers, f"{ALIGNED}, TM=128, TN=128, TK=64, TURNED=True", target).text
    assert "auto [a, b] = both_parts(A, B, i, j, k);" in text


def test_older_machines_fetch_ahead_what_helpers_load():
    found = emitted(by_one_helper, ALIGNED, 80)
    assert found.schedule.shared and "acc = ct::mma(a, b, acc);" in found.text and "part(" not in found.text


def part(x, i, k, rows: ct.Constant[int], columns: ct.Constant[int]):
    # The tiles of one step.
    return ct.load(x, (i, k), (rows, columns), padding_mode=ZERO)


@ct.kernel
def by_one_helper(A, B, C):
    acc = ct.zeros((128, 128), ct.float32)
    for k in range(ct.num_tiles(A, 1, (128, 64))):
        # Left, then right.
        a = part(A, ct.bid(0), k, 128, 64)
        b = part(B, k, 0, 64, 128)  # from the top
        acc = ct.mma(a, b, acc)
    ct.store(C, (0, 0), acc)


def test_comments_of_the_caller_stay():
    lines = lines_of(emitted(by_one_helper).text)
    at = lines.index("// Left, then right.")
    assert lines[at + 1 : at + 3] == ["auto a = A_tiles.load_masked(ct::bid().x, k);", "auto b = B_tiles.load_masked(k, 0);  // from the top"]


@ct.kernel
def from_what_it_writes(A, B, C):
    """A helper loads what the kernel stores, between the stores."""
    for k in range(4):
        a = part(C, 0, k, 64, 64)
        b = part(B, k, 0, 64, 64)
        ct.store(C, (0, k + 1), ct.mma(a, b, ct.zeros((64, 64), ct.float32)).astype(ct.float16))


def test_what_the_kernel_writes_is_loaded_where_it_was():
    made = emitted(from_what_it_writes, "A: f16[?%16,?%16], B: f16[?%16,?%16], C: f16[?%16,?%16]")
    lines = lines_of(made.text)
    assert lines[lines.index("auto a = part(C, k);") + 1] == "auto b = B_tiles.load_masked(k, 0);"


def either(x, k, turned):
    if turned > 0:
        return ct.load(x, (0, k), (64, 64), padding_mode=ZERO)
    return ct.load(x, (k, 0), (64, 64), padding_mode=ZERO)


@ct.kernel
def with_several_ends(A, B, C, turned):
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(ct.num_tiles(B, 0, (64, 64))):
        acc = ct.mma(either(A, k, turned), part(B, k, 0, 64, 64), acc)
    ct.store(C, (0, 0), acc)


def test_a_helper_with_several_ends_stays():
    """It is a left factor like any that was computed; the right one is fetched ahead."""
    made = emitted(with_several_ends, f"{ALIGNED}, turned: i32")
    assert "either(A, k, turned)" in made.text and made.schedule.feeder and " part(" not in made.text


def test_new_values_of_loaded_factors_have_their_own_names():
    made = emitted(warpgroups.changed, f"{ALIGNED}, TM=64, TN=64, TK=64")
    lines = lines_of(made.text)
    at = next(n for n, line in enumerate(lines) if line.startswith("auto a_2 = "))
    assert lines[at + 1] == "acc = ct::mma(a_2, b, acc);" and "acc = ct::mma(a, b, acc);" in lines[:at]
    assert made.schedule.feeder and made.schedule.fixed_loads


@ct.kernel
def kept_for_the_next_turn(A, B, C):
    """What a variable of an outer block holds is needed behind the loop, and in its next turn."""
    acc = ct.zeros((64, 64), ct.float32)
    a = ct.load(A, (0, 0), (64, 64), padding_mode=ZERO)
    for k in range(4):
        acc = ct.mma(a, ct.load(B, (k, 0), (64, 64), padding_mode=ZERO), acc)
        a = a * 0.5
    ct.store(C, (0, 0), acc + a)


@pytest.mark.parametrize("kernel", [warpgroups.changed_in_turns, warpgroups.changed_at_times, kept_for_the_next_turn])
def test_variables_that_others_read_keep_their_names(kernel):
    made = emitted(kernel, f"{ALIGNED}, TM=64, TN=64, TK=64" if kernel is not kept_for_the_next_turn else ALIGNED)
    assert not made.schedule.feeder and "a_2" not in made.text


# --- products of batches of one ---

BATCHES = "A: f16[?,?%16,?%16], B: f16[?,?%16,?%16], D: f16[?%16,?%16], C: f32[?,?%16,?%16], TM=128, TN=128, TK=64"


def test_batches_of_one_are_matrices():
    made = emitted(warpgroups.batch_of_one, BATCHES)
    lines = lines_of(made.text)
    assert made.schedule.feeder and "auto acc = ct::zeros<ct::tile<float, ct::shape<TM, TN>>>();" in lines
    assert "acc = ct::mma(ct::reshape(a, ct::shape{TM, TK}), ct::reshape(b, ct::shape{TK, TN}), acc);" in lines
    # Others see what they did, and helpers are given it.
    assert "acc = ct::reshape(one_more(a, b, ct::reshape(acc, ct::shape{1_ic, 128_ic, 128_ic})), ct::shape{128_ic, 128_ic});" in lines
    assert "ct::mma(ct::ones<ct::tile<__half, ct::shape<TM, TK>>>(), D_tiles.load_masked(0, j), ct::zeros<" in made.text


@pytest.mark.parametrize("target", [None, 80])
def test_batches_of_one_stay_where_that_brings_nothing(target):
    assert "acc = ct::mma(a, b, acc);" in emitted(warpgroups.batch_of_one, BATCHES, target).text


WRITTEN = [case for case in (*called.CASES, *warpgroups.CASES) if case.name.startswith(("factors loaded by helpers", "a factor takes another value", "batches of one", "helpers with several"))]


@pytest.mark.parametrize("case", WRITTEN, ids=lambda case: case.name)
def test_such_files_compute_the_same(case, monkeypatch):
    """The file for compute capability 9.0, run on the host."""
    emit = prepare.emit
    monkeypatch.setattr(prepare, "emit", lambda kernel, signature, target, maps=None: emit(kernel, signature, 90, True))
    check(case, "host")
