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
GOLDEN = sorted((ROOT / "tests" / "golden" / "cases").glob("*.cu"))
SAMPLES = sorted((ROOT / "samples").glob("*.py"))

# To Tile IR for all three, which is where a file is refused; to machine code for one.
TARGETS = (80, 90, 100)
ASSEMBLED = 90


def texts_of(path: Path) -> list[str]:
    """The C++ of a golden file, or of the kernels of a sample."""
    if path.suffix == ".cu":
        return [path.read_text(encoding="utf-8")]
    result = translate(path)
    return [e.text for e in ([result] if isinstance(result, Emitted) else result.values())]


@pytest.mark.toolkit
@pytest.mark.parametrize("path", [*GOLDEN, *SAMPLES], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_accepted_by_the_tile_compiler(path, tmp_path):
    for number, text in enumerate(texts_of(path)):
        file = tmp_path / f"{path.stem}_{number}.cu"
        file.write_text(text, encoding="utf-8")
        for target in TARGETS:
            nvidia.check(file, target, assemble=target == ASSEMBLED)
