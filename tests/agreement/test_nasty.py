"""Kernels that are legal and unkind: each must mean in C++ what it means in Python."""

from pathlib import Path

import numpy as np
import pytest
from case import BACKENDS, launch, load_module
from nasty_case import CASES

MODULES = [load_module(path, "nasty") for path in sorted((Path(__file__).parent / "nasty").glob("*.py"))]
ALL = [pytest.param(kernel, want, id=f"{m.__name__.removeprefix('nasty_')}-{name}") for m in MODULES for name, kernel, want in CASES[m.__name__]]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kernel, want", ALL)
def test_means_what_python_means(kernel, want, backend):
    args = np.arange(8, dtype=np.float32) + 0.5, 3, np.zeros(8, np.float32)
    after = launch(kernel, (1,), args, backend)
    np.testing.assert_allclose(after[2], np.broadcast_to(np.float32(want), (8,)), rtol=1e-6)
