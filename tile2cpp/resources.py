"""The files that come with tile2cpp: templates/, include/ and cmake/.

In a checkout they lie beside the package, in an installed wheel inside it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

PACKAGE = Path(__file__).parent


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


def digest(headers: dict[str, str]) -> str:
    """One number for all names and texts."""
    total = hashlib.sha256()
    for name, text in sorted(headers.items()):
        total.update(f"{name}\0{len(text)}\0{text}".encode())
    return total.hexdigest()
