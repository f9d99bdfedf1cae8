"""Mistakes that are easily taken for legal: one finding each, on the right line, before anything runs."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from case import load_module

import tile2cpp
import tile2cpp.lang as ct

MODULE = load_module(Path(__file__).parent / "refused" / "kernels.py", "refused")
KERNELS = {name: f for name, f in vars(MODULE).items() if inspect.isfunction(f)}


@pytest.mark.parametrize("backend", ["interpret", "host"])
@pytest.mark.parametrize("name", KERNELS)
def test_is_refused_where_it_is_wrong(name, backend):
    lines, first = inspect.getsourcelines(KERNELS[name])
    (line, words), *_ = [(first + i, text.partition("# refused: ")[2].strip()) for i, text in enumerate(lines) if "# refused: " in text]
    output = np.zeros(8, np.float32)
    with pytest.raises(ct.TileError) as caught:
        tile2cpp.launch(0, (1,), ct.kernel(KERNELS[name]), (np.ones(8, np.float32), 3, output), backend=backend)
    findings = caught.value.diagnostics
    assert [(d.label.span.line, words in d.message) for d in findings] == [(line, True)], str(caught.value)
    assert not output.any()
