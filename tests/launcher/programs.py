"""Builds launchers, and calls what was built."""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tile2cpp import resources, settings
from tile2cpp.build import host, nvidia
from tile2cpp.build.launcher import USUAL_TARGET, launcher
from tile2cpp.translate import translate

HERE = Path(__file__).parent
WARNINGS = ("-Wall", "-Wextra", "-Werror")
CPU = ("-std=c++20", "-O1", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", *WARNINGS)
SHARED = ("-shared", "-fPIC")


def write(folder: Path, *names: str, file: Path = HERE / "kernels.py") -> None:
    """NAME.cu and NAME.hpp of kernels of a file."""
    for name in names:
        emitted = translate(file, kernel=name.rstrip("_"), target=USUAL_TARGET)  # C++ has other names for some
        (folder / emitted.file_name).write_text(emitted.text, encoding="utf-8")
        (folder / f"{emitted.name}.hpp").write_text(launcher(emitted), encoding="utf-8")


def caller(folder: Path, name: str) -> str:
    """C++ that includes a launcher, and calls it by a function without types: `run(x, y, z, arguments...)`."""
    declared = re.search(rf"refusal_{name}\((.*?)\) \{{", (folder / f"{name}.hpp").read_text(), re.DOTALL)[1].replace("[[maybe_unused]] ", "")
    given = ", ".join(re.findall(r"(\w+)(?:,|$)", declared.replace("\n", " ")))
    return f"""\
#include "{name}.hpp"
extern "C" int run(unsigned nx, unsigned ny, unsigned nz, {declared}) {{ return launch_{name}(tile2cpp::dim3(nx, ny, nz), nullptr, {given}); }}
extern "C" char const* refusal({declared}) {{ return refusal_{name}({given}); }}
"""


def includes(stand_ins: str = "host_shims") -> list[str]:
    root = resources.include()
    return ["-I", str(root), "-I", str(root / stand_ins)]


def compile_cpu(folder: Path, source: str, *options: str, name: str = "main.cpp") -> Path:
    """What the host's compiler makes of a text; its warnings are errors."""
    (folder / name).write_text(source, encoding="utf-8")
    binary = folder / Path(name).with_suffix(".so" if "-shared" in options else ".o" if "-c" in options else ".out")
    checked([*host.require().command, *CPU, *options, *includes(), name, "-o", binary.name], folder)
    return binary


def compile_gpu(folder: Path, source: str, *options: str, name: str = "main.cu", nvcc: Path | None = None, target: str = "sm_90", said: bool = False) -> Path | str:
    """An object file or, with -shared, a library; or what the compiler has said."""
    (folder / name).write_text(source, encoding="utf-8")
    binary = folder / Path(name).with_suffix(".so" if "-shared" in options else ".o")
    command = [str(nvcc or require_nvcc()), "-std=c++20", f"-arch={target}", *options, *includes("device_shims"), name, "-o", binary.name]
    words = checked(command if "-shared" in options else [*command, "-c"], folder)
    return words if said else binary


def compile_tile(folder: Path, source: str) -> Path:
    return compile_gpu(folder, source, "-enable-tile", nvcc=nvidia.require().path)


def require_nvcc() -> Path:
    """An ordinary nvcc, or the reason why a test is skipped."""
    found = [path for path in (shutil.which("nvcc"), *(root / "bin" / "nvcc" for root in settings.toolkits())) if path and Path(path).is_file()]
    return Path(found[0]) if found else pytest.skip("there is no nvcc")


def checked(command: list[str], folder: Path) -> str:
    """The output of a command that succeeds."""
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def library(path: Path) -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(path))
    loaded.refusal.restype = ctypes.c_char_p
    return loaded
