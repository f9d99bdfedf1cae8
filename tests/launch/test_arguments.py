"""What a launch refuses, with the parameter's name and place, before anything runs or is built."""

import kernels_launched as kernels
import numpy as np
import pytest

import tile2cpp
from tile2cpp.errors import Tile2cppError
from tile2cpp.launch.arguments import check_grid
from tile2cpp.signature import arrays

X, Y = np.ones(48, "f"), np.zeros(48, "f")
GOOD = (16, X, 2.0, Y)


def launch(*, stream=0, grid=(3,), kernel=kernels.scaled, args=GOOD, **options):
    tile2cpp.launch(stream, grid, kernel, args, **options)


@pytest.mark.parametrize(
    "grid, error, words",
    [
        (4, TypeError, r"write \(4,\)"),
        ([4], TypeError, r"write \(4,\)"),
        ((1, 1, 1, 1), ValueError, "three dimensions"),
        ((1, -1), OverflowError, "axis 1 must not be negative"),
        ((1.5,), TypeError, "ct.cdiv"),
        ((2**24,), ValueError, "16777215"),
        ("11", TypeError, "tuple"),
        (None, TypeError, "tuple"),
    ],
)
def test_grids(grid, error, words):
    for start in (lambda: launch(grid=grid), lambda: kernels.scaled[grid](*GOOD)):
        with pytest.raises(error, match=words) as caught:
            start()
        assert isinstance(caught.value, Tile2cppError) and "grid" in str(caught.value)


def test_good_grids():
    assert check_grid((3,)) == (3, 1, 1) and check_grid((3, 2)) == (3, 2, 1) and check_grid((0, 2, 1)) == (0, 2, 1)
    assert check_grid((np.int64(3),)) == (3, 1, 1) and check_grid(()) == (1, 1, 1)


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"args": [*GOOD]}, TypeError, "tuple"),
        ({"args": X}, TypeError, "comma"),
        ({"args": ()}, TypeError, r"scaled\(T, x, s, y\) takes 4 arguments, but 0 were passed"),
        ({"args": (*GOOD, 1)}, TypeError, "5 were passed"),
        ({"stream": None}, TypeError, "stream"),
        ({"stream": "s"}, TypeError, "stream"),
        ({"kernel": kernels.scaled.__wrapped__}, TypeError, "@ct.kernel"),
        ({"programmatic_dependent_launch": 1}, TypeError, "True or False"),
        ({"backend": "gpu"}, ValueError, "cuda, host, interpret, nvidia"),
        ({"args": (X, X, 2.0, Y)}, TypeError, r"parameter 0 \(`T`\) is a constant"),
        ({"args": (np.int64(16), X, 2.0, Y)}, TypeError, r"int\(\.\.\.\)"),
        ({"args": (16, [], 2.0, Y)}, TypeError, r"parameter 1 \(`x`\) is an empty list"),
        ({"args": (16, [1, 2], 2.0, Y)}, TypeError, r"lists hold arrays, but its item 0 is 1"),
        ({"args": (16, [X, X.reshape(6, 8)], 2.0, Y)}, TypeError, "item 0 has rank 1 and item 1 has 2"),
        ({"args": (16, [X, X.astype("i")], 2.0, Y)}, TypeError, "item 0 has dtype float32 and item 1 has int32"),
        ({"args": (16, "x", 2.0, Y)}, TypeError, r"parameter 1 \(`x`\) is 'x'"),
        ({"args": (16, X, 2**31, Y)}, OverflowError, r"parameter 2 \(`s`\)"),
        ({"args": (16, X[::-1], 2.0, Y)}, ValueError, "negative stride"),
        ({"args": (16, X, 2.0, np.broadcast_to(Y[:1], (48,)))}, ValueError, r"writes to parameter 3 \(`y`\).*read-only"),
    ],
)
@pytest.mark.parametrize("backend", ["host", "interpret"])
def test_launches(options, error, words, backend):
    for _ in range(2):  # the same again
        with pytest.raises(error, match=words) as caught:
            launch(**{"backend": backend, **options})
        assert isinstance(caught.value, Tile2cppError)
    assert (X == 1).all() and (Y == 0).all()


def test_a_mistake_does_not_begin_with_one_of_ours():
    """A traceback shows it alone, not "during handling of" a look-up that failed."""
    with pytest.raises(TypeError) as caught:
        kernels.scaled[(3,)]()
    assert caught.value.__context__ is None


def test_arguments_have_no_names():
    with pytest.raises(TypeError, match="y was given by name"):
        kernels.scaled[(3,)](16, X, 2.0, y=Y)


class ThroughDlpack:
    """An array that only offers DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_through_dlpack():
    y = np.zeros(48, "f")
    launch(args=(16, ThroughDlpack(X), 2.0, y))
    assert (y == 2).all()


class Tensor:
    """A torch tensor on the CPU, as far as a launch reads it."""

    shape, device = (48,), type("D", (), {"type": "cpu", "index": None})()
    dtype = X.dtype
    data_ptr = lambda self: X.ctypes.data  # noqa: E731
    stride = lambda self: (1,)  # noqa: E731
    is_neg = lambda self: False  # noqa: E731
    element_size = lambda self: 4  # noqa: E731


def test_tensors_on_the_cpu_say_what_to_do():
    with pytest.raises(ValueError, match=r"parameter 1 \(`x`\) is a tensor on the CPU") as caught:
        launch(args=(16, Tensor(), 2.0, Y))
    assert "x.cuda()" in str(caught.value) and "x.numpy()" in str(caught.value)


def test_tensors_that_require_gradients_are_read_like_others():
    """Inside torch.autograd.Function the inputs still say so, and kernels are launched on them."""
    tensor = Tensor()
    tensor.requires_grad = True
    assert arrays.memory(tensor).shape == (48,)


def test_read_only_arrays_may_be_read():
    y = np.zeros(48, "f")
    launch(args=(16, np.broadcast_to(X[:1], (48,)), 2.0, y))
    assert (y == 2).all()


def test_floats_too_large_for_their_width_become_infinite():
    y = np.zeros(48, "f")
    for _ in range(2):
        launch(args=(16, X, 1e300, y))
        assert np.isposinf(y).all()


@pytest.mark.parametrize("number, error", [(7, None), (2**40, OverflowError)])
def test_integers_are_checked_on_later_launches_too(number, error):
    y = np.zeros(48, "i")
    launch(args=(16, X.astype("i"), 2, y))
    if error is None:
        launch(args=(16, X.astype("i"), number, y))
        assert (y == number).all()
    else:
        with pytest.raises(error, match="`s`"):
            launch(args=(16, X.astype("i"), number, y))


@pytest.mark.parametrize("scalar", [np.float16(2), np.float32(2), np.int8(2), np.uint64(2), np.bool_(True)])
def test_numpy_scalars_keep_their_dtype(scalar):
    dtype = scalar.dtype
    y = np.zeros(48, dtype)
    launch(args=(16, X.astype(dtype), scalar, y)) if dtype.kind != "b" else None
    assert (y == (2 if dtype.kind != "b" else 0)).all()
    assert f"s: {dict(f='f', i='i', u='u', b='bool')[dtype.kind]}" in str(kernels.scaled.signature_of((16, X, scalar, y)))


@pytest.mark.parametrize("grid", [(0,), (1, 0, 2)])
def test_empty_grids_launch_nothing_but_are_checked(grid):
    y = np.zeros(48, "f")
    launch(grid=grid, args=(16, X, 2.0, y))
    assert (y == 0).all()
    with pytest.raises(TypeError):
        launch(grid=grid, args=(16, X, "s", y))


def test_empty_arrays_are_fine():
    launch(args=(16, X[:0], 2.0, Y[:0]))


def test_backends_say_what_they_lack(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(Tile2cppError, match="needs CuPy") as caught:
        launch(backend="cuda")
    assert "tile2cpp[cuda13]" in str(caught.value)
