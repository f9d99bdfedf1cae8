"""The ways to call a kernel, and what a kernel object offers besides."""

import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

import tile2cpp  # noqa: E402
import tile2cpp.lang as ct  # noqa: E402
from tile2cpp.build import nvrtc  # noqa: E402


@tile2cpp.jit("x: f32[?], y: f32[?], total: f32[?], TILE=64")
def vector_add(x, y, total, TILE: ct.Constant[int]):
    i = ct.bid(0)
    # A comment that the emitted file keeps.
    ct.store(total, (i,), ct.load(x, (i,), (TILE,)) + ct.load(y, (i,), (TILE,)))


@ct.kernel
def without_signature(x, y, total, TILE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(total, (i,), ct.load(x, (i,), (TILE,)) + ct.load(y, (i,), (TILE,)))


@ct.kernel
def nx(x, y, z, arguments, nz, out):
    ct.scatter(out, ct.bid(0), x + y * 10 + z * 100 + arguments * 1000 + nz * 10000)


@ct.kernel
def z(z, ny, out):
    ct.scatter(out, ct.bid(0), z * 10 + ny)


@pytest.fixture
def vectors():
    rng = np.random.default_rng(3)
    x, y = rng.random(200, np.float32), rng.random(200, np.float32)
    return x, y, np.zeros_like(x)


CALLS = {
    "subscript": lambda kernel, args: kernel[(4,)](*args),
    "subscript with stream": lambda kernel, args: kernel[(4,), 0](*args),
    "cuTile's launch": lambda kernel, args: ct.launch(0, (4,), kernel, args),
    "three-part grid": lambda kernel, args: ct.launch(0, (4, 1, 1), kernel, args),
    "named backend": lambda kernel, args: tile2cpp.launch(0, (4,), kernel, args, backend="interpret"),
    "after pickling": lambda kernel, args: pickle.loads(pickle.dumps(kernel))[(4,)](*args),
    "with other hints": lambda kernel, args: kernel.replace_hints(occupancy=4)[(4,)](*args),
}


@pytest.mark.parametrize("how", CALLS)
@pytest.mark.parametrize("kernel", [vector_add, without_signature], ids=["jit", "kernel"])
def test_every_way_to_call(kernel, how, vectors):
    x, y, total = vectors
    CALLS[how](kernel, (x, y, total, 64))
    np.testing.assert_array_equal(total, x + y)


@pytest.mark.parametrize("kernel, numbers, expected", [(nx, (1, 2, 3, 4, 5), 54321), (z, (4, 2), 42)], ids=["nx", "z"])
def test_numbers_may_be_called_like_a_part_of_a_grid(kernel, numbers, expected):
    for backend in ("host", "interpret"):
        out = np.zeros(3, np.int32)
        tile2cpp.launch(0, (3,), kernel, (*numbers, out), backend=backend)
        assert out.tolist() == [expected] * 3
    if nvrtc.find() is not None:
        kernel.compile(kernel.signature_of((*numbers, out)), backend="cuda", target=90)


def blockIdx(t):
    return t + 1


def dim3(t):
    return t * 2


@ct.kernel
def threadIdx(x, y):
    ct.store(y, (ct.bid(0),), dim3(blockIdx(ct.load(x, (ct.bid(0),), (64,)))))


@ct.kernel
def normcdff(x, y):
    ct.store(y, (ct.bid(0),), dim3(blockIdx(ct.load(x, (ct.bid(0),), (64,)))))


@pytest.mark.parametrize("kernel", [threadIdx, normcdff], ids=["threadIdx", "normcdff"])
def test_functions_may_be_called_like_what_cuda_has_everywhere(kernel):
    x, y = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
    tile2cpp.launch(0, (2,), kernel, (x, y), backend="host")
    np.testing.assert_array_equal(y, (x + 1) * 2)
    if nvrtc.find() is not None:
        kernel.compile(kernel.signature_of((x, y)), backend="cuda", target=90)


def test_source_is_the_reviewed_file(vectors):
    text = vector_add.source(*vectors, 64)
    assert "#include <cuda_tile.h>" in text
    assert "__tile_global__ void vector_add(" in text
    assert "// A comment that the emitted file keeps." in text
    assert vector_add.source(*vectors, 64) == text
    assert vector_add.source(*vectors, 32) != text


def test_one_kernel_serves_many_dtypes(vectors):
    for dtype in ("float16", "float64", "int32", "uint8"):
        x, y = (np.arange(200).astype(dtype) for _ in range(2))
        total = np.zeros_like(x)
        without_signature[(4,)](x, y, total, 64)
        np.testing.assert_array_equal(total, x + y)


def test_an_untouched_function_remains():
    assert vector_add.__wrapped__.__name__ == "vector_add"
    assert isinstance(vector_add, ct.kernel)


def test_calling_without_a_grid_is_refused(vectors):
    with pytest.raises(TypeError):
        vector_add(*vectors, 64)


def test_a_plain_function_is_no_kernel(vectors):
    with pytest.raises((TypeError, tile2cpp.Tile2cppError)):
        ct.launch(0, (4,), vector_add.__wrapped__, (*vectors, 64))


def test_ops_outside_of_a_kernel_say_so():
    with pytest.raises(Exception, match="only available inside a kernel"):
        ct.mma(1, 2, 3)


def test_the_host_may_divide_up():
    assert ct.cdiv(10, 4) == 3


def test_programs_written_for_cutile_find_the_language():
    tile2cpp.install_as_cuda_tile()
    import cuda.tile

    assert cuda.tile.load is ct.load and cuda.tile.kernel is ct.kernel
