"""The part of a launch that is written in C++ (`launch/cpp/`), built once by the host compiler and kept in the cache.

It is a gain of speed only: without a compiler, or under a Python that it does not know,
launches go on in Python. So nothing here raises, and the compiler runs in the background.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
import threading
from functools import lru_cache
from typing import Callable

from tile2cpp import resources
from tile2cpp.build import cache, host, process

FOLDER = resources.PACKAGE / "launch" / "cpp"
BINARY = "swift.so"
OPTIONS = ("-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-w")

_lock = threading.Lock()
_loaded: ctypes.PyDLL | None = None
_waiting: list[Callable[[ctypes.PyDLL], None]] = []
_building = False


def is_possible() -> bool:
    """Whether this Python is one that the C++ part knows: CPython with its global lock, on a system with shared libraries of that kind."""
    return sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED") and sys.platform != "win32" and sys.byteorder == "little"


def loaded() -> ctypes.PyDLL | None:
    """The library, when this process has it or an earlier one has built it."""
    global _loaded
    if _loaded is None and is_possible():
        try:
            found = cache.find(_key(), BINARY)
            if found:
                _arrived(ctypes.PyDLL(str(found.folder / BINARY)))
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
        threading.Thread(target=_build, name="tile2cpp-swift", daemon=True).start()


def when_loaded(act: Callable[[ctypes.PyDLL], None]) -> None:
    """Call `act` with the library, now or when it arrives, which may never be."""
    with _lock:
        if _loaded is None:
            _waiting.append(act)
            return
    act(_loaded)


def _build() -> None:
    try:
        compiler, key = host.find(), _key()
        if compiler is None:
            return
        with cache.building(key) as staging:
            command = [*compiler.command, *OPTIONS, "-I", str(FOLDER), str(FOLDER / "swift.cpp")]
            done = process.run([*command, *(() if compiler.linker else ("-shared",)), *(("-c", "-o", "swift.o") if compiler.linker else ("-o", BINARY))], folder=staging)
            if done.ok and compiler.linker:
                done = process.run([*compiler.linker, "-shared", "swift.o", "-o", BINARY], folder=staging)
            if not done.ok:
                raise OSError(done.log)  # leaves nothing in the cache
            cache.write_facts(staging, {"kind": "launches", "name": "launches", "compiler": compiler.version})
        loaded()
    except Exception:  # launches do without
        pass


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


@lru_cache(maxsize=1)
def _key() -> str:
    texts = (path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir()) if path.suffix in (".hpp", ".cpp"))
    return cache.key("launches", sysconfig.get_platform(), *OPTIONS, *texts)
