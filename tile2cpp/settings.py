"""What a user may set through the environment; no other module reads it.

| variable | meaning |
|---|---|
| `TILE2CPP_CACHE` | folder for compiled kernels, instead of the user's cache folder |
| `TILE2CPP_CXX` | host C++ compiler, instead of the first one found |
| `TILE2CPP_NVCC` | NVIDIA's tile compiler (nvcc 13.3 or newer), instead of the first one found; or the release of one that is elsewhere, such as `13.5`, whose builds are in the cache |
| `NO_COLOR`, `FORCE_COLOR` | never, or always, colour what the command line prints |
| `CUDA_HOME`, `CUDA_PATH` | a CUDA toolkit, asked after the pip wheels |

Nothing is remembered: a variable changed in a running process counts from then on.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO


def cache_folder() -> Path:
    """Where compiled kernels are kept."""
    chosen = os.environ.get("TILE2CPP_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_cache_dir("tile2cpp", appauthor=False))


def library_folder() -> Path:
    """Where the C++ part of launches is kept."""
    return cache_folder() / "library"


def host_compiler() -> str | None:
    """The host compiler that the user chose."""
    return os.environ.get("TILE2CPP_CXX") or None


def tile_compiler() -> str | None:
    """The nvcc, or its release, that the user chose."""
    return os.environ.get("TILE2CPP_NVCC") or None


def toolkits() -> tuple[Path, ...]:
    """CUDA toolkits of the machine, in the order in which they are asked."""
    named = (os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH"))
    return tuple(Path(path) for path in dict.fromkeys((*filter(None, named), "/usr/local/cuda")))


def environment_for(toolkit: Path | None) -> dict[str, str]:
    """The environment for a program of `toolkit`, whose tools look for each other through CUDA_HOME; None: let them find themselves."""
    others = {name: value for name, value in os.environ.items() if name not in ("CUDA_HOME", "CUDA_PATH")}
    return {**others, "CUDA_HOME": str(toolkit), "CUDA_PATH": str(toolkit)} if toolkit else others


def colour(stream: TextIO | None = None) -> bool:
    """Whether to colour what goes to `stream` (standard output unless given)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    stream = sys.stdout if stream is None else stream
    return stream is not None and stream.isatty()
