"""Rivals' builds for a GPU machine that has no compilers: made where they are, and used there.

    python -m benchmarks --carry DIR           here: builds for sm_90 into DIR, without a GPU
    python -m benchmarks --carried DIR ...     there: NVIDIA's compiler and cuTile take their builds from DIR

NVIDIA's compiler is then only the release that made the builds (`TILE2CPP_NVCC=13.5`).
cuTile asks its assembler, `tileiras`, for its version and which modules it knows before it
looks into its own cache: a script gives the answers of the real one, and refuses to compile.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Sequence

from benchmarks.work import CUTILE, VENDOR

STAND_IN = """#!/bin/sh
# Answers for the tileiras that filled the cache beside this folder; it compiles nothing.
if [ "$1" = --version ]; then
  cat "$(dirname "$0")/version"
elif ! cmp -s "$1" "$(dirname "$0")/empty-module"; then
  echo "error: the carried cache has no build of this kernel" >&2
  exit 1
fi
"""


def make(folder: Path, names: Sequence[str], rivals: Sequence[str], target: int, processes: int | None = None) -> dict[str, str]:
    """Build into `folder`; what failed, and why."""
    from benchmarks import ahead

    use_caches(folder)
    failures = {rival: why for rival in rivals if (why := ahead.lacking(rival))}
    ready = [rival for rival in rivals if rival not in failures]
    if CUTILE in ready:
        _stand_in(folder / "bin")
    failures |= ahead.build_all(names, ready, target, processes)
    if VENDOR in ready:
        from tile2cpp.build import nvidia

        (folder / "release").write_text(".".join(map(str, nvidia.require().version)) + "\n")
    return failures


def use(folder: Path) -> str:
    """Let this process and its children take builds from `folder`; gives the lines that do the same in a shell."""
    release = folder / "release"
    chosen = use_caches(folder)
    if release.is_file():
        chosen["TILE2CPP_NVCC"] = release.read_text().strip()
    if (folder / "bin").is_dir():
        chosen["PATH"] = f"{(folder / 'bin').absolute()}{os.pathsep}{os.environ['PATH']}"
    os.environ.update(chosen)
    return "\n".join(f"export {name}={shlex.quote(value)}" for name, value in chosen.items())


def use_caches(folder: Path) -> dict[str, str]:
    folders = {"TILE2CPP_CACHE": folder.absolute() / "tile2cpp", "CUDA_TILE_CACHE_DIR": folder.absolute() / "cutile"}
    chosen = {}
    for name, path in folders.items():
        path.mkdir(parents=True, exist_ok=True)
        chosen[name] = str(path)
    os.environ.update(chosen)
    return chosen


def _stand_in(folder: Path) -> None:
    """The script, and the answers of the assembler that is installed."""
    from cuda.tile import _bytecode, _compile

    folder.mkdir(exist_ok=True)
    known = _compile._get_max_supported_bytecode_version(None)
    module = bytearray()
    with _bytecode.write_bytecode(num_functions=0, buf=module, version=known):
        pass
    (folder / "empty-module").write_bytes(module)
    (folder / "version").write_text(_compile._get_compiler_version_string())
    script = folder / "tileiras"
    script.write_text(STAND_IN)
    script.chmod(0o755)
