"""Results that take half of all registers: those in columns are stored as they lie, since a thread could not hold them turned round as well."""

import numpy as np
import pytest
from case import Case, fresh, load_module

from tile2cpp.build import nvrtc

from .test_emulated import FEW, KERNELS, check, wide

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")

RAGGED = load_module(KERNELS / "ragged.py", "large")


@pytest.mark.parametrize("m, n", [(128, 128), (120, 101)])
def test_results_in_columns(m, n):
    def make(rng):
        return fresh(rng, (m, 12), "float64", -1, 1), fresh(rng, (12, n), "float64", -1, 1), np.zeros((m, n), order="F"), 128, 128, 8

    check(Case("columns", RAGGED.product, (1, 1), make, (2,), lambda a, b, *_: [wide(a) @ wide(b)], terms=12), FEW)
