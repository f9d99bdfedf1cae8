"""What reaches the driver for arrays on a GPU; `standin_cupy` plays CuPy and driver."""

import ctypes
from types import SimpleNamespace

import kernels_launched as kernels
import numpy as np
import pytest
from standin_cupy import Device, on_gpu

import tile2cpp
from tile2cpp.build import nvrtc
from tile2cpp.errors import Tile2cppError
from tile2cpp.launch.cupy import INVALID_CONTEXT, stream_handle

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed: pip install 'tile2cpp[cuda13]'")


@pytest.fixture
def kernel(gpu):
    """`scaled`; launches on the GPU run its host build with the very same parameters."""
    built = kernels.scaled.compile("T=16, x: f32[?%16], s: f32, y: f32[?%16]")
    run = ctypes.CDLL(str(built.binary))[built.entry]
    run.argtypes = (ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint)
    gpu.run = run
    return tile2cpp.jit(kernels.scaled.__wrapped__)


def vectors(device=0):
    return np.arange(48, dtype="f"), np.zeros(48, "f")


def test_parameters_grid_block_and_stream(gpu, kernel):
    x, y = vectors()
    for scalar in (2.0, 3.0):  # a first launch and a warm one
        kernel[(3,)](16, on_gpu(x), scalar, on_gpu(y))
        np.testing.assert_array_equal(y, x * scalar)
    threads = kernel.compile("T=16, x: f32[?%16], s: f32, y: f32[?%16]", backend="cuda", target=90).facts["schedule"]["threads"]
    for launched in gpu.launches:
        assert launched.grid == (3, 1, 1) and launched.block == (threads, 1, 1) and launched.stream == 77


def test_given_streams(gpu, kernel):
    x, y = map(on_gpu, vectors())
    kernel[(3,), 5](16, x, 2.0, y)
    tile2cpp.launch(SimpleNamespace(cuda_stream=6), (3,), kernel, (16, x, 2.0, y))
    assert [launched.stream for launched in gpu.launches] == [5, 6]


def test_handles_of_streams():
    assert stream_handle(0) == 0 and stream_handle(SimpleNamespace(ptr=9)) == 9
    assert stream_handle(SimpleNamespace(handle=SimpleNamespace(value=None))) == 0
    assert stream_handle(type("S", (), {"__cuda_stream__": lambda self: (0, 12)})()) == 12
    with pytest.raises(TypeError, match="no stream"):
        stream_handle(object())


def test_arrays_decide_the_device(gpu, kernel):
    x, y = vectors()
    kernel[(3,)](16, on_gpu(x, 1), 2.0, on_gpu(y, 1))
    kernel[(3,)](16, on_gpu(x, 0), 2.0, on_gpu(y, 0))
    assert [(launched.device, launched.function) for launched in gpu.launches] == [(1, 1001), (0, 1000)]
    assert Device.current == 0


def test_arrays_on_different_devices_are_named(gpu, kernel):
    x, y = vectors()
    for other, words in ((on_gpu(y, 1), "`x` is on GPU 0 and parameter 3 (`y`) on GPU 1"), (y, "`x` is on GPU 0 and parameter 3 (`y`) on the CPU")):
        with pytest.raises(ValueError) as caught:
            kernel[(3,)](16, on_gpu(x), 2.0, other)
        assert words in str(caught.value)
    assert not gpu.launches


@pytest.mark.parametrize("backend, array, words", [("host", on_gpu, "on a GPU"), ("interpret", on_gpu, "on a GPU"), ("cuda", np.asarray, "on the CPU")])
def test_a_named_backend_needs_arrays_of_its_own(gpu, kernel, backend, array, words):
    x, y = map(array, vectors())
    with pytest.raises(Tile2cppError, match=words):
        tile2cpp.launch(0, (3,), kernel, (16, x, 2.0, y), backend=backend)


def test_an_empty_grid_reaches_no_driver(gpu, kernel):
    x, y = map(on_gpu, vectors())
    kernel[(0,)](16, x, 2.0, y)
    assert not gpu.launches


def test_a_thread_without_a_context_gets_one(gpu, kernel):
    x, y = vectors()
    gpu.codes = [INVALID_CONTEXT]
    kernel[(3,)](16, on_gpu(x), 2.0, on_gpu(y))
    assert len(gpu.launches) == 2 and (y == 2 * x).all()


def test_failures_are_told(gpu, kernel):
    x, y = map(on_gpu, vectors())
    gpu.codes = [1, 1]
    with pytest.raises(ValueError, match="at most 65535 blocks"):
        kernel[(1, 70000)](16, x, 2.0, y)
    with pytest.raises(RuntimeError, match="a sad thing"):
        kernel[(1,)](16, x, 2.0, y)


def test_the_source_is_that_of_the_device(gpu, kernel):
    x, y = map(on_gpu, vectors())
    text = kernel.explain(16, x, 2.0, y)
    assert "sm_90a" in text and "registers" in text and "threads" in text
    assert text.endswith(kernel.source(16, x, 2.0, y))


@pytest.mark.gpu
def test_a_warm_launch_is_cheap():
    """Three arrays; the issue allows 15 us."""
    import time

    import cupy

    x, y = cupy.ones(48, "f"), cupy.zeros(48, "f")
    start = kernels.scaled[(3,)]
    start(16, x, 2.0, y)
    cupy.cuda.Device().synchronize()
    rounds = []
    for _ in range(20):
        begin = time.perf_counter()
        for _ in range(50):
            start(16, x, 2.0, y)
        rounds.append((time.perf_counter() - begin) / 50)
        cupy.cuda.Device().synchronize()
    assert sorted(rounds)[10] < 15e-6
