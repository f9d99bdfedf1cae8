"""What starting costs: importing loads little, and a cold command is done within a second."""

import json
import subprocess
import sys
import time

import pytest
from program import ROOT, tile2cpp

HEAVY = {"cupy", "torch", "libcst", "jinja2", "click", "subprocess", "platformdirs", "filelock", "hypothesis"}


def loaded_by(statement):
    """The top-level modules that a statement loads in a fresh interpreter."""
    code = f"import sys, json\nbefore = set(sys.modules)\n{statement}\nprint(json.dumps(sorted({{m.partition('.')[0] for m in set(sys.modules) - before}})))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("statement", ["import tile2cpp", "import tile2cpp.lang", "import tile2cpp; tile2cpp.install_as_cuda_tile()"])
def test_importing_loads_nothing_heavy(statement):
    assert not loaded_by(statement) & HEAVY


def test_help_loads_only_the_command_line():
    assert not loaded_by("import tile2cpp.cli") & (HEAVY - {"click", "subprocess"})


def test_a_cold_translation_takes_about_a_second():
    fastest = min(timed("translate", "samples/softmax.py", "--stdout") for _ in range(3))
    assert fastest < 1.5  # aimed at: 1 s; the rest is for slow test machines


def timed(*arguments):
    start = time.perf_counter()
    done = tile2cpp(*arguments)
    assert done.returncode == 0, done.stderr
    return time.perf_counter() - start
