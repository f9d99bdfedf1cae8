"""Kernels whose records depend on more than their own text."""

import enum
import math

import kernels_launched

import tile2cpp.lang as ct

ZERO = ct.PaddingMode.ZERO
ConstInt = ct.Constant[int]
SCALES = (1.5, (2, True))


class Form(enum.Enum):
    DOUBLED = 2
    TRIPLED = 3


def helper(t, form=Form.DOUBLED):
    return t * form.value


@ct.kernel
def many(x, y, T: ConstInt):
    t = ct.load(x, (ct.bid(0),), (T,), padding_mode=ZERO)
    ct.store(y, (ct.bid(0),), helper(t, Form.TRIPLED) * SCALES[0] + kernels_launched.FACTOR + math.pi)
