"""Products on mma.sync that read the first fragments of the next one: right whatever comes next, under several orders of warps."""

import re
from dataclasses import replace

import numpy as np
import pytest
from case import Case, blank, fresh, load_module
from ml_dtypes import bfloat16, float8_e4m3fn

import tile2cpp.lang as ct
from tile2cpp import reading_ahead
from tile2cpp.build import nvrtc

from .errors import EmulationError
from .launch import Launch
from .schedule import Policy
from .test_emulated import CASES, FEW, KERNELS, PROGRAMS, check, copied, drawn, wide

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")

RAGGED = load_module(KERNELS / "ragged.py", "ahead")
ZERO = ct.PaddingMode.ZERO
TILE = (32, 32, 32)  # warp by warp on compute capability 9.0, too


@ct.kernel
def anyhow(A, B, C, order, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    """The tiles along K in an order that an array tells: no product can know the next one."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), C.dtype)
    for n in range(order.shape[0]):
        k = ct.load(order, (n,), ())
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc)


@ct.kernel
def left_column_stays(A, B, C, order, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    """As above; the right factor goes on as expected, only the left one does not."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), C.dtype)
    for n in range(order.shape[0]):
        k = ct.load(order, (n,), ())
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (n, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc)


@ct.kernel
def all_tiles(A, B, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    """One block for all results: what a product reads ahead at the end of one is of no use for the next."""
    columns = ct.cdiv(C.shape[1], TN)
    for tile in range(ct.cdiv(C.shape[0], TM) * columns):
        i, j = tile // columns, tile % columns
        acc = ct.zeros((TM, TN), C.dtype)
        for k in range(ct.cdiv(A.shape[1], TK)):
            a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
            b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
            acc = ct.mma(a, b, acc)
        ct.store(C, (i, j), acc)


@ct.kernel
def stores_between(A, B, C, D, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    """The sums so far are stored each time."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), C.dtype)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
        ct.store(D, (k, i, j), acc.reshape((1, TM, TN)))
    ct.store(C, (i, j), acc)


@ct.kernel
def in_turn(A, B, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int], OTHER: ct.Constant[int]):
    """Tiles of two depths: those of the one overwrite what was fetched for the other."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), C.dtype)
    for k in range(ct.cdiv(A.shape[1], TK)):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
        if k % 3 == 1:
            left = ct.load(A, (i, k // 3), (TM, OTHER), padding_mode=ZERO)
            right = ct.load(B, (k // 3, j), (OTHER, TN), padding_mode=ZERO)
            acc = ct.mma(left, right, acc)
    ct.store(C, (i, j), acc)


def in_order(kernel, order, dtype="float16", tile=TILE, m=33, n=34, k=200):
    """`order`: which tile along K comes when."""
    depth = tile[2]

    def parts(x, axis):
        whole = np.zeros([-(-s // depth) * depth if a == axis else s for a, s in enumerate(x.shape)])
        whole[tuple(slice(s) for s in x.shape)] = wide(x)
        return np.split(whole, whole.shape[axis] // depth, axis)

    def expected(a, b, c, *_):
        left, right = parts(a, 1), parts(b, 0)
        return [sum(left[at] @ right[at if kernel is anyhow else n] for n, at in enumerate(order))]

    def make(rng):
        return fresh(rng, (m, k), dtype, -1, 1), fresh(rng, (k, n), dtype, -1, 1), blank((m, n), "float32"), np.array(order, np.int32), *tile

    return Case(f"{kernel.__name__}, {order}", kernel, (-(-m // tile[0]), -(-n // tile[1])), make, (2,), expected, terms=k)


def plain(kernel, k, tile=TILE, dtype="float16", grid=None, m=35, n=40):
    def make(rng):
        return fresh(rng, (m, k), dtype, -1, 1), fresh(rng, (k, n), dtype, -1, 1), blank((m, n), "float32"), *tile

    grid = grid or (-(-m // tile[0]), -(-n // tile[1]))
    return Case(f"{kernel.__name__} {m}x{n}x{k}, {np.dtype(dtype).name}, {tile}", kernel, grid, make, (2,), lambda a, b, *_: [wide(a) @ wide(b)], terms=k)


def batched(k):
    def make(rng):
        return fresh(rng, (2, 33, k), "float16", -1, 1), fresh(rng, (2, k, 34), "float16", -1, 1), blank((2, 33, 34), "float32"), *TILE

    return Case("batched", PROGRAMS["products"].matmul_batched, (2, 2, 2), make, (2,), lambda a, b, *_: [wide(a) @ wide(b)], terms=k)


def stored(k, tile=TILE):
    def make(rng):
        return fresh(rng, (32, k), "float16", -1, 1), fresh(rng, (k, 32), "float16", -1, 1), blank((32, 32), "float32"), blank((-(-k // tile[2]), 32, 32), "float32"), *tile

    def expected(a, b, *_):
        sums = [wide(a)[:, : n + tile[2]] @ wide(b)[: n + tile[2]] for n in range(0, k, tile[2])]
        return [sums[-1], np.array(sums)]

    return Case("stores between", stores_between, (1, 1), make, (2, 3), expected, terms=k)


DEPTHS = [RAGGED.ragged_case(f"{np.dtype(dtype).name} {k} by {tile}", 35, 40, k, tile, dtype)
          for dtype, tile in (("float16", (32, 32, 32)), (bfloat16, (32, 32, 64)), ("float16", (32, 32, 128)), ("float32", (32, 32, 32)), ("int8", (32, 32, 64)))
          for k in (1, tile[2], 3 * tile[2], 7 * tile[2] + 3)]  # fmt: skip
AHEAD = [
    *DEPTHS,
    plain(RAGGED.product, 200, dtype=float8_e4m3fn, tile=(32, 32, 64)),
    RAGGED.ragged_case("columns of 16 bytes, both turned", 32, 32, 256, TILE, left=RAGGED.turned(), right=RAGGED.turned()),
    RAGGED.ragged_case("rows that begin anywhere", 35, 40, 200, TILE, left=RAGGED.inside(1, 1), right=RAGGED.inside(1, 3)),
    batched(200),
    in_order(anyhow, (3, 1, 4, 1, 5, 2, 6, 0)),
    in_order(anyhow, (0, 1, 2, 5, 6, 3, 3, 3, 4)),
    in_order(anyhow, (0, 2, 4, 6, 5, 4, 3)),
    in_order(left_column_stays, (0, 1, 2, 2, 3, 6)),
]
AS_BEFORE = [plain(all_tiles, 200, grid=(1,)), stored(200), CASES["attention"][next(iter(CASES["attention"]))], RAGGED.ragged_case("one step", 35, 40, 100, (32, 32, 16))]


def counted(launch, pattern):
    return len(re.findall(pattern, "\n".join(i.text for i in launch.program.module.instructions)))


@pytest.mark.parametrize("case", AHEAD, ids=lambda case: case.name)
def test_read_ahead(case):
    launch = check(case, FEW)
    assert launch.emitted.schedule.reads_ahead and counted(launch, "mov.b32 t2c_ahead_")


@pytest.mark.parametrize("case", AS_BEFORE, ids=lambda case: case.name)
def test_not_read_ahead(case):
    launch = check(case, FEW)
    assert not counted(launch, "mov.b32 t2c_ahead_")


@pytest.mark.parametrize("k", [32, 200])
def test_all_tiles(k, monkeypatch):
    """Loops within others do not read ahead, but would be right."""
    monkeypatch.setattr(reading_ahead, "reads_ahead", lambda kernel: True)
    assert counted(check(plain(all_tiles, k, grid=(1,)), FEW), "mov.b32 t2c_ahead_")


@pytest.mark.parametrize("other", [16, 64])  # products of one step do not read ahead
def test_two_products(other, monkeypatch):
    """Kernels with two products do not read ahead, but would be right."""
    monkeypatch.setattr(reading_ahead, "reads_ahead", lambda kernel: True)
    k = 256

    def expected(a, b, *_):
        again = other * len([n for n in range(k // 32) if n % 3 == 1])
        return [wide(a) @ wide(b) + wide(a)[:, :again] @ wide(b)[:again]]

    case = plain(in_turn, k, (*TILE, other), m=32, n=32)
    launch = check(replace(case, expected=expected, terms=2 * k), FEW)
    assert launch.emitted.schedule.reads_ahead and counted(launch, "mov.b32 t2c_ahead_")


FAULTS = {
    "no wait": (r"cp\.async\.wait_group \d+;", ""),
    "too short a wait": (r"cp\.async\.wait_group (\d)+;", "cp.async.wait_group 4;"),
    "no barrier": (r"(?:bar|barrier)(?:\.cta)?\.sync[^;]*;", ""),
    "fragments are not the next ones": (r"mov\.b32 t2c_ahead_5, %r\d+;", "mov.b32 t2c_ahead_5, 0;"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(fault):
    pattern, instead = FAULTS[fault]
    case = plain(RAGGED.product, 320)

    def change(text):
        changed, count = re.subn(pattern, instead, text)
        assert count
        return changed

    launch = Launch(case.kernel, drawn(case), change)
    wrong, wanted = [], case.expected(*drawn(case))[0]
    for seed in range(6):
        after = copied(drawn(case))
        try:
            launch.run(after, case.grid, Policy.drawn(seed))
        except EmulationError as caught:
            wrong.append(caught)
        else:
            if not np.allclose(after[2], wanted, atol=1e-2):
                wrong.append(seed)
    assert wrong
