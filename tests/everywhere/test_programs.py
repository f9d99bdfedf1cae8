"""Every program, on every backend."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from case import BACKENDS  # noqa: E402  (the folder has to be on the path first)
from families import PROGRAMS  # noqa: E402
from families.program import check  # noqa: E402


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_leaves_what_numpy_says(name, backend):
    check(PROGRAMS[name], backend)
