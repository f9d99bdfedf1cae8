"""The reviewed file, unchanged, through NVIDIA's own tile compiler (nvcc 13.3 or newer, then tileiras).

It needs no GPU. It says whether a file is canonical Tile C++; with a GPU its cubin runs
too, as a second opinion on meaning and speed. A machine without the compiler runs what
another one has built: carry the cache there, and set `TILE2CPP_NVCC` to the release that
filled it, such as `13.5`.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tile2cpp import dtypes, settings
from tile2cpp.build import Built, cache, missing, process, rejected, toolkits
from tile2cpp.emitted import Emitted
from tile2cpp.errors import Diagnostic, TileUnsupportedFeatureError

OLDEST = (13, 3)
OPTIONS = ("-enable-tile", "--tile-only", "-std=c++20")
HINT = "pip install 'tile2cpp[check]', or set TILE2CPP_NVCC to an nvcc of release 13.3 or newer"
LACKING = re.compile(r"error.*(not supported in tile code for|supported in tile code only for)")
RELEASE = re.compile(r"(\d+)\.(\d+)")


@dataclass(frozen=True)
class TileCompiler:
    """An nvcc that compiles tile code; without a path only what it has built elsewhere is there, in the cache."""

    path: Path | None
    version: tuple[int, int]

    def __str__(self) -> str:
        return f"nvcc {self.version[0]}.{self.version[1]}"

    def environment(self) -> dict[str, str]:
        """tileiras takes its libraries from CUDA_HOME when that is set: it must name the toolkit that nvcc belongs to."""
        root = self.path.resolve().parent.parent
        return settings.environment_for(root if (root / "nvvm").is_dir() else None)


def find() -> TileCompiler | None:
    """The nvcc the user chose, else that of the pip wheels, else one of the machine; only releases with tile code count.

    Where the user names a release in place of a program, its builds in the cache are all there is.
    """
    chosen = settings.tile_compiler()
    release = RELEASE.fullmatch(chosen or "")
    if release and (version := (int(release[1]), int(release[2]))) >= OLDEST:
        return TileCompiler(None, version)
    for path in [Path(chosen)] if chosen else _candidates():
        if path.is_file() and (found := _asked(path, path.stat().st_mtime_ns)) and found.version >= OLDEST:
            return found
    if chosen:
        raise missing(f"TILE2CPP_NVCC is {chosen!r}, which is no nvcc of release 13.3 or newer that runs here", "set it to such an nvcc, or unset it")
    return None


def require() -> TileCompiler:
    """A compiler that runs here."""
    found = _known()
    if found.path is None:
        raise missing(f"TILE2CPP_NVCC names {found} without a program", "set it to an nvcc, or unset it")
    return found


def _known() -> TileCompiler:
    """A compiler whose builds may be in the cache, whether it runs here or not."""
    found = find()
    if found is None:
        raise missing("NVIDIA's tile compiler is not installed", HINT)
    return found


def _candidates():
    for root in toolkits.wheel_roots():
        yield from sorted(root.glob("cu[0-9]*/bin/nvcc"), reverse=True)
    on_path = shutil.which("nvcc")
    if on_path:
        yield Path(on_path)
    for root in settings.toolkits():
        yield root / "bin" / "nvcc"


@lru_cache(maxsize=None)
def _asked(path: Path, changed: int) -> TileCompiler | None:
    """The nvcc at `path`, asked once per version of the file."""
    if not os.access(path, os.X_OK) and os.access(path, os.W_OK):
        _make_executable(path)
    found = re.search(r"release (\d+)\.(\d+)", process.run([str(path), "--version"]).log)
    return TileCompiler(path, (int(found[1]), int(found[2]))) if found else None


def _make_executable(nvcc: Path) -> None:
    """Wheels unpacked by some installers lose the mark of programs."""
    for folder in (nvcc.parent, nvcc.parent.parent / "nvvm" / "bin"):
        for program in folder.glob("*"):
            if program.is_file():
                program.chmod(program.stat().st_mode | 0o755)


def compile(emitted: Emitted, target: int) -> Built:
    """Build for compute capability `target`, or find it in the cache; an error when the file is refused."""
    return _build(emitted.text, emitted.file_name, emitted.name, target, "cubin", emitted.signature)


def bytecode(emitted: Emitted, target: int) -> Built:
    """The Tile IR bytecode of a file."""
    return _build(emitted.text, emitted.file_name, emitted.name, target, "tilebc", emitted.signature)


def check(file: Path, target: int, *, assemble: bool = True) -> None:
    """Hold a file to NVIDIA's compiler: an error when it is refused. Without `assemble` it stops at Tile IR, which is faster."""
    _build(file.read_text(encoding="utf-8"), file.name, file.stem, target, "cubin" if assemble else "tilebc")


def _lacking(text: str, log: str, target: int) -> TileUnsupportedFeatureError | None:
    """The error for a dtype that this compiler has for other GPUs only; tile2cpp's own library computes with it on all of them."""
    named = [t for line in log.splitlines() if LACKING.search(line) for t in re.findall(r"'(\w+)'", line)]
    found = next((d for d in dtypes.TABLE if d.cpp in named and d.cpp in text), None)
    if found is None:
        return None
    kind = TileUnsupportedFeatureError
    message, hint = f"NVIDIA's tile compiler has no {found} for sm_{target}", "the backends cuda and host have it"
    return kind(Diagnostic(message, code="target", hints=(hint,), kind=kind, known_as=f"{found} is not supported on sm_{target}"))


def _build(text: str, file_name: str, name: str, target: int, form: str, signature: str = "") -> Built:
    compiler = _known()
    options = (*OPTIONS, f"-tile{form.removeprefix('tile')}", f"-arch=sm_{target}")
    key = cache.key("nvidia", file_name, text, *options, str(compiler))
    binary = f"{name}.{form}"
    if found := cache.find(key, binary):
        return Built(found.folder, found.folder / binary, name, found.facts)
    if compiler.path is None:
        raise missing(
            f"the cache has no build of `{name}` for sm_{target} by {compiler}, which is not on this machine",
            "build it where the compiler is, from the same version of tile2cpp, and bring the cache along; or set TILE2CPP_NVCC to an nvcc",
        )
    with cache.building(key) as staging:
        (staging / file_name).write_text(text, encoding="utf-8")
        started = time.perf_counter()
        done = process.run([str(compiler.path), *options, file_name, "-o", binary], folder=staging, environment=compiler.environment())
        (staging / "build.log").write_text(done.log, encoding="utf-8")
        if not done.ok or not (staging / binary).is_file():
            raise _lacking(text, done.log, target) or rejected(f"NVIDIA's tile compiler ({compiler})", name, cache.keep_failed(key, staging), done.log)
        facts = {
            "kind": "nvidia", "name": name, "signature": signature, "target": f"sm_{target}",
            "compiler": str(compiler), "seconds": round(time.perf_counter() - started, 3),
        }  # fmt: skip
        cache.write_facts(staging, facts)
    folder = cache.folder_of(key)
    return Built(folder, folder / binary, name, facts)
