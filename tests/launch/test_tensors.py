"""Launches on tensors of torch: which of them the quick ways take, in Python and in C++, and on which stream."""

import sys
from types import SimpleNamespace

import kernels_launched as kernels
import numpy as np
import pytest
import standin_cupy
import standin_torch
from standin_cupy import host_of, vector

import tile2cpp
from tile2cpp.build import nvrtc
from tile2cpp.launch import entries, tensors
from tile2cpp.signature import ArgumentTypeError, arrays

needs_nvrtc = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed: pip install 'tile2cpp[cuda13]'")
WAYS = ("Python", "C++, asked", "C++, described")


@pytest.fixture(params=WAYS)
def way(request):
    """The same tests for the quick way in Python, and for both in C++."""
    if request.param != "Python":
        request.getfixturevalue("in_cpp")
    return request.param


@pytest.fixture
def streams():
    """torch's current ones, by device."""
    return {0: 31, 1: 32}


@pytest.fixture
def torch(gpu, monkeypatch, streams, way):
    gpu.run = host_of(kernels.scaled, "T=16, x: f32[?%16], s: f32, y: f32[?%16]")
    module = standin_torch.make(streams, way == "C++, described")
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


@pytest.fixture
def kernel(torch):
    return tile2cpp.jit(kernels.scaled.__wrapped__)


def tensor(array=None, device=0, **facts):
    return standin_torch.on_gpu(sys.modules["torch"], vector() if array is None else array, device, **facts)


@needs_nvrtc
def test_the_second_launch_is_quick_and_right(gpu, kernel, streams, way, ways):
    x, y = vector(), vector()
    for scalar in (2.0, 3.0, 4.0):
        kernel[(3,)](16, tensor(x), scalar, tensor(y))
        np.testing.assert_array_equal(y, x * scalar)
    streams[0] = 33
    kernel[(3,)](16, tensor(x), 5.0, tensor(y))
    assert ways == ["scaled"] and [launched.stream for launched in gpu.launches] == [31, 31, 31, 33]
    assert kernel._swift((3,), None, (16, tensor(x), 6.0, tensor(y))) is (True if way != "Python" else None)


@needs_nvrtc
def test_tensors_that_describe_themselves_are_not_asked(kernel, way):
    x, y = tensor(), tensor()
    kernel[(3,)](16, x, 2.0, y)
    x.asked.clear()
    kernel[(3,)](16, x, 3.0, y)
    assert bool(x.asked) is (way != "C++, described")


@needs_nvrtc
def test_signs_that_are_not_in_memory_are_refused(gpu, kernel, ways):
    """As those of `x.conj().imag`. Whatever could be like it is asked each time."""
    gpu.run = None
    parts = vector(96)[::2]
    for scalar in (2.0, 3.0):
        kernel[(3,)](16, tensor(parts), scalar, tensor(vector(48)))
    assert ways == ["scaled", "scaled"]
    negative = tensor(parts)
    negative.is_neg = lambda: True
    with pytest.raises(ArgumentTypeError, match=r"sign is not in its memory") as caught:
        kernel[(3,)](16, negative, 4.0, tensor(vector(48)))
    assert "resolve_neg()" in str(caught.value) and len(gpu.launches) == 2


@needs_nvrtc
@pytest.mark.parametrize("parts", [vector(96)[1::2, None], vector(96)[None, 1::2, None], vector(96)[1:2], vector(96)[1:2].reshape(1, 1), vector(96)[1:2].reshape(())], ids=np.shape)
def test_axes_of_one_element_hide_no_sign(described, parts):
    """torch gives an axis that is put behind the others a step of one: as in `x.conj().imag[:, None]`."""
    negative = described(parts)
    negative.stride = lambda: tuple(1 if extent == 1 else 2 for extent in parts.shape)
    assert tensors.argument(negative, 0, []) is None
    negative.is_neg = lambda: True
    with pytest.raises(ArgumentTypeError, match=r"sign is not in its memory"):
        arrays.memory(negative)


def test_one_element_that_is_no_imaginary_part(described):
    assert kind_of_argument(described(vector(96)[2:3])) == entries.TENSOR


class Other:
    """A name for a test, arguments that differ in one thing, and whether they are those of the same launch."""

    def __init__(self, name, make, same=False):
        self.name, self.make, self.same = name, make, same


OTHERS = [
    Other("other addresses", lambda: (16, tensor(), 2.0, tensor()), True),
    Other("another number", lambda: (16, tensor(), 7.5, tensor()), True),
    Other("gradients", lambda: (16, tensor(requires_grad=True), 7.5, tensor()), True),
    Other("an int", lambda: (16, tensor(), 2, tensor())),
    Other("another constant", lambda: (8, tensor(), 2.0, tensor())),
    Other("another size", lambda: (16, tensor(vector(32)), 2.0, tensor())),
    Other("another rank", lambda: (16, tensor(vector().reshape(48, 1)), 2.0, tensor())),
    Other("strides", lambda: (16, tensor(vector(96)[::2]), 2.0, tensor())),
    Other("no strides", lambda: (16, tensor(np.broadcast_to(vector()[:1], 48)), 2.0, tensor())),
    Other("an odd address", lambda: (16, tensor(vector(offset=1)), 2.0, tensor())),
    Other("integers", lambda: (16, tensor(vector().astype("i")), 2.0, tensor())),
    Other("halves", lambda: (16, tensor(vector().astype("f2")), 2.0, tensor())),
    Other("another GPU", lambda: (16, tensor(device=1), 2.0, tensor(device=1))),
    Other("two GPUs", lambda: (16, tensor(device=1), 2.0, tensor())),
    Other("the CPU", lambda: (16, tensor(device=-1), 2.0, tensor())),
    Other("too few", lambda: (16, tensor(), 2.0)),
    Other("an array of CuPy", lambda: (16, standin_cupy.on_gpu(vector()), 2.0, tensor())),
    Other("a parameter", lambda: (16, sys.modules["torch"].nn.Parameter(vector()), 2.0, tensor())),
    Other("another class", lambda: (16, type("Wrapped", (sys.modules["torch"].Tensor,), {})(vector()), 2.0, tensor())),
]


@needs_nvrtc
@pytest.mark.parametrize("other", OTHERS, ids=lambda other: other.name)
def test_only_the_same_launch_is_quick(gpu, kernel, ways, other):
    gpu.run = None
    kernel[(3,)](16, tensor(), 2.0, tensor())
    ways.clear()
    args = other.make()
    assert kernel._swift((1,), None, args) in (other.same, None)
    try:
        kernel[(1,)](*args)
    except tile2cpp.Tile2cppError:
        assert not other.same
    assert ways == ([] if other.same else ["scaled"])


@needs_nvrtc
def test_shapes_of_two_axes(gpu, torch, ways):
    gpu.run, data = None, vector(64)
    kernel = tile2cpp.jit(kernels.wide_rows.__wrapped__)
    shaped = {rows: (tensor(data.reshape(rows, -1)), tensor(data.reshape(rows, -1))) for rows in (4, 8)}
    for rows in (4, 8, 4, 8, 4):
        kernel[(1,)](*shaped[rows], 64)
    kernel[(1,)](tensor(data.reshape(8, 8).T), shaped[8][1], 64)
    assert len(ways) == 3


@needs_nvrtc
def test_parameters_are_quick_too(gpu, kernel, torch, way, ways):
    x, y = torch.nn.Parameter(vector(), requires_grad=True), tensor()
    for _ in range(3):
        kernel[(3,)](16, x, 2.0, y)
    assert len(ways) == 1 and kernel._swift((3,), None, (16, x, 2.0, y)) is (True if way != "Python" else None)


@needs_nvrtc
def test_classes_of_their_own_stay_in_python(gpu, kernel, torch, way, ways):
    """Their attributes may be other ones than torch's."""
    x, y = type("Wrapped", (torch.Tensor,), {})(vector()), tensor()
    for _ in range(3):
        kernel[(3,)](16, x, 2.0, y)
    assert len(ways) == 1 and kernel._swift((3,), None, (16, x, 2.0, y)) in (False, None)


@needs_nvrtc
def test_a_tensor_that_cannot_be_described(kernel):
    """As those without memory: no error is left behind, and the general way says what is wrong."""
    x, y = tensor(), tensor()
    kernel[(3,)](16, x, 2.0, y)
    broken = tensor()
    broken.has_memory = False
    assert kernel._swift((3,), None, (16, broken, 2.0, y)) in (False, None)
    with pytest.raises(RuntimeError, match="without memory"):
        kernel[(3,)](16, broken, 2.0, y)


@needs_nvrtc
def test_where_no_stream_is_known(kernel, streams):
    x, y = tensor(), tensor()
    kernel[(3,)](16, x, 2.0, y)
    streams.clear()
    assert kernel._swift((3,), None, (16, x, 2.0, y)) in (False, None)
    with pytest.raises(KeyError):
        kernel[(3,)](16, x, 2.0, y)


@needs_nvrtc
def test_nothing_is_kept(kernel):
    x, y = tensor(), tensor()
    kernel[(3,)](16, x, 2.0, y)
    watched = (x, y, x.dtype, type(x), standin_torch.Size)
    before = [sys.getrefcount(one) for one in watched]
    for _ in range(200):
        kernel[(3,)](16, x, 2.0, y)
    after = [sys.getrefcount(one) for one in watched]
    assert all(abs(a - b) < 100 for a, b in zip(before, after))


@needs_nvrtc
def test_streams_that_are_named(gpu, kernel):
    x, y = tensor(), tensor()
    kernel[(3,)](16, x, 2.0, y)
    swift, args = kernel._swift, (16, x, 2.0, y)
    for stream in (5, SimpleNamespace(cuda_stream=6), standin_cupy.ExternalStream(7), 0):
        tile2cpp.launch(stream, (3,), kernel, args)
        kernel[(3,), stream](*args)
        assert swift((3,), stream, args) in (True, None)
    per_stream = len(gpu.launches[1:]) // 4
    assert [launched.stream for launched in gpu.launches[1:]] == [s for s in (5, 6, 7, 0) for _ in range(per_stream)]
    with pytest.raises(TypeError, match="is no stream"):
        tile2cpp.launch(object(), (3,), kernel, args)


@needs_nvrtc
def test_the_gpu_has_to_be_the_current_one(gpu, kernel, ways):
    x, y = tensor(device=1), tensor(device=1)
    for _ in range(2):
        kernel[(3,)](16, x, 2.0, y)
    assert [(launched.device, launched.stream) for launched in gpu.launches] == [(1, 32)] * 2 and len(ways) == 2  # by the general way, since GPU 0 is the current one
    standin_cupy.Device.current = 1
    kernel[(3,)](16, x, 2.0, y)
    assert len(ways) == 2 and gpu.launches[-1].stream == 32


# --- the table of functions


@pytest.fixture
def described(monkeypatch):
    """A class of tensors with a table, and the argument that is made for a tensor of it."""
    module = standin_torch.make({0: 31}, True)
    monkeypatch.setitem(sys.modules, "torch", module)
    return module.Tensor


def kind_of_argument(tensor):
    return tensors.argument(tensor, 0, []).what


def test_a_tensor_is_described_where_that_agrees_with_its_attributes(described):
    assert kind_of_argument(described(vector())) == entries.TENSOR
    assert kind_of_argument(described(np.zeros((3, 5), "f"))) == entries.TENSOR
    for attribute, value in (("stride", lambda self: (3,)), ("data_ptr", lambda self: 16), ("shape", (47,)), ("device", standin_torch.Device("cuda", 1))):
        lying = type("Lying", (described,), {})(vector())
        setattr(type(lying), attribute, value)
        assert kind_of_argument(lying) == entries.ASKED_TENSOR, attribute


def test_tables_that_are_not_known(described):
    known = tensors.exchange(described)
    assert known.major == 1 and known.describe and known.stream_of
    for facts in ({"major": 2}, {"major": 1}, {"major": 1, "describe": known.describe}):
        table = tensors.Exchange(**facts)
        described.__dlpack_c_exchange_api__ = standin_torch.capsule(table)
        assert tensors.exchange(described) is None and kind_of_argument(described(vector())) == entries.ASKED_TENSOR
    for other in (None, 5, standin_torch.capsule(known, b"another")):
        described.__dlpack_c_exchange_api__ = other
        assert tensors.exchange(described) is None


def test_real_tensors_describe_themselves_as_their_attributes_do():
    torch = pytest.importorskip("torch")
    table = tensors.exchange(torch.Tensor)
    if table is None:
        pytest.skip("this torch is older than the table")
    for made in (torch.zeros(3, 4), torch.zeros(3, 4).T, torch.zeros(8, dtype=torch.bfloat16)[::2], torch.zeros((), dtype=torch.int64), torch.zeros(0, 3)):
        said = tensors.dlpack.Tensor()
        assert tensors.DESCRIBE(table.describe)(made, said) == 0
        rank, memory = made.dim(), arrays.memory(made)
        assert (said.data or 0) + said.byte_offset == memory.address and said.bits == 8 * made.element_size()
        assert (said.device_type, said.device_id) == (tensors.dlpack.CPU, 0)
        assert (tuple(said.shape[:rank]), tuple(said.strides[:rank])) == (tuple(made.shape), made.stride()) if rank else said.ndim == 0
    with pytest.raises(RuntimeError):
        tensors.DESCRIBE(table.describe)(torch.eye(3).to_sparse(), said)


@pytest.mark.gpu
@pytest.mark.parametrize("table", [True, False])
def test_real_tensors_on_their_stream(in_cpp, monkeypatch, table):
    import torch

    if not table:
        monkeypatch.setattr(tensors, "exchange", lambda kind: None)
    elif tensors.exchange(torch.Tensor) is None:
        pytest.skip("this torch is older than the table")
    kernel, side = tile2cpp.jit(kernels.scaled.__wrapped__), torch.cuda.Stream()
    x, y = torch.arange(48.0, device="cuda"), torch.zeros(48, device="cuda")
    kernel[(3,)](16, x, 2.0, y)
    for scalar, size in ((3.0, 48), (4.0, 48)):
        z = torch.zeros(size, device="cuda")
        assert kernel._swift((3,), None, (16, x, scalar, z)) and (z == scalar * x).all()
    assert kernel._swift((3,), None, (16, torch.nn.Parameter(x), 5.0, z)) is False  # another class, prepared by the general way
    kernel[(3,)](16, torch.nn.Parameter(x), 5.0, z)
    assert kernel._swift((3,), None, (16, torch.nn.Parameter(x), 6.0, z)) and (z == 6 * x).all()
    for other in (x.double(), x[:32], x[1:], x.cpu(), torch.arange(96.0, device="cuda")[::2]):
        assert kernel._swift((2,), None, (16, other, 2.0, z)) is False
    torch.cuda.synchronize()
    with torch.cuda.stream(side):  # behind a long wait there; elsewhere the launch would be done before the numbers change
        late = x.clone()
        torch.cuda._sleep(200_000_000)
        late += 1
        assert kernel._swift((3,), None, (16, late, 2.0, z))
    side.synchronize()
    assert (z == 2 * (x + 1)).all()
    assert kernel._swift((3,), side, (16, late, 3.0, z))
    side.synchronize()
    assert (z == 3 * (x + 1)).all()


@pytest.mark.gpu
@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_real_matrices_at_changing_addresses(in_cpp, library):
    """More of them than descriptors are remembered."""
    import cupy
    import torch

    kernel, made = tile2cpp.jit(kernels.product.__wrapped__), []
    for number in range(14):
        x, y = (torch.randn(256, 256, device="cuda", dtype=torch.float16) for _ in range(2))
        z = torch.zeros_like(x)
        wanted, args = x.float() @ y.float(), (x, y, z)
        torch.cuda.synchronize()
        given = (*(args if library == "torch" else map(cupy.asarray, args)), 64)
        if number:
            assert kernel._swift((4, 4), None, given)
        else:
            kernel[(4, 4)](*given)
        made.append((z, wanted, given))
    cupy.cuda.Device().synchronize()
    assert kernel._table._entries[0]._data.map_count == 2 or torch.cuda.get_device_capability() < (9, 0)
    for z, wanted, _ in made:
        assert (z.float() - wanted).norm() < 1e-3 * wanted.norm()


@pytest.mark.gpu
def test_real_tensors_in_a_graph(in_cpp):
    """The stream that is captured is torch's current one; later launches of the graph are with the same addresses."""
    import torch

    kernel, x, y = tile2cpp.jit(kernels.scaled.__wrapped__), torch.arange(48.0, device="cuda"), torch.zeros(48, device="cuda")
    kernel[(3,)](16, x, 2.0, y)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        assert kernel._swift((3,), None, (16, x, 3.0, y))
    torch.cuda.synchronize()
    assert (y == 2 * x).all()
    graph.replay()
    torch.cuda.synchronize()
    assert (y == 3 * x).all()
