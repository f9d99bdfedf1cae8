"""The files that come with tile2cpp: templates/, include/ and cmake/.

In a checkout they lie beside the package, in an installed wheel inside it.
"""

from __future__ import annotations

import hashlib
import os
import time
from functools import lru_cache
from pathlib import Path

PACKAGE = Path(__file__).parent
IMPORTED = time.time_ns()


def folder(name: str) -> Path:
    """The folder "templates", "include" or "cmake"."""
    for root in (PACKAGE / "_data", PACKAGE.parent):
        if (root / name).is_dir():
            return root / name
    raise FileNotFoundError(f"tile2cpp is incomplete: it has no {name}/ folder; install it again")


def templates() -> Path:
    return folder("templates")


def include() -> Path:
    """The root of the C++ library: what a compiler gets with `-I`."""
    return folder("include")


def cmake() -> Path:
    """What CMake gets as `tile2cpp_DIR`."""
    return folder("cmake")


def headers() -> dict[str, str]:
    """The library's headers by the name they are included with; its stand-ins for other headers keep their folder."""
    root = include()
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in files}


def stamp() -> str:
    """What tells this tile2cpp from another: names, times and sizes of all its files, as they are when this is first asked."""
    return _files()[0]


def changed_since_import(*others: str) -> bool:
    """Whether one of its files, or of `others`, is younger than this process's copy of them may be."""
    return max(_files()[1], *(os.stat(path).st_mtime_ns for path in others)) > IMPORTED


@lru_cache(maxsize=1)
def _files() -> tuple[str, int]:
    """A digest of all its files, and the time of the latest change."""
    total, latest = hashlib.sha256(), 0
    for root in dict.fromkeys((PACKAGE, templates(), include())):
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(f for f in folders if f != "__pycache__")
            for name in sorted(files):
                found = os.stat(os.path.join(folder, name))
                latest = max(latest, found.st_mtime_ns)
                total.update(f"{folder}\0{name}\0{found.st_mtime_ns}\0{found.st_size}\0".encode())
    return total.hexdigest(), latest


def digest(headers: dict[str, str]) -> str:
    """One number for all names and texts."""
    total = hashlib.sha256()
    for name, text in sorted(headers.items()):
        total.update(f"{name}\0{len(text)}\0{text}".encode())
    return total.hexdigest()
