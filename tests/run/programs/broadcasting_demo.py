"""The kernels of the broadcasting demonstration, with random values and ragged extents."""

import sys
from pathlib import Path

import numpy as np
from case import Case, blank, fresh

import tile2cpp

# The demonstration imports `cuda.tile`, as programs written for cuTile do.
tile2cpp.install_as_cuda_tile()
sys.path.insert(0, str(Path(__file__).parents[1] / "drivers"))
import broadcast_kernels as demo  # noqa: E402  (needs both lines above)


def matrices(shape, y_shape, dtype="int32"):
    return lambda rng: (fresh(rng, shape, dtype, -99, 99), fresh(rng, y_shape, dtype, -99, 99), blank(shape, dtype),
                        4, 4)


CASES = [
    Case("same shape", demo.same_shape_mul, (2, 2), matrices((7, 5), (7, 5)), (2,), lambda x, y, *_: [x * y]),
    Case("same shape, wide", demo.same_shape_mul, (1, 9), matrices((3, 33), (3, 33)), (2,), lambda x, y, *_: [x * y]),
    Case("column", demo.column_mul, (2, 2), matrices((7, 5), (7, 1)), (2,), lambda x, y, *_: [x * y]),
    Case("column of floats", demo.column_mul, (3, 4), matrices((9, 13), (9, 1), "float32"), (2,),
         lambda x, y, *_: [x * y]),
    Case("rank promotion", demo.rank_promotion_add, (1,),
         lambda rng: (fresh(rng, (8, 8), "int32"), fresh(rng, (4, 1, 8), "int32"), blank((4, 8, 8), "int32"), 4, 8, 8),
         (2,), lambda x, y, *_: [x + y]),
    Case("rank promotion, ragged", demo.rank_promotion_add, (1,),
         lambda rng: (fresh(rng, (7, 5), "int32"), fresh(rng, (3, 1, 5), "int32"), blank((3, 7, 5), "int32"), 4, 8, 8),
         (2,), lambda x, y, *_: [x + y]),
    Case("scalar", demo.scalar_mul, (9,), lambda rng: (fresh(rng, 35, "int32"), -3, blank(35, "int32"), 4), (2,),
         lambda x, s, *_: [x * s]),
    Case("dtype promotion", demo.dtype_promotion_mul, (9,),
         lambda rng: (fresh(rng, 35, "int32", -9**9, 9**9), fresh(rng, 35, "int64", -99, 99), blank(35, "int64"), 4),
         (2,), lambda x, y, *_: [x * y]),
    Case("scalar promotion", demo.scalar_promotion_add, (9,),
         lambda rng: (fresh(rng, 35, "int32"), 2, 2.5, blank(35, "int32"), blank(35), 4), (3, 4),
         lambda x, *_: [x + 2, np.float32(x) + np.float32(2.5)]),
]
