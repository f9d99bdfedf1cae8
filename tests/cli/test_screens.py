"""What a user sees, whole: each screen is a file beside this one."""

from pathlib import Path

import pytest
from program import tile2cpp

SCREENS = Path(__file__).parent / "screens"

# Screens that look the same on every machine.
COMMANDS = {
    "help": ["--help"],
    "help_translate": ["translate", "--help"],
    "help_run": ["run", "--help"],
    "ops_reduce": ["ops", "reduce"],
    "ops_unknown": ["ops", "reductions"],
    "translate_sample": ["translate", "samples/softmax.py", "--stdout"],
    "translate_bare": ["translate", "tests/cli/kernels/bare.py", "--kernel", "scale", "--stdout"],
    "no_such_file": ["translate", "samples/no_such_file.py"],
    "no_such_kernel": ["translate", "samples/softmax.py", "--kernel", "softmaxx"],
    "unreadable_signature": ["translate", "samples/softmax.py", "--signature", "x: f32[?,?"],
    "no_such_backend": ["run", "samples/softmax.py", "--backend", "gpu"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_screen(name, golden):
    done = tile2cpp(*COMMANDS[name])
    command = " ".join(f'"{word}"' if " " in word else word for word in COMMANDS[name])
    golden(SCREENS / f"{name}.txt", f"$ tile2cpp {command}\n{done.stdout}{done.stderr}exit status {done.returncode}\n")


def test_doctor_names_every_subject():
    done = tile2cpp("doctor")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["host", "gpu", "nvrtc", "check", "cache"]


def test_doctor_on_a_machine_that_has_nothing(tmp_path):
    done = tile2cpp("doctor", PATH=str(tmp_path), TILE2CPP_CACHE=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    assert "0 kernels, 0 B" in done.stdout


def test_version():
    done = tile2cpp("--version")
    assert done.returncode == 0 and done.stdout.startswith("tile2cpp ")
