"""Products on tensor cores, as far as a machine without a GPU can tell: what is compiled, and how it is scheduled."""

from pathlib import Path

import pytest

import tile2cpp.lang as ct
from tile2cpp.build import nvrtc
from tile2cpp.dtypes import int32
from tile2cpp.emitted import Emitted, Parameter, Schedule

FOLDER = Path(__file__).parent / "products"
SIZES = "TM={}, TN={}, TK={}"


def product(total, rounds=False):
    @ct.kernel
    def multiply(a, b, c, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
        i, j = ct.bid(0), ct.bid(1)
        acc = ct.zeros((TM, TN), total)
        for k in range(ct.num_tiles(a, 1, (TM, TK))):
            x = ct.load(a, (i, k), (TM, TK), padding_mode=ct.PaddingMode.ZERO)
            y = ct.load(b, (k, j), (TK, TN), padding_mode=ct.PaddingMode.ZERO)
            acc = ct.mma(x.astype(ct.tfloat32), y.astype(ct.tfloat32), acc) if rounds else ct.mma(x, y, acc)
        ct.store(c, (i, j), acc.astype(c.dtype))

    return multiply


def facts(dtype: str, result: str, total: str, *sizes: int, target: int = 90, rounds=False) -> dict:
    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed")
    signature = f"a: {dtype}[?,?], b: {dtype}[?,?], c: {result}[?,?], {SIZES.format(*sizes)}"
    return product(getattr(ct, total), rounds).compile(signature, backend="cuda", target=target).facts


@pytest.mark.parametrize("target", (80, 90))
@pytest.mark.parametrize(
    "dtype, result, total, sizes",
    [
        ("f16", "f16", "float32", (128, 256, 64)),
        ("f16", "f16", "float32", (128, 128, 64)),
        ("f16", "f16", "float16", (16, 64, 64)),
        ("bf16", "bf16", "float32", (64, 64, 32)),
        ("f64", "f64", "float64", (64, 64, 16)),
        ("i8", "i32", "int32", (64, 64, 64)),
        ("tf32", "f32", "float32", (128, 256, 32)),
    ],
)
def test_factors_are_fetched_ahead(dtype, result, total, sizes, target):
    found = facts(dtype, result, total, *sizes, target=target)
    assert found["schedule"]["product"] and found["schedule"]["shared"] > 0
    assert not found["stack_bytes"] and not found["spill_stores"]


@pytest.mark.parametrize("target", (89, 90))
@pytest.mark.parametrize("dtype", ("e4m3", "e5m2"))
@pytest.mark.parametrize("sizes", ((64, 64, 64), (128, 256, 64)))
def test_small_floats_are_widened_when_they_are_read(dtype, sizes, target):
    found = facts(dtype, "f32", "float32", *sizes, target=target)
    assert found["schedule"]["product"] and found["schedule"]["shared"] > 0 == found["spill_stores"] == found["stack_bytes"]


@pytest.mark.parametrize("target", (80, 86, 90))
def test_single_precision_is_rounded_when_it_is_read(target):
    found = facts("f32", "f32", "float32", 128, 256, 32, target=target, rounds=True)
    assert found["schedule"]["product"] and found["schedule"]["shared"] > 0 == found["spill_stores"] == found["stack_bytes"]


def test_single_precision_passes_through_registers():
    found = facts("f32", "f32", "float32", 64, 64, 32)
    assert not found["schedule"]["product"] and found["schedule"]["shared"] == 0 == found["spill_stores"]


def test_older_gpus_multiply_and_add():
    assert not facts("f16", "f16", "float32", 64, 64, 32, target=75)["schedule"]["product"]


def test_loaded_tiles_are_tiles():
    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed")
    spelled = ("__half const*", "__half const*", "float*", "int")
    parameters = tuple(Parameter(f"p{i}", cpp, "scalar", i, int32) for i, cpp in enumerate(spelled))
    schedule = Schedule(128, 2, 8, ordered=False, product=True, shared=49152)
    assert nvrtc.compile(Emitted("loaded", "loaded.cu", (FOLDER / "loaded.cu").read_text(), parameters, schedule, "loaded"), 90).binary.exists()
