"""What calls cost on the CPU: one whose kernel is loaded, and the first one of a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

from benchmarks.timing import in_turns, spread
from benchmarks.work import CUTILE, OURS, Bar, Missing

ROOT = Path(__file__).resolve().parents[2]
CALLS = 1000  # in one measurement
LONGEST_BUILD = 5.0  # seconds that warm calls wait for the C++ part of launches
FULL_CACHE = f"{OURS}, full cache"
IMPORT = f"import of {OURS}"
RAW = 'extern "C" __global__ void nothing(float* x, float* y, float* z) {}'


@dataclass(frozen=True)
class CallWork:
    """An entry whose figure is a time on the CPU: `run(seconds)` gives the spread of times of each contestant, in `unit`."""

    name: str
    title: str
    unit: str
    measure: Callable[[float], tuple[dict[str, list[float]], dict[str, str]]]
    bars: tuple[Bar, ...]
    quick: bool = False
    seconds: float = 3.0
    group: str = "calls"

    def run(self, seconds: float) -> dict[str, Any]:
        started = time.perf_counter()
        times, missing = self.measure(seconds)
        scale = {"us": 1e6, "ms": 1e3}[self.unit]
        rivals = {}
        for name, measured in times.items():
            s = spread(measured)
            rivals[name] = {
                "us": round(s.median * 1e6, 3), "low": round(s.low * 1e6, 3), "high": round(s.high * 1e6, 3), "runs": s.runs,
                "figure": round(s.median * scale, 3),
            }  # fmt: skip
        bars = [bar.described() for bar in self.bars]
        return {
            "group": self.group, "title": self.title, "unit": self.unit, "amount": 1.0, "limit": 0.0, "bars": bars, "rivals": rivals, "missing": missing,
            "wrong": {}, "spent": round(time.perf_counter() - started, 2),
        }  # fmt: skip


def all_calls() -> list[CallWork]:
    warm = (Bar(most=5.0), Bar((CUTILE,), 1.0))
    return [
        CallWork("warm-call", "warm call, three CuPy arrays", "us", warm_call, warm, quick=True),
        CallWork("warm-call-torch", "warm call, three torch tensors", "us", warm_call_torch, (Bar(("Triton",), 1.0), Bar((CUTILE,), 1.0))),
        CallWork("warm-call-product", "warm call of a product, three CuPy arrays", "us", warm_product, (Bar(most=6.0),), quick=True),
        *(first_work(*facts) for facts in (("small", "small kernel", 250.0), ("product", "product", 600.0), ("attention", "attention", 1200.0))),
    ]  # fmt: skip


def first_work(name: str, words: str, most: float) -> CallWork:
    bars = (Bar(most=most), Bar(of=FULL_CACHE, most=20.0))
    return CallWork(f"first-call-{name}", f"first call, {words}", "ms", lambda seconds: first_call(name, seconds), bars, quick=name == "small", seconds=12.0)


def per_call(calls: dict[str, Callable[[], Any]], seconds: float, wait: Callable[[], None]) -> dict[str, list[float]]:
    """Seconds of a call on the CPU while the GPU keeps up."""
    for call in calls.values():
        call()

    def measure(name: str) -> float:
        call = calls[name]
        wait()
        started = time.perf_counter()
        for _ in range(CALLS):
            call()
        taken = (time.perf_counter() - started) / CALLS
        wait()
        return taken

    return in_turns(list(calls), measure, seconds, fewest=5)


def settle(kernel: Any, args: tuple) -> None:
    """Call a kernel, and wait until the C++ part of launches is there: the first process of a cache builds it in the background."""
    from tile2cpp.launch import library

    kernel[(1,)](*args)
    started = time.perf_counter()
    while library.loaded() is None and time.perf_counter() - started < LONGEST_BUILD:
        time.sleep(0.05)


def warm_call(seconds: float) -> tuple[dict[str, list[float]], dict[str, str]]:
    import cupy

    import tile2cpp
    from benchmarks.kernels import memory

    x, y, total = (cupy.zeros(1024, cupy.float32) for _ in range(3))
    settle(memory.add, (x, y, total, 1024))
    launcher, kernel = memory.add[(1,)], memory.add
    raw = cupy.RawKernel(RAW, "nothing")
    stream = cupy.cuda.get_current_stream()
    calls = {
        OURS: lambda: launcher(x, y, total, 1024),
        f"{OURS}, called with a grid": lambda: kernel[(1,)](x, y, total, 1024),
        f"{OURS}, by launch": lambda: tile2cpp.launch(stream, (1,), kernel, (x, y, total, 1024)),
        "cupy.RawKernel": lambda: raw((1,), (128,), (x, y, total)),
        "cupy.add": lambda: cupy.add(x, y, total),
        **parts(raw, (x, y, total)),
    }
    missing: dict[str, str] = {}
    add_cutile(calls, missing, stream, (x, y, total, 1024))
    return per_call(calls, seconds, cupy.cuda.Device().synchronize), missing


def parts(raw: Any, arrays: tuple) -> dict[str, Callable[[], Any]]:
    """What no launch can be without: the driver's own time, and the question for the current stream."""
    import ctypes

    import cupy

    addresses = [ctypes.c_void_p(a.data.ptr) for a in arrays]
    pointers = (ctypes.c_void_p * len(arrays))(*(ctypes.addressof(a) for a in addresses))
    launch, handle, at, current = cupy.cuda.driver.launchKernel, raw.kernel.ptr, ctypes.addressof(pointers), cupy.cuda.get_current_stream

    def driver(keep: Any = (addresses, pointers)) -> None:
        launch(handle, 1, 1, 1, 128, 1, 1, 0, 0, at, 0)

    return {"the driver alone": driver, "the current stream alone": lambda: current(0).ptr}


def warm_call_torch(seconds: float) -> tuple[dict[str, list[float]], dict[str, str]]:
    import torch

    import tile2cpp
    from benchmarks.kernels import memory

    x, y, total = (torch.zeros(1024, device="cuda") for _ in range(3))
    settle(memory.add, (x, y, total, 1024))
    launcher, kernel, stream = memory.add[(1,)], memory.add, torch.cuda.current_stream()
    calls = {
        OURS: lambda: launcher(x, y, total, 1024),
        f"{OURS}, by launch": lambda: tile2cpp.launch(stream, (1,), kernel, (x, y, total, 1024)),
        "torch.add": lambda: torch.add(x, y, out=total),
    }
    missing: dict[str, str] = {}
    try:
        from benchmarks.rivals.triton_kernels.calls import add

        calls["Triton"] = lambda: add[(1,)](x, y, total, 1024, TILE=1024)
    except ImportError as error:
        missing["Triton"] = str(error)
    add_cutile(calls, missing, stream, (x, y, total, 1024))
    return per_call(calls, seconds, torch.cuda.synchronize), missing


def add_cutile(calls: dict[str, Callable], missing: dict[str, str], stream: Any, args: tuple) -> None:
    from benchmarks.kernels import memory
    from benchmarks.rivals import twins

    try:
        package = twins.native()
        kernel = twins.twin(memory.add)
        package.launch(stream, (1, 1, 1), kernel, args)
    except (ImportError, Missing) as error:
        missing[CUTILE] = str(error)
    except Exception as error:  # it is installed and fails
        missing[CUTILE] = f"{type(error).__name__}: {error}".splitlines()[0]
    else:
        calls[CUTILE] = lambda: package.launch(stream, (1, 1, 1), kernel, args)


def warm_product(seconds: float) -> tuple[dict[str, list[float]], dict[str, str]]:
    import cupy

    from benchmarks.kernels import products

    a, b, c = (cupy.zeros((128, 128), cupy.float16) for _ in range(3))
    settle(products.product, (a, b, c, 128, 128, 64))
    launcher = products.product[(1,)]
    raw = cupy.RawKernel(RAW, "nothing")
    calls = {OURS: lambda: launcher(a, b, c, 128, 128, 64), "cupy.RawKernel": lambda: raw((1,), (128,), (a, b, c))}
    return per_call(calls, seconds, cupy.cuda.Device().synchronize), {}


def first_call(name: str, seconds: float) -> tuple[dict[str, list[float]], dict[str, str]]:
    """New processes, with an empty cache and with the cache that the one before left."""
    times: dict[str, list[float]] = {OURS: [], FULL_CACHE: [], IMPORT: []}
    with tempfile.TemporaryDirectory() as bytecode:
        _in_processes(name, seconds, bytecode, times)
    return times, {}


def _in_processes(name: str, seconds: float, bytecode: str, times: dict[str, list[float]]) -> None:
    """Python's bytecode is there from the second process on, as it is for a package that was installed."""
    of_python = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": bytecode, "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))}
    started, first = time.perf_counter(), True
    while len(times[OURS]) < 3 or (time.perf_counter() - started < seconds and len(times[OURS]) < 9):
        with tempfile.TemporaryDirectory() as folder:
            for who in (OURS, FULL_CACHE):
                environment = {**os.environ, **of_python, "TILE2CPP_CACHE": folder}
                done = subprocess.run([sys.executable, "-m", "benchmarks.first", name], env=environment, capture_output=True, text=True, cwd=ROOT)
                if done.returncode:
                    raise RuntimeError(done.stderr.strip().splitlines()[-1])
                found = json.loads(done.stdout.splitlines()[-1])
                if not first:
                    times[who].append(found["call"])
        if not first:
            times[IMPORT].append(found["imports"])
        first = False
