"""Compiled kernels on disk, in folders that a person can open.

    <cache>/3f/3f9a.../softmax.cu  entry.cu  softmax.cubin  build.log  meta.json
    <cache>/failed/3f9a.../        the files and the log of a build that a compiler refused
    <cache>/staging/               builds in progress
    <cache>/launches/              which folder a launch needs, see `launch/recall.py`
    <cache>/library/               the C++ part of a launch, see `launch/library.py`

A folder's name is a digest of everything that decides its contents. It is written
in staging and renamed when complete, so any number of threads and processes may build
the same kernel: the first one wins, the others find it there, and one that is killed
leaves nothing but a staging folder, which a later build clears away.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Iterator

from tile2cpp import settings
from tile2cpp.errors import Diagnostic, Tile2cppError

META = "meta.json"
STALE_SECONDS = 3600.0  # no build takes an hour


@dataclass(frozen=True)
class Entry:
    """A complete folder of the cache."""

    folder: Path

    @cached_property
    def facts(self) -> dict[str, Any]:
        return json.loads((self.folder / META).read_text(encoding="utf-8"))

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(path.stat().st_size for path in self.folder.iterdir())


def key(*parts: str) -> str:
    """The digest that names a folder: of every part, and of where each ends."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode()
        total.update(f"{len(data)}\0".encode())
        total.update(data)
    return total.hexdigest()


def find(key: str, binary: str) -> Entry | None:
    """The folder of that name, when it is there; one that has lost its binary is removed."""
    folder = folder_of(key)
    if not (folder / META).is_file():
        return None
    if (folder / binary).is_file():
        return Entry(folder)
    shutil.rmtree(folder, ignore_errors=True)
    return None


@contextmanager
def building(key: str) -> Iterator[Path]:
    """A folder to build in. Leaving the block normally keeps it as `key`; an exception removes it."""
    staging = _staging()
    try:
        yield staging
        _publish(staging, folder_of(key))
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def write_facts(folder: Path, facts: dict[str, Any]) -> None:
    """Write what `Entry.facts` reads; the mark of a complete folder."""
    (folder / META).write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def keep_failed(key: str, staging: Path) -> Path:
    """Move a refused build to where its report sends the reader. Nothing ever looks it up."""
    folder = settings.cache_folder() / "failed" / key
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.replace(staging, folder)
    except OSError:  # another thread refused the same file just now: its folder says the same
        if not folder.is_dir():
            raise
    return folder


def entries() -> list[Entry]:
    """All compiled kernels, newest first."""
    found = (path.parent for path in settings.cache_folder().glob(f"[0-9a-f][0-9a-f]/*/{META}"))
    dated = []
    for folder in found:
        try:
            dated.append((folder.stat().st_mtime, folder))
        except FileNotFoundError:  # cleared by another process meanwhile
            continue
    return [Entry(folder) for _, folder in sorted(dated, reverse=True)]


def size() -> int:
    """Bytes of everything in the cache, failed builds included."""
    total = 0
    for path in settings.cache_folder().rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue
    return total


def clear() -> int:
    """Remove every compiled kernel and failed build; returns how many kernels there were."""
    count, root = len(entries()), settings.cache_folder()
    for folder in (*root.glob("[0-9a-f][0-9a-f]"), root / "failed", root / "staging", root / "launches", settings.library_folder()):
        shutil.rmtree(folder, ignore_errors=True)
    return count


def folder_of(key: str) -> Path:
    return settings.cache_folder() / key[:2] / key


def _staging() -> Path:
    parent = settings.cache_folder() / "staging"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        _sweep(parent)
        return Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=parent))
    except OSError as error:
        message = f"the cache folder {settings.cache_folder()} cannot be written: {error.strerror}"
        raise Tile2cppError(Diagnostic(message, code="cache", hints=("set TILE2CPP_CACHE to a folder of yours",), kind=Tile2cppError)) from None


def _sweep(parent: Path) -> None:
    """Remove what killed processes left behind."""
    for path in parent.iterdir():
        try:
            if time.time() - path.stat().st_mtime > STALE_SECONDS:
                shutil.rmtree(path, ignore_errors=True)
        except FileNotFoundError:
            continue


def _publish(staging: Path, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging.chmod(0o755)  # mkdtemp makes private folders; a shared cache is for others too
    try:
        os.replace(staging, folder)
    except OSError:
        if not (folder / META).is_file():
            raise
