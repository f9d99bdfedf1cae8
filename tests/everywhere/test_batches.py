"""Every row of every batch, on every backend."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from families import BATCHES  # noqa: E402  (the folder has to be on the path first)
from families.batch import check  # noqa: E402
from case import BACKENDS  # noqa: E402


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", BATCHES)
def test_is_what_numpy_says(name, backend):
    check(BATCHES[name], backend)
