"""Kernels written thread by thread in CUDA C++, as introductions to tiling have them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable

from benchmarks.work import Task

SOURCE = r"""
// One thread for each element of a 32x32 tile; both factors pass through shared memory.
extern "C" __global__ void product_shared(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[32][32], b[32][32];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
  float sum = 0;
  for (int k = 0; k < K; k += 32) {
    a[y][x] = row < M && k + x < K ? A[row * K + k + x] : 0.0f;
    b[y][x] = k + y < K && column < N ? B[(k + y) * N + column] : 0.0f;
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < 32; ++i) sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

// Each of 16x16 threads sums a 4x4 patch of a 64x64 tile in its registers.
extern "C" __global__ void product_registers(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[64][16], b[16][64];
  int x = threadIdx.x, y = threadIdx.y, mine = y * 16 + x;
  float sums[4][4] = {};
  for (int k = 0; k < K; k += 16) {
    for (int i = mine; i < 64 * 16; i += 256) {
      int row = blockIdx.y * 64 + i / 16, at = k + i % 16;
      a[i / 16][i % 16] = row < M && at < K ? A[row * K + at] : 0.0f;
    }
    for (int i = mine; i < 16 * 64; i += 256) {
      int at = k + i / 64, column = blockIdx.x * 64 + i % 64;
      b[i / 64][i % 64] = at < K && column < N ? B[at * N + column] : 0.0f;
    }
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < 16; ++i) {
      float left[4], right[4];
      for (int r = 0; r < 4; ++r) left[r] = a[y * 4 + r][i];
      for (int c = 0; c < 4; ++c) right[c] = b[i][x * 4 + c];
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) sums[r][c] += left[r] * right[c];
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) {
      int row = blockIdx.y * 64 + y * 4 + r, column = blockIdx.x * 64 + x * 4 + c;
      if (row < M && column < N) C[row * N + column] = sums[r][c];
    }
}

// A 32x32 tile turned in shared memory; rows are one element longer so that columns lie in different banks.
extern "C" __global__ void transpose_shared(const float* X, float* Y, int M, int N) {
  __shared__ float tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  if (blockIdx.y * 32 + y < M && blockIdx.x * 32 + x < N) tile[y][x] = X[(blockIdx.y * 32 + y) * (size_t)N + blockIdx.x * 32 + x];
  __syncthreads();
  if (blockIdx.x * 32 + y < N && blockIdx.y * 32 + x < M) Y[(blockIdx.x * 32 + y) * (size_t)M + blockIdx.y * 32 + x] = tile[x][y];
}
"""


@lru_cache(maxsize=1)
def _module() -> Any:
    import cupy

    return cupy.RawModule(code=SOURCE)


def _started(name: str, block: tuple[int, int], tile: int, rows: int, columns: int, pointers: list, sizes: list) -> Callable[[], None]:
    import numpy
    import torch

    from tile2cpp.launch.cupy import stream_of

    kernel = _module().get_function(name)
    grid = -(-columns // tile), -(-rows // tile)
    args = (*(numpy.uint64(t.data_ptr()) for t in pointers), *map(numpy.int32, sizes))

    def run() -> None:
        with stream_of(torch.cuda.current_stream().cuda_stream):
            kernel(grid, block, args)

    return run


def simt_product(name: str) -> Callable[[Task], Callable[[], None]]:
    """`product_shared` or `product_registers`."""

    def make(task: Task) -> Callable[[], None]:
        a, b, c = task["A"], task["B"], task["C"]
        tile, block = (32, (32, 32)) if name == "product_shared" else (64, (16, 16))
        return _started(name, block, tile, *c.shape, [a, b, c], [*c.shape, a.shape[1]])

    return make


def simt_transpose(task: Task) -> Callable[[], None]:
    x, y = task["x"], task["y"]
    return _started("transpose_shared", (32, 32), 32, *x.shape, [x, y], list(x.shape))
