"""NVIDIA's own tile compiler takes every emitted file, unchanged, for three generations of GPUs.

It is the second opinion on what is canonical: `load_masked(row, 0_ic)` once pleased our
headers and was refused there. No GPU is needed to compile.
"""

from pathlib import Path

import pytest

from tile2cpp.build import nvidia
from tile2cpp.emitted import Emitted
from tile2cpp.translate import translate

ROOT = Path(__file__).parents[2]
GOLDEN = sorted((ROOT / "tests" / "golden" / "cases").glob("*.py"))
SAMPLES = sorted((ROOT / "samples").glob("*.py"))
BLACKWELL = sorted((ROOT / "tests" / "golden" / "blackwell").glob("*.py"))
TARGETS = (80, 90, 100)
USUAL = 90  # for the samples; the other targets and the golden files are for `pytest -m thorough`
KERNELS = [
    pytest.param(path, target, marks=[] if target == USUAL and path in SAMPLES else [pytest.mark.thorough], id=f"{path.parent.name}/{path.stem}-sm_{target}")
    for path, target in [*((path, target) for path in (*GOLDEN, *SAMPLES) for target in TARGETS), *((path, 100) for path in BLACKWELL)]
]


@pytest.mark.toolkit
@pytest.mark.parametrize(("path", "target"), KERNELS)
def test_accepted_by_the_tile_compiler(path, target):
    result = translate(path)
    for emitted in [result] if isinstance(result, Emitted) else result.values():
        assert nvidia.compile(emitted, target).binary.stat().st_size
