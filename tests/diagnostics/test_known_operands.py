"""What cuTile says of operands that an operation does not take stands in the messages, too."""

import re

import numpy as np
import pytest

import tile2cpp.lang as ct

FLOATS, INTS, LONGS, BYTES, UNSIGNED = (np.zeros(4, d) for d in ("f4", "i4", "i8", "i1", "u4"))
PLAIN = np.dtype("f4")  # which makes no numbers, unlike np.float32
TYPE, VALUE = ct.TileTypeError, ct.TileValueError
RN, RZI = ct.RoundingMode.RN, ct.RoundingMode.RZI


def whole(x):
    """All of an array of four elements."""
    return ct.load(x, (0,), (4,))


# What is computed of one array, what is said of it, and the array.
OF_ONE = [
    (lambda x: whole(x).astype(ct.float16) + whole(x).astype(ct.bfloat16), "Implicit promotion of float16 and bfloat16 is not supported", FLOATS),
    (lambda x: whole(x) + whole(x).astype(ct.int32), "Implicit promotion of uint32 and int32 is not supported", UNSIGNED),
    (lambda x: whole(x).astype(ct.float8_e5m2) == whole(x), "as it involves restricted float dtypes", FLOATS),
    (lambda x: whole(x) & whole(x), "Bitwise operations require integers or booleans.", FLOATS),
    (lambda x: whole(x) ^ whole(x).astype(ct.int64), "Bitwise operands must have same data type, got: int32 and int64", INTS),
    (lambda x: whole(x) << 1, "Bitwise shift requires an integer for left-hand side, got: float32", FLOATS),
    (lambda x: whole(x) >> (whole(x) == 0), "Bitwise shift requires an integer for right-hand side, got: bool_", INTS),
    (lambda x: ~(3 == 3), "`~` on boolean constant is not supported, please use ct.bitwise_not", INTS),
    (lambda x: whole(x).astype(ct.float32, rounding_mode=RN), "rounding_mode is only valid for float to float conversions", INTS),
    (lambda x: whole(x).astype(ct.int32, rounding_mode=RN), "rounding_mode is only valid for float to float conversions", INTS),
    (lambda x: whole(x).astype(ct.float8_e5m2, rounding_mode=ct.RoundingMode.RM), "rounding_mode=RoundingMode.RM is not supported for conversion from float32 to float8_e5m2", FLOATS),
    (lambda x: ct.bitcast(whole(x), ct.int64), "Cannot bitcast from float32 to int64: bit width is different (32 vs. 64)", FLOATS),
    (lambda x: ct.bitcast(whole(x), ct.bool_), "Cannot bitcast from int8 to bool_: bitcast to or from bool is not supported", BYTES),
    (lambda x: ct.sqrt(whole(x), rounding_mode=RZI), "Rounding mode nearest_int_to_zero is not supported", FLOATS),
    (lambda x: ct.add(whole(x), 1, rounding_mode=ct.RoundingMode.FULL), "Rounding mode full is not supported", INTS),
    (lambda x: ct.truediv(whole(x), whole(x), rounding_mode=ct.RoundingMode.FULL), "Rounding mode full can only be used for float32 type, but got float64", FLOATS.astype("f8")),
    (lambda x: ct.add(whole(x), 1, rounding_mode=RN), "Rounding mode can only be used for unrestricted float types, but got int32", INTS),
    (lambda x: ct.insert(whole(x), 0, ct.ones((2,), ct.int32)), "Cannot insert a tile of dtype int32 into a tile of dtype float32", FLOATS),
    (lambda x: ct.insert(whole(x), 0, ct.ones((8,), ct.float32)), "Input shape (4,) is not divisible by value shape (8,) at dimension #0", FLOATS),
    (lambda x: ct.insert(whole(x), 2, ct.ones((2,), ct.float32)), "Index 2 out of bounds at dimension #0: valid range is [0, 2)", FLOATS),
    (lambda x: ct.insert(whole(x), 0, ct.ones((2, 1), ct.float32)), "Value rank 2 does not match the tile rank 1", FLOATS),
    (lambda x: ct.extract(whole(x), (0, 0), 2), "Index size 2 does not match the tile rank 1", FLOATS),
    (lambda x: ct.extract(whole(x), 0, 8), "Input shape (4,) is not divisible by result shape (8,) at dimension #0", FLOATS),
    (lambda x: ct.arange(3, dtype=ct.int32), "Result tile shape must be power of 2, got 3", INTS),
    (lambda x: ct.arange(0.5, dtype=ct.int32), "Expected an integer constant, but given value has type Tile[float32,()]", INTS),
    (lambda x: ct.arange(ct.bid(0), dtype=ct.int32), "Expected an integer constant, but given value is not constant", INTS),
    (lambda x: ct.float32("four"), "Invalid argument type for float32", FLOATS),
    (lambda x: x.slice(1, 0, 2), "Axis 1 is out of range for rank 1'", FLOATS),
    (lambda x: (1, 2) + ct.bid(0), "Unsupported operand types for +: Tuple[Tile[int32,()],Tile[int32,()]] and Tile[int32,()]", FLOATS),
    (lambda x: x.foreign_pointer + 1, "Left-hand side has non-arithmetic dtype foreign_pointer[float32]", FLOATS),
    (lambda x: x.foreign_pointer == x.foreign_pointer, "satisfy constraint is_numeric", FLOATS),
    (lambda x: ct.int64(x.foreign_pointer), "satisfy constraint is_numeric", FLOATS),
    (lambda x: ct.where(ct.bid(0) > 0, x.foreign_pointer, 1), "Implicit promotion of pointer dtypes is not supported", FLOATS),
    (lambda x: ct.where(ct.bid(0) > 0, x.foreign_pointer, whole(x)), "Implicit promotion of pointer dtypes is not supported", FLOATS),
    (lambda x: ct.insert(ct.broadcast_to(x.foreign_pointer, (4,)), 0, 1), "Cannot insert a tile of dtype int32 into a tile of dtype foreign_pointer[float32]", FLOATS),
    (lambda x: ct.sum(ct.broadcast_to(x.foreign_pointer, (4,))), "satisfy constraint is_numeric", FLOATS),
    (lambda x: ct.bitcast(ct.int64(3), x.foreign_pointer.dtype), "bitcast to or from a foreign pointer is not supported", FLOATS),
    (lambda x: ct.Array.from_foreign(x.foreign_pointer, (2, 2), (1,)), "shape and strides must have the same rank", FLOATS),
    (lambda x: ct.Array.from_foreign(x.foreign_pointer, (-2,), (1,)), "shape[0] must be non-negative", FLOATS),
    (lambda x: ct.scatter(x, 0, 0.5), "cannot implicitly cast 0.5 to int32", INTS),
    (lambda x: ct.store(x, (0,), ct.zeros((4,), ct.int64)), "cannot implicitly cast int64 to int32", INTS),
    (lambda x: ct.store(x, (0,), ct.zeros((4,), ct.int64)), "Autocast from value of type int64 to int32 is not allowed. Please perform explicit cast using `astype`.", INTS),
    (lambda x: ct.gather(x, ct.arange(4, dtype=ct.int32), mask=ct.arange(2, dtype=ct.int32) > 0), "Custom mask shape (2,) is not broadcastable to the index shape (4,)", FLOATS),
    (lambda x: ct.gather(x, 0, padding_value=ct.zeros((4,), ct.float32)), "Padding shape (4,) is not broadcastable to the index shape ()", FLOATS),
    (lambda x: whole(x) + ct.ones((8,), ct.float32), "Shapes are not broadcastable: (4,), (8,)", FLOATS),
    (lambda x: ct.atomic_or(x, 0, ct.int64(1)), "Bitwise atomic read-modify-write operations require the update dtype (int64) to exactly match the target dtype (int32)", INTS),
    (lambda x: ct.atomic_cas(x, 0, 0, 1, memory_order=ct.MemoryOrder.WEAK), "Invalid memory order for tile_atomic_cas. Got MemoryOrder.WEAK", INTS),
    (lambda x: x.get_raw_memory().atomic_cas_offset(0, 0, 1, memory_order=ct.MemoryOrder.WEAK), "Invalid memory order for tile_atomic_cas", INTS),
    (lambda x: ct.atomic_add(x, 0, 1, memory_scope=ct.MemoryScope.NONE), "tile_atomic_rmw with ACQ_REL memory ordering requires a memory scope", INTS),
    (lambda x: ct.load(x, (0,), (4,), memory_scope=ct.MemoryScope.DEVICE), "tile_load with WEAK memory ordering cannot specify a memory scope", INTS),
]


@pytest.mark.parametrize("compute, words, array", OF_ONE, ids=[f"{n}-{row[1][:30]}" for n, row in enumerate(OF_ONE)])
def test_of_one_array(compute, words, array):
    @ct.kernel
    def kernel(x):
        compute(x)

    with pytest.raises(TYPE, match=re.escape(words)):
        ct.launch(0, (1,), kernel, (array,))


@pytest.mark.parametrize("backend", ["host", "interpret"])
def test_what_names_a_dtype_need_not_be_a_function(backend):
    @ct.kernel
    def kernel(x):
        ct.scatter(x, 0, PLAIN(3))

    with pytest.raises(TYPE, match="not a function"):
        ct.launch(0, (1,), kernel, (FLOATS,), backend=backend)


@pytest.mark.parametrize("value, dtype, words", [
    (-0.0, ct.float8_e8m0fnu, "Negative values cannot be represented in an unsigned float format"),
    ((1.0, -2.0), ct.float8_e5m3fnu, "Negative values cannot be represented in an unsigned float format"),
    (float("nan"), ct.float4_e2m1fn, "NaN cannot be represented in a finite-only float format"),
])  # fmt: skip
def test_constants_that_small_floats_lack(value, dtype, words):
    @ct.kernel
    def kernel():
        ct.astile(value, dtype=dtype)

    with pytest.raises(VALUE, match=words):
        ct.launch(0, (1,), kernel, ())
