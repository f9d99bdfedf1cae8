"""CuPy and a driver as far as a launch needs them: arrays in host memory, launches that run the host build.

It shows that what reaches the driver is right (grid, block, stream, parameters, current
device) on machines without a GPU; that CuPy itself behaves so is for the `gpu` tests.
"""

import ctypes
from types import ModuleType, SimpleNamespace

import numpy as np

from tile2cpp.launch import cupy as under_test


def read_only(*names):
    """Attributes that the class has, as those of CuPy's classes are."""

    def with_them(kind):
        for name in names:
            setattr(kind, name, property(lambda self, name=name: self.facts[name]))
        return kind

    return with_them


@read_only("ptr", "device_id")
class MemoryPointer:
    def __init__(self, ptr, device_id):
        self.facts = {"ptr": ptr, "device_id": device_id}


@read_only("data", "dtype", "shape", "strides", "size", "ndim", "_c_contiguous")
class ndarray:
    """An array on a GPU, whose memory is NumPy's."""

    def __init__(self, array, device=0):
        self.array = array
        self.facts = {name: getattr(array, name) for name in ("dtype", "shape", "strides", "size", "ndim")}
        self.facts |= {"data": MemoryPointer(array.ctypes.data, device), "_c_contiguous": array.flags.c_contiguous}

    def __len__(self):
        return len(self.array)


ndarray.__module__ = "cupy"


class Device:
    """`with Device(1):` makes GPU 1 the current one."""

    current = 0
    compute_capability = "90"

    def __init__(self, number):
        self.number = number

    def __enter__(self):
        self.before, Device.current = Device.current, self.number

    def __exit__(self, *error):
        Device.current = self.before


class Module:
    """A loaded cubin; a function's handle says on which GPU it was loaded."""

    def load(self, binary):
        assert binary

    def get_function(self, name):
        return SimpleNamespace(ptr=1000 + Device.current)


class CUDADriverError(RuntimeError):
    def __init__(self, status):
        super().__init__(status)
        self.status = status


LAUNCH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, *[ctypes.c_uint] * 7, *[ctypes.c_void_p] * 3)


class Driver:
    """Notes every launch; `run` then computes what the kernel would."""

    def __init__(self):
        self.cuLaunchKernel = LAUNCH(self.launched_from_c)  # for callers that are not Python
        self.launches, self.codes, self.run, self.uploads, self.attributes = [], [], None, [], []

    def launchKernel(self, function, x, y, z, bx, by, bz, shared, stream, parameters, extra):
        code = self.launched(function, (x, y, z), (bx, by, bz), stream, parameters, (), shared)
        if code:
            raise CUDADriverError(code)

    def launched_from_c(self, function, x, y, z, bx, by, bz, shared, stream, parameters, extra):
        return self.launched(function, (x, y, z), (bx, by, bz), stream or 0, parameters, (), shared)

    def funcSetAttribute(self, function, attribute, value):
        self.attributes.append((function, attribute, value))

    def cuLaunchKernelEx(self, config, function, parameters, extra):
        numbers = under_test.CONFIG.unpack(ctypes.string_at(config, under_test.CONFIG.size))
        attributes = under_test.ATTRIBUTE.unpack(ctypes.string_at(numbers[8], under_test.ATTRIBUTE.size)) if numbers[9] else ()
        return self.launched(function, numbers[:3], numbers[3:6], numbers[7], parameters, attributes, numbers[6])

    def launched(self, function, grid, block, stream, parameters, attributes, shared):
        code = self.codes.pop(0) if self.codes else 0
        self.launches.append(SimpleNamespace(grid=grid, block=block, stream=stream, function=function, device=Device.current, attributes=attributes, shared=shared))
        if not code and self.run:
            self.run(parameters, *grid)
        return code

    def cuGetErrorString(self, code, text):
        text._obj.value = b"a sad thing"
        return 0


class Memory:
    """Device memory, which is the host's here."""

    def __init__(self, driver, size):
        self.driver, self.buffer = driver, ctypes.create_string_buffer(size)
        self.ptr = ctypes.addressof(self.buffer)

    def copy_from_host_async(self, source, size, stream):
        ctypes.memmove(self.buffer, source, size)
        self.driver.uploads.append((size, stream.ptr))


class ExternalStream:
    def __init__(self, ptr):
        self.ptr = ptr

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


def make(driver):
    """A `cupy` module whose launches go to `driver`."""
    module = ModuleType("cupy")
    runtime = SimpleNamespace(
        CUDARuntimeError=RuntimeError, getDevice=lambda: Device.current, getDeviceCount=lambda: 2, driverGetVersion=lambda: 13000,
        setDevice=lambda number: setattr(Device, "current", number), free=lambda address: None,
        cudaDevAttrMultiProcessorCount=16, deviceGetAttribute=lambda attribute, device: {16: 5}[attribute],
    )  # fmt: skip
    module.cuda = SimpleNamespace(
        runtime=runtime, Device=Device, function=SimpleNamespace(Module=Module), get_current_stream=lambda device=-1: SimpleNamespace(ptr=77),
        driver=SimpleNamespace(
            launchKernel=driver.launchKernel, funcSetAttribute=driver.funcSetAttribute, CUDADriverError=CUDADriverError,
            occupancyMaxActiveBlocksPerMultiprocessor=lambda function, threads, shared: 2,
        ),
        alloc=lambda size: Memory(driver, size), ExternalStream=ExternalStream, Stream=SimpleNamespace(null=ExternalStream(0)),
    )  # fmt: skip
    module.ndarray = ndarray
    return module


def on_gpu(array, device=0):
    return ndarray(np.asarray(array), device)


def vector(size=48, offset=0):
    """Aligned to 16 bytes, or `offset` elements behind that."""
    room = np.zeros(size + 8, "f")
    start = (-room.ctypes.data // 4) % 4 + offset
    array = room[start : start + size]
    array[:] = np.arange(size)
    return array


def host_of(kernel, signature):
    """What a driver can `run` in place of a kernel: its build for the host."""
    built = kernel.compile(signature)
    run = ctypes.CDLL(str(built.binary))[built.entry]
    run.argtypes = (ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint)
    return run
