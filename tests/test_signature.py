"""Signatures: texts that are read back as written, and the classes that real arguments fall into."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided

from tile2cpp import dtypes
from tile2cpp.errors import Tile2cppError
from tile2cpp.signature import Fixed, Signature
from tile2cpp.types import Array, Extent, Tile

extents = st.builds(Extent, st.integers(0, 5000)) | st.builds(Extent, st.none(), st.sampled_from((1, 2, 16)))
values = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(), lambda inner: st.tuples(inner, inner), max_leaves=4
)


@st.composite
def types(draw):
    kind = draw(st.sampled_from((Array, Tile, Fixed)))
    if kind is Fixed:
        return Fixed(draw(values.filter(lambda v: "inf" not in repr(v) and "nan" not in repr(v))))
    dtype = draw(st.sampled_from(dtypes.TABLE))
    if kind is Tile:
        return Tile(dtype)
    shape = tuple(draw(st.lists(extents, max_size=3)))
    strides = draw(st.none() | st.tuples(*[extents] * len(shape)))
    alignment = draw(st.sampled_from([n for n in (1, 2, 4, 8, 16) if n >= dtype.bytes]))
    return Array(dtype, shape, strides, alignment, draw(st.booleans()))


@given(st.lists(types(), max_size=4))
def test_a_printed_signature_reads_back(kinds):
    signature = Signature(tuple(f"p{i}" for i in range(len(kinds))), tuple(kinds))
    assert Signature.parse(str(signature)) == signature


def test_constants_differ_by_kind():
    assert len({Fixed(1), Fixed(True), Fixed(1.0), Fixed(0.0), Fixed(-0.0)}) == 5
    assert Signature.parse("N=inf, M=-inf").types == (Fixed(float("inf")), Fixed(float("-inf")))


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("x: f3[?]", 4, "unknown dtype `f3`"),
        ("x f32", 3, "expected `:` and a type"),
        ("x: f32[?;2]", 9, "expected `,` or `]`"),
        ("x: f32[?%3]", 10, "power of two"),
        ("x: f32[?]@2", 11, "an alignment of f32"),
        ("x: f32[?,?]:(1)", 13, "1 strides for 2 extents"),
        ("x: i32, x: i32", 9, "names `x` twice"),
        ("x: f32[?], N=3+", 14, "expected a constant"),
        ("x: f32[?] y: f32[?]", 11, "a comma"),
    ],
)
def test_an_unreadable_text_shows_where(text, place, message):
    with pytest.raises(Tile2cppError, match=message) as caught:
        Signature.parse(text)
    assert caught.value.loc.column == place
    assert text in str(caught.value) and "^" in str(caught.value)


def test_names_are_held_to_the_kernel():
    assert str(Signature.parse("n: i32, x: f32[?]", ("x", "n"))) == "x: f32[?], n: i32"
    with pytest.raises(Tile2cppError, match="no parameter `y`"):
        Signature.parse("y: i32", ("x",))
    with pytest.raises(Tile2cppError, match="says nothing about `n`"):
        Signature.parse("x: i32", ("x", "n"))


def of(*arguments, constants=()):
    names = tuple("abcdef"[: len(arguments)])
    return Signature.of(names, frozenset(constants), arguments)


def aligned(count, dtype="float32", offset=0):
    """A vector whose address is `offset` bytes past a multiple of 64."""
    raw = np.zeros(count * np.dtype(dtype).itemsize + 128, np.uint8)
    start = -raw.ctypes.data % 64 + offset
    return raw[start : start + count * np.dtype(dtype).itemsize].view(dtype)


def test_arrays_fall_into_classes():
    base = aligned(32 * 30).reshape(32, 30)
    assert str(of(base)) == "a: f32[?%16,?]"
    assert str(of(base.T)) == "a: f32[?,?%16]:(1,?)"
    assert str(of(base[:, ::2])) == "a: f32[?%16,?]:(?,?)"
    assert str(of(np.broadcast_to(base[0], (5, 30)))) == "a: f32[?,?]:(?%16,1)"
    assert str(of(aligned(16, offset=4))) == "a: f32[?%16]@4"
    assert str(of(aligned(16, "float64", 8))) == "a: f64[?%16]@8"


def test_axes_of_size_one_and_empty_arrays_are_contiguous():
    base = aligned(64)
    assert str(of(as_strided(base, (1, 8), (4000, 4)))) == "a: f32[?,?%8]"
    assert str(of(as_strided(base, (8, 1), (4, 12)))) == "a: f32[?%8,?]"
    assert str(of(np.zeros((0, 4))[:, ::2])) == "a: f64[?,?]"
    assert str(of(np.zeros(()))) == "a: f64[]"


def test_offsets_beyond_int32_are_wide():
    one = np.zeros(1, np.int8)
    assert str(of(as_strided(one, (2**31,), (0,)))).endswith("W")
    assert str(of(as_strided(one, (2, 8), (2**31, 1)))).endswith("w")
    assert not str(of(as_strided(one, (2**31 - 1,), (1,)))).endswith("w")


def test_scalars_take_the_width_the_language_gives_them():
    call = of(True, 3, 2.5, np.float64(1), np.float16(2), 7, constants=(5,))
    assert str(call) == "a: bool, b: i32, c: f32, d: f32, e: f16, f=7"


@pytest.mark.parametrize(
    "argument, error, words",
    [
        (2**31, OverflowError, "does not fit into int32"),
        ("s", TypeError, "'s'"),
        (None, TypeError, "None"),
        ([1], TypeError, "a list"),
        (np.zeros(4)[::-1], ValueError, "negative stride"),
        (np.zeros(4, complex), TypeError, "complex128"),
        (np.zeros(4, ">i4"), TypeError, ">i4"),
        (np.zeros(9, np.int8)[1:].view(np.int64), ValueError, "multiples of their size"),
    ],
)
def test_what_is_refused_names_the_parameter(argument, error, words):
    with pytest.raises(error, match=words) as caught:
        of(1, argument)
    assert isinstance(caught.value, Tile2cppError)
    assert "parameter 1 (`b`)" in str(caught.value)


def test_constants_are_plain_numbers():
    for value in ("16", np.int64(16), np.zeros(2), 2**64):
        with pytest.raises(Tile2cppError, match=r"parameter 0 \(`a`\)"):
            of(value, constants=(0,))
