"""What the kernels of this folder share, as a library of kernels keeps it in a module of its own."""

import math

import numpy as np

import tile2cpp.lang as ct

ConstInt = ct.Constant[int]
ConstFloat = ct.Constant[float]
ConstBool = ct.Constant[bool]
ZERO = ct.PaddingMode.ZERO
APPROX = ct.RoundingMode.APPROX
INV_LOG_2 = 1.0 / math.log(2)
SQRT_2_BY_PI = math.sqrt(2 / math.pi)


def exp(x):
    """e**x by the base-2 exponential of the hardware."""
    return ct.exp2(x * INV_LOG_2, flush_to_zero=True)


def divide(x, y):
    return ct.truediv(x, y, rounding_mode=APPROX, flush_to_zero=True)


def sigmoid(x):
    return divide(1.0, 1.0 + exp(-x))


def silu(x):
    return x * sigmoid(x)


def gelu(x):
    """The form with tanh."""
    inner = SQRT_2_BY_PI * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1.0 + ct.tanh(inner))


def grouped_block(bid, rows, columns, group):
    """Row and column of a block, in groups of `group` rows that share columns of the second operand."""
    in_group = group * columns
    first = bid // in_group * group
    height = min(rows - first, group)
    inside = bid % in_group
    return first + inside % height, inside // height


def columns_of(part, size: int):
    return part * size + ct.arange(size, dtype=ct.int32)


# --- the same in NumPy, in double precision ---


def np_sigmoid(x):
    return 1 / (1 + np.exp(-wide(x)))


def np_silu(x):
    return wide(x) * np_sigmoid(x)


def np_gelu(x):
    x = wide(x)
    return 0.5 * x * (1 + np.tanh(SQRT_2_BY_PI * (x + 0.044715 * x**3)))


def np_softmax(x, axis=-1):
    e = np.exp(wide(x) - wide(x).max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def wide(x):
    return np.asarray(x).astype(np.float64)
