"""The part of a launch that is written in C++ (`launch/cpp/`), built once by the host compiler and kept in the cache.

It is a gain of speed only: without a compiler, or under a Python that it does not know,
launches go on in Python. So nothing here raises, and the compiler runs in the background.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
import sysconfig
import tempfile
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable

from tile2cpp import settings

SOURCES = Path(__file__).parent / "cpp"
BINARY = "swift.so"
# The last three are for zig, which links no C++ library and traps on overflow.
OPTIONS = ("-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-w", "-fno-rtti", "-fno-exceptions", "-fno-sanitize=undefined")

_lock = threading.Lock()
_loaded: ctypes.PyDLL | None = None
_waiting: list[Callable[[ctypes.PyDLL], None]] = []
_building = False


def is_possible() -> bool:
    """Whether this Python is one that the C++ part knows: CPython with its global lock, on a system with shared libraries of that kind."""
    usual = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED") and not hasattr(sys, "getobjects")
    return usual and sys.platform != "win32" and sys.byteorder == "little"


def loaded() -> ctypes.PyDLL | None:
    """The library, when this process has it or an earlier one has built it."""
    global _loaded
    if _loaded is None and is_possible():
        try:
            if _path().is_file():
                _arrived(ctypes.PyDLL(str(_path())))
        except Exception:  # unreadable, or made for another machine
            pass
    return _loaded


def build_ahead() -> None:
    """Build the library in the background, unless it is there."""
    global _building
    with _lock:
        if _building or not is_possible():
            return
        _building = True  # once for a process, whatever becomes of it
    if loaded() is None:
        # No daemon: a short program ends when this is built, once, rather than leave half of it behind.
        threading.Thread(target=_build, name="tile2cpp-swift").start()


def when_loaded(act: Callable[[ctypes.PyDLL], None]) -> None:
    """Call `act` with the library, now or when it arrives, which may never be."""
    with _lock:
        if _loaded is None:
            _waiting.append(act)
            return
    act(_loaded)


def _build() -> None:
    from tile2cpp.build import host

    try:
        compiler, path = host.find(), _path()
        refused = path.with_suffix(".log")  # asking again would give the same answer
        if compiler is None or refused.is_file():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            done = compile_in(Path(folder), compiler)
            if done.ok:
                os.replace(Path(folder) / BINARY, path)  # whoever looks for it finds all of it or nothing
            else:
                refused.write_text(done.log, encoding="utf-8")
        loaded()
    except Exception:  # launches do without
        pass


def compile_in(folder: Path, compiler: Any) -> Any:
    """Make the library in a folder; says how that went."""
    from tile2cpp.build import process

    command = [*compiler.command, *OPTIONS, "-I", str(SOURCES), str(SOURCES / "swift.cpp")]
    undefined = ("-undefined", "dynamic_lookup") if sys.platform == "darwin" else ()  # Python itself has the rest
    if not compiler.linker:
        return process.run([*command, "-shared", *undefined, "-o", BINARY], folder=folder)
    compiled = process.run([*command, "-c", "-o", "swift.o"], folder=folder)
    return process.run([*compiler.linker, "-shared", *undefined, "swift.o", "-o", BINARY], folder=folder) if compiled.ok else compiled


def _arrived(library: ctypes.PyDLL) -> None:
    global _loaded
    library.tile2cpp_functions.argtypes = (ctypes.c_void_p,)
    library.tile2cpp_functions.restype = ctypes.py_object
    with _lock:
        if _loaded is not None:
            return
        _loaded = library
        waiting, _waiting[:] = list(_waiting), []
    for act in waiting:
        act(library)


def _path() -> Path:
    """Where this text lies when it is built."""
    return settings.library_folder() / f"{_key()}.so"


@lru_cache(maxsize=1)
def _key() -> str:
    texts = [path.read_text(encoding="utf-8") for path in sorted(SOURCES.iterdir()) if path.suffix in (".hpp", ".cpp")]
    return hashlib.sha256(repr((sysconfig.get_platform(), OPTIONS, texts)).encode()).hexdigest()
