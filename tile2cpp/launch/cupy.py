"""Runs cubins on arrays of CuPy, torch and others on an NVIDIA GPU.

CuPy owns contexts, streams and modules; only the launch itself goes to the driver's
function directly, because building CuPy's argument objects takes longer than the launch.
A warm launch allocates nothing and waits for nothing, so that it can be captured in a graph.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import threading
from functools import lru_cache
from typing import Any, Callable

from tile2cpp.build import Built, missing
from tile2cpp.launch.packing import Packing, Slot
from tile2cpp.launch.quick import quick_start
from tile2cpp.signature import ArgumentTypeError, ArgumentValueError, dlpack, fail

LARGEST_MINOR_AXIS = 65535  # blocks along y and z; the hardware's limit
INVALID_CONTEXT = 201

MAX_DYNAMIC_SHARED_BYTES = 8  # a CUfunction_attribute
FIRST_DEPENDENT = 90  # programmatic dependent launch
MOST_TABLES = 256  # of lists, of one kernel and one combination of shapes

# CUlaunchConfig: grid, block, shared bytes, padding, stream, attributes, number of attributes.
CONFIG = struct.Struct("<7I4xQQI4x")
ATTRIBUTE = struct.Struct("<I4xi60x")  # CUlaunchAttribute
PROGRAMMATIC_SERIALISATION = 6


def module() -> Any:
    """CuPy, or the error that says how to get it."""
    try:
        import cupy
    except ImportError as error:
        raise missing(f"running on a GPU needs CuPy, which cannot be imported ({error})", "pip install 'tile2cpp[cuda13]', or [cuda12] for older drivers") from None
    return cupy


def require_device() -> Any:
    """CuPy on a machine with a GPU."""
    cupy = module()
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise missing(f"no GPU can be used: {error}", 'pass NumPy arrays, or backend="host", to run on the CPU') from None
    if not count:
        raise missing("this machine has no NVIDIA GPU", 'pass NumPy arrays, or backend="host", to run on the CPU')
    return cupy


def device_of(address: int) -> int:
    """The GPU that memory lies on; empty arrays, which have no address, count as the current one."""
    runtime = module().cuda.runtime
    return runtime.pointerGetAttributes(address).device if address else runtime.getDevice()


@lru_cache(maxsize=None)
def capability(device: int) -> int:
    """90 for a GPU of compute capability 9.0."""
    return int(require_device().cuda.Device(device).compute_capability)


@lru_cache(maxsize=None)
def driver_major() -> int:
    """The CUDA release of the driver; it loads no cubins of later ones."""
    return require_device().cuda.runtime.driverGetVersion() // 1000


@lru_cache(maxsize=None)
def driver() -> Any:
    """The driver's own library, which CuPy has loaded already."""
    library = ctypes.WinDLL("nvcuda.dll") if sys.platform == "win32" else ctypes.CDLL("libcuda.so.1")
    library.cuLaunchKernelEx.argtypes = (ctypes.c_void_p,) * 4
    return library


class CudaFunction:
    """A kernel loaded on one GPU."""

    def __init__(self, built: Built, device: int, threads: int, shared: int = 0, walks: bool = False):
        cupy = require_device()
        self.built, self.device, self.threads, self.shared = built, device, threads, shared
        with cupy.cuda.Device(device):
            self._module = cupy.cuda.function.Module()  # unloads the kernel when it goes
            self._module.load(built.binary.read_bytes())
            self.handle = self._module.get_function(built.entry).ptr
            if shared:  # beside what the kernel itself declares it may be more than the usual 48 KiB
                cupy.cuda.driver.funcSetAttribute(self.handle, MAX_DYNAMIC_SHARED_BYTES, shared)
            self.multiprocessors = cupy.cuda.runtime.deviceGetAttribute(cupy.cuda.runtime.cudaDevAttrMultiProcessorCount, device)
            self.most_blocks = self._most_blocks(cupy) if walks else 0
        self.is_alone = cupy.cuda.runtime.getDeviceCount() == 1
        self.current_device = cupy.cuda.runtime.getDevice
        self.stream_handle = stream_handle
        self._ask_stream = _current_stream(cupy, device)

    def entrances(self) -> dict[str, int | None]:
        """Where C++ finds the driver and CuPy's current stream and device: addresses of functions of C, else Python's functions."""
        library = driver()
        return {
            "launch": _address(library.cuLaunchKernel), "encode": _address(getattr(library, "cuTensorMapEncodeTiled", None)),
            "stream": _of_cupy("stream", "get_current_stream_ptr", b"intptr_t (void)"), "ask_stream": id(self._ask_stream),
            "current_device": _of_cupy("api.runtime", "getDevice", b"int (int __pyx_skip_dispatch)"), "ask_device": id(self.current_device),
        }  # fmt: skip

    def _most_blocks(self, cupy: Any) -> int:
        """As many as run at once."""
        each = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(self.handle, self.threads, self.shared)
        return max(1, each) * self.multiprocessors

    def launched(self, grid: tuple[int, int, int]) -> tuple[int, int, int]:
        """The blocks of a launch for a grid: all of it, or those that walk over it."""
        return (min(self.most_blocks, grid[0] * grid[1] * grid[2]), 1, 1) if self.most_blocks else grid

    def quick(self, packing: Packing, current_stream: Callable[[], int] | None, args: tuple, kernel: Any, watched: tuple, backend: str | None) -> Callable | None:
        """The quick way for arguments like these, where there is one; `kernel` is the kernel object."""
        driver = module().cuda.driver
        current = ("current_stream()", current_stream) if current_stream else (f"current_stream({self.device}).ptr", module().cuda.get_current_stream)
        names = kernel.__wrapped__.__globals__
        return quick_start(self, driver.launchKernel, driver.CUDADriverError, current, packing, args, kernel.rules, watched, backend, names)

    def starter(self, packing: Packing, current_stream: Callable[[], int] | None) -> Callable:
        """A function that launches with numbers as `reading` finds them: the general way."""
        cupy = module()
        launch, handle, device, threads, shared = cupy.cuda.driver.launchKernel, self.handle, self.device, self.threads, self.shared
        is_alone, current_device, on_device = self.is_alone, cupy.cuda.runtime.getDevice, cupy.cuda.Device
        current_stream = current_stream or _current_stream(cupy, device)
        take, give_back, walks, launched, least = packing.take, packing.give_back, packing.walks, self.launched, packing.least_blocks
        enough = self.multiprocessors

        def start(grid: tuple[int, int, int], stream: Any, values: list, args: tuple, dependent: bool = False) -> None:
            if not is_alone and current_device() != device:
                with on_device(device):
                    return start(grid, stream, values, args, dependent)
            if stream is None:
                stream = current_stream()
            elif type(stream) is not int:
                stream = stream_handle(stream)
            if enough <= grid[0] < least:
                grid = (least, *grid[1:])
            slot = take(values, stream)
            if walks and slot.grid != grid:
                slot.walk(grid)
            try:
                x, y, z = launched(grid) if walks else grid
                if dependent:
                    self.launch_dependent(grid, stream, slot)
                else:
                    launch(handle, x, y, z, threads, 1, 1, shared, stream, slot.address, 0)
            except cupy.cuda.driver.CUDADriverError as error:
                self.recover(error.status, grid, stream, slot)
            finally:
                give_back(slot)

        return start

    def launch_dependent(self, grid: tuple[int, int, int], stream: int, slot: Slot) -> None:
        """A launch that may begin before the previous one of its stream has ended; older GPUs have only the plain one."""
        attributes, count = _dependent_attribute() if capability(self.device) >= FIRST_DEPENDENT else (None, 0)
        config = ctypes.create_string_buffer(CONFIG.pack(*self.launched(grid), self.threads, 1, 1, self.shared, stream, ctypes.addressof(attributes) if count else 0, count), CONFIG.size)
        code = driver().cuLaunchKernelEx(ctypes.addressof(config), self.handle, slot.address, None)
        if code:
            self.recover(code, grid, stream, slot)

    def recover(self, code: int, grid: tuple[int, int, int], stream: int, slot: Slot) -> None:
        """Make the GPU current in a thread that never used CUDA, and launch again; else say what is wrong."""
        if code == INVALID_CONTEXT:
            module().cuda.runtime.setDevice(self.device)
            module().cuda.runtime.free(0)
            config = ctypes.create_string_buffer(CONFIG.pack(*self.launched(grid), self.threads, 1, 1, self.shared, stream, 0, 0), CONFIG.size)
            code = driver().cuLaunchKernelEx(ctypes.addressof(config), self.handle, slot.address, None)
        if not code:
            return
        for axis in (1, 2):
            if grid[axis] > LARGEST_MINOR_AXIS:
                raise fail(ArgumentValueError, f"grid axis {axis} is {grid[axis]}, and a GPU takes at most {LARGEST_MINOR_AXIS} blocks there", "use axis 0 for the longest one")
        text = ctypes.c_char_p()
        driver().cuGetErrorString(code, ctypes.byref(text))
        raise RuntimeError(f"launching {self.built.entry} failed: {(text.value or b'unknown error').decode()} (CUDA error {code})")


def _current_stream(cupy: Any, device: int) -> Callable[[], int]:
    """CuPy's current stream; naming the device spares CuPy the question for it."""
    current = cupy.cuda.get_current_stream
    return lambda: current(device).ptr


def _address(function: Any) -> int | None:
    """Of a function of ctypes; None where a driver is too old to have it."""
    return ctypes.cast(function, ctypes.c_void_p).value if function is not None else None


def _of_cupy(module: str, name: str, signature: bytes) -> int | None:
    """A function that CuPy's modules offer to each other, if it is the one that is known here."""
    return dlpack.pointer_in(getattr(sys.modules.get(f"cupy_backends.cuda.{module}"), "__pyx_capi__", {}).get(name), signature)


@lru_cache(maxsize=1)
def _dependent_attribute() -> tuple[Any, int]:
    """One CUlaunchAttribute: programmatic stream serialisation."""
    return ctypes.create_string_buffer(ATTRIBUTE.pack(PROGRAMMATIC_SERIALISATION, 1), ATTRIBUTE.size), 1


class DeviceTables:
    """Where the tables of lists lie on a GPU. The same contents on the same stream are uploaded once."""

    def __init__(self, device: int):
        self._device, self._known, self._lock = device, {}, threading.Lock()

    def __call__(self, contents: bytes, stream: int) -> tuple[int, Any]:
        with self._lock:
            memory = self._known.pop((contents, stream), None)
            if memory is None:
                memory = self._uploaded(contents, stream)
                if len(self._known) >= MOST_TABLES:
                    del self._known[next(iter(self._known))]
            self._known[contents, stream] = memory  # the latest one stands last
        return memory.ptr, memory

    def _uploaded(self, contents: bytes, stream: int) -> Any:
        """Ordered before the launch by the stream; CuPy gives memory of a stream only to later work on that stream."""
        cupy = module()
        current = stream_of(stream)
        with cupy.cuda.Device(self._device), current:
            memory = cupy.cuda.alloc(len(contents))
            source = ctypes.create_string_buffer(contents, len(contents))
            # Of pageable memory the driver has taken a copy when this returns.
            memory.copy_from_host_async(ctypes.c_void_p(ctypes.addressof(source)), len(contents), current)
        return memory


def stream_of(handle: int) -> Any:
    """CuPy's stream object for a driver's handle."""
    streams = module().cuda
    return streams.ExternalStream(handle) if handle else streams.Stream.null


def stream_handle(stream: Any) -> int:
    """The driver's handle of a CuPy, torch or Numba stream, of an object with `__cuda_stream__`, or of an int."""
    kind = type(stream)
    if kind is int:
        return stream
    for attribute in ("ptr", "cuda_stream"):  # CuPy, torch
        handle = getattr(stream, attribute, None)
        if type(handle) is int:
            return handle
    if hasattr(kind, "__cuda_stream__"):
        described = stream.__cuda_stream__
        return int((described() if callable(described) else described)[1])
    handle = getattr(stream, "handle", None)  # Numba
    if handle is not None:
        return int(getattr(handle, "value", handle) or 0)
    raise fail(ArgumentTypeError, f"{stream!r} is no stream", "pass a stream of CuPy, torch or Numba, or its handle as an int; 0 is the default stream")
