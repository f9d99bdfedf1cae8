"""The accepted kernels: one file per area of the API, one kernel per feature.

Every kernel takes one array, `p`, which holds 0, 1, 2, ... 255 in its element type before.
The comment above it says what the first elements are afterwards, as a NumPy expression of `p`:
`// ->` exactly, `// ~>` within the accuracy that the function promises. `// grid` gives the
blocks along each axis; one block otherwise.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np

from tile2cpp.dtypes import int32
from tile2cpp.emitted import Emitted, Parameter, Schedule

FOLDER = Path(__file__).parent
KERNEL = re.compile(r"// (->|~>) (.+)\n(?:// grid (.+)\n)?(?:\[\[.+?\]\] )?__tile_global__ void (\w+)\(([\w ]+)\* p\)")
ELEMENTS = {
    "int": np.int32, "unsigned": np.uint32, "long": np.int64, "short": np.int16, "unsigned short": np.uint16,
    "signed char": np.int8, "unsigned char": np.uint8, "bool": np.bool_, "float": np.float32, "double": np.float64,
    "__half": np.float16, "__nv_bfloat16": ml_dtypes.bfloat16,
}  # fmt: skip
OLDEST = {"scaled": 100}  # the first GPUs for which NVIDIA's compiler takes an area's types
TOLERANCES = {"float": 2e-5, "double": 1e-13, "__half": 2e-3}

GPU_ENTRY = 'extern "C" __global__ void __launch_bounds__(T2C_THREADS) {0}__entry({1}* p) {{ {0}(p); }}\n'
HOST_ENTRY = """extern "C" __attribute__((visibility("default"))) void {0}__entry(void** arguments, unsigned nx, unsigned ny, unsigned nz) {{
  for (unsigned b = 0; b < nx * ny * nz; ++b) {{
    tile2cpp::backend::set_block(b % nx, b / nx % ny, b / nx / ny, nx, ny, nz);
    {0}(*static_cast<{1}**>(arguments[0]));
  }}
}}
"""
EMULATED_ENTRY = """extern "C" void {0}__entry(void** arguments, unsigned nx, unsigned ny, unsigned nz) {{
  for (unsigned b = 0; b < nx * ny * nz; ++b)
    tile2cpp::backend::run_block([=] {{
      tile2cpp::backend::set_block(b % nx, b / nx % ny, b / nx / ny, nx, ny, nz);
      {0}(*static_cast<{1}**>(arguments[0]));
    }});
}}
"""


@dataclass(frozen=True)
class Kernel:
    name: str
    element: str
    grid: tuple[int, int, int]
    expected: str
    exact: bool

    def before(self) -> np.ndarray:
        return np.arange(256).astype(ELEMENTS[self.element])

    def fault(self, after: np.ndarray) -> str:
        """How `after` differs from what the kernel's comment says; empty when it does not."""
        with np.errstate(all="ignore"):
            wanted = np.asarray(eval(self.expected, {"np": np, "p": self.before()})).reshape(-1).astype(ELEMENTS[self.element])
        got = after.reshape(-1)[: wanted.size]
        if self.exact:
            same = np.array_equal(got, wanted, equal_nan=got.dtype.kind in "fV")
        else:
            same = np.allclose(got.astype("float64"), wanted.astype("float64"), rtol=TOLERANCES[self.element], atol=1e-30)
        return "" if same else f"{self.name}: {got.tolist()} is not {wanted.tolist()}"


@dataclass(frozen=True)
class Area:
    """One file of kernels."""

    path: Path

    @property
    def oldest(self) -> int:
        """The oldest compute capability that NVIDIA's compiler takes it for."""
        return OLDEST.get(self.path.stem, 90)

    def text(self) -> str:
        """The file with its prelude in place: it needs no folder of headers besides the library's."""
        prelude = (FOLDER / "prelude.hpp").read_text().replace("#pragma once\n", "")
        return self.path.read_text().replace('#include "prelude.hpp"\n', prelude)

    def kernels(self) -> tuple[Kernel, ...]:
        found = KERNEL.findall(self.path.read_text())
        return tuple(Kernel(name, element, blocks(grid), expected, arrow == "->") for arrow, expected, grid, name, element in found)

    def emitted(self, entry: str = "") -> Emitted:
        """All kernels as one program; the compilers add an entry for the first one, `entry` is the text of one for each other."""
        first, *others = self.kernels()
        text = self.text() + "".join(entry.format(k.name, k.element) for k in others)
        return Emitted(first.name, self.path.name, text, (Parameter("p", f"{first.element}*", "scalar", 0, int32),), Schedule(), first.name)


def blocks(grid: str) -> tuple[int, int, int]:
    sizes = [int(n) for n in grid.split(",")] if grid else []
    return tuple(sizes + [1] * (3 - len(sizes)))


AREAS = tuple(Area(path) for path in sorted(FOLDER.glob("*.cu")))


def run_on_host(kernel: Kernel, binary: Path) -> np.ndarray:
    array = kernel.before()
    address = ctypes.c_void_p(array.ctypes.data)
    entry = getattr(ctypes.CDLL(str(binary)), f"{kernel.name}__entry")
    entry((ctypes.c_void_p * 1)(ctypes.addressof(address)), *map(ctypes.c_uint, kernel.grid))
    return array


def run_on_gpu(kernel: Kernel, binary: Path, function: str, threads: int) -> np.ndarray:
    import cupy

    array = cupy.asarray(kernel.before().view(np.uint8))
    cupy.RawModule(path=str(binary)).get_function(function)(kernel.grid, (threads,), (array,))
    return cupy.asnumpy(array).view(ELEMENTS[kernel.element])
