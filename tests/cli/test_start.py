"""What starting costs: importing loads little, and a cold command is done within a second."""

import json
import resource
import subprocess
import sys

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


def test_a_cold_translation_takes_less_than_a_second():
    fastest = min(processor_seconds("translate", "samples/softmax.py", "--stdout") for _ in range(3))
    assert fastest < 1.0


def processor_seconds(*arguments):
    """The time of a command on the processor, which the load of the machine does not change."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = tile2cpp(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
