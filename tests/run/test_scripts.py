"""Samples and demonstration programs, run as a user runs them: in a process of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "samples").glob("*.py"))
DRIVERS = Path(__file__).parent / "drivers"
SIZES = [(), ("--rows", "33", "--cols", "70", "--tile", "16"), ("--rows", "1", "--cols", "1")]


def python(*arguments):
    """Run Python on `arguments` in this checkout; returns what it printed."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path}, timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_sample_checks_itself(sample):
    (line,) = python(sample).splitlines()
    assert line.startswith(f"{sample.stem}: ")


@pytest.mark.parametrize("backend", ["interpret", "host"])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_sample_on_a_named_backend(sample, backend):
    printed = python("-c", ON_NUMPY, sample, backend)
    assert printed.startswith(f"{sample.stem}: ") and " on numpy" in printed


# The sample would take a GPU where there is one; this run is about the other machines.
ON_NUMPY = """
import sys
sys.modules["cupy"] = None
from tile2cpp.cli import main
script, backend = sys.argv[1:]
sys.argv = ["tile2cpp", "run", script, "--backend", backend]
main()
"""


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("backend", ["interpret", "host"])
def test_demonstration_on_numpy(backend, sizes):
    printed = python("-m", "tile2cpp", "run", "--backend", backend, DRIVERS / "broadcast_numpy.py", *sizes)
    assert printed.count("[PASS]") == 7 and "all passed" in printed


@pytest.mark.gpu
@pytest.mark.parametrize("sizes", SIZES)
def test_demonstration_on_cupy(sizes):
    printed = python("-m", "tile2cpp", "run", DRIVERS / "broadcast_cupy.py", *sizes)
    assert printed.count("[PASS]") == 7 and "all passed" in printed


def test_wrong_sizes_are_refused_by_the_program_itself():
    with pytest.raises(AssertionError, match="must be greater than zero"):
        python("-m", "tile2cpp", "run", DRIVERS / "broadcast_numpy.py", "--rows", "0")
