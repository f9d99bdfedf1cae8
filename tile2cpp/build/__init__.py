"""Compilers: an emitted file goes in, a folder of the cache with the binary comes out.

| module | machine | binary |
|---|---|---|
| `nvrtc` | NVIDIA GPUs | `NAME.cubin`, entered through the generated entry |
| `host` | the CPU | `NAME.so`, entered through the generated loop over the grid |
| `nvidia` | NVIDIA's own tile compiler, as a second opinion | `NAME.cubin`, entered directly |

Each has `compile(emitted, ...) -> Built`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tile2cpp.errors import Diagnostic, TileCompilerExecutionError, TileUnsupportedFeatureError


@dataclass(frozen=True)
class Built:
    """A compiled kernel: its folder in the cache, the binary in it, its entry point, and what is known of it."""

    folder: Path
    binary: Path
    entry: str
    facts: dict[str, Any]


def missing(what: str, hint: str) -> TileUnsupportedFeatureError:
    """The error for a compiler, library or device that this machine lacks."""
    return TileUnsupportedFeatureError(Diagnostic(what, code="missing", hints=(hint,), kind=TileUnsupportedFeatureError))


def rejected(compiler: str, name: str, folder: Path, log: str) -> TileCompilerExecutionError:
    """The error for an emitted file that a compiler refuses: always a fault of ours."""
    lines = [line for line in log.splitlines() if "error" in line.lower()] or log.splitlines()[-1:]
    return TileCompilerExecutionError(
        Diagnostic(
            f"{compiler} rejected the emitted file of `{name}`; this is a bug of tile2cpp, please report it with the files in {folder}",
            code="internal", notes=tuple(f"log: {line.strip()}" for line in lines[:1]), kind=TileCompilerExecutionError,
        )
    )  # fmt: skip
