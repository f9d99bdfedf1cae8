"""`tile2cpp run`: the script sees what Python would give it, and tile2cpp stays out of its tracebacks."""

import pytest
from program import tile2cpp

KERNEL = '''
import sys
import numpy as np
import cuda.tile as ct


@ct.kernel
def fill(x, value: ct.Constant[int]):
    ct.store(x, (ct.bid(0),), ct.full((16,), value, ct.float32))


'''


@pytest.fixture
def script(tmp_path):
    def write(text):
        path = tmp_path / "script.py"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("order", [["--backend", "interpret", "SCRIPT"], ["SCRIPT", "--backend", "interpret"], ["SCRIPT", "--backend=interpret"]])
def test_a_script_written_for_cutile(script, order):
    path = script(KERNEL + 'x = np.zeros(32, "float32")\nct.launch(0, (2,), fill, (x, 3))\nprint(x.sum(), sys.argv[1:])\n')
    done = tile2cpp("run", *[path if word == "SCRIPT" else word for word in order], "--rows", "7", "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "96.0 ['--rows', '7', '--help']\n"


def test_the_script_is_the_main_module(script):
    text = "import sys, __main__\nif __name__ == '__main__':\n    print(__file__ == sys.argv[0], __main__.__file__ == __file__, sys.path[0])\n"
    path = script(text)
    assert tile2cpp("run", path).stdout == f"True True {path.parent}\n"


@pytest.mark.parametrize("text, status", [("raise SystemExit(7)", 7), ("import sys; sys.exit('no')", 1), ("pass", 0), ("1 / 0", 1)])
def test_exit_status_is_kept(script, text, status):
    assert tile2cpp("run", script(text)).returncode == status


def test_a_traceback_is_the_scripts_own(script):
    path = script("def f():\n    return {}['key']\n\n\nf()\n")
    done = tile2cpp("run", path)
    assert "KeyError: 'key'" in done.stderr and done.stderr.startswith("Traceback")
    assert "tile2cpp" not in done.stderr.replace(str(path), "")


def test_a_syntax_error_is_pythons_own(script):
    done = tile2cpp("run", script("def f(:\n"))
    assert done.returncode == 1 and "SyntaxError" in done.stderr and "cli.py" not in done.stderr


def test_a_mistake_in_a_kernel_is_its_diagnostic(script):
    path = script(KERNEL.replace("ct.full((16,)", "ct.full((15,)") + 'x = np.zeros(32, "float32")\nct.launch(0, (2,), fill, (x, 3))\n')
    done = tile2cpp("run", path, "--backend", "interpret")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "powers of two" in done.stderr and "script.py:9" in done.stderr


def test_a_wrong_argument_says_where_the_call_is(script):
    path = script(KERNEL + 'x = np.zeros(32, "float32")\nct.launch(0, (2,), fill, (x, "three"))\n')
    done = tile2cpp("run", path)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "`value`" in done.stderr and f"{path}:13" in done.stderr


def test_a_script_that_is_not_there():
    done = tile2cpp("run", "no_such_script.py")
    assert done.returncode == 1 and done.stderr == "error: no_such_script.py: no such file\n"


def test_a_kernel_can_be_sent_to_another_process(script):
    path = script(KERNEL + "import pickle\nif __name__ == '__main__':\n    print(pickle.loads(pickle.dumps(fill)).__name__)\n")
    assert tile2cpp("run", path).stdout == "fill\n"
