"""Launches: empty grids, first calls from many threads, devices and streams, wrong arguments."""

import threading
from pathlib import Path

import numpy as np
import pytest
from case import load_module

import tile2cpp

KERNELS = load_module(Path(__file__).parent / "kernels" / "launched.py", "bug_kernels")
REFUSALS = (tile2cpp.Tile2cppError, TypeError, ValueError)

on_cpu = pytest.mark.parametrize("backend", ["interpret", "host"])


@on_cpu
@pytest.mark.parametrize("grid", [(0,), (1, 0, 2)])
@pytest.mark.parametrize("warm", [False, True], ids=["first launch", "later launch"])
def test_empty_grid_runs_no_block(grid, warm, backend):
    """Nothing is written, or the grid is refused; whether or not the kernel ran before."""
    if warm:
        tile2cpp.launch(0, (1,), KERNELS.add_scalar, (np.zeros(4, np.int32), np.zeros(4, np.int32), 1), backend=backend)
    x, out = np.zeros(0, np.int32), np.full(4, 9, np.int32)
    try:
        tile2cpp.launch(0, grid, KERNELS.add_scalar, (x, out, 1), backend=backend)
    except REFUSALS as error:
        assert "grid" in str(error)
    assert (out == 9).all()


@pytest.mark.parametrize("backend", ["interpret", "host"])
def test_first_launch_from_many_threads(backend):
    """16 threads, two variants of one kernel, released together."""
    x = np.arange(128, dtype=np.int32)
    sizes = [16 if i % 2 else 8 for i in range(16)]
    outs = [np.zeros(128, np.int32) for _ in sizes]
    gate, failures = threading.Barrier(len(sizes)), []

    def work(n, out):
        try:
            gate.wait()
            tile2cpp.launch(0, (8,), KERNELS.times_own_size, (x, out, n), backend=backend)
        except BaseException as error:  # a thread's failure must reach the test
            failures.append(error)

    threads = [threading.Thread(target=work, args=pair) for pair in zip(sizes, outs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    for n, out in zip(sizes, outs):
        np.testing.assert_array_equal(out, np.where(np.arange(128) < 8 * n, x * n, 0))


@on_cpu
def test_a_changed_global_is_noticed(backend):
    x, out = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    for factor in (2, 5, 2):
        KERNELS.FACTOR = factor
        tile2cpp.launch(0, (1,), KERNELS.times_global, (x, out), backend=backend)
        np.testing.assert_array_equal(out, x * factor)
    KERNELS.FACTOR = 2


WRONG = {
    "too few arguments": ((1,), lambda x: (x,)),
    "too many arguments": ((1,), lambda x: (x, x.copy(), 1)),
    "an argument of no known kind": ((1,), lambda x: (x, "text")),
    "a grid of four": ((1, 1, 1, 1), lambda x: (x, x.copy())),
    "a negative grid": ((-1,), lambda x: (x, x.copy())),
    "a grid that is no tuple": ("11", lambda x: (x, x.copy())),
    "a matrix for a vector": ((1,), lambda x: (x.reshape(4, 4), x.copy())),
    "complex numbers": ((1,), lambda x: (x.astype(complex), x.copy())),
}


@on_cpu
@pytest.mark.parametrize("mistake", WRONG)
def test_wrong_arguments_are_refused(mistake, backend):
    grid, arguments = WRONG[mistake]
    x = np.arange(16, dtype=np.int32)
    with pytest.raises(REFUSALS) as caught:
        tile2cpp.launch(0, grid, KERNELS.plus_one, arguments(x), backend=backend)
    assert str(caught.value).strip()
    np.testing.assert_array_equal(x, np.arange(16))


def test_an_unknown_backend_is_refused():
    with pytest.raises(REFUSALS, match="backend"):
        tile2cpp.launch(0, (1,), KERNELS.plus_one, (np.zeros(16, np.int32),) * 2, backend="no such backend")


@pytest.mark.gpu
def test_streams_graphs_and_devices():
    """The launch follows the given stream and the arrays' device."""
    import cupy

    x, out = cupy.arange(64, dtype="int32"), cupy.zeros(64, "int32")
    tile2cpp.launch(cupy.cuda.get_current_stream(), (4,), KERNELS.plus_one, (x, out))
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        tile2cpp.launch(stream, (4,), KERNELS.plus_one, (x, out))
        graph = stream.end_capture()
    x[...] = cupy.arange(64, dtype="int32") * 3
    cupy.cuda.Device().synchronize()
    graph.launch(stream)
    stream.synchronize()
    cupy.testing.assert_array_equal(out, x + 1)

    if cupy.cuda.runtime.getDeviceCount() > 1:
        with cupy.cuda.Device(1):
            far, far_out = cupy.arange(64, dtype="int32"), cupy.zeros(64, "int32")
        KERNELS.plus_one[(4,)](far, far_out)
        with cupy.cuda.Device(1):
            cupy.testing.assert_array_equal(far_out, far + 1)
        with pytest.raises(REFUSALS):
            KERNELS.plus_one[(4,)](x, far_out)
