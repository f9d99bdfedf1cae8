"""What the PTX of kernels consists of, where that decides how fast memory is: whole vectors, and no more fences and barriers than needed."""

import re

import pytest

import tile2cpp.lang as ct
from tile2cpp.build import nvrtc
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")

MATRICES = "x: f32[?%16,?%16], y: f32[?%16,?%16]"


def ptx_of(body, signature, target=90):
    return nvrtc.compile(prepare.emit(ct.kernel(body), Signature.parse(signature), target, True), target, form="ptx").binary.read_text()


def spelled(ptx, head):
    """The instructions that begin like that, without operands."""
    return set(re.findall(rf"\b{head}\.[\w.:]+", ptx))


def by_order(x, y):
    ct.store(y, (ct.bid(0), ct.bid(1)), ct.load(x, (ct.bid(0), ct.bid(1)), (64, 64), order=(1, 0)))


def into_order(x, y):
    ct.store(y, (ct.bid(0), ct.bid(1)), ct.load(x, (ct.bid(0), ct.bid(1)), (64, 64)), order=(1, 0))


@pytest.mark.parametrize("body", [by_order, into_order])
def test_other_orders_move_in_vectors(body):
    ptx = ptx_of(body, MATRICES)
    assert spelled(ptx, "ld.global") == {"ld.global.nc.v4.u32"} and spelled(ptx, "st.global") == {"st.global.v4.u32"}


def added(x, y):
    rows, columns = ct.bid(0) * 4 + ct.arange(4, dtype=ct.int32), ct.bid(1) * 256 + ct.arange(256, dtype=ct.int32)
    ct.atomic_add(y, (rows[:, None], columns[None, :]), ct.load(x, (ct.bid(0), ct.bid(1)), (4, 256)))


def added_by_a_view(x, y):
    y.tiled_view((4, 256)).atomic_store_add((0, ct.bid(1)), ct.load(x, (ct.bid(0), ct.bid(1)), (4, 256)))


@pytest.mark.parametrize("body", [added, added_by_a_view])
@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
def test_sums_of_neighbours_are_vectors(body, dtype):
    signature = MATRICES.replace("f32", dtype)
    number = {"f32": "f32", "f16": "f16x2", "bf16": "bf16x2"}[dtype]
    ptx = ptx_of(body, signature)
    assert f".v4.{number} [" in ptx and "atom." not in ptx
    assert not any(".v4." in red for red in spelled(ptx_of(body, signature, 80), "red"))


def asked(x, y):
    i = ct.arange(256, dtype=ct.int32)
    ct.scatter(x, (0, i), ct.atomic_add(y, (0, i), ct.load(x, (1, 0), (1, 256)).reshape((256,))))


def test_who_never_asks_meets_once():
    counts = lambda ptx: tuple(len(re.findall(word, ptx)) for word in (r"fence\.acq_rel", r"bar(?:rier)?\.(?:cta\.)?sync", r"\batom\."))  # noqa: E731
    fences, _, atomics = counts(ptx_of(asked, MATRICES))
    assert fences == 2 and atomics > 0

    def told(x, y):
        ct.atomic_add(y, (0, ct.arange(256, dtype=ct.int32)), 1.0)

    assert counts(ptx_of(told, MATRICES)) == (1, 1, 0)
