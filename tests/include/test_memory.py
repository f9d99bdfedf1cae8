"""Loads, stores, atomics, products and ranges of the C++ library: `memory/*.cpp`, as one thread and as emulated blocks.

Each program checks itself and prints `ok`. An emulated block runs the code that a GPU runs, on host threads,
for schedules that give layouts with and without replicas.
"""

import subprocess
from pathlib import Path

import pytest

from tile2cpp.build import host

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "memory"
PROGRAMS = sorted(FOLDER.glob("*.cpp"))
FOLDERS = [f"-I{path}" for path in (ROOT / "include", ROOT / "include" / "host_shims", FOLDER.parent / "core")]
CHECKED = ["-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-attributes"]
SCHEDULES = ((64, 16, 4), (32, 32, 1), (64, 4, 8))  # threads, column threads, vector

every_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)


def run(program: Path, folder: Path, *options: str) -> str:
    """Compile and run one program; its output."""
    compiler = host.find()
    if compiler is None:
        pytest.skip("no C++ compiler")
    binary = folder / program.stem
    subprocess.run([*compiler.command, *CHECKED, *FOLDERS, *options, str(program), "-o", str(binary)], check=True)
    done = subprocess.run([str(binary)], capture_output=True, text=True, timeout=300)
    return done.stdout + done.stderr


@every_program
def test_one_thread(program, tmp_path):
    assert run(program, tmp_path, "-fsanitize=address,undefined", "-fno-sanitize-recover=all") == "ok\n"


@every_program
@pytest.mark.parametrize("threads, columns, vector", SCHEDULES)
def test_emulated_block(program, threads, columns, vector, tmp_path):
    schedule = [f"-DT2C_THREADS={threads}", f"-DT2C_COLUMN_THREADS={columns}", f"-DT2C_VECTOR={vector}"]
    assert run(program, tmp_path, "-pthread", '-DT2C_BACKEND_HEADER="emulated_block.hpp"', *schedule) == "ok\n"
