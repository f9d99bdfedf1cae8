"""Masks of numbered rows and columns, which most tiles do not need: turned loops pass over them where a scalar test says so."""

import pytest

import tile2cpp.lang as ct
from tile2cpp.build import nvrtc
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature

ZERO = ct.PaddingMode.ZERO
BEFORE, NOT_BEHIND, AT_LEAST, ABOVE, BOTH, TWICE, ODD, ONE, BACKWARD, WRAPPING = range(10)
SHAPES = "q: f16[?%16,?%16], k: f16[?%16,?%16], v: f16[?%16,?%16], out: f32[?%16,?%16], n: i32"


def loop_of(kernel, signature=SHAPES):
    """The lines of the turned loop up to its second product, and of the whole file."""
    made = prepare.emit(kernel, Signature.parse(signature), 90, True)
    assert made.schedule.ahead
    lines = [line.strip() for line in made.text.splitlines()]
    start = next(n for n, line in enumerate(lines) if line.startswith("for (auto j"))
    return lines[start + 1 : lines.index("scores_product = next_scores_product;")], lines


@ct.kernel
def masked(q, k, v, out, n, WHICH: ct.Constant[int]):
    i = ct.bid(0)
    queries = ct.load(q, (i, 0), (64, 64), padding_mode=ZERO)
    acc = ct.zeros((64, 64), ct.float32)
    rows = i * 64 + ct.arange(64, dtype=ct.int32)[:, None]
    for j in range(ct.cdiv(k.shape[0], 128)):
        keys = ct.load(k, (j, 0), (128, 64), padding_mode=ZERO)
        scores = ct.mma(queries, ct.transpose(keys), ct.zeros((64, 128), ct.float32)) * 0.5
        columns = j * 128 + ct.arange(128, dtype=ct.int32)[None, :]
        if WHICH == BEFORE:
            scores = ct.where(columns < n, scores, 0.0)
        elif WHICH == NOT_BEHIND:
            scores = ct.where(columns <= rows, scores, 0.0)
        elif WHICH == AT_LEAST:
            scores = ct.where(columns >= n, scores, 0.0)
        elif WHICH == ABOVE:
            scores = ct.where(n > columns, scores, 0.0)
        elif WHICH == BOTH:
            scores = ct.where((columns < n) & (rows - columns <= 100), scores, 0.0)
        elif WHICH == TWICE:
            scores = ct.where(2 * columns + 1 < n, scores, 0.0)
        elif WHICH == ODD:
            scores = ct.where(columns % 2 < n, scores, 0.0)
        elif WHICH == ONE:
            scores = ct.where(columns == n, scores, 0.0)
        elif WHICH == BACKWARD:
            scores = ct.where(columns * -1 < n, scores, 0.0)
        elif WHICH == WRAPPING:
            scores = ct.where(columns - n < 5, scores, 0.0)
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (128, 64), padding_mode=ZERO), acc * 0.5)
    ct.store(out, (i, 0), acc)


TESTS = {
    BEFORE: "j * 128 + 127 >= n",
    NOT_BEHIND: "j * 128 + 127 > i * 64",
    AT_LEAST: "j * 128 < n",
    ABOVE: "n <= j * 128 + 127",
    BOTH: "j * 128 + 127 >= n || i * 64 + 63 - j * 128 > 100",
    TWICE: "(j * 128 + 127) * 2 + 1 >= n",
}


@pytest.mark.parametrize("which", TESTS)
def test_the_test_holds_where_an_element_is_left_out(which):
    loop, lines = loop_of(masked, f"{SHAPES}, WHICH={which}")
    start = loop.index(f"if ({TESTS[which]}) {{")
    inside = loop[start + 1 : loop.index("}", start)]
    # What only the mask is made of stands behind the test; the last step has none.
    assert inside[-1].startswith("scores = ct::select(") and any(line.startswith("auto columns = j * 128") for line in inside)
    assert sum(line.startswith("if (") for line in lines) == 2


# WRAPPING: where `n` is far below zero, only some of the differences wrap around.
@pytest.mark.parametrize("which", [ODD, ONE, BACKWARD, WRAPPING])
def test_masks_that_are_applied_everywhere(which):
    loop, _ = loop_of(masked, f"{SHAPES}, WHICH={which}")
    assert not any(line.startswith("if (") for line in loop) and any("ct::select(" in line for line in loop)


@ct.kernel
def in_steps(q, k, v, out, n):
    """A mask that is made step by step, and a choice in one expression with what it is of."""
    queries = ct.load(q, (0, 0), (64, 64), padding_mode=ZERO)
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        keys = ct.load(k, (j, 0), (64, 64), padding_mode=ZERO)
        scores = ct.mma(queries, ct.transpose(keys), ct.zeros((64, 64), ct.float32))
        columns = j * 64 + ct.arange(64, dtype=ct.int32)[None, :]
        inside = columns < k.shape[0]
        inside = inside & (columns >= n)
        weights = ct.where(inside, scores * 0.5, 0.0)
        acc = ct.mma(weights.astype(ct.float16), ct.load(v, (j, 0), (64, 64), padding_mode=ZERO), acc * 0.5)
    ct.store(out, (0, 0), acc)


def test_masks_in_steps():
    made = prepare.emit(in_steps, Signature.parse(SHAPES), 90, True)
    assert made.schedule.ahead
    lines = [line.strip() for line in made.text.splitlines()]
    place = lines.index("if (j * 64 + 63 >= k_shape0 || j * 64 < n) {")
    assert lines[place - 2 : place] == ["auto weights = scores * 0.5f;", "// Only where the mask leaves something out."]
    assert lines[place + 1].startswith("weights = ct::select(inside, weights, ")


@ct.kernel
def of_a_variable(q, k, v, out, n):
    """Where the end lies is another thing in each step."""
    queries = ct.load(q, (0, 0), (64, 64), padding_mode=ZERO)
    acc = ct.zeros((64, 64), ct.float32)
    end = n
    for j in range(ct.cdiv(k.shape[0], 64)):
        keys = ct.load(k, (j, 0), (64, 64), padding_mode=ZERO)
        scores = ct.mma(queries, ct.transpose(keys), ct.zeros((64, 64), ct.float32)) * 0.5
        scores = ct.where(j * 64 + ct.arange(64, dtype=ct.int32)[None, :] < end, scores, 0.0)
        end = end + 1
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (64, 64), padding_mode=ZERO), acc * 0.5)
    ct.store(out, (0, 0), acc)


def test_ends_that_change():
    loop, _ = loop_of(of_a_variable)
    assert not any(line.startswith("if (") for line in loop)


@ct.kernel
def of_what_changes(q, k, v, out, n):
    """Masks and values that are made of variables before these take other values."""
    queries = ct.load(q, (0, 0), (64, 64), padding_mode=ZERO)
    acc = ct.zeros((64, 64), ct.float32)
    counts = ct.arange(64, dtype=ct.int32)[None, :]
    for j in range(ct.cdiv(k.shape[0], 64)):
        keys = ct.load(k, (j, 0), (64, 64), padding_mode=ZERO)
        scores = ct.mma(queries, ct.transpose(keys), ct.zeros((64, 64), ct.float32)) * 0.5
        columns = j * 64 + ct.arange(64, dtype=ct.int32)[None, :]
        inside, fill = columns < n, counts * 3
        columns = columns - 100
        counts = counts + 1
        scores = ct.where(inside, scores, 0.0)
        weights = ct.where(columns < n, scores, fill)
        acc = ct.mma(weights.astype(ct.float16), ct.load(v, (j, 0), (64, 64), padding_mode=ZERO), acc * 0.5)
    ct.store(out, (0, 0), acc)


def test_masks_of_what_changes():
    loop, _ = loop_of(of_what_changes)
    # The first mask is not tested by what its columns are later; the second one is, but its other values are made where they were.
    assert [line for line in loop if line.startswith("if (")] == ["if (j * 64 + 63 - 100 >= n) {"]
    assert loop.index("auto inside = columns < n;") < loop.index("columns = columns - 100;")
    assert loop.index("auto fill = counts * 3;") < loop.index("counts = counts + 1;")


@ct.kernel
def of_memory(q, k, v, out, n, numbers):
    """What is chosen instead lies in memory that the loop writes."""
    queries = ct.load(q, (0, 0), (64, 64), padding_mode=ZERO)
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        keys = ct.load(k, (j, 0), (64, 64), padding_mode=ZERO)
        scores = ct.mma(queries, ct.transpose(keys), ct.zeros((64, 64), ct.float32)) * 0.5
        other = ct.load(numbers, (0, 0), (64, 64))
        ct.store(numbers, (0, 0), ct.full((64, 64), j, ct.int32))
        scores = ct.where(j * 64 + ct.arange(64, dtype=ct.int32)[None, :] < n, scores, other)
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (64, 64), padding_mode=ZERO), acc * 0.5)
    ct.store(out, (0, 0), acc)


def test_memory_is_read_where_it_was():
    loop, _ = loop_of(of_memory, f"{SHAPES}, numbers: i32[?%16,?%16]")
    test = loop.index("if (j * 64 + 63 >= n) {")
    assert any("other = numbers_tiles.load" in line for line in loop[:test])


@ct.kernel
def of_loads(q, k, v, out, n, bias):
    """Tiles of an array from which a product could fetch them are chosen from."""
    queries = ct.load(q, (0, 0), (64, 64), padding_mode=ZERO)
    acc = ct.zeros((64, 64), ct.float32)
    for j in range(ct.cdiv(k.shape[0], 64)):
        keys = ct.load(k, (j, 0), (64, 64), padding_mode=ZERO)
        scores = ct.mma(queries, ct.transpose(keys), ct.zeros((64, 64), ct.float32)) * 0.5
        columns = j * 64 + ct.arange(64, dtype=ct.int32)[None, :]
        loaded = ct.load(bias, (j, 0), (64, 64))
        scores = scores + ct.where(columns < n, ct.load(bias, (0, j), (64, 64)), 0.0)
        some = ct.where(columns < n, loaded, 0.0)
        scores = scores + some
        acc = ct.mma(scores.astype(ct.float16), ct.load(v, (j, 0), (64, 64), padding_mode=ZERO), acc * 0.5)
    ct.store(out, (0, 0), acc)


@pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")
def test_loaded_tiles_are_variables_of_elements():
    signature = f"{SHAPES}, bias: f16[?%16,?%16]"
    loop, _ = loop_of(of_loads, signature)
    assert loop[loop.index("ct::tile<__half, ct::shape<64, 64>> some;") + 1] == "some = loaded;"
    nvrtc.compile(prepare.emit(of_loads, Signature.parse(signature), 90, True), 90, form="ptx")
