"""Every piece of Tile C++ in the programming guide, in `guide/*.cu`: runs on the host and on GPUs, and three compilers take it.

Pieces that are no kernel in the guide stand inside a small one that stores what they make.
"""

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

from tile2cpp.build import host, nvidia, nvrtc
from tile2cpp.dtypes import BY_NAME
from tile2cpp.emitted import Emitted, Parameter, Schedule

FOLDER = Path(__file__).parent / "guide"
SPELLINGS = {"float32": "float", "int32": "int", "float16": "__half", "uint64": "std::size_t"}


@dataclass(frozen=True)
class Case:
    """One kernel: its file, its launch, and what the arrays at some positions hold afterwards."""

    file: str
    grid: tuple[int, int, int]
    arguments: Callable[[], list[Any]]
    expected: Callable[..., dict[int, Any]]
    kernel: str = ""

    @property
    def name(self) -> str:
        return self.kernel or self.file

    def emitted(self) -> Emitted:
        path = FOLDER / f"{self.file}.cu"
        parameters = tuple(declared(i, value) for i, value in enumerate(self.arguments()))
        return Emitted(self.name, path.name, path.read_text(), parameters, Schedule(), self.name)


def declared(position: int, value: Any) -> Parameter:
    """The C++ parameter that takes this argument."""
    array = isinstance(value, np.ndarray)
    kind = str(value.dtype)
    spelling = SPELLINGS[kind] + ("*" if array else "")
    return Parameter(f"p{position}", spelling, "pointer" if array else "scalar", position, BY_NAME[kind])


def counting(count: int, dtype: str = "float32") -> np.ndarray:
    return np.arange(count).astype(dtype)


def blank(*shape: int, dtype: str = "float32") -> np.ndarray:
    """An output; what a kernel leaves alone stays -1."""
    return np.full(shape, -1, dtype)


def matrix(rows: int, columns: int, salt: int) -> np.ndarray:
    """Small integers, whose products and sums are exact in every type."""
    return ((np.arange(rows * columns) * salt % 7) - 3).reshape(rows, columns).astype("float16")


i32, u64 = np.int32, np.uint64
CASES = (
    Case("declarations", (5, 1, 1), lambda: [counting(5), counting(5), blank(5)], lambda a, b, c: {2: a + b}, "my_kernel"),
    Case(
        "block_position", (3, 2, 1), lambda: [blank(6, dtype="int32")],
        lambda seen: {0: [100 * x + 10 * y + 3 for y in range(2) for x in range(3)]},
    ),
    Case(
        "factories", (1, 1, 1), lambda: [blank(48), blank(8, dtype="int32")],
        lambda squares, line: {0: np.repeat([0, 1, np.float32(3.14)], 16), 1: np.arange(8)},
    ),
    Case(
        "concat_demo", (1, 1, 1), lambda: [blank(64, dtype="int32"), blank(64, dtype="int32")],
        lambda a, b: {0: np.repeat([0, 1], 32), 1: np.repeat([0, 1], 32)},
    ),
    Case("mixed_extents", (1, 1, 1), lambda: [blank(4, dtype="int32"), i32(37)], lambda sizes, n: {0: [8, 37, 1, 32]}),
    Case("vec_add", (16, 1, 1), lambda: [counting(128), counting(128), blank(128)], lambda a, b, out: {2: a + b}),
    Case(
        "edge_safe", (3, 1, 1), lambda: [counting(384), blank(384), i32(300)],
        lambda a, out, n: {1: np.where(np.arange(384) < 300, a, -1)},
    ),
    Case(
        "vec_add_gather", (4, 1, 1), lambda: [counting(32, "int32"), counting(32, "int32"), blank(32, dtype="int32")],
        lambda a, b, out: {2: a + b},
    ),
    Case(
        "gather_safe", (4, 1, 1), lambda: [counting(32, "int32"), blank(32, dtype="int32"), i32(27)],
        lambda a, out, n: {1: np.where(np.arange(32) < 27, a, -1)},
    ),
    Case("tile_sum", (1, 1, 1), lambda: [counting(40), blank(8), i32(5)], lambda a, out, n: {1: a.reshape(5, 8).sum(0)}),
    Case(
        "conditional_load", (4, 1, 1), lambda: [counting(32), blank(32), i32(29)],
        lambda a, out, n: {1: np.where(np.arange(32) < 24, a, np.where(np.arange(32) < 29, 0, -1))},
    ),
    Case(
        "broadcasting", (1, 1, 1), lambda: [blank(64, dtype="int32")],
        lambda out: {0: np.arange(16).reshape(8, 2) + np.arange(8).reshape(4, 1, 2)},
    ),
    Case("scalar_operands", (1, 1, 1), lambda: [blank(8, dtype="int32")], lambda out: {0: np.full(8, 5)}),
    Case("elementwise", (4, 1, 1), lambda: [counting(32), counting(32), blank(32), i32(32)], lambda a, b, c, n: {2: 2 * a + b}),
    Case(
        "gemm", (3, 2, 1), lambda: [matrix(70, 40, 5), matrix(40, 50, 3), blank(70, 50), u64(70), u64(40), u64(50)],
        lambda a, b, c, m, k, n: {2: a.astype("float32") @ b.astype("float32")},
    ),
    Case("reductions", (1, 1, 1), lambda: [blank(2, dtype="int32")], lambda out: {0: [6, 22]}),
    Case(
        "transposition", (1, 1, 1), lambda: [blank(8, dtype="int32"), blank(8, dtype="int32")],
        lambda a, b: {0: np.arange(8).reshape(2, 4).T, 1: np.arange(8).reshape(2, 2, 2).transpose(2, 0, 1)},
    ),
    Case("selection", (1, 1, 1), lambda: [blank(4)], lambda out: {0: [1, 1, -1, -1]}),
    Case(
        "block_sum", (5, 1, 1), lambda: [counting(70, "int32"), np.zeros(1, "int32"), u64(70)],
        lambda a, out, n: {1: [a.sum()]},
    ),
    Case("block_contention", (3, 1, 1), lambda: [np.zeros(3, "int32")], lambda slots: {0: [120] * 3}),
    Case("optimization_hints", (16, 1, 1), lambda: [counting(128), blank(128)], lambda a, out: {1: a}),
    Case("tile_elementwise_copy", (4, 1, 1), lambda: [blank(256), counting(256)], lambda out, a: {0: a}),
    Case("foo", (1, 1, 1), lambda: [counting(256 * 256)], lambda a: {0: negated(a)}),
    Case("bounded_loop", (1, 1, 1), lambda: [blank(1, dtype="int32"), i32(1), i32(9), i32(3)], lambda *_: {0: [147]}),
)  # fmt: skip


def negated(values: np.ndarray) -> np.ndarray:
    """The 256 x 256 array of `foo` with tile (3, 5) of 4 x 4 elements negated."""
    result = values.reshape(256, 256).copy()
    result[12:16, 20:24] *= -1
    return result


def addresses(arguments: list[Any]) -> ctypes.Array:
    """The addresses of the kernel's arguments, as the host entry wants them."""
    held = [np.array([a.ctypes.data], "uint64") if isinstance(a, np.ndarray) else np.array([a]) for a in arguments]
    array = (ctypes.c_void_p * len(held))(*[h.ctypes.data for h in held])
    array.held = held
    return array


def check(case: Case, before: list[Any], after: list[Any]) -> None:
    for position, wanted in case.expected(*before).items():
        np.testing.assert_array_equal(after[position].reshape(-1), np.asarray(wanted).reshape(-1).astype(after[position].dtype))


every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)


def test_no_file_is_forgotten():
    assert {case.file for case in CASES} == {path.stem for path in FOLDER.glob("*.cu")}


@every_case
def test_host(case):
    built = host.compile(case.emitted())
    before, after = case.arguments(), case.arguments()
    getattr(ctypes.CDLL(str(built.binary)), built.entry)(addresses(after), *map(ctypes.c_uint, case.grid))
    check(case, before, after)


@every_case
@pytest.mark.parametrize("target", (75, 90))
def test_nvrtc(case, target):
    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed")
    built = nvrtc.compile(case.emitted(), target)
    assert built.facts["stack_bytes"] == 0


@pytest.mark.toolkit
@every_case
def test_accepted_by_the_tile_compiler(case):
    assert nvidia.compile(case.emitted(), 90).binary.stat().st_size


@pytest.mark.gpu
@every_case
def test_gpu(case):
    import cupy

    emitted = case.emitted()
    built = nvrtc.compile(emitted, int(cupy.cuda.Device().compute_capability))
    kernel = cupy.RawModule(path=str(built.binary)).get_function(built.entry)
    before = case.arguments()
    held = [cupy.asarray(a) if isinstance(a, np.ndarray) else a for a in before]
    kernel(case.grid, (emitted.schedule.threads,), tuple(held))
    check(case, before, [cupy.asnumpy(a) if isinstance(a, cupy.ndarray) else a for a in held])
