#!/usr/bin/env python3
"""Broadcasting on the GPU: launches six kernels on CuPy arrays and checks each against CuPy."""

from __future__ import annotations

import argparse
from typing import Any

import broadcast_kernels as kernels
import cupy as cp

import cuda.tile as ct


def launch(kernel: Any, args: tuple[Any, ...], grid: tuple[int, ...], stream: Any) -> None:
    ct.launch(stream, grid, kernel, args)
    stream.synchronize()


def check(label: str, actual: cp.ndarray, expected: cp.ndarray) -> None:
    try:
        cp.testing.assert_array_equal(actual, expected)
    except AssertionError as error:
        raise RuntimeError(f"{label} failed") from error
    print(f"[PASS] {label}")


def power_of_two(value: int) -> int:
    return 1 << (value - 1).bit_length()


def run_all(rows: int, cols: int, tile: int, device: int) -> None:
    if tile & (tile - 1):
        raise ValueError("tile must be a power of two")
    cp.cuda.Device(device).use()
    stream = cp.cuda.get_current_stream()
    print(f"shape=({rows}, {cols}), tile={tile}\n")

    grid = (ct.cdiv(rows, tile), ct.cdiv(cols, tile))
    x = cp.random.randint(-99, 99, (rows, cols)).astype(cp.int32)
    y = cp.random.randint(-99, 99, (rows, cols)).astype(cp.int32)
    out = cp.empty_like(x)
    launch(kernels.same_shape_mul, (x, y, out, tile, tile), grid, stream)
    check("1. same shape", out, x * y)

    column = cp.random.randint(-99, 99, (rows, 1)).astype(cp.int32)
    launch(kernels.column_mul, (x, column, out, tile, tile), grid, stream)
    check("2. column", out, x * column)

    batch = 3
    tiles = power_of_two(batch), power_of_two(rows), power_of_two(cols)
    matrix = cp.zeros(tiles[1:], dtype=cp.int32)
    matrix[:rows, :cols] = x
    stack = cp.zeros((tiles[0], 1, tiles[2]), dtype=cp.int32)
    stack[:batch, :, :cols] = 5
    deep = cp.empty(tiles, dtype=cp.int32)
    launch(kernels.rank_promotion_add, (matrix, stack, deep, *tiles), (1,), stream)
    check("3. rank promotion", deep[:batch, :rows, :cols], x + stack[:batch, :, :cols])

    flat = x.ravel()
    blocks = (ct.cdiv(flat.size, tile),)
    ints = cp.empty_like(flat)
    launch(kernels.scalar_mul, (flat, 2, ints, tile), blocks, stream)
    check("4. scalar", ints, flat * 2)

    wide = cp.full(flat.shape, 2**40, dtype=cp.int64)
    product = cp.empty_like(wide)
    launch(kernels.dtype_promotion_mul, (flat, wide, product, tile), blocks, stream)
    check("5. int32 with int64", product, flat * wide)

    floats = cp.empty(flat.shape, dtype=cp.float32)
    launch(kernels.scalar_promotion_add, (flat, 2, 2.5, ints, floats, tile), blocks, stream)
    check("6a. int scalar", ints, flat + 2)
    check("6b. float scalar", floats, flat.astype(cp.float32) + cp.float32(2.5))
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
    parser.add_argument("--device", type=int, default=0)
    args = parser.parse_args()
    run_all(args.rows, args.cols, args.tile, args.device)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
