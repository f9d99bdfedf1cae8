"""Measures tile2cpp on this machine's GPU: `python benchmarks/run.py [NAME]...`.

Prints a short table and writes all figures, with GPU, versions and commit, to
`benchmarks/results/`.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cupy
import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[0:0] = [str(HERE.parent), str(HERE)]

import kernels  # noqa: E402  (its folder has to be on the path first)
from measure import call_seconds, in_turns  # noqa: E402

try:
    import torch
except ImportError:
    torch = None


def vector_add() -> list[dict]:
    """2^28 float32: two arrays read, one written."""
    size, tile = 2**28, 1024
    x, y = (cupy.random.rand(size, dtype=cupy.float32) for _ in range(2))
    total = cupy.empty_like(x)
    rivals = {
        "tile2cpp": lambda: kernels.vector_add[(size // tile,)](x, y, total, tile),
        "cupy.add": lambda: cupy.add(x, y, total),
    }
    if torch:
        a, b, c = (torch.from_dlpack(t) for t in (x, y, total))
        rivals["torch.add"] = lambda: torch.add(a, b, out=c)
    times = in_turns(rivals)
    rivals["tile2cpp"]()
    assert cupy.array_equal(total, x + y), "vector_add is wrong"
    return [row("vector add f32 2^28", name, seconds, "GB/s", 3 * 4 * size / seconds / 1e9) for name, seconds in times.items()]


def softmax() -> list[dict]:
    """Rows of 8192 float16: read once, written once."""
    rows = columns = 8192
    x = cupy.random.standard_normal((rows, columns), dtype=cupy.float32).astype(cupy.float16)
    y = cupy.empty_like(x)
    rivals = {"tile2cpp": lambda: kernels.row_softmax[(rows,)](x, y, columns)}
    if torch:
        a = torch.from_dlpack(x)
        rivals["torch.softmax"] = lambda: torch.softmax(a, 1)
    times = in_turns(rivals)
    rivals["tile2cpp"]()
    e = cupy.exp(x[:64].astype("float64") - x[:64].max(1, keepdims=True))
    assert float(cupy.abs(y[:64] - e / e.sum(1, keepdims=True)).max()) < 2e-4, "softmax is wrong"
    return [row("softmax f16 8192x8192", name, seconds, "GB/s", 2 * 2 * rows * columns / seconds / 1e9) for name, seconds in times.items()]


RAW = 'extern "C" __global__ void nothing(float* x, float* y, float* z) {}'


def warm_call() -> list[dict]:
    """A call with three small CuPy arrays whose kernel is loaded already."""
    x, y, total = (cupy.zeros(1024, cupy.float32) for _ in range(3))
    launcher = kernels.vector_add[(1,)]
    raw = cupy.RawKernel(RAW, "nothing")
    times = call_seconds({
        "tile2cpp": lambda: launcher(x, y, total, 1024),
        "cupy.RawKernel": lambda: raw((1,), (128,), (x, y, total)),
        "cupy.add": lambda: cupy.add(x, y, total),
    })  # fmt: skip
    return [row("warm call, three arrays", name, seconds, "us", seconds * 1e6) for name, seconds in times.items()]


FIRST_CALL = """
import sys, time
sys.path[0:0] = sys.argv[1:]
import cupy, tile2cpp, kernels
x, y, total = (cupy.zeros(1024, cupy.float32) for _ in range(3))
cupy.add(x, y, total)
cupy.cuda.Device().synchronize()
start = time.perf_counter()
kernels.vector_add[(1,)](x, y, total, 1024)
cupy.cuda.Device().synchronize()
print(time.perf_counter() - start)
"""


def first_call() -> list[dict]:
    """The first call of a small kernel in a new process: with an empty cache, and with a full one."""
    found: dict[str, list[float]] = {"empty cache": [], "full cache": []}
    for _ in range(5):
        with tempfile.TemporaryDirectory() as folder:
            for name in found:
                done = subprocess.run(
                    [sys.executable, "-c", FIRST_CALL, str(HERE.parent), str(HERE)],
                    env={**os.environ, "TILE2CPP_CACHE": folder}, capture_output=True, text=True, check=True,
                )  # fmt: skip
                found[name].append(float(done.stdout))
    return [row("first call, small kernel", name, float(np.median(times)), "ms", float(np.median(times)) * 1e3) for name, times in found.items()]


BENCHMARKS = {"vector_add": vector_add, "softmax": softmax, "warm_call": warm_call, "first_call": first_call}


def row(work: str, who: str, seconds: float, unit: str, figure: float) -> dict:
    return {"work": work, "who": who, "seconds": seconds, "unit": unit, "figure": round(figure, 2)}


def circumstances() -> dict:
    """What a figure depends on, besides the code."""
    properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=HERE, capture_output=True, text=True).stdout.strip()
    packages = ("numpy", "cupy-cuda12x", "cupy-cuda13x", "torch", "nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12")
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "gpu": properties["name"].decode(),
        "driver": driver(),
        "cuda_driver_api": cupy.cuda.runtime.driverGetVersion(),
        "nvrtc": ".".join(map(str, cupy.cuda.nvrtc.getVersion())),
        "python": sys.version.split()[0],
        "versions": {name: version for name in packages if (version := installed(name))},
        "commit": commit or "unknown",
    }


def driver() -> str:
    try:
        query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def main(names: list[str]) -> None:
    unknown = set(names) - set(BENCHMARKS)
    if unknown:
        sys.exit(f"no benchmark called {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    about = circumstances()
    print(f"{about['gpu']}, driver {about['driver']}, NVRTC {about['nvrtc']}, commit {about['commit']}")
    rows = []
    started = time.perf_counter()
    for name in names or BENCHMARKS:
        for found in BENCHMARKS[name]():
            rows.append(found)
            print(f"{found['work']:<26}{found['who']:<16}{found['figure']:>10.2f} {found['unit']}", flush=True)
        cupy.get_default_memory_pool().free_all_blocks()
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    path = results / f"{about['date'][:19].replace(':', '')}-{about['gpu'].replace(' ', '-')}.json"
    path.write_text(json.dumps({**about, "rows": rows}, indent=1) + "\n")
    print(f"{path.relative_to(HERE.parent)}  ({time.perf_counter() - started:.0f} s)")


if __name__ == "__main__":
    main(sys.argv[1:])
