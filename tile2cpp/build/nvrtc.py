"""Reviewed file, entry and library -> NVRTC -> cubin. Needs no GPU, no CuPy and no toolkit, only the NVRTC wheel.

The reviewed file and the library are in-memory headers; folders are searched only
for the headers of CUDA's own types (`cuda_fp16.h`, ...), and only when a file asks for them.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import threading
import time
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from tile2cpp import resources, settings
from tile2cpp.build import Built, cache, missing, process, rejected, toolkits
from tile2cpp.build.entry import device_entry, entry_name
from tile2cpp.build.ptxas import read_log
from tile2cpp.emitted import Emitted
from tile2cpp.errors import Diagnostic, TileUnsupportedFeatureError

OLDEST_TARGET = 75
SPECIFIC_TARGETS = (90, 100, 101, 103, 110, 120, 121)  # wgmma, TMA and tcgen05 need the `a` form
STANDARD = "nvrtc_shims/"  # the headers of the standard library that kernels may ask for; NVRTC has none
STAND_INS = ("device_shims/", "host_shims/", STANDARD)

# 47: a predefined macro is redefined; 177: an unused variable; 1444: a deprecated name of CUDA's own
# headers; 2803, and 20366 since 13.3: hint attributes.
QUIET = (47, 177, 1444, 2803)
QUIET_SINCE = {(13, 3): (20366,)}  # older releases refuse numbers that they do not know
LEAN_SINCE = (12, 6)
OPTIONS = ("-std=c++20", "-default-device", "--ptxas-options=-v")  # the last one for cubins only
OWN_TYPES = re.compile(r'#\s*include\s*[<"]((?:cuda_(?:fp|bf|tf)\w*|cuda_runtime\w*|mma)\.h)[>"]')


class Nvrtc:
    """NVRTC itself, through ctypes."""

    def __init__(self, library: Path | str, builtins: Path | None = None):
        if builtins is not None:  # the wheel's NVRTC looks for it by name only
            ctypes.CDLL(str(builtins))
        self._library = ctypes.CDLL(str(library))
        self.files = tuple(path for path in (library, builtins) if path is not None)
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        self.version = major.value, minor.value

    def __str__(self) -> str:
        return f"NVRTC {self.version[0]}.{self.version[1]}"

    def quiet(self) -> str:
        """The option that switches off warnings which say nothing about a kernel."""
        later = (n for since, numbers in QUIET_SINCE.items() if self.version >= since for n in numbers)
        return f"-diag-suppress={','.join(map(str, (*QUIET, *later)))}"

    def lean(self) -> tuple[str, ...]:
        """The option that leaves out textures and launches from kernels, which no file of ours has; it saves a tenth of a small kernel's time."""
        return ("--minimal",) if self.version >= LEAN_SINCE else ()

    def warm_up(self) -> None:
        """Compile next to nothing: the first compilation of a process takes longer than later ones."""
        self.compile('extern "C" __global__ void nothing() {}', "nothing.cu", {}, self.lean())

    def targets(self) -> tuple[int, ...]:
        """The compute capabilities it compiles for, ascending."""
        count = ctypes.c_int()
        self._call("nvrtcGetNumSupportedArchs", ctypes.byref(count))
        found = (ctypes.c_int * count.value)()
        self._call("nvrtcGetSupportedArchs", found)
        return tuple(sorted(found))

    def compile(self, source: str, name: str, headers: dict[str, str], options: tuple[str, ...], form: str = "cubin") -> tuple[bytes | None, str]:
        """The cubin (or PTX), or None when the source is refused, and the log."""
        program = ctypes.c_void_p()
        texts = _strings([text.encode() for text in headers.values()])
        names = _strings([header.encode() for header in headers])
        self._call("nvrtcCreateProgram", ctypes.byref(program), source.encode(), name.encode(), len(headers), texts, names)
        try:
            code = self._library.nvrtcCompileProgram(program, len(options), _strings([o.encode() for o in options]))
            log = self._text("nvrtcGetProgramLog", program).decode(errors="replace").rstrip("\0")
            return (None if code else self._text(f"nvrtcGet{form.upper()}", program)), log
        finally:
            self._library.nvrtcDestroyProgram(ctypes.byref(program))

    def _text(self, function: str, program: ctypes.c_void_p) -> bytes:
        size = ctypes.c_size_t()
        self._call(f"{function}Size", program, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value)
        self._call(function, program, data)
        return data.raw

    def _call(self, function: str, *arguments) -> None:
        code = getattr(self._library, function)(*arguments)
        if code:
            raise OSError(f"{function} failed with code {code}")


def _strings(values: list[bytes]):
    return (ctypes.c_char_p * max(1, len(values)))(*values)


@lru_cache(maxsize=None)
def _load(library: Path, builtins: Path | None) -> Nvrtc:
    return Nvrtc(library, builtins)


def find(newest: int | None = None) -> Nvrtc | None:
    """The latest NVRTC, of CUDA release `newest` or older if there is one: a driver loads no cubins of later releases."""
    libraries = [(t.nvrtc(), t.builtins()) for t in toolkits.all_toolkits() if t.nvrtc()]
    later = None
    for library, builtins in sorted(libraries, key=lambda pair: _release(pair[0]), reverse=True):
        try:
            found = _load(library, builtins)
        except OSError:  # made for another C library or processor
            continue
        if newest is None or found.version[0] <= newest:
            return found
        later = found
    return later


def _release(library: Path) -> int:
    """12 for libnvrtc.so.12.9.86 and for nvrtc64_120_0.dll."""
    number = int(re.findall(r"\d+", library.name.replace("nvrtc64", ""))[0])
    return number if number < 100 else number // 10


def load_ahead(newest: int | None = None) -> threading.Thread:
    """Load NVRTC and warm it up while something else is done; it takes about as long as a short translation. Join the thread before compiling."""

    def load() -> None:
        try:
            found = find(newest)
            if found is not None and (os.cpu_count() or 1) > 1:
                found.warm_up()
        except Exception:  # whatever it is, compiling meets it again and says it
            pass

    thread = threading.Thread(target=load, name="tile2cpp-nvrtc", daemon=True)
    thread.start()
    return thread


def require(newest: int | None = None) -> Nvrtc:
    found = find(newest)
    if found is None:
        raise missing("compiling for NVIDIA GPUs needs NVRTC, which is not installed", "pip install 'tile2cpp[cuda13]', or [cuda12] for older drivers")
    return found


def architecture(target: int, known: tuple[int, ...]) -> str:
    """The name of the code to make: `sm_90a` for 90; the closest older one of the family where NVRTC is older than the GPU."""
    if target < OLDEST_TARGET:
        message = f"tile2cpp needs a GPU of compute capability 7.5 or newer, and this one has {target // 10}.{target % 10}"
        raise TileUnsupportedFeatureError(Diagnostic(message, code="target", kind=TileUnsupportedFeatureError))
    if target in known:
        return f"sm_{target}a" if target in SPECIFIC_TARGETS else f"sm_{target}"
    older = [k for k in known if k // 10 == target // 10 and k < target]
    if not older:
        raise missing(f"the installed NVRTC makes no code for compute capability {target // 10}.{target % 10}", "install a newer one: pip install -U nvidia-cuda-nvrtc")
    return f"sm_{older[-1]}"


def compile(emitted: Emitted, target: int, newest: int | None = None, *, form: str = "cubin", symbol: str = "", declared: tuple[str, ...] | None = None) -> Built:
    """Build for compute capability `target` (90 for sm_90), or find it in the cache.

    `form` is "cubin" or "ptx"; `symbol` and `declared` are for `device_entry`.
    """
    nvrtc = require(newest)
    arch = architecture(target, nvrtc.targets())
    if form == "ptx":
        arch = arch.replace("sm_", "compute_")
    entry, library = device_entry(emitted, symbol, declared), resources.headers()
    includes, stand_ins = _includes(emitted.text, library, nvrtc.version[0])
    options = (*OPTIONS[: None if form == "cubin" else -1], nvrtc.quiet(), *nvrtc.lean(), f"-arch={arch}")
    if form == "cubin" and emitted.schedule.opt_level != 3:
        options = (*options, f"--ptxas-options=-O{emitted.schedule.opt_level}")
    key = cache.key("cuda", emitted.file_name, emitted.text, entry, resources.digest(library), *options, str(nvrtc), _digest(emitted.text, includes))
    binary, name = f"{emitted.name}.{form}", symbol or entry_name(emitted)
    if found := cache.find(key, binary):
        return Built(found.folder, found.folder / binary, name, found.facts)
    standard = {n.removeprefix(STANDARD): t for n, t in library.items() if n.startswith(STANDARD)}
    headers = {n: t for n, t in library.items() if not n.startswith(STAND_INS)} | standard | stand_ins | {emitted.file_name: emitted.text}
    with cache.building(key) as staging:
        started = time.perf_counter()
        made, log = nvrtc.compile(entry, "entry.cu", headers, (*options, *(f"-I{path}" for path in includes)), form)
        seconds = time.perf_counter() - started
        for file, text in ((emitted.file_name, emitted.text), ("entry.cu", entry), ("build.log", log)):
            (staging / file).write_text(text, encoding="utf-8")
        if made is None:
            raise rejected(str(nvrtc), emitted.name, cache.keep_failed(key, staging), log)
        (staging / binary).write_bytes(made.rstrip(b"\0") if form == "ptx" else made)
        facts = {
            "kind": "cuda", "name": emitted.name, "signature": emitted.signature, "target": arch, "compiler": str(nvrtc),
            "schedule": asdict(emitted.schedule), "seconds": round(seconds, 3), **read_log(log),
        }  # fmt: skip
        cache.write_facts(staging, facts)
    process.check_time(str(nvrtc), seconds)  # what is done is kept all the same, for whoever asks again
    found = cache.Entry(cache.folder_of(key))
    return Built(found.folder, found.folder / binary, name, facts)


def decided_by(emitted: Emitted, newest: int | None = None) -> tuple[Path | str, ...]:
    """The files outside of tile2cpp that decide a build, and the folders where another compiler would appear."""
    nvrtc = require(newest)
    wanted = OWN_TYPES.findall(emitted.text)
    headers = [folder / name for name in wanted for folder in toolkits.headers_for(nvrtc.version[0]) if (folder / name).is_file()] if wanted else []
    return (*nvrtc.files, *headers, *toolkits.wheel_roots(), *settings.toolkits())


def _includes(text: str, library: dict[str, str], major: int) -> tuple[tuple[Path, ...], dict[str, str]]:
    """Folders for the headers of CUDA's types that `text` asks for, and the library's stand-ins, which come before them.

    Releases from 13.3 on have a `cuda_tf32.h` of their own; `__nv_tf32` is to be one type under all of them.
    """
    wanted = OWN_TYPES.findall(text)
    if not wanted:
        return (), {}
    folders = toolkits.headers_for(major)
    stand_ins = {n.removeprefix("device_shims/"): t for n, t in library.items() if n.startswith("device_shims/")}
    if not folders and set(wanted) - set(stand_ins):
        raise missing(f"the headers of CUDA's own types ({', '.join(wanted)}) are not installed", "pip install 'tile2cpp[cuda13]', or [cuda12] for older drivers")
    return folders, stand_ins


def _digest(text: str, folders: tuple[Path, ...]) -> str:
    """What decides the meaning of CUDA's own headers: their text, wherever they lie."""
    total = hashlib.sha256()
    for name in sorted(set(OWN_TYPES.findall(text))):
        for path in (folder / f"{name[:-2]}{ending}" for folder in folders for ending in (".h", ".hpp")):
            if path.is_file():
                total.update(path.read_bytes())
    return total.hexdigest()
