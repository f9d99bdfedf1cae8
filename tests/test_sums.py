"""Which kernels ask for sums after another product has begun with them: their products end before anything else is done."""

import pytest

import tile2cpp.lang as ct
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature

SHAPES = ", ".join(f"{name}: {dtype}[?%16,?%16]" for name, dtype in (("a", "f16"), ("b", "f16"), ("out", "f32"), ("more", "f32")))
SIZE = 64


def keeps_sums(kernel):
    schedule = prepare.emit(kernel, Signature.parse(SHAPES), 90, True).schedule
    assert schedule.rings
    return schedule.keeps_sums


@ct.kernel
def usual(a, b, out, more):
    zero, acc = ct.zeros((SIZE, SIZE), ct.float32), ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        x, y = ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE))
        acc = ct.mma(x, y, acc)
        ct.store(more, (0, k), ct.mma(x, y, zero))
    ct.store(out, (0, 0), acc)


@ct.kernel
def in_a_row(a, b, out, more):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        x, y = ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE))
        once = ct.mma(x, y, acc * 0.5)
        acc = ct.mma(x, y, once)
    ct.store(out, (0, 0), acc)


@ct.kernel
def forked(a, b, out, more):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        x, y = ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE))
        acc = ct.mma(x, y, acc)
        ct.store(more, (0, k), ct.mma(x, y, acc))
    ct.store(out, (0, 0), acc)


@ct.kernel
def forked_in_a_loop(a, b, out, more):
    x = ct.load(a, (0, 0), (SIZE, SIZE))
    acc = ct.mma(x, ct.load(b, (0, 0), (SIZE, SIZE)), ct.zeros((SIZE, SIZE), ct.float32))
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        ct.store(out, (0, k), ct.mma(ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE)), acc))


@ct.kernel
def two_names(a, b, out, more):
    acc, before = ct.zeros((SIZE, SIZE), ct.float32), ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        before = acc
        acc = ct.mma(ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE)), acc)
    ct.store(out, (0, 0), acc)
    ct.store(more, (0, 0), before)


@ct.kernel
def added_to_itself(a, b, out, more):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        acc = ct.mma(ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE)), acc) + acc
    ct.store(out, (0, 0), acc)


@pytest.mark.parametrize("kernel, kept", [(usual, False), (in_a_row, False), (forked, True), (forked_in_a_loop, True), (two_names, True), (added_to_itself, False)])
def test_sums_that_are_kept(kernel, kept):
    assert keeps_sums(kernel) == kept


# --- sums that nobody asks for ---


def product_of(a, b, k, acc):
    return ct.mma(ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE)), acc)


@ct.kernel
def stored_before(a, b, out, more):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        ct.store(out, (0, k), acc)
        acc = ct.mma(ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE)), acc)


@ct.kernel
def stored_before_by_a_helper(a, b, out, more):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        ct.store(out, (0, k), acc)
        acc = product_of(a, b, k, acc)


@ct.kernel
def left_early(a, b, out, more):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        acc = ct.mma(ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE)), acc)
        if k == 7:
            break
        ct.store(out, (0, k), acc)


@ct.kernel
def stored_if_small(a, b, out, more):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        acc = ct.mma(ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE)), acc)
    if a.shape[1] < 1000:
        ct.store(out, (0, 0), acc)


@ct.kernel
def stored_by_a_helper(a, b, out, more):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        acc = product_of(a, b, k, acc)
        ct.store(more, (0, k), acc)
    ct.store(out, (0, 0), acc)


UNREAD = [(usual, False), (in_a_row, False), (stored_before, True), (stored_before_by_a_helper, True), (left_early, True), (stored_if_small, True), (stored_by_a_helper, False)]


@pytest.mark.parametrize("kernel, waits", UNREAD)
def test_a_kernel_ends_behind_its_products(kernel, waits):
    """Where it might not, every product is complete when it returns."""
    assert keeps_sums(kernel) == waits
