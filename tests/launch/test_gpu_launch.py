"""What reaches the driver for arrays on a GPU; `standin_cupy` plays CuPy and driver."""

import ctypes
from dataclasses import replace
from types import SimpleNamespace

import kernels_launched as kernels
import kernels_parameters as parameters
import numpy as np
import pytest
from standin_cupy import Device, on_gpu

import tile2cpp
from tile2cpp import schedule as pipeline_schedule
from tile2cpp.build import nvrtc
from tile2cpp.errors import Tile2cppError
from tile2cpp.launch import cupy as launch_cupy
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


def test_tables_of_lists_are_uploaded_once_for_each_stream(gpu):
    built = parameters.sum_list.compile("xs: [f32[?%16]], y: f32[?%16], T=16")
    run = ctypes.CDLL(str(built.binary))[built.entry]
    run.argtypes = (ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint)
    gpu.run = run
    kernel = tile2cpp.jit(parameters.sum_list.__wrapped__)
    xs, y = [np.full(48, i, "f") for i in range(3)], np.zeros(48, "f")
    on_device, more = [on_gpu(x) for x in xs], [on_gpu(x) for x in reversed(xs)]
    for stream, arrays, want in ((5, on_device, 1), (5, on_device, 1), (6, on_device, 1), (5, more, 3)):
        y[:] = 0
        kernel[(3,), stream](arrays, on_gpu(y), 16)
        assert (y == want).all()
    assert [stream for _, stream in gpu.uploads] == [5, 6, 5]


def test_programmatic_dependent_launches(gpu, kernel, monkeypatch):
    x, y = vectors()
    for _ in range(2):
        y[:] = 0
        tile2cpp.launch(9, (3,), kernel, (16, on_gpu(x), 2.0, on_gpu(y)), programmatic_dependent_launch=True)
        assert (y == 2 * x).all()
    assert [(launched.stream, launched.attributes) for launched in gpu.launches] == [(9, (6, 1))] * 2
    monkeypatch.setattr(Device, "compute_capability", "80")
    launch_cupy.capability.cache_clear()
    tile2cpp.launch(9, (3,), kernel, (16, on_gpu(x), 2.0, on_gpu(y)), programmatic_dependent_launch=True)
    assert gpu.launches[-1].attributes == ()


@pytest.mark.parametrize("backend", ["host", "interpret"])
def test_dependent_launches_on_the_cpu_are_plain_ones(backend):
    x, y = vectors()
    tile2cpp.launch(0, (3,), kernels.scaled, (16, x, 2.0, y), backend=backend, programmatic_dependent_launch=True)
    assert (y == 2 * x).all()


def test_dynamic_shared_memory(gpu, kernel, monkeypatch):
    x, y = vectors()
    choose = pipeline_schedule.choose
    monkeypatch.setattr(pipeline_schedule, "choose", lambda *args: replace(choose(*args), shared=100_000))
    kernel[(3,)](16, on_gpu(x), 2.0, on_gpu(y))
    assert gpu.launches[-1].shared == 100_000 and gpu.attributes == [(1000, 8, 100_000)]


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
    """Two arrays and a number; 15 us are what it may take."""
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


@pytest.mark.gpu
def test_a_warm_launch_can_be_captured():
    """In a graph no memory may be allocated, no module loaded and nothing waited for."""
    import cupy

    x, y, z = cupy.arange(48, dtype="f"), cupy.zeros(48, "f"), cupy.zeros(48, "f")
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        kernels.scaled[(3,)](16, x, 2.0, y)
        parameters.sum_list[(3,)]([x, y, x], z, 16)
        stream.begin_capture()
        kernels.scaled[(3,)](16, x, 2.0, y)
        parameters.sum_list[(3,)]([x, y, x], z, 16)
        graph = stream.end_capture()
        y[:] = 0
        z[:] = 0
        graph.launch()
    stream.synchronize()
    assert (y == 2 * x).all() and (z == 3 * x).all()


@pytest.mark.gpu
def test_streams_threads_and_dependent_launches():
    import threading

    import cupy

    def work(number):
        with cupy.cuda.Stream(non_blocking=True) as stream:
            x, y = cupy.full(48, number, "f"), cupy.zeros(48, "f")
            for factor in range(1, 20):
                tile2cpp.launch(stream, (3,), kernels.scaled, (16, x, float(factor), y), programmatic_dependent_launch=factor % 2 == 0)
                stream.synchronize()
                if not (y == number * factor).all():
                    failures.append((number, factor))

    failures = []
    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.gpu
@pytest.mark.parametrize("backend", ["cuda"])
def test_tuples_lists_and_annotations_on_a_gpu(backend):
    import cupy

    x, y = cupy.arange(40, dtype="f"), cupy.zeros(40, "f")
    parameters.add_pair[(3,)]((x, 2.0), y, 16)
    assert (y == x * 2 + 2).all()
    parameters.nested[(1,)](((16, 3.0), x), y)
    assert (y[:16] == x[:16] * 3).all()
    xs = [x, cupy.arange(80, dtype="f")[::2], cupy.arange(17, dtype="f")]
    parameters.sum_list[(3,)](xs, y, 16)
    assert (y == x + xs[1]).all()
    ys = [cupy.zeros(20, "f"), cupy.zeros(33, "f")]
    parameters.fill_list[(3, 2)](ys, 2.0, 16)
    assert (ys[0] == 22).all() and (ys[1] == 35).all()
    wide = cupy.zeros(1, "int64")
    parameters.wide_indices[(1,)](x, 2**40, wide)
    assert wide[0] == 2**40 + 40
    half = cupy.zeros((3, 2**30 + 16), "float16")[:, :64]
    half[-1] = cupy.arange(64)
    corner = cupy.zeros((2, 16), "float16")
    parameters.far_corner[(1,)](half, corner)
    assert (corner == half[-1, :16]).all()


@pytest.mark.gpu
def test_every_gpu_of_the_machine():
    import cupy

    for device in range(cupy.cuda.runtime.getDeviceCount()):
        with cupy.cuda.Device(device):
            x, y = cupy.arange(48, dtype="f"), cupy.zeros(48, "f")
        kernels.scaled[(3,)](16, x, 2.0, y)  # whichever GPU is current
        with cupy.cuda.Device(device):
            assert (y == 2 * x).all()
