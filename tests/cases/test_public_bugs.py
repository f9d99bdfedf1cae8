"""Faults that users of other tile systems reported: each kernel must give NumPy's answer here.

The number in a case's name is its entry in the list of reports. Kernels that need the wider
language (own combiners, unrolled loops) are named in `WIDER`.
"""

from pathlib import Path

import pytest
from case import BACKENDS, check, load_module

WIDER = {
    "H08 own combiner",
    "H21 lambda over several lines",
}


def cases():
    for path in sorted((Path(__file__).parent / "kernels").glob("*.py")):
        for case in getattr(load_module(path, "bug_kernels"), "CASES", ()):
            wider = pytest.mark.xfail(strict=False, reason="needs the wider language")
            yield pytest.param(case, id=case.name, marks=[wider] if case.name in WIDER else [])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", list(cases()))
def test_public_bug(case, backend):
    check(case, backend)
