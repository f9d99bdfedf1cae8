"""Loops with two products in a chain: the first one of the next step begins before the second one of this step."""

import sys
from pathlib import Path

import numpy as np
import pytest

import tile2cpp.lang as ct
from tile2cpp.build import nvrtc
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature

for folder in ("kernels", "run"):
    sys.path.insert(0, str(Path(__file__).parent / folder))
import called  # noqa: E402
import warpgroups as kernels  # noqa: E402
from case import check, launch  # noqa: E402

ConstInt = ct.Constant[int]
ZERO = ct.PaddingMode.ZERO
SHAPES = "q: f16[?%16,?%16], k: f16[?%16,?%16], v: f16[?%16,?%16], out: f32[?%16,?%16]"


def emitted(kernel, signature=SHAPES):
    return prepare.emit(kernel, Signature.parse(signature), 90, True)


@ct.kernel
def chain(q, k, v, out):
    """A comment of the author stays with its statement."""
    queries = ct.load(q, (ct.bid(0), 0), (128, 64), padding_mode=ZERO)
    acc = ct.zeros((128, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 128)):
        # The keys.
        keys = ct.load(k, (j, 0), (128, 64), padding_mode=ZERO)
        scores = ct.mma(queries, ct.transpose(keys), ct.zeros((128, 128), ct.float32)) * 0.5
        values = ct.load(v, (j, 0), (128, 64), padding_mode=ZERO)
        acc = ct.mma(ct.exp(scores).astype(ct.float16), values, acc * 0.5)
    ct.store(out, (ct.bid(0), 0), acc)


def test_what_is_written():
    lines = [line.strip() for line in emitted(chain).text.splitlines()]
    start = lines.index("int j_end = ct::ceildiv(k_shape0, 128);")
    assert lines[start + 1].startswith("// The first product of a step begins before the second one")
    assert lines[start + 2 : start + 31] == [
        "if (0 < j_end) {",
        "auto first_keys = k_tiles.load_masked(0, 0);",
        "ct::tile<float, ct::shape<128, 128>> scores_product;",
        "scores_product = ct::mma(queries, ct::transpose(first_keys), ct::zeros<ct::tile<float, ct::shape<128, 128>>>());",
        "for (auto j : ct::irange(0, j_end - 1)) {",
        "auto scores = scores_product * 0.5f;",
        "auto values = v_tiles.load_masked(j, 0);",
        "auto acc_so_far = acc * 0.5f;",
        "auto acc_factor = ct::element_cast<__half>(ct::exp(scores));",
        "// The keys.",
        "auto next_keys = k_tiles.load_masked(j + 1, 0);",
        "auto next_scores_product = ct::mma(queries, ct::transpose(next_keys), ct::zeros<ct::tile<float, ct::shape<128, 128>>>());",
        "acc = ct::mma(acc_factor, values, acc_so_far);",
        "scores_product = next_scores_product;",
        "}",
        "// The last step.",
        "int j = j_end - 1;",
        "auto scores = scores_product * 0.5f;",
        "auto values = v_tiles.load_masked(j, 0);",
        "auto acc_so_far = acc * 0.5f;",
        "auto acc_factor = ct::element_cast<__half>(ct::exp(scores));",
        "acc = ct::mma(acc_factor, values, acc_so_far);",
        "}",
        "out_tiles.store_masked(acc, ct::bid().x, 0);",
        "}",
    ]  # fmt: skip


def test_the_entry_knows_the_line():
    made = emitted(chain)
    (line,) = made.schedule.ahead
    assert made.text.splitlines()[line - 1].strip().startswith("auto next_scores_product = ct::mma(")


def test_products_of_helpers():
    """They are written out in turned loops, under the names of the helpers where these are free; what does not multiply is called."""
    made = emitted(called.attention, f"{SHAPES}, scale: f32, TM=128, TN=128, D=64")
    lines = [line.strip() for line in made.text.splitlines()]
    start = lines.index("for (auto j : ct::irange(0, j_end - 1)) {")
    assert lines[start - 1].startswith("scores_product = ct::mma(queries, ct::transpose(first_keys), ")
    assert lines[start + 1] == "auto scores = scores_product * scale;" and lines[start + 6] == "auto softened_result = softened(scores, top, total);"
    assert lines[start + 11 : start + 19] == [
        "auto values = v_tiles.load_masked(j, 0);",
        "auto acc_so_far = acc * shrink;",
        "// The weights are narrow for the product.",
        "auto narrow = ct::element_cast<__half>(weights);",
        "// All keys of a step at once.",
        "auto next_keys = k_tiles.load_masked(j + 1, 0);",
        "auto next_scores_product = ct::mma(queries, ct::transpose(next_keys), ct::zeros<ct::tile<float, ct::shape<128, 128>>>());",
        "acc = ct::mma(narrow, values, acc_so_far);",
    ]
    assert "accumulated" not in made.text and "scores_of" not in made.text
    # Elsewhere the author's helpers are functions of the file.
    assert "accumulated(weights, values, acc, shrink)" in prepare.emit(called.attention, Signature.parse(f"{SHAPES}, scale: f32, TM=128, TN=128, D=64"), 80, True).text


def test_sums_among_other_results():
    """A helper gives its changed parameters a variable for each value, and the sums go straight to the caller's variable."""
    made = emitted(called.attention_in_two_loops, f"{SHAPES}, scale: f32, TM=128, TN=128, D=64")
    lines = [line.strip() for line in made.text.splitlines()]
    assert len(made.schedule.ahead) == 2 and not made.schedule.keeps_sums and len(made.schedule.written_zeros) == 1
    for number, line in enumerate(lines):
        if line.startswith("acc = ct::mma("):
            sums = line.rstrip(");").rpartition(" ")[2]
            assert any(before.startswith(f"auto {sums} = acc * ") for before in lines[:number])
    assert sum(line.startswith("acc = ct::mma(") for line in lines) == 4 and "absorbed" not in made.text


def step_of(scores, v, j, factor, acc):
    # The factor shrinks.
    factor = factor * 0.5
    acc = acc * factor  # so do the sums
    return factor, ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (64, 64), padding_mode=ZERO), acc)


@ct.kernel
def commented(q, k, v, out):
    queries = ct.load(q, (0, 0), (64, 64), padding_mode=ZERO)
    acc, factor = ct.zeros((64, 64), ct.float32), 0.5
    for j in range(ct.cdiv(k.shape[0], 64)):
        # Scores first.
        scores = scores_by(queries, ct.load(k, (j, 0), (64, 64), padding_mode=ZERO)) * 0.5
        # Then both at once.
        factor, acc = step_of(scores, v, j, factor, acc)
    ct.store(out, (0, 0), acc * factor)


def scores_by(queries, keys):
    return ct.mma(queries, ct.transpose(keys), ct.zeros((64, 64), ct.float32))


def test_comments_stay():
    """In the text of a step, once each, also where the statement below is that of a helper."""
    made = emitted(commented)
    assert made.schedule.ahead
    lines = [line.strip() for line in made.text.splitlines()]
    both = lines.index("// Then both at once.")
    assert lines[both + 1] == "// The factor shrinks." and lines[both + 2].startswith("float factor_1 = factor * 0.5f;")
    assert lines[lines.index("// Scores first.") + 1] == "auto next_keys = k_tiles.load_masked(j + 1, 0);"
    assert [made.text.count(comment) for comment in ("Scores first.", "Then both at once.", "The factor shrinks.", "// so do the sums")] == [1, 1, 1, 1]


CHAINS = [case for case in (*kernels.CASES, *called.CASES) if case.name.startswith("attention")]


@pytest.mark.parametrize("backend", ["host"])
@pytest.mark.parametrize("case", CHAINS, ids=lambda case: case.name)
def test_turned_loops_compute_the_same(case, backend, monkeypatch):
    """The file for compute capability 9.0, run on the host."""
    made = []
    emit = prepare.emit

    def for_gpu(kernel, signature, target, maps=None):
        made.append(emit(kernel, signature, 90, True))
        return made[-1]

    monkeypatch.setattr(prepare, "emit", for_gpu)
    check(case, backend)
    assert all(m.schedule.ahead for m in made) and len(made) <= 1  # none where an earlier test left the build in the kernel


@ct.kernel
def sums_not_read(q, k, v, out):
    """Nothing waits for the sums in the loop, so nothing may overwrite the left factor."""
    queries = ct.load(q, (ct.bid(0), 0), (128, 64), padding_mode=ZERO)
    acc = ct.zeros((128, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 128)):
        scores = ct.mma(queries, ct.transpose(ct.load(k, (j, 0), (128, 64), padding_mode=ZERO)), ct.zeros((128, 128), ct.float32))
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (128, 64), padding_mode=ZERO), acc)
    ct.store(out, (ct.bid(0), 0), acc)


@ct.kernel
def factor_read_twice(q, k, v, out):
    queries = ct.load(q, (ct.bid(0), 0), (128, 64), padding_mode=ZERO)
    acc, total = ct.zeros((128, 64), ct.float32), ct.zeros((128, 128), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 128)):
        scores = ct.mma(queries, ct.transpose(ct.load(k, (j, 0), (128, 64), padding_mode=ZERO)), ct.zeros((128, 128), ct.float32))
        half = scores.astype(ct.float16)
        total += half.astype(ct.float32)
        acc = ct.mma(half, ct.load(v, (j, 0), (128, 64), padding_mode=ZERO), acc * 0.5)
    ct.store(out, (ct.bid(0), 0), acc + ct.sum(total, 1, keepdims=True))


@ct.kernel
def carried_place(q, k, v, out):
    """Where the next keys lie is known only at the end of a step."""
    queries = ct.load(q, (ct.bid(0), 0), (128, 64), padding_mode=ZERO)
    acc = ct.zeros((128, 64), ct.float32)
    place = 0
    for j in range(ct.cdiv(k.shape[0], 128)):
        scores = ct.mma(queries, ct.transpose(ct.load(k, (place, 0), (128, 64), padding_mode=ZERO)), ct.zeros((128, 128), ct.float32))
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (place, 0), (128, 64), padding_mode=ZERO), acc * 0.5)
        place = (place * 5 + 3) % 7
    ct.store(out, (ct.bid(0), 0), acc)


@ct.kernel
def left_early(q, k, v, out):
    queries = ct.load(q, (ct.bid(0), 0), (128, 64), padding_mode=ZERO)
    acc = ct.zeros((128, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 128)):
        if j > 5:
            break
        scores = ct.mma(queries, ct.transpose(ct.load(k, (j, 0), (128, 64), padding_mode=ZERO)), ct.zeros((128, 128), ct.float32))
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (128, 64), padding_mode=ZERO), acc * 0.5)
    ct.store(out, (ct.bid(0), 0), acc)


@ct.kernel
def independent(q, k, v, out):
    """The second product does not wait for the first."""
    queries = ct.load(q, (ct.bid(0), 0), (128, 64), padding_mode=ZERO)
    acc, other = ct.zeros((128, 64), ct.float32), ct.zeros((128, 128), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 128)):
        scores = ct.mma(queries, ct.transpose(ct.load(k, (j, 0), (128, 64), padding_mode=ZERO)), ct.zeros((128, 128), ct.float32))
        other = ct.maximum(other, scores)
        acc = ct.mma((queries * 0.5).astype(ct.float16), ct.load(v, (j, 0), (64, 64), padding_mode=ZERO), acc * 0.5)
    ct.store(out, (ct.bid(0), 0), acc + ct.sum(other, 1, keepdims=True))


@ct.kernel
def and_another_loop(q, k, v, out):
    """Nothing else waits for the product of the second loop before its left factor is overwritten."""
    queries = ct.load(q, (ct.bid(0), 0), (128, 64), padding_mode=ZERO)
    acc = ct.zeros((128, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 128)):
        scores = ct.mma(queries, ct.transpose(ct.load(k, (j, 0), (128, 64), padding_mode=ZERO)), ct.zeros((128, 128), ct.float32))
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (128, 64), padding_mode=ZERO), acc * 0.5)
    for j in range(4):
        acc = ct.mma((queries + j).astype(ct.float16), ct.load(v, (j, 0), (64, 64), padding_mode=ZERO), acc)
    ct.store(out, (ct.bid(0), 0), acc)


@ct.kernel
def factor_of_what_changes(q, k, v, out):
    """The left factor is made of scores that are others when it is multiplied."""
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        scores = ct.mma(ct.load(q, (0, 0), (64, 64)), ct.transpose(ct.load(k, (j, 0), (64, 64))), ct.zeros((64, 64), ct.float32)) * 0.5
        narrow = scores.astype(ct.float16)
        scores = scores * 2
        acc = acc * 0.5 + ct.sum(scores, 1, keepdims=True)
        acc = ct.mma(narrow, ct.load(v, (j, 0), (64, 64)), acc)
    ct.store(out, (0, 0), acc)


@ct.kernel
def factor_of_memory(q, k, v, out):
    """The left factor is made of memory that is written before it is multiplied."""
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        scores = ct.mma(ct.load(q, (0, 0), (64, 64)), ct.transpose(ct.load(k, (j, 0), (64, 64))), ct.zeros((64, 64), ct.float32)) * 0.5
        before = ct.load(out, (0, 0), (64, 64)).astype(ct.float16)
        ct.store(out, (0, 0), scores)
        acc = ct.mma(scores.astype(ct.float16) + before, ct.load(v, (j, 0), (64, 64)), acc * 0.5)
    ct.store(out, (0, 0), acc)


@ct.kernel
def sums_converted(q, k, v, out):
    """To what they are: nothing reads them."""
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        scores = ct.mma(ct.load(q, (0, 0), (64, 64)), ct.transpose(ct.load(k, (j, 0), (64, 64))), ct.zeros((64, 64), ct.float32)) * 0.5
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (64, 64)), acc.astype(ct.float32))
    ct.store(out, (0, 0), acc)


@ct.kernel
def sums_reshaped(q, k, v, out):
    """To the shape that they have."""
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        scores = ct.mma(ct.load(q, (0, 0), (64, 64)), ct.transpose(ct.load(k, (j, 0), (64, 64))), ct.zeros((64, 64), ct.float32)) * 0.5
        old = ct.reshape(acc, (64, 64))
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (64, 64)), old)
    ct.store(out, (0, 0), acc)


@ct.kernel
def sums_of_others(q, k, v, out):
    """What a product begins with is read, but not what the one before has added up."""
    acc, other = ct.zeros((64, 64), ct.float32), ct.ones((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        scores = ct.mma(ct.load(q, (0, 0), (64, 64)), ct.transpose(ct.load(k, (j, 0), (64, 64))), ct.zeros((64, 64), ct.float32)) * 0.5
        other = other * 0.5
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (64, 64)), other)
    ct.store(out, (0, 0), acc)


@ct.kernel
def part_of_a_step(q, k, v, out):
    """The first product begins with a part of an array that each step names anew."""
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(k.shape[0] // 64):
        part = v.slice(0, j * 64, j * 64 + 64)
        begin = ct.load(part, (0, 0), (64, 64)).astype(ct.float32)
        scores = ct.mma(ct.load(q, (0, 0), (64, 64)), ct.transpose(ct.load(k, (j, 0), (64, 64))), begin)
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (64, 64)), acc * 0.5)
    ct.store(out, (0, 0), acc)


@ct.kernel
def factor_of_branches(q, k, v, out):
    """The left factor is written before anything waits for the product that still reads the one of the step before."""
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        scores = ct.mma(ct.load(q, (0, 0), (64, 64)), ct.transpose(ct.load(k, (j, 0), (64, 64))), ct.zeros((64, 64), ct.float32)) * 0.5
        if j > 1:
            narrow = (scores * 2).astype(ct.float16)
        else:
            narrow = scores.astype(ct.float16)
        acc = ct.mma(narrow, ct.load(v, (j, 0), (64, 64)), acc * 0.5)
    ct.store(out, (0, 0), acc)


def narrowed(scores, top):
    top = ct.maximum(top, ct.max(scores, 1, keepdims=True))
    return ct.exp(scores - top).astype(ct.float16), top


@ct.kernel
def factor_among_results(q, k, v, out):
    """So is one that a helper returns."""
    acc, top = ct.zeros((64, 64), ct.float32), ct.full((64, 1), -5.0, ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        scores = ct.mma(ct.load(q, (0, 0), (64, 64)), ct.transpose(ct.load(k, (j, 0), (64, 64))), ct.zeros((64, 64), ct.float32)) * 0.5
        weights, top = narrowed(scores, top)
        acc = ct.mma(weights, ct.load(v, (j, 0), (64, 64)), acc * 0.5)
    ct.store(out, (0, 0), acc + top)


@ct.kernel
def factor_that_goes_on(q, k, v, out):
    acc, narrow = ct.zeros((64, 64), ct.float32), ct.ones((64, 64), ct.float16)
    for j in range(ct.cdiv(k.shape[0], 64)):
        scores = ct.mma(ct.load(q, (0, 0), (64, 64)), ct.transpose(ct.load(k, (j, 0), (64, 64))), ct.zeros((64, 64), ct.float32)) * 0.5
        narrow = narrow * 0.5 + scores.astype(ct.float16)
        acc = ct.mma(narrow, ct.load(v, (j, 0), (64, 64)), acc * 0.5)
    ct.store(out, (0, 0), acc)


LOOPS_THAT_STAY = [
    factor_of_branches, factor_among_results, factor_that_goes_on, factor_of_what_changes, factor_of_memory, and_another_loop, sums_not_read, sums_converted, sums_reshaped, sums_of_others, factor_read_twice, carried_place, part_of_a_step,
    left_early, independent,
]  # fmt: skip


@pytest.mark.parametrize("kernel", LOOPS_THAT_STAY, ids=lambda kernel: kernel.__name__)
def test_loops_that_stay(kernel):
    made = emitted(kernel)
    assert made.schedule.feeder and not made.schedule.ahead
    assert "The last step" not in made.text


def test_results_that_need_too_many_registers():
    shape = "f16[?,?,?%16,?%16]"
    text = f"q: {shape}, k: {shape}, v: {shape}, out: {shape}, scale: f32, causal=False, TM=128, TN=128, D="
    assert emitted(kernels.attention, f"{text}128").schedule.ahead
    assert not emitted(kernels.attention, f"{text}256").schedule.ahead


@ct.kernel
def scores_read_later(q, k, v, out):
    """The scores of a step are asked for when those of the next one have begun, and a scalar is rounded."""
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        scores = ct.mma(ct.load(q, (0, 0), (64, 64)), ct.transpose(ct.load(k, (j, 0), (64, 64))), ct.zeros((64, 64), ct.float32))
        factor = scores.astype(ct.float16) * (j * 0.5).astype(ct.float16)
        acc = ct.mma(factor, ct.load(v, (j, 0), (64, 64)), acc * 0.5)
        acc = acc + ct.sum(scores, 1, keepdims=True)
    ct.store(out, (0, 0), acc)


def test_scores_that_are_read_later():
    made = emitted(scores_read_later)
    assert made.schedule.ahead
    lines = [line.strip() for line in made.text.splitlines()]
    # They have a name of their own, which does not become the next step's.
    start = lines.index("auto scores = scores_product;")
    assert start < lines.index("scores_product = next_scores_product;") < lines.index("acc = acc + ct::sum(scores, 1_ic);")


@ct.kernel
def place_read_twice(q, k, v, out):
    """What the first product's factor is made of, other statements of the step need, too."""
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        later = j + 1
        place = later % 3
        keys = ct.load(k, (place, 0), (64, 64), padding_mode=ZERO)
        scores = ct.mma(ct.load(q, (0, 0), (64, 64), padding_mode=ZERO), ct.transpose(keys), ct.zeros((64, 64), ct.float32)) * 0.5
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (place, 0), (64, 64), padding_mode=ZERO), acc * 0.5 + later)
    ct.store(out, (0, 0), acc)


def test_places_that_others_need_stay_in_the_step(monkeypatch):
    emit, made = prepare.emit, []

    def for_gpu(kernel, signature, target, maps=None):
        made.append(emit(kernel, signature, 90, True))
        return made[-1]

    monkeypatch.setattr(prepare, "emit", for_gpu)
    rng = np.random.default_rng(4)
    q, k, v = (rng.uniform(-1, 1, (rows, 64)).astype("e") for rows in (64, 192, 192))
    out = np.zeros((64, 64), "f")
    launch(place_read_twice, (1,), (q, k, v, out), "host")
    expected = np.zeros((64, 64))
    for j in range(3):
        at = slice((j + 1) % 3 * 64, (j + 1) % 3 * 64 + 64)
        weights = (q.astype("f") @ k[at].astype("f").T * 0.5).astype("e")
        expected = weights.astype("d") @ v[at] + expected * 0.5 + j + 1
    np.testing.assert_allclose(out, expected, rtol=1e-2, atol=3e-2)
    assert made[0].schedule.ahead


@pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")
def test_scalars_are_rounded_beside_turned_loops():
    nvrtc.compile(emitted(scores_read_later), 90, form="ptx")
