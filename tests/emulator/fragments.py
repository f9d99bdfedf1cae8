"""Matrices spread over the lanes of a warp, and the products that a warp makes of them at once."""

from __future__ import annotations

from functools import lru_cache

import ml_dtypes
import numpy as np

from .decode import LANES, instruction
from .errors import EmulationError
from .warp import FULL, Gathering

ELEMENTS = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "tf32": np.float32, "s8": np.int8, "u8": np.uint8, "f64": np.float64,
    "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2,
}  # fmt: skip
LANE = np.arange(LANES)


def exact(values: np.ndarray, kind: str) -> np.ndarray:
    """Factors as numbers that are multiplied without loss: tensor cores see the upper bits of tf32."""
    if kind == "tf32":
        return (values.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    return values.astype(np.float64 if kind in ("s8", "u8", "f64") else np.float32)


@lru_cache(maxsize=None)
def left_places(registers: int, each: int) -> tuple[np.ndarray, np.ndarray]:
    """Row and column of elements of the left factor: by register, lane and place in the register."""
    j, lane, n = np.meshgrid(np.arange(registers), LANE, np.arange(each), indexing="ij")
    return lane // 4 + 8 * (j & 1), lane % 4 * each + n + 4 * each * (j >> 1)


@lru_cache(maxsize=None)
def right_places(registers: int, each: int) -> tuple[np.ndarray, np.ndarray]:
    j, lane, n = np.meshgrid(np.arange(registers), LANE, np.arange(each), indexing="ij")
    return lane % 4 * each + n + 4 * each * j, lane // 4


@lru_cache(maxsize=None)
def sum_places(registers: int) -> tuple[np.ndarray, np.ndarray]:
    """Row and column of sums: by register and lane, for blocks of 8 columns that follow each other."""
    j, lane = np.meshgrid(np.arange(registers), LANE, indexing="ij")
    return lane // 4 + 8 * (j >> 1 & 1), 8 * (j >> 2) + lane % 4 * 2 + (j & 1)


def left_matrix(words: np.ndarray, kind: str) -> np.ndarray:
    """16 rows from registers, an array of (registers, lanes)."""
    values = np.ascontiguousarray(words).view(ELEMENTS[kind]).reshape(len(words), LANES, -1)
    places = left_places(len(words), values.shape[2])
    matrix = np.empty((16, 4 * values.shape[2] * len(words) // 2), values.dtype)
    matrix[places] = values
    return exact(matrix, kind)


def right_matrix(words: np.ndarray, kind: str) -> np.ndarray:
    values = np.ascontiguousarray(words).view(ELEMENTS[kind]).reshape(len(words), LANES, -1)
    places = right_places(len(words), values.shape[2])
    matrix = np.empty((4 * values.shape[2] * len(words), 8), values.dtype)
    matrix[places] = values
    return exact(matrix, kind)


def plus(sums: np.ndarray, product: np.ndarray) -> np.ndarray:
    """Sums keep their type; integers wrap."""
    if sums.dtype.kind == "i":
        return sums + product.astype(np.int64).astype(np.int32)
    return sums + product.astype(sums.dtype)


@instruction("mma")
def _(d, i):
    shape = i.parts[3]
    sum_kind, left_kind, right_kind = i.parts[6], i.parts[7], i.parts[8]
    if (i.parts[1:3] != ["sync", "aligned"] or i.parts[4:6] != ["row", "col"] or left_kind not in ELEMENTS or right_kind not in ELEMENTS
            or sum_kind not in ("f32", "s32", "f64")):  # fmt: skip
        raise EmulationError(i.text)
    word = "b64" if sum_kind == "f64" else "b32"
    parts = [d.vector(o) for o in i.operands]
    sinks = [d.target(p, sum_kind, i) for p in parts[0]]
    lefts, rights, sums = [[d.source(p, k, i) for p in group] for group, k in zip(parts[1:], (word, word, sum_kind))]

    def run(w, m):
        if w.group.lanes != FULL:
            return Gathering(FULL)
        r = w.rows
        a, b, c = (np.stack([r[n] for n in group]) for group in (lefts, rights, sums))
        if shape == "m8n8k4":
            left, right = a.view(np.float64).reshape(8, 4), b.view(np.float64).reshape(8, 4).T
            places = np.broadcast_to(LANE // 4, (2, LANES)), LANE % 4 * 2 + np.arange(2)[:, None]
            old = np.empty((8, 8))
        else:
            left, right, places = left_matrix(a, left_kind), right_matrix(b, right_kind), sum_places(4)
            old = np.empty((16, 8), c.dtype)
        old[places] = c
        result = plus(old, left @ right)[places]
        for n, sink in enumerate(sinks):
            r[sink][...] = result[n]

    return run
