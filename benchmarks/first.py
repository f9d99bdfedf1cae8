"""The first call of a kernel in this process: `python -m benchmarks.first small`. Prints its seconds as JSON.

What a program has done anyhow is not counted: starting Python, importing CuPy, making
arrays. Importing tile2cpp is counted by itself.
"""

import json
import sys
import time
from typing import Any

import cupy


def arguments(name: str) -> tuple[tuple[int, ...], tuple]:
    """Grid and arguments."""
    if name == "small":
        return (1,), (*(cupy.zeros(1024, cupy.float32) for _ in range(3)), 1024)
    if name == "product":
        return (4,), (*(cupy.zeros((256, 256), cupy.float16) for _ in range(3)), 128, 128, 64)
    q, k, v, out = (cupy.zeros((1, 2, 256, 128), cupy.float16) for _ in range(4))
    return (2, 2), (q, k, v, out, 0.1, 2, 1, 128, 128, 128, False)


def kernel(name: str) -> Any:
    if name == "small":
        from benchmarks.kernels.memory import add as found
    elif name == "product":
        from benchmarks.kernels.products import product as found
    else:
        from benchmarks.kernels.attention import attention as found
    return found


def main(name: str) -> None:
    grid, args = arguments(name)
    cupy.add(args[0], args[1])
    cupy.cuda.Device().synchronize()
    started = time.perf_counter()
    found = kernel(name)
    imported = time.perf_counter()
    found[grid](*args)
    cupy.cuda.Device().synchronize()
    print(json.dumps({"imports": imported - started, "call": time.perf_counter() - imported}))


if __name__ == "__main__":
    main(sys.argv[1])
