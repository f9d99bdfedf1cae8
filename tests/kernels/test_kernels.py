"""Kernels as libraries write them: on every backend against NumPy, and through NVIDIA's compilers."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from case import BACKENDS, check, load_module  # noqa: E402  (the folder of `tilekit` has to be on the path first)

PROGRAMS = {path.stem: load_module(path, "kernels") for path in sorted(HERE.glob("*.py")) if path.stem not in ("tilekit", Path(__file__).stem)}
CASES = [pytest.param(case, id=f"{name}/{case.name}") for name, program in PROGRAMS.items() for case in program.CASES]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", CASES)
def test_kernel(case, backend):
    check(case, backend)
