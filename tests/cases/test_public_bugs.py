"""Faults that users of other tile systems reported: each kernel must give NumPy's answer here.

The number in a case's name is its entry in the list of reports.
"""

from pathlib import Path

import pytest
from case import BACKENDS, check, load_module


def cases():
    for path in sorted((Path(__file__).parent / "kernels").glob("*.py")):
        for case in getattr(load_module(path, "bug_kernels"), "CASES", ()):
            yield pytest.param(case, id=case.name)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", list(cases()))
def test_public_bug(case, backend):
    check(case, backend)
