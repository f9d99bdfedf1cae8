"""The files a reviewer sees, next to the kernels they come from."""

from pathlib import Path

import pytest

from tile2cpp.translate import translate

# `blackwell`: kernels whose dtypes exist from sm_100 on only.
CASES = sorted([*(Path(__file__).parent / "cases").glob("*.py"), *(Path(__file__).parent / "blackwell").glob("*.py")])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_emitted_source(case, golden):
    """One kernel, one file; renew with `pytest --update-golden`, then read the diff."""
    golden(case.with_suffix(".cu"), translate(case).text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_golden_file_fits_a_screen(case):
    assert len(case.with_suffix(".cu").read_text(encoding="utf-8").splitlines()) <= 90
