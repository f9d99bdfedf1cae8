"""Runs cubins on arrays of CuPy, torch and others on an NVIDIA GPU.

CuPy owns contexts, streams and modules; only the launch itself goes to the driver
directly, because building CuPy's argument objects takes longer than the launch. A warm
launch allocates nothing and waits for nothing.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from functools import lru_cache
from typing import Any

from tile2cpp.build import Built, missing
from tile2cpp.launch.arguments import Slot
from tile2cpp.signature import ArgumentTypeError, ArgumentValueError, fail

LARGEST_MINOR_AXIS = 65535  # blocks along y and z; the hardware's limit
INVALID_CONTEXT = 201

# CUlaunchConfig: grid, block, shared bytes, padding, stream, attributes, number of attributes.
CONFIG = struct.Struct("<7I4xQQI4x")
_write_config = CONFIG.pack_into


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


def from_dlpack(array: Any) -> Any:
    return module().from_dlpack(array)


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

    def __init__(self, built: Built, device: int, threads: int):
        cupy = require_device()
        self.built, self.device, self.threads = built, device, threads
        with cupy.cuda.Device(device):
            self._module = cupy.cuda.function.Module()  # unloads the kernel when it goes
            self._module.load(built.binary.read_bytes())
            self._function = self._module.get_function(built.entry).ptr
        self._launch = driver().cuLaunchKernelEx
        self._current_device = cupy.cuda.runtime.getDevice
        self._current_stream = cupy.cuda.get_current_stream
        self._on_device = cupy.cuda.Device

    def __call__(self, grid: tuple[int, int, int], stream: Any, slot: Slot) -> None:
        if self._current_device() != self.device:
            with self._on_device(self.device):
                return self(grid, stream, slot)
        handle = self._current_stream().ptr if stream is None else stream_handle(stream)
        if slot.config is None:
            slot.config = ctypes.create_string_buffer(CONFIG.size)
            slot.config_address = ctypes.addressof(slot.config)
        x, y, z = grid
        _write_config(slot.config, 0, x, y, z, self.threads, 1, 1, 0, handle, 0, 0)
        code = self._launch(slot.config_address, self._function, slot.address, None)
        if code:
            self._recover(code, grid, slot)

    def _recover(self, code: int, grid: tuple[int, int, int], slot: Slot) -> None:
        """Make the GPU current in a thread that never used CUDA, and launch again; else say what is wrong."""
        if code == INVALID_CONTEXT:
            module().cuda.runtime.setDevice(self.device)
            module().cuda.runtime.free(0)
            code = self._launch(slot.config_address, self._function, slot.address, None)
        if not code:
            return
        for axis in (1, 2):
            if grid[axis] > LARGEST_MINOR_AXIS:
                raise fail(ArgumentValueError, f"grid axis {axis} is {grid[axis]}, and a GPU takes at most {LARGEST_MINOR_AXIS} blocks there", "use axis 0 for the longest one")
        text = ctypes.c_char_p()
        driver().cuGetErrorString(code, ctypes.byref(text))
        raise RuntimeError(f"launching {self.built.entry} failed: {(text.value or b'unknown error').decode()} (CUDA error {code})")


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
