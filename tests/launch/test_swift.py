"""The C++ part of launches: how it is built and arrives, and numbers of every kind."""

import ctypes
import gc
import struct
import sys
import threading
import weakref

import kernels_launched as kernels
import numpy as np
import pytest
import standin_cupy
from standin_cupy import on_gpu

import tile2cpp
from tile2cpp.build import host, nvrtc
from tile2cpp.launch import library, swift
from tile2cpp.launch.packing import FORMATS

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed: pip install 'tile2cpp[cuda13]'")
BUILT_AHEAD = library.build_ahead  # the fixtures put nothing in its place yet


def scaled(x, y):
    kernel = tile2cpp.jit(kernels.scaled.__wrapped__)
    kernel[(3,)](16, x, 2.0, y)
    return kernel


@pytest.fixture
def arrays(gpu):
    return on_gpu(np.arange(48, dtype="f")), on_gpu(np.zeros(48, "f"))


def test_built_in_the_background_and_found_by_the_next_process(gpu, arrays, monkeypatch):
    if host.find() is None or not library.is_possible():
        pytest.skip("there is no C++ compiler, or this Python has no C++ part")
    monkeypatch.setattr(library, "_building", False)
    monkeypatch.setattr(library, "build_ahead", BUILT_AHEAD)
    kernel = scaled(*arrays)
    before = kernel[(3,)]
    for thread in threading.enumerate():
        if thread.name == "tile2cpp-swift":
            thread.join()
    assert library._loaded is not None and kernel._swift((3,), None, (16, arrays[0], 2.0, arrays[1])) is True
    before(16, arrays[0], 2.0, arrays[1])
    assert len(gpu.launches) == 3
    monkeypatch.setattr(library, "_loaded", None)
    assert library.loaded() is not None


def test_a_compiler_that_refuses_is_asked_once(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(library, "OPTIONS", ("-no-such-option",))
    library._key.cache_clear()
    real = library.compile_in
    monkeypatch.setattr(library, "compile_in", lambda *a: asked.append(1) or real(*a))
    try:
        if host.find() is None:
            pytest.skip("there is no C++ compiler")
        library._build()
        library._build()
        assert len(asked) == 1 and library.loaded() is None
    finally:
        monkeypatch.undo()
        library._key.cache_clear()


def test_kernels_go_with_their_last_user(gpu, arrays, in_cpp):
    kernel = scaled(*arrays)
    launcher, gone = kernel[(3,)], weakref.ref(kernel)
    del kernel
    gc.collect()
    launcher(16, arrays[0], 2.0, arrays[1])  # keeps it
    assert gone() is not None and len(gpu.launches) == 2
    del launcher
    gc.collect()
    assert gone() is None


def test_arrays_are_not_kept(gpu, in_cpp):
    x, y = on_gpu(np.arange(48, dtype="f")), on_gpu(np.zeros(48, "f"))
    kernel, gone = scaled(x, y), weakref.ref(x)
    kernel[(3,)](16, x, 2.0, y)
    del x, y
    gc.collect()
    assert gone() is None


def test_what_the_driver_refuses_takes_the_general_way(gpu, arrays, in_cpp):
    kernel = scaled(*arrays)
    gpu.codes = [1, 1]
    with pytest.raises(RuntimeError, match="a sad thing"):
        kernel[(3,)](16, arrays[0], 2.0, arrays[1])
    gpu.codes = [201, 201]  # a thread that never used CUDA
    kernel[(3,)](16, arrays[0], 2.0, arrays[1])
    assert gpu.launches[-1].block == gpu.launches[0].block and gpu.launches[-1].grid == (3, 1, 1)


@pytest.mark.parametrize("grid", [(2.0,), (True,), [3], 3, (1, 2, 3, 4), (-1,), (2**24,), ()])
def test_odd_grids_are_as_ever(gpu, arrays, in_cpp, grid):
    kernel = scaled(*arrays)
    assert kernel._launcher_for(grid) is None and kernel._swift(grid, None, (16, arrays[0], 2.0, arrays[1])) is False


def test_streams(gpu, arrays, in_cpp):
    kernel = scaled(*arrays)
    for stream in (5, standin_cupy.ExternalStream(7), 0):
        tile2cpp.launch(stream, (3,), kernel, (16, arrays[0], 2.0, arrays[1]))
    assert [launched.stream for launched in gpu.launches[1:]] == [5, 7, 0]
    with pytest.raises(TypeError, match="a stream is needed"):
        tile2cpp.launch(None, (3,), kernel, (16, arrays[0], 2.0, arrays[1]))
    with pytest.raises(TypeError, match="is no stream"):
        tile2cpp.launch(object(), (3,), kernel, (16, arrays[0], 2.0, arrays[1]))


def numbers():
    """Format, value, and whether it goes the quick way as these bytes."""
    for form, low, high in (("b", -128, 127), ("h", -(2**15), 2**15 - 1), ("i", -(2**31), 2**31 - 1), ("q", -(2**63), 2**63 - 1)):
        yield from ((form, value, True) for value in (0, -1, low, high))
        yield from ((form, value, False) for value in (low - 1, high + 1))
    yield from (("B", 255, True), ("B", 256, False), ("B", -1, False), ("Q", 2**64 - 1, True), ("Q", 2**64, False), ("Q", -1, False), ("I", 2**32 - 1, True))
    yield from (("f", 2.5, True), ("f", 0.1, True), ("f", 1e300, False), ("f", float("nan"), False), ("d", 1e300, True), ("d", -0.0, True))
    yield from (("?", True, True), ("?", False, True), ("e", 2.5, None), ("i", 2.5, None))


class Function:
    """A loaded kernel, as far as an entry asks."""

    is_alone, device, handle, threads, shared, most_blocks, multiprocessors = True, 0, 1, 32, 0, 0, 5


class Kernel:
    def __init__(self):
        self.general = 0

    def _start_in_python(self, *rest):
        self.general += 1


def launched_with(argument, act, maps=(), encode=None):
    """A kernel of one argument and a launcher of it that calls `act` with the addresses of the parameters."""
    packing = type("Numbers", (), {"maps": list(maps), "contents": bytes(8), "offsets": [0], "least_blocks": 0})
    launch, kernel, stream = standin_cupy.LAUNCH(lambda *a: act((ctypes.c_void_p * 2).from_address(a[9])) or 0), Kernel(), lambda: 3
    world = swift.World(launch=ctypes.cast(launch, ctypes.c_void_p).value, ask_stream=id(stream))
    world.encode = ctypes.cast(encode, ctypes.c_void_p).value if encode else None
    entry = swift.Entry(Function, world, [argument], [], packing, [stream, launch, encode])
    kernel.table = swift.Table(kernel)
    kernel.table.prefer(entry)
    return kernel, kernel.table.functions(library.loaded())[0]((1,))


@pytest.mark.parametrize("form, value, quick", list(numbers()))
def test_numbers(in_cpp, form, value, quick):
    """Against the bytes that `struct` writes, by an entry made by hand."""
    argument, seen = swift._number(value, 0, form), []
    if quick is None:
        assert argument is None
        return
    kernel, launcher = launched_with(argument, lambda found: seen.append(ctypes.string_at(found[0], struct.calcsize(form))))
    launcher(value)
    assert (seen, kernel.general) == (([struct.pack(form, value)], 0) if quick else ([], 1))


@pytest.mark.parametrize("rank", [2, 0])
def test_descriptors_follow_the_address(in_cpp, rank):
    encoded, seen = [], []
    kinds = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, *[ctypes.c_void_p] * 5, *[ctypes.c_int] * 4

    @ctypes.CFUNCTYPE(ctypes.c_int, *kinds)
    def encode(place, kind, rank, address, *rest):
        encoded.append(address)
        ctypes.memmove(place, struct.pack("<Q", address) * 16, 128)
        return address == 96  # refused: zeros

    numbers = (ctypes.c_uint64 * 2)(1, 1)
    encoder = type("Encoder", (), {"rank": rank, "element": 6, "swizzle": 3, "promotion": 2, **dict.fromkeys(("extents", "strides", "box", "steps"), numbers)})
    _, launcher = launched_with(swift._number(16, 0, "q"), lambda found: seen.append((found[1] % 128, ctypes.string_at(found[1], 128))), [(0, encoder)], encode)
    addresses = (16, 32, 16, 48, 64, 32, 80, 16, 96)
    for address in addresses:
        launcher(address)
    wanted = [struct.pack("<Q", address if rank and address != 96 else 0) * 16 for address in addresses]
    assert seen == [(0, one) for one in wanted]
    assert encoded == ([16, 32, 48, 64, 80, 16, 96] if rank else [])


def test_a_table_keeps_all_that_its_data_points_to():
    """Even if another thread, or a finalizer, comes between."""

    class Interrupting:
        def __init__(self, address, act=lambda: None):
            self.number, self.act = address, act

        @property
        def address(self):
            self.act()
            return self.number

    table, first, other = swift.Table(Kernel()), Interrupting(16), Interrupting(32)
    table.prefer(first)
    table.prefer(Interrupting(48, lambda: table.prefer(other)))
    kept = [entry.number for entry in table._entries]
    assert kept == table._data.entries[: table._data.count] and len(kept) == 2
    table.prefer(other)
    assert table._data.entries[0] == 32


def test_formats_are_known():
    assert set(swift.BITS) | set("?fde") == set(FORMATS.values())


def test_not_where_python_has_no_lock(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert not library.is_possible()
