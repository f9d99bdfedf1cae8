"""Reviewed file, loop over the grid and library -> a C++20 compiler -> shared library."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shutil
import sys
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tile2cpp import resources, settings
from tile2cpp.build import Built, cache, missing, process, rejected
from tile2cpp.build.entry import entry_name, host_entry
from tile2cpp.emitted import Emitted

CANDIDATES = ("g++", "clang++", "c++")
# Integers wrap around and float operations are rounded one by one, as the language says. Only the entry
# is visible: a kernel called `write` must not give way to that of the C library.
OPTIONS = ("-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fstack-usage", "-w")
ZIG_OPTIONS = ("-fno-sanitize=undefined", "-fno-threadsafe-statics")  # it traps on what -fwrapv allows
UNKNOWN_STACK = 256 << 20  # zig keeps no report of it; address space only, memory comes with use
HINT = "install g++ or clang++, or: pip install 'tile2cpp[host]', which brings one as a wheel"


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler: the command that starts it, what it calls itself, and a command that links when it is another."""

    command: tuple[str, ...]
    version: str
    options: tuple[str, ...] = OPTIONS
    linker: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Such as `g++ 12.2`."""
        numbers = re.findall(r"\d+\.\d+", self.version)
        name = self.version.partition(" ")[0] if len(self.command) > 1 else Path(self.command[0]).name
        return f"{name} {numbers[-1]}" if numbers else name

    def build(self, binary: str, folder: Path) -> process.Finished:
        """Make the shared library `binary` from entry.cpp in `folder`."""
        root = resources.include()
        command = [*self.command, *self.options, "-I", str(root), "-I", str(root / "host_shims")]
        if not self.linker:
            return process.run([*command, "-shared", "entry.cpp", "-o", binary], folder=folder)
        compiled = process.run([*command, "-c", "entry.cpp", "-o", "entry.o"], folder=folder)
        if not compiled.ok:
            return compiled
        linked = process.run([*self.linker, "-shared", "entry.o", "-o", binary], folder=folder)
        (folder / "entry.o").unlink()
        return process.Finished(linked.ok, compiled.log + linked.log)


def find() -> Compiler | None:
    """The compiler the user chose, else the first one on the machine, else zig's wheel."""
    chosen = settings.host_compiler()
    for name in (chosen,) if chosen else CANDIDATES:
        path = shutil.which(name)
        if path and (found := _asked(path, Path(path).stat().st_mtime_ns)):
            return found
    if chosen:
        raise missing(f"TILE2CPP_CXX is {chosen!r}, which is no C++ compiler that runs here", "set it to a C++20 compiler such as g++, or unset it")
    if importlib.util.find_spec("ziglang"):
        zig = (sys.executable, "-m", "ziglang")
        # Linked as C, because zig would first spend minutes on building a C++ library that no kernel uses.
        return Compiler((*zig, "c++"), f"zig {importlib.metadata.version('ziglang')}", OPTIONS + ZIG_OPTIONS, (*zig, "cc"))
    return None


def require() -> Compiler:
    found = find()
    if found is None:
        raise missing("running kernels on the host needs a C++20 compiler, and none was found", HINT)
    return found


@lru_cache(maxsize=None)
def _asked(path: str, changed: int) -> Compiler | None:
    """The compiler at `path`, asked once per version of the file."""
    answer = process.run([path, "--version"])
    lines = answer.log.splitlines()[1:]
    return Compiler((path,), lines[0].strip()) if answer.ok and lines else None


def compile(emitted: Emitted) -> Built:
    """Build a shared library for this machine, or find it in the cache."""
    compiler = require()
    entry, library = host_entry(emitted), resources.headers()
    key = cache.key("host", emitted.file_name, emitted.text, entry, resources.digest(library), *compiler.options, compiler.version)
    binary, name = f"{emitted.name}.so", entry_name(emitted)
    if found := cache.find(key, binary):
        return Built(found.folder, found.folder / binary, name, found.facts)
    with cache.building(key) as staging:
        (staging / emitted.file_name).write_text(emitted.text, encoding="utf-8")
        (staging / "entry.cpp").write_text(entry, encoding="utf-8")
        started = time.perf_counter()
        done = compiler.build(binary, staging)
        (staging / "build.log").write_text(done.log, encoding="utf-8")
        if not done.ok:
            raise rejected(compiler.version, emitted.name, cache.keep_failed(key, staging), done.log)
        facts = {
            "kind": "host", "name": emitted.name, "signature": emitted.signature, "target": "host", "compiler": compiler.version,
            "stack_bytes": _stack_bytes(staging), "seconds": round(time.perf_counter() - started, 3),
        }  # fmt: skip
        cache.write_facts(staging, facts)
    folder = cache.folder_of(key)
    return Built(folder, folder / binary, name, facts)


def _stack_bytes(folder: Path) -> int:
    """The most that a call can need: no function of a kernel calls itself, so each frame counts once."""
    reports = list(folder.glob("*.su"))
    total = 0 if reports else UNKNOWN_STACK
    for report in reports:
        total += sum(int(line.split("\t")[1]) for line in report.read_text(errors="replace").splitlines() if line.count("\t") >= 2)
        report.unlink()
    return total
