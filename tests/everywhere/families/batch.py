"""Many expressions in one kernel: each is computed on every backend and held against NumPy.

A backend that compiles takes about a second for a kernel, whatever is in it, so the
expressions of a family and a dtype share one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import ml_dtypes
import numpy as np

import tile2cpp.lang as ct
from tile2cpp.dtypes import DType, as_dtype


@dataclass(frozen=True)
class Row:
    """An expression of the loaded tiles, and what NumPy makes of the arrays.

    `ulps`: by how many units in the last place the result may be off; at 0 it is exactly
    that number, the sign of a zero included unless `zeros` says that it is open.
    """

    code: Callable
    want: Callable
    ulps: float = 0
    zeros: bool = True


@dataclass(frozen=True)
class Batch:
    """One kernel: what it loads, and the rows that it stores."""

    name: str
    inputs: tuple[np.ndarray, ...]
    rows: dict[str, Row]


def numpy_dtype(dtype: DType) -> np.dtype:
    return dtype.numpy


def wanted(batch: Batch) -> dict[str, np.ndarray]:
    with np.errstate(all="ignore"):
        return {name: np.asarray(row.want(*batch.inputs)) for name, row in batch.rows.items()}


def is_extended(dtype: np.dtype) -> bool:
    """Whether only ml_dtypes has it: such elements travel as bits, for CuPy has none of them."""
    return dtype.kind == "V" or hasattr(ml_dtypes, dtype.name)


def carried(array: np.ndarray) -> np.ndarray:
    """What is passed for an array: extended elements as their bits, a scalar as an array of one."""
    array = np.ascontiguousarray(array).reshape(array.shape or (1,))
    return array.view(f"u{array.itemsize}") if is_extended(array.dtype) else array


def kernel_of(batch: Batch, outputs: dict[str, np.ndarray]) -> ct.kernel:
    """The kernel of a batch; what it computes must have the dtypes and shapes of `outputs`."""
    codes = tuple(row.code for row in batch.rows.values())
    shapes = tuple(a.shape for a in batch.inputs)
    dtypes = tuple(as_dtype(a.dtype) for a in batch.inputs)
    places = tuple((0,) * max(1, a.ndim) for a in batch.inputs)
    extended = tuple(is_extended(a.dtype) for a in batch.inputs)
    result_shapes = tuple(a.shape for a in outputs.values())
    result_dtypes = tuple(as_dtype(a.dtype) for a in outputs.values())
    result_places = tuple((0,) * max(1, a.ndim) for a in outputs.values())
    result_extended = tuple(is_extended(a.dtype) for a in outputs.values())

    def loaded(array, number):
        tile = ct.load(array, places[number], shapes[number])
        return ct.bitcast(tile, dtypes[number]) if extended[number] else tile

    @ct.kernel
    def everywhere(inputs, results):
        tiles = tuple(loaded(inputs[i], i) for i in ct.static_iter(range(len(shapes))))
        for row in ct.static_iter(range(len(codes))):
            made = codes[row](*tiles)
            ct.static_assert(made.dtype == result_dtypes[row], f"row {row} is {made.dtype}")
            ct.static_assert(made.shape == result_shapes[row], f"row {row} is {made.shape}")
            if result_extended[row]:
                ct.store(results[row], result_places[row], ct.bitcast(made, results[row].dtype))
            else:
                ct.store(results[row], result_places[row], made)

    return everywhere


def poisoned(array: np.ndarray) -> np.ndarray:
    """Memory for a result, whose old contents would be noticed."""
    made = np.empty_like(carried(array))
    made.view(np.uint8)[...] = 0x5B if made.dtype != bool else 1
    return made


def arguments(batch: Batch, outputs: dict[str, np.ndarray]) -> tuple[tuple, tuple]:
    return tuple(carried(a) for a in batch.inputs), tuple(poisoned(a) for a in outputs.values())


def check(batch: Batch, backend: str) -> None:
    """Every row of `batch` is on `backend` what NumPy says."""
    outputs = wanted(batch)
    inputs, results = arguments(batch, outputs)
    results = launched(kernel_of(batch, outputs), inputs, results, backend)
    faults = [difference(name, batch.rows[name], want, got.view(want.dtype).reshape(want.shape)) for (name, want), got in zip(outputs.items(), results)]
    assert not any(faults), "\n".join(f"{batch.name}: {f}" for f in faults if f)


def launched(kernel: Any, inputs: tuple, results: tuple, backend: str) -> tuple[np.ndarray, ...]:
    import tile2cpp

    if backend != "cuda":
        tile2cpp.launch(0, (1,), kernel, (inputs, results), backend=backend)
        return results
    import cupy

    moved = tuple(tuple(cupy.asarray(a) for a in arrays) for arrays in (inputs, results))
    tile2cpp.launch(cupy.cuda.get_current_stream(), (1,), kernel, moved, backend=backend)
    return tuple(a.get() for a in moved[1])


@np.errstate(invalid="ignore")  # NaN is compared and converted on purpose
def difference(name: str, row: Row, want: np.ndarray, got: np.ndarray) -> str:
    """Where `got` is wrong, in words; empty when it is right."""
    right = want == got
    if is_floating(want.dtype):
        wide, other = want.astype(np.float64), got.astype(np.float64)
        right = (wide == other) | (np.isnan(wide) & np.isnan(other))
        if row.ulps:
            right |= np.abs(wide - other) <= row.ulps * spacing(want)
        elif row.zeros:
            right &= (wide != 0) | (np.signbit(wide) == np.signbit(other))
    wrong = np.argwhere(~np.atleast_1d(right))
    shown = [f"{tuple(map(int, at))}: {np.atleast_1d(got)[tuple(at)]!r} for {np.atleast_1d(want)[tuple(at)]!r}" for at in wrong[:4]]
    return f"{name} is wrong at {len(wrong)} places, {'; '.join(shown)}" if len(wrong) else ""


def is_floating(dtype: np.dtype) -> bool:
    return dtype.kind == "f" or is_extended(dtype)


def spacing(want: np.ndarray) -> np.ndarray:
    """The distance of numbers in the dtype of `want`, as float64."""
    info = ml_dtypes.finfo(want.dtype)
    wide = np.abs(want.astype(np.float64))
    power = np.exp2(np.floor(np.log2(np.maximum(wide, float(info.smallest_normal)))))
    return np.where(np.isfinite(wide), power * float(info.eps), 0)


def translated(batch: Batch, target: int | None):
    """The file that runs on a GPU of compute capability `target`."""
    from tile2cpp.launch import prepare

    outputs = wanted(batch)
    kernel = kernel_of(batch, outputs)
    return prepare.emit(kernel, kernel.signature_of(arguments(batch, outputs)), target)
