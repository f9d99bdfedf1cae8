"""Which kernels have products that read the first fragments of the next one: those whose loop does nothing else."""

import pytest

import tile2cpp.lang as ct
from tile2cpp.build import entry
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature

SIGNATURE = "a: {0}[?%16,?%16], b: {0}[?%16,?%16], out: f32[?%16,?%16]"
SIZE = 64


def emitted(kernel, dtype="f16", target=80, maps=None):
    return prepare.emit(kernel, Signature.parse(SIGNATURE.format(dtype)), target, maps)


@ct.kernel
def usual(a, b, out):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.load(out, (i, j), (SIZE, SIZE))
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        n = k + ct.num_tiles(b, 0, (SIZE, SIZE)) - ct.num_tiles(a, 1, (SIZE, SIZE))
        acc = ct.mma(ct.load(a, (i, k), (SIZE, SIZE)), ct.load(b, (n, j), (SIZE, SIZE)), acc)
    ct.store(out, (i, j), ct.exp(acc))


@ct.kernel
def rounded(a, b, out):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        x, y = ct.load(a, (0, k), (SIZE, SIZE)).astype(ct.tfloat32), ct.load(b, (k, 0), (SIZE, SIZE)).astype(ct.tfloat32)
        acc = ct.mma(x, y, acc)
    ct.store(out, (0, 0), acc)


@ct.kernel
def faded(a, b, out):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        acc = ct.mma(ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE)), acc * 0.5)
    ct.store(out, (0, 0), acc)


@ct.kernel
def two(a, b, out):
    first, second = ct.zeros((SIZE, SIZE), ct.float32), ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        x = ct.load(a, (0, k), (SIZE, SIZE))
        first = ct.mma(x, ct.load(b, (k, 0), (SIZE, SIZE)), first)
        second = ct.mma(x, ct.load(b, (k, 1), (SIZE, SIZE)), second)
    ct.store(out, (0, 0), first * second)


@ct.kernel
def within_a_loop(a, b, out):
    for j in range(ct.num_tiles(b, 1, (SIZE, SIZE))):
        acc = ct.zeros((SIZE, SIZE), ct.float32)
        for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
            acc = ct.mma(ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, j), (SIZE, SIZE)), acc)
        ct.store(out, (0, j), acc)


@ct.kernel
def stores(a, b, out):
    acc = ct.zeros((SIZE, SIZE), ct.float32)
    for k in range(ct.num_tiles(a, 1, (SIZE, SIZE))):
        acc = ct.mma(ct.load(a, (0, k), (SIZE, SIZE)), ct.load(b, (k, 0), (SIZE, SIZE)), acc)
        ct.store(out, (0, k), acc)


@ct.kernel
def alone(a, b, out):
    ct.store(out, (0, 0), ct.mma(ct.load(a, (0, 0), (SIZE, SIZE)), ct.load(b, (0, 0), (SIZE, SIZE)), ct.zeros((SIZE, SIZE), ct.float32)))


@pytest.mark.parametrize("kernel, ahead", [(usual, True), (faded, False), (two, False), (within_a_loop, False), (stores, False), (alone, False)])
def test_who_reads_ahead(kernel, ahead):
    made = emitted(kernel)
    assert made.schedule.reads_ahead == ahead == ("#define T2C_READS_AHEAD 1" in entry.device_entry(made))


def test_rounded_factors():
    assert emitted(rounded, "f32").schedule.reads_ahead


def test_warpgroups_and_old_gpus_do_not():
    assert not emitted(usual, target=90, maps=True).schedule.reads_ahead
    assert not emitted(usual, target=75).schedule.reads_ahead
