"""Where CUDA's compiler library and headers lie: pip wheels first, then toolkits of the machine."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

from tile2cpp import settings

LIBRARY_NAMES = ("libnvrtc.so.*", "nvrtc64_*.dll")
BUILTINS_NAMES = ("libnvrtc-builtins.so.*", "nvrtc-builtins64_*.dll")


@dataclass(frozen=True)
class Toolkit:
    """One place with parts of CUDA; the paths need not exist."""

    name: str
    libraries: tuple[Path, ...]
    includes: tuple[Path, ...]

    def nvrtc(self) -> Path | None:
        return _first(self.libraries, LIBRARY_NAMES)

    def builtins(self) -> Path | None:
        return _first(self.libraries, BUILTINS_NAMES)

    def include_folders(self) -> tuple[Path, ...]:
        """Its header folders, when CUDA's own types are among them."""
        return tuple(p for p in self.includes if p.is_dir()) if self._types() else ()

    def _types(self) -> Path | None:
        return next((p / "cuda_fp16.h" for p in self.includes if (p / "cuda_fp16.h").is_file()), None)

    def major(self) -> int | None:
        """The CUDA release that the headers belong to."""
        for folder in self.includes:
            for name, macro in (("cuda.h", "CUDA_VERSION"), ("cuda_runtime_api.h", "CUDART_VERSION")):
                if (folder / name).is_file() and (found := re.search(rf"#define\s+{macro}\s+(\d+)", (folder / name).read_text(errors="replace"))):
                    return int(found[1]) // 1000
        return None


def _first(folders: tuple[Path, ...], patterns: tuple[str, ...]) -> Path | None:
    """The newest library that matches; the wheels' `.alt.` builds are for other C libraries."""
    for folder in folders:
        found = [path for pattern in patterns for path in folder.glob(pattern) if ".alt." not in path.name]
        if found:
            return max(found, key=lambda path: [int(n) for n in re.findall(r"\d+", path.name)])
    return None


def all_toolkits() -> Iterator[Toolkit]:
    """Every place to look at, best first."""
    for root in wheel_roots():
        for folder in sorted(root.glob("cu[0-9]*"), reverse=True):
            yield Toolkit(f"{folder.name} wheels", (folder / "lib", folder / "bin" / "x86_64"), (folder / "include", folder / "include" / "cccl"))
        includes = (root / "cuda_runtime" / "include", root / "cuda_cccl" / "include", root / "cuda_nvrtc" / "include")
        yield Toolkit("cu12 wheels", (root / "cuda_nvrtc" / "lib", root / "cuda_nvrtc" / "bin"), includes)
    for root in settings.toolkits():
        libraries = (root / "lib64", root / "lib", root / "bin", root / "targets" / "x86_64-linux" / "lib")
        yield Toolkit(str(root), libraries, (root / "include", root / "include" / "cccl"))
    for root in _package_folders("cupy"):  # CuPy ships the headers of CUDA's types for each release
        for folder in sorted((root / "_core" / "include" / "cupy" / "_cuda").glob("cuda-*"), reverse=True):
            yield Toolkit(f"CuPy's {folder.name}", (), (folder,))


def wheel_roots() -> tuple[Path, ...]:
    """The `nvidia` folders that pip's CUDA packages share."""
    return _package_folders("nvidia")


def headers_for(major: int) -> tuple[Path, ...]:
    """Header folders of CUDA's own types, of release `major` where there are any."""
    found = [toolkit for toolkit in all_toolkits() if toolkit.include_folders()]
    fitting = [toolkit for toolkit in found if toolkit.major() in (major, None)]
    return (fitting or found)[0].include_folders() if found else ()


def _package_folders(name: str) -> tuple[Path, ...]:
    """The folders of a package, without importing it."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return ()
    return tuple(Path(p) for p in spec.submodule_search_locations or ()) if spec else ()
