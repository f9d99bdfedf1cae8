"""Addresses of arrays: their dtype, misuse before and while a kernel runs, and the order of accesses."""

import copy
import pickle

import numpy as np
import pytest

import tile2cpp
import tile2cpp.lang as ct


def test_one_dtype_for_each_kind_of_element():
    made = ct.foreign_pointer_dtype(ct.float32)
    assert isinstance(made, ct.DType) and made.name == str(made) == "foreign_pointer[float32]" and made.bitwidth == 64
    assert made is ct.foreign_pointer_dtype(ct.float32) is ct.foreign_pointer_dtype(np.float32) is ct.foreign_pointer_dtype(np.dtype("float32"))
    assert made != ct.foreign_pointer_dtype(ct.int32) and copy.deepcopy(made) is pickle.loads(pickle.dumps(made)) is made
    assert not (made.is_arithmetic or made.is_floating or made.is_integral or made.is_signed)


@pytest.mark.parametrize("wrong", [ct.foreign_pointer_dtype(ct.int8), "float32", 3, None])
def test_other_elements_are_refused(wrong):
    with pytest.raises(TypeError, match="foreign_pointer_dtype takes"):
        ct.foreign_pointer_dtype(wrong)


def test_arrays_are_made_in_kernels_only():
    with pytest.raises(RuntimeError, match=r"ct\.Array\.from_foreign is only available inside a kernel"):
        ct.Array.from_foreign(0, (8,), (1,))


@ct.kernel
def added(x):
    ct.store(x, (0,), x.foreign_pointer + 1)


@ct.kernel
def branched(x):
    if x.foreign_pointer:
        ct.store(x, (0,), 1.0)


@ct.kernel
def compared(x):
    ct.static_assert(x.foreign_pointer == x.foreign_pointer)


@ct.kernel
def converted(x):
    ct.store(x, (0,), ct.float32(x.foreign_pointer))


@ct.kernel
def of_an_array(x):
    ct.store(ct.Array.from_foreign(x, (8,), (1,)), (0,), 1.0)


@ct.kernel
def too_large(x):
    ct.store(x, (0,), ct.load(ct.Array.from_foreign(x.foreign_pointer, (8, 8), (2, 1)), (7, 0), (1, 1)).item())


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (added, "works on tiles and numbers"), (branched, "a condition takes a number"), (compared, "works on tiles and numbers"),
        (converted, "takes a number"), (of_an_array, "must be a foreign pointer"), (too_large, "reaches beyond the memory"),
    ],
)  # fmt: skip
def test_misuse(kernel, why):
    with pytest.raises(ct.TileError, match=why):
        tile2cpp.launch(0, (1,), kernel, (np.zeros(16, np.float32),), backend="interpret")


def test_two_views_of_one_memory_are_kept_in_order():
    @tile2cpp.jit("x: f32[16], y: f32[16]")
    def kernel(x, y):
        flat = ct.Array.from_foreign(x.foreign_pointer, (16,), (1,))
        ct.store(y, (0,), ct.load(flat, (0,), (16,)))

    emitted = kernel.emitted(np.zeros(16, np.float32), np.zeros(16, np.float32))
    assert emitted.schedule.ordered
    assert "float* x_ptr" in emitted.text and "float* __restrict__ y_ptr" in emitted.text
