#!/usr/bin/env python3
"""Broadcasting without a GPU: launches six kernels on NumPy arrays and checks each against NumPy."""

from __future__ import annotations

import argparse
from typing import Any

import broadcast_kernels as kernels
import numpy as np

import cuda.tile as ct


def launch(kernel: Any, args: tuple[Any, ...], grid: tuple[int, ...], stream: Any) -> None:
    ct.launch(stream, grid, kernel, args)


def check(label: str, actual: np.ndarray, expected: np.ndarray) -> None:
    try:
        np.testing.assert_array_equal(actual, expected)
    except AssertionError as error:
        raise RuntimeError(f"{label} failed") from error
    print(f"[PASS] {label}")


def power_of_two(value: int) -> int:
    return 1 << (value - 1).bit_length()


def run_all(rows: int, cols: int, tile: int) -> None:
    if tile & (tile - 1):
        raise ValueError("tile must be a power of two")
    stream = 0
    print(f"shape=({rows}, {cols}), tile={tile}\n")

    grid = (ct.cdiv(rows, tile), ct.cdiv(cols, tile))
    x = np.random.randint(-99, 99, (rows, cols)).astype(np.int32)
    y = np.random.randint(-99, 99, (rows, cols)).astype(np.int32)
    out = np.empty_like(x)
    launch(kernels.same_shape_mul, (x, y, out, tile, tile), grid, stream)
    check("1. same shape", out, x * y)

    column = np.random.randint(-99, 99, (rows, 1)).astype(np.int32)
    launch(kernels.column_mul, (x, column, out, tile, tile), grid, stream)
    check("2. column", out, x * column)

    batch = 3
    tiles = power_of_two(batch), power_of_two(rows), power_of_two(cols)
    matrix = np.zeros(tiles[1:], dtype=np.int32)
    matrix[:rows, :cols] = x
    stack = np.zeros((tiles[0], 1, tiles[2]), dtype=np.int32)
    stack[:batch, :, :cols] = 5
    deep = np.empty(tiles, dtype=np.int32)
    launch(kernels.rank_promotion_add, (matrix, stack, deep, *tiles), (1,), stream)
    check("3. rank promotion", deep[:batch, :rows, :cols], x + stack[:batch, :, :cols])

    flat = x.ravel()
    blocks = (ct.cdiv(flat.size, tile),)
    ints = np.empty_like(flat)
    launch(kernels.scalar_mul, (flat, 2, ints, tile), blocks, stream)
    check("4. scalar", ints, flat * 2)

    wide = np.full(flat.shape, 2**40, dtype=np.int64)
    product = np.empty_like(wide)
    launch(kernels.dtype_promotion_mul, (flat, wide, product, tile), blocks, stream)
    check("5. int32 with int64", product, flat * wide)

    floats = np.empty(flat.shape, dtype=np.float32)
    launch(kernels.scalar_promotion_add, (flat, 2, 2.5, ints, floats, tile), blocks, stream)
    check("6a. int scalar", ints, flat + 2)
    check("6b. float scalar", floats, flat.astype(np.float32) + np.float32(2.5))
    print("\nall passed")


def positive(text: str) -> int:
    number = int(text)
    if number <= 0:
        raise argparse.ArgumentTypeError("must be greater than zero")
    return number


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=positive, default=7)
    parser.add_argument("--cols", type=positive, default=5)
    parser.add_argument("--tile", type=positive, default=4)
    args = parser.parse_args()
    run_all(args.rows, args.cols, args.tile)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
