"""Loads, stores, atomics, products and ranges of the C++ library: `memory/*.cpp`, as one thread and as emulated blocks.

Each program checks itself and prints `ok`. An emulated block runs the code that a GPU runs, on host threads,
for schedules that give layouts with and without replicas.
"""

import subprocess
from pathlib import Path

import pytest

from tile2cpp.build import host, nvidia, nvrtc
from tile2cpp.dtypes import int32
from tile2cpp.emitted import Emitted, Parameter, Schedule

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "memory"
PROGRAMS = sorted(FOLDER.glob("*.cpp"))
FOLDERS = [f"-I{path}" for path in (ROOT / "include", ROOT / "include" / "host_shims", FOLDER.parent / "core")]
CHECKED = ["-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-attributes"]
# Threads, column threads, vector, and whether tiles lie as tensor cores hold them.
SCHEDULES = ((64, 16, 4, 0), (32, 32, 1, 0), (64, 4, 8, 0), (64, 8, 2, 1))

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
@pytest.mark.parametrize("threads, columns, vector, product", SCHEDULES)
def test_emulated_block(program, threads, columns, vector, product, tmp_path):
    schedule = [f"-DT2C_THREADS={threads}", f"-DT2C_COLUMN_THREADS={columns}", f"-DT2C_VECTOR={vector}", f"-DT2C_PRODUCT={product}"]
    assert run(program, tmp_path, "-pthread", '-DT2C_BACKEND_HEADER="emulated_block.hpp"', *schedule) == "ok\n"


EVERY = {
    "every_atomic": ("int", "unsigned", "long long", "unsigned long long", "float", "double", "__half", "__nv_bfloat16", "short"),
    "every_product": (
        "float", "double", "__half", "__nv_bfloat16", "signed char", "unsigned char", "int",
        "__nv_fp8_e4m3", "__nv_fp8_e5m2", "__nv_tf32",
    ),
    "every_view": ("float", "float const", "int", None, None, None),
}  # fmt: skip


def every(name: str) -> Emitted:
    """A kernel that is only compiled; what is no pointer is an int."""
    spelled = [f"{kind}*" if kind else "int" for kind in EVERY[name]]
    parameters = tuple(Parameter(f"p{i}", cpp, "scalar", i, int32) for i, cpp in enumerate(spelled))
    return Emitted(name, f"{name}.cu", (FOLDER / f"{name}.cu").read_text(), parameters, Schedule(), name)


@pytest.mark.parametrize("name", EVERY)
def test_compiles_for_the_host(name):
    assert host.compile(every(name)).binary.exists()


@pytest.mark.parametrize("target", (75, 90))
@pytest.mark.parametrize("name", EVERY)
def test_compiles_for_gpus(name, target):
    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed")
    assert nvrtc.compile(every(name), target).facts["spill_stores"] == 0


@pytest.mark.toolkit
@pytest.mark.parametrize("name", EVERY)
def test_accepted_by_the_tile_compiler(name):
    assert nvidia.compile(every(name), 90).binary.stat().st_size
