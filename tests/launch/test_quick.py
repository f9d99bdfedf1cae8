"""The quick ways, in Python and in C++, take the launches that are just like an earlier one, and no others."""

import itertools
import sys
import threading

import kernels_launched as kernels
import numpy as np
import pytest
import standin_cupy
from standin_cupy import host_of, on_gpu, vector

import tile2cpp
from tile2cpp.build import nvrtc

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed: pip install 'tile2cpp[cuda13]'")


@pytest.fixture(autouse=True, params=["Python", "C++"])
def language(request):
    """The same tests for both quick ways."""
    if request.param == "C++":
        request.getfixturevalue("in_cpp")
    return request.param


@pytest.fixture
def kernel(gpu):
    gpu.run = host_of(kernels.scaled, "T=16, x: f32[?%16], s: f32, y: f32[?%16]")
    return tile2cpp.jit(kernels.scaled.__wrapped__)


def test_the_second_launch_is_quick_and_right(gpu, kernel, ways):
    x, y = vector(), vector()
    for scalar in (2.0, 3.0, 4.0):
        kernel[(3,)](16, on_gpu(x), scalar, on_gpu(y))
        np.testing.assert_array_equal(y, x * scalar)
    assert ways == ["scaled"] and len(gpu.launches) == 3
    assert {(launched.grid, launched.block, launched.stream) for launched in gpu.launches} == {((3, 1, 1), gpu.launches[0].block, 77)}


def test_every_launch_has_its_own_grid_and_stream(gpu, kernel, ways):
    x, y = on_gpu(vector()), on_gpu(vector())
    for _ in range(2):
        kernel[(3,)](16, x, 2.0, y)
        kernel[(2, 1), 5](16, x, 2.0, y)
        tile2cpp.launch(6, (1,), kernel, (16, x, 2.0, y))
        kernel[(0,)](16, x, 2.0, y)
    assert [(launched.grid, launched.stream) for launched in gpu.launches] == [((3, 1, 1), 77), ((2, 1, 1), 5), ((1, 1, 1), 6)] * 2
    assert len(ways) == 3  # the first, and those of an empty grid


def other_arguments():
    """Arguments that differ in one thing from `(16, vector, 2.0, vector)`, and whether they are those of the same launch."""
    x, y = vector(), vector()
    yield "other addresses", (16, on_gpu(vector()), 2.0, on_gpu(vector())), True
    yield "another number", (16, on_gpu(x), 7.5, on_gpu(y)), True
    yield "an int", (16, on_gpu(x), 2, on_gpu(y)), False
    yield "another constant", (8, on_gpu(x), 2.0, on_gpu(y)), False
    yield "a constant of another type", (True, on_gpu(x), 2.0, on_gpu(y)), False
    yield "another size", (16, on_gpu(vector(32)), 2.0, on_gpu(y)), False
    yield "another rank", (16, on_gpu(x.reshape(48, 1)), 2.0, on_gpu(y)), False
    yield "strides", (16, on_gpu(vector(96)[::2]), 2.0, on_gpu(y)), False
    yield "an odd address", (16, on_gpu(vector(offset=1)), 2.0, on_gpu(y)), False
    yield "another dtype", (16, on_gpu(x.astype("f2")), 2.0, on_gpu(y)), False
    yield "another GPU", (16, on_gpu(x, 1), 2.0, on_gpu(y, 1)), False
    yield "too few", (16, on_gpu(x), 2.0), False
    yield "the CPU", (16, x, 2.0, y), False


OTHERS = list(other_arguments())


@pytest.mark.parametrize("number", range(len(OTHERS)), ids=[name for name, *_ in OTHERS])
def test_only_the_same_launch_is_quick(gpu, kernel, ways, number):
    _, args, same = OTHERS[number]
    gpu.run = None
    kernel[(3,)](16, on_gpu(vector()), 2.0, on_gpu(vector()))
    ways.clear()
    try:
        kernel[(1,)](*args)
    except tile2cpp.Tile2cppError:
        assert not same
    assert ways == ([] if same else ["scaled"])


def test_names_and_backends_take_the_general_way(gpu, kernel, ways):
    x, y = on_gpu(vector()), on_gpu(vector())
    kernel[(3,)](16, x, 2.0, y)
    with pytest.raises(TypeError, match="have no names"):
        kernel[(3,)](16, x, 2.0, y=y)
    tile2cpp.launch(0, (3,), kernel, (16, x, 2.0, y), backend="cuda")
    tile2cpp.launch(0, (3,), kernel, (16, x, 2.0, y), programmatic_dependent_launch=True)
    assert len(ways) == 4
    tile2cpp.launch(0, (3,), kernel, (16, x, 2.0, y), backend="cuda")
    kernel[(3,)](16, x, 2.0, y)
    assert len(ways) == 4


def test_numbers_that_do_not_fit_are_told_as_ever(gpu, kernel):
    x, y = on_gpu(vector()), on_gpu(vector())
    kernel[(3,)](16, x, 2, y)
    with pytest.raises(OverflowError, match="2147483648 does not fit into int32"):
        kernel[(3,)](16, x, 2**31, y)
    kernel[(3,)](16, x, 2.0, y)
    kernel[(3,)](16, x, 1e300, y)  # becomes infinite
    assert len(gpu.launches) == 3


def test_a_changed_global_is_noticed(gpu, ways, monkeypatch):
    x, y = vector(16), vector(16)
    kernel = tile2cpp.jit(kernels.times_factor.__wrapped__)
    for factor in (3, 5, 3, 3):
        monkeypatch.setattr(kernels, "FACTOR", factor)
        kernel[(1,)](on_gpu(x), on_gpu(y))
    assert len(ways) == 2  # one for each value: both are remembered
    monkeypatch.delattr(kernels, "FACTOR")
    with pytest.raises(tile2cpp.Tile2cppError, match="FACTOR"):
        kernel[(1,)](on_gpu(x), on_gpu(y))


def test_several_shapes_take_turns(gpu, kernel, ways):
    gpu.run = None
    shapes = [(on_gpu(vector(size)), on_gpu(vector(size))) for size in (16, 32, 48, 64, 80)]
    for _ in range(3):
        for x, y in shapes[:4]:
            kernel[(1,)](16, x, 2.0, y)
    assert len(ways) == 4
    for _ in range(2):
        for x, y in shapes:
            kernel[(1,)](16, x, 2.0, y)
    assert len(gpu.launches) == 3 * 4 + 2 * 5


class OddLength(standin_cupy.ndarray):
    """An array that counts something else than its rows."""

    __module__ = "cupy"

    def __len__(self):
        return 4


@pytest.mark.parametrize("kind", [standin_cupy.ndarray, OddLength])
def test_shapes_of_two_axes(gpu, ways, kind):
    """Those of as many elements differ by their rows."""
    kernel, data = tile2cpp.jit(kernels.wide_rows.__wrapped__), vector(64)
    shaped = {rows: (kind(data.reshape(rows, -1)), kind(data.reshape(rows, -1))) for rows in (4, 8, 16)}
    for rows in (4, 8, 4, 8, 4):
        kernel[(1,)](*shaped[rows], 64)
    kernel[(1,)](shaped[4][0], shaped[8][1], 64)
    kernel[(1,)](shaped[16][0], shaped[4][1], 64)
    assert len(ways) == 4 and len(gpu.launches) == 7


@pytest.mark.parametrize("names", [("type", "a0"), ("p0", "len"), ("launch", "x_1"), ("args", "slot")])
def test_globals_may_be_called_like_names_of_the_quick_way(gpu, ways, tmp_path, names):
    first, second = names
    module = tmp_path / f"named_{first}.py"
    lines = [
        "import tile2cpp.lang as ct", f"{first}, {second} = 2, 5", "@ct.kernel", "def named(x, y):",
        f"    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)) * {first} + {second})",
    ]  # fmt: skip
    module.write_text("\n".join(lines) + "\n")
    scope = {"__name__": module.stem, "__file__": str(module)}
    exec(compile(module.read_text(), str(module), "exec"), scope)
    kernel = scope["named"]
    gpu.run = host_of(kernel, "x: f32[?%16], y: f32[?%16]")
    x, y = vector(), vector()
    for _ in range(3):
        y[:] = 0
        kernel[(3,)](on_gpu(x), on_gpu(y))
        np.testing.assert_array_equal(y, x * 2 + 5)
    assert len(ways) == 1


def test_threads_launch_at_the_same_time(gpu, kernel):
    """Each has a slot of its own: no launch sees the numbers of another."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    wrong = []

    def work(scalar):
        x, y = vector(), vector()
        a, b = on_gpu(x), on_gpu(y)
        for _ in range(200):
            kernel[(3,)](16, a, scalar, b)
            if not (y == x * scalar).all():
                wrong.append(scalar)

    try:
        threads = [threading.Thread(target=work, args=(float(n),)) for n in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong and len(gpu.launches) == 800


def test_one_gpu_needs_no_question_for_the_current_one(gpu, ways, monkeypatch):
    runtime = sys.modules["cupy"].cuda.runtime
    gpu.run = host_of(kernels.scaled, "T=16, x: f32[?%16], s: f32, y: f32[?%16]")
    for count, asked in itertools.product((1, 2), ([],)):
        monkeypatch.setattr(runtime, "getDeviceCount", lambda count=count: count)
        monkeypatch.setattr(runtime, "getDevice", lambda: asked.append(1) or 0)
        kernel = tile2cpp.jit(kernels.scaled.__wrapped__)
        x, y = vector(), vector()
        kernel[(3,)](16, on_gpu(x), 2.0, on_gpu(y))
        asked.clear()
        kernel[(3,)](16, on_gpu(x), 3.0, on_gpu(y))
        assert (y == 3 * x).all() and len(asked) == count - 1


@pytest.mark.gpu
def test_real_arrays_are_quick(ways):
    import cupy
    import torch

    kernel = tile2cpp.jit(kernels.scaled.__wrapped__)
    for x, y in ((cupy.arange(48, dtype="f"), cupy.zeros(48, "f")), (torch.arange(48.0, device="cuda"), torch.zeros(48, device="cuda"))):
        ways.clear()
        for scalar in (2.0, 3.0, 4.0):
            kernel[(3,)](16, x, scalar, y)
            assert (y == x * scalar).all()
        assert len(ways) == 1
