"""The emitted golden files and samples compile for every generation of GPUs, with NVRTC of CUDA 13 and 12.

Each file goes to one target by turns; `TILE2CPP_EVERY_TARGET=1 pytest tests/include/conformance/test_golden.py`
sends each to all of them and takes half an hour.
"""

import os
from pathlib import Path

import pytest

from tile2cpp.build import nvrtc
from tile2cpp.emitted import Emitted
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature
from tile2cpp.translate import kernels_of, translate

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "tests" / "golden" / "cases").glob("*.py")) + sorted((ROOT / "samples").glob("*.py"))
TARGETS = {13: (75, 80, 86, 89, 90, 100, 120), 12: (75, 80, 86, 89, 90)}
EVERY = os.environ.get("TILE2CPP_EVERY_TARGET") == "1"

# Printing passes its arguments through the stack, and large angles are reduced there.
STACK_IS_NEEDED = ("printing", "math_functions")


def choices(release: int, every: int):
    """Files with targets: all of them, or each `every`th file with one target."""
    targets = TARGETS[release]
    for number, path in enumerate(FILES):
        if EVERY:
            yield from ((path, target) for target in targets)
        elif number % every == 0:
            yield path, targets[number // every % len(targets)]


def label(value) -> str:
    return value.stem if isinstance(value, Path) else f"sm_{value}"


def kernels(path: Path, target: int):
    """What a file emits, with the schedules for a GPU."""
    made, found = translate(path), kernels_of(path)
    for name, emitted in {next(iter(found)): made}.items() if isinstance(made, Emitted) else made.items():
        kernel = found[name]
        yield prepare.emit(kernel, Signature.parse(emitted.signature, kernel.names), target)


def check(path: Path, target: int, release: int) -> None:
    found = nvrtc.find(release)
    if found is None or found.version[0] != release:
        pytest.skip(f"NVRTC of CUDA {release} is not installed")
    for emitted in kernels(path, target):
        facts = nvrtc.compile(emitted, target, release).facts
        if emitted.name not in STACK_IS_NEEDED:
            assert (facts["stack_bytes"], facts["spill_stores"], facts["serialised"]) == (0, 0, [])


@pytest.mark.parametrize("path, target", list(choices(13, 2)), ids=label)
def test_cuda_13(path, target):
    check(path, target, 13)


@pytest.mark.parametrize("path, target", list(choices(12, 4)), ids=label)
def test_cuda_12(path, target):
    check(path, target, 12)
