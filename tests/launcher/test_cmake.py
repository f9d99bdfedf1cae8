"""samples/cpp: a program of hand-written and translated kernels, built by CMake for each machine; and how the library is found."""

import os
import shutil
import sys
from pathlib import Path

import programs
import pytest
from programs import checked

from tile2cpp import resources
from tile2cpp.build import nvidia

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "samples" / "cpp"


@pytest.fixture
def cmake(monkeypatch):
    """The program `cmake`, of the machine or of pip's wheel."""
    found = shutil.which("cmake") or shutil.which("cmake", path=Path(sys.executable).parent)
    if found is None:
        pytest.skip("there is no cmake: pip install cmake")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))
    return found


def build(cmake: str, folder: Path, machine: str, *options: str, source: Path = SAMPLE) -> Path:
    """The program, built in `folder`."""
    command = f"-DTILE2CPP_COMMAND={sys.executable};-m;tile2cpp"
    checked([cmake, "-S", source, "-B", folder, f"-DTILE2CPP_MACHINE={machine}", command, *options], folder)
    checked([cmake, "--build", folder], folder)
    return folder / "rows"


def test_on_the_cpu(cmake, tmp_path):
    said = checked([build(cmake, tmp_path, "cpu")], tmp_path)
    assert said.count("as expected") == 3 and "x_ptr is no multiple of 16 bytes" in said


def test_by_nvcc(cmake, tmp_path):
    build(cmake, tmp_path, "cuda", f"-DCMAKE_CUDA_COMPILER={programs.require_nvcc()}", "-DCMAKE_CUDA_ARCHITECTURES=90")


@pytest.mark.toolkit
def test_by_the_tile_compiler(cmake, tmp_path):
    build(cmake, tmp_path, "tile", f"-DCMAKE_CUDA_COMPILER={nvidia.require().path}", "-DCMAKE_CUDA_ARCHITECTURES=90")


@pytest.mark.gpu
def test_on_a_gpu(cmake, tmp_path):
    import cupy

    target = cupy.cuda.Device().compute_capability
    program = build(cmake, tmp_path, "cuda", f"-DCMAKE_CUDA_COMPILER={programs.require_nvcc()}", f"-DCMAKE_CUDA_ARCHITECTURES={target}")
    assert checked([program], tmp_path).count("as expected") == 3


PROJECT = """\
cmake_minimum_required(VERSION 3.20)
project(several LANGUAGES CXX)
find_package(tile2cpp REQUIRED)
add_executable(rows main.cpp)
tile2cpp_kernels(rows "{kernels}" KERNELS write_ SIGNATURE "x: i64[?%16]W, n: i32" DEPENDS "{kernels}")
tile2cpp_kernels(rows "{kernels}" KERNELS scale_rows matmul GPU sm_90)
target_link_libraries(rows PRIVATE tile2cpp::tile2cpp)
"""
MAIN = """\
#include "matmul.hpp"
#include "scale_rows.hpp"
#include "write_.hpp"
int main() { return launch_write_(1, nullptr, nullptr, 8, 3) == 0 || launch_matmul(1, nullptr, nullptr, 0, 0, nullptr, 0, 0, nullptr, 0, 0); }
"""


def test_several_kernels_of_one_file(cmake, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(kernels=Path(__file__).parent / "kernels.py"))
    (tmp_path / "main.cpp").write_text(MAIN)
    (tmp_path / "build").mkdir()
    checked([build(cmake, tmp_path / "build", "cpu", f"-Dtile2cpp_DIR={resources.cmake()}", source=tmp_path)], tmp_path)
    assert "x: i64[?%16]W" in (tmp_path / "build" / "rows_kernels" / "write_.hpp").read_text()


def test_a_machine_that_is_none(cmake, tmp_path):
    with pytest.raises(AssertionError, match="must be cpu, cuda or tile"):
        build(cmake, tmp_path, "gpu")


def test_where_the_library_is(tmp_path):
    folder, stand_ins = checked([sys.executable, "-m", "tile2cpp", "include-path", "--cpu"], ROOT).splitlines()
    assert Path(folder) == resources.include() and (Path(folder) / "cuda_tile.h").is_file() and (Path(stand_ins) / "cuda_fp16.h").is_file()
    (config,) = checked([sys.executable, "-m", "tile2cpp", "include-path", "--cmake"], ROOT).splitlines()
    assert (Path(config) / "tile2cppConfig.cmake").is_file()
