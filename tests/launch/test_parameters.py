"""Tuples, lists, annotations and odd arrays as arguments, on the host and in the interpreter."""

import kernels_parameters as kernels
import ml_dtypes
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import tile2cpp
import tile2cpp.lang as ct
from tile2cpp.errors import Tile2cppError

both = pytest.mark.parametrize("backend", ["host", "interpret"])


def launch(backend, kernel, *args, grid=(1,)):
    tile2cpp.launch(0, grid, kernel, args, backend=backend)


def ramp(count, dtype="f"):
    return np.arange(count, dtype=dtype)


@both
def test_a_tuple_of_an_array_and_a_number(backend):
    for factor in (2.0, 3.0, 4):  # a new number, and a new type of it
        y = np.zeros(40, "f")
        launch(backend, kernels.add_pair, (ramp(40), factor), y, 16, grid=(3,))
        np.testing.assert_array_equal(y, ramp(40) * factor + factor)
    assert str(kernels.add_pair.signature_of(((ramp(40), 2), y, 16))).startswith("pair: (f32[?%8]")


@both
def test_constants_inside_tuples(backend):
    for n in (8, 16):
        y = np.zeros(16, "f")
        launch(backend, kernels.nested, ((n, 2.0), ramp(16)), y)
        np.testing.assert_array_equal(y, np.where(ramp(16) < n, ramp(16) * 2, 0))
    y = np.zeros((2, 4), "f")
    launch(backend, kernels.constants, (2, 4), (3, 9, 5), y)
    assert (y == 8).all()


@pytest.mark.parametrize(
    "args, error, words",
    [
        ((3, None), TypeError, r"`p`\) is 3, but its annotation says a tuple of 2"),
        (((1, 2, 3), None), TypeError, "a tuple of 3, but its annotation says a tuple of 2"),
        ((((8, 1.0, 2), None), None), TypeError, r"`p\[0\]`\) is a tuple of 3"),
        ((((8.5, "s"), None), None), TypeError, r"`p\[0\]\[1\]`\) is 's'"),
        ((((8, 1.0), [ramp(4), ramp(4).reshape(2, 2)]), None), TypeError, r"`p\[1\]`\): the arrays of a list have one rank"),
    ],
)
@both
def test_tuples_that_do_not_fit_their_annotation(backend, args, error, words):
    with pytest.raises(error, match=words) as caught:
        launch(backend, kernels.nested, *args)
    assert isinstance(caught.value, Tile2cppError)


@both
def test_lists_of_arrays(backend):
    for count in (1, 3, 5):
        xs = [ramp(40) + i for i in range(count)]
        y = np.zeros(40, "f")
        for _ in range(2):
            launch(backend, kernels.sum_list, xs, y, 16, grid=(3,))
            np.testing.assert_array_equal(y, sum(xs) - xs[-1])


@both
def test_arrays_of_a_list_may_differ_in_size_and_stride(backend):
    xs = [ramp(40), ramp(80)[::2], ramp(17), as_strided(np.ones(1, "f"), (40,), (0,))]
    y = np.zeros(40, "f")
    launch(backend, kernels.sum_list, xs, y, 16, grid=(3,))
    want = sum(np.pad(x, (0, 40 - len(x))) for x in xs[:-1])
    np.testing.assert_array_equal(y, want)


@both
def test_lists_chosen_by_path_are_written_to(backend):
    xs, ys = [ramp(4), ramp(4)], [ramp(4), ramp(4), ramp(4)]
    launch(backend, kernels.fill_one_list, xs, ys, 2.0, grid=(1,))
    assert [x.tolist() for x in xs] == [[4, 2, 2, 2], [3] * 4] and all((y == ramp(4)).all() for y in ys)
    launch(backend, kernels.fill_one_list, xs, ys, 2.0, grid=(2,))
    assert [y.tolist() for y in ys] == [[2] * 4, [3] * 4, [4] * 4]


@both
def test_lists_are_written_to(backend):
    ys = [np.zeros(n, "f") for n in (20, 33)]
    launch(backend, kernels.fill_list, ys, 2.0, 16, grid=(3, 2))
    assert (ys[0] == 22).all() and (ys[1] == 35).all()
    ys[1].flags.writeable = False
    with pytest.raises(ValueError, match=r"writes to parameter 0 \(`ys`\), but an array of this list is read-only"):
        launch(backend, kernels.fill_list, ys, 2.0, 16, grid=(3, 2))


@both
def test_a_list_in_a_tuple(backend):
    y = np.zeros(16, "f")
    for k in (0, 1):
        launch(backend, kernels.list_in_tuple, ([ramp(16), -ramp(16)], k), y)
        np.testing.assert_array_equal(y, ramp(16) * (1 - 2 * k))


@both
def test_static_extents_and_strides_are_constants(backend):
    y = np.zeros(1, "i")
    for rows in (3, 5):
        x = np.zeros((rows, 16), "f")[:, :8]
        launch(backend, kernels.shapes, x, y)
        assert y[0] == rows * 1000 + 80 + 16
    assert "x: f32[?,8]:(16,1)" in str(kernels.shapes.signature_of((x, y)))


@both
def test_64_bit_indices_and_scalars(backend):
    y = np.zeros(1, np.int64)
    launch(backend, kernels.wide_indices, ramp(7), 2**40, y)
    assert y[0] == 2**40 + 7
    launch(backend, kernels.wide_list, [ramp(7), ramp(9)], y)
    assert y[0] == 9
    launch(backend, kernels.marked, 1, True, y)
    assert y[0] == 1
    for _ in range(2):
        with pytest.raises(OverflowError, match="does not fit into int64"):
            launch(backend, kernels.wide_indices, ramp(7), 2**63, y)


def test_annotations_that_say_nothing_sensible():
    for error, make in (
        (ValueError, lambda: ct.ArrayAnnotation(index_dtype=ct.int16)),
        (TypeError, lambda: ct.ArrayAnnotation(static_shape_dims=[0])),
        (TypeError, lambda: ct.ListAnnotation(element=int)),
    ):
        with pytest.raises(error):
            make()
    with pytest.raises(TypeError, match="choose one"):

        @ct.kernel
        def k(n: ct.ScalarInt64[ct.Constant[int]]):
            pass


@both
def test_annotations_that_do_not_fit_the_argument(backend):
    y = np.zeros(1, "i")
    for args, error, words in (
        ((3, y), TypeError, r"`x`\) is annotated as an array, but 3"),
        ((ramp(8), y), ValueError, "names axis -2|axis 0 twice"),
    ):
        with pytest.raises(error, match=words):
            launch(backend, kernels.shapes, *args)
    for given in (ramp(7), (3, 4)):
        with pytest.raises(TypeError, match="annotated as ct.ScalarInt64"):
            launch(backend, kernels.wide_indices, ramp(7), given, y)
    with pytest.raises(TypeError, match="annotated as a list of arrays"):
        launch(backend, kernels.wide_list, ramp(7), y)


@both
def test_offsets_beyond_int32(backend):
    """A few rows of a huge array; memory is only reserved, never touched but at its ends."""
    import mmap

    rows, stride = 3, 2**30 + 16
    memory = mmap.mmap(-1, rows * stride * 2)
    try:
        flat = np.frombuffer(memory, np.float16)
        x = as_strided(flat, (rows, 64), (stride * 2, 2))
        x[-1] = ramp(64)
        y = np.zeros((2, 16), np.float16)
        launch(backend, kernels.far_corner, x, y)
        np.testing.assert_array_equal(y, np.stack([ramp(16)] * 2))
        launch(backend, kernels.int32_extents, x)
        assert str(kernels.int32_extents.signature_of((x,))).endswith("w")
        del x, flat
    finally:
        memory.close()


@both
@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint64, np.float16, np.float64, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2])
def test_element_types(backend, dtype):
    x = np.array([0, 1, 2, 3] * 8).astype(dtype)
    for source in (x, np.broadcast_to(x, (2, 32))[1], x[::2], x[:0], as_strided(x.view(f"u{x.itemsize}"), (1,), (12345,)).view(dtype)):
        y = np.zeros(len(source), dtype)
        launch(backend, kernels.copy16, source, y, grid=(2,))
        assert (y == source).all()


@both
@pytest.mark.parametrize("scalar", [np.float16(0.1), ml_dtypes.bfloat16(0.1), np.float32(0.1), np.float64(0.1)], ids=lambda s: str(s.dtype))
def test_scalars_keep_their_dtype(backend, scalar):
    wanted = np.float32 if scalar.dtype == np.float64 else scalar.dtype  # np.float64 is a Python float
    x, y = ramp(16).astype(wanted), np.zeros(16, wanted)
    launch(backend, kernels.scale, x, scalar, y)
    np.testing.assert_array_equal(y, x * scalar.astype(wanted))


class ThroughDlpack:
    """An array of a library that only offers DLPack, and is not ours to see into."""

    def __init__(self, array, name=None):
        self.array, self.name = array, name

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@both
def test_arrays_through_dlpack(backend):
    x = ramp(64).reshape(2, 32).T
    y = np.zeros(32, "f")
    launch(backend, kernels.sum_list, [ThroughDlpack(x[:, 1]), ThroughDlpack(ramp(32)), ramp(32)], ThroughDlpack(y), 16, grid=(2,))
    np.testing.assert_array_equal(y, x[:, 1] + ramp(32))
    fixed = ramp(16)
    fixed.flags.writeable = False
    launch(backend, kernels.copy16, ThroughDlpack(fixed), y[:16])
    with pytest.raises(ValueError, match="read-only"):
        launch(backend, kernels.copy16, y[:16], ThroughDlpack(fixed))
    with pytest.raises(TypeError, match="no arrays of complex64"):
        launch(backend, kernels.copy16, ThroughDlpack(np.zeros(4, "F")), y)


@both
def test_lists_in_loops_closures_and_slices(backend):
    xs, y = [ramp(20) * (i + 1) for i in range(3)], np.zeros(16, "f")
    launch(backend, kernels.many_uses, xs, y)
    want = sum(x[:16] + 20 + 3 for x in xs) + sum(x[:16] + np.pad(x[1:9], (0, 8)) for x in xs[:2])
    np.testing.assert_array_equal(y, want)


@pytest.mark.parametrize(
    "kernel, hold, words",
    [
        (kernels.iterates, list, r"range\(len\(xs\)\)"),
        (kernels.slices_list, list, "a list has no slices"),
        (kernels.indexes_by_float, list, "must be an integer scalar, but this is the constant 1.5"),
        (kernels.indexes_tuple, tuple, "a tuple's index must be known at compile time"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
@both
def test_what_lists_and_tuples_do_not_have(backend, kernel, hold, words):
    with pytest.raises(ct.TileTypeError, match=words) as caught:
        launch(backend, kernel, hold([ramp(16), ramp(16)]), np.zeros(16, "f"))
    assert "kernels_parameters.py" in str(caught.value)
