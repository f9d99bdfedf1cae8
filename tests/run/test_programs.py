"""Every whole kernel of `programs/`, on every backend, against NumPy."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from case import BACKENDS, check, load_module  # noqa: E402  (its folder has to be on the path first)


def cases():
    """The cases of all programs, named `program/case`."""
    for path in sorted((HERE / "programs").glob("*.py")):
        for case in load_module(path, "run_programs").CASES:
            yield pytest.param(case, id=f"{path.stem}/{case.name}")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", list(cases()))
def test_program(case, backend):
    check(case, backend)
