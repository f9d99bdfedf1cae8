"""What this machine can do, each finding with its way out: what `tile2cpp doctor` prints."""

from __future__ import annotations

from pathlib import Path

from tile2cpp import settings
from tile2cpp.build import cache, host, nvidia, nvrtc

Finding = tuple[str, str, str]


def findings() -> list[Finding]:
    """Rows of: subject, what was found, what it means."""
    return [host_finding(), gpu_finding(), nvrtc_finding(), check_finding(), cache_finding()]


def host_finding() -> Finding:
    compiler = host.find()
    if compiler is None:
        return "host", "no C++ compiler", "NumPy arrays run in the interpreter; pip install 'tile2cpp[host]' brings one"
    return "host", compiler.version, "ready"


def gpu_finding() -> Finding:
    try:
        import cupy

        count = cupy.cuda.runtime.getDeviceCount()
        if not count:
            raise RuntimeError("no device")
        properties = cupy.cuda.runtime.getDeviceProperties(0)
    except ImportError:
        return "gpu", "CuPy is not installed", "kernels run on the host with NumPy arrays; pip install 'tile2cpp[cuda13]' or [cuda12]"
    except Exception:  # no driver, or no device
        return "gpu", "no CUDA device", "kernels run on the host with NumPy arrays"
    name = f"{properties['name'].decode()}, sm_{properties['major']}{properties['minor']}"
    return "gpu", name if count == 1 else f"{count} x {name}", f"ready, CuPy {cupy.__version__}"


def nvrtc_finding() -> Finding:
    found = nvrtc.find()
    if found is None:
        return "nvrtc", "not installed", "needed to run on a GPU; pip install 'tile2cpp[cuda13]' or [cuda12]"
    return "nvrtc", str(found), f"compiles for sm_{max(nvrtc.OLDEST_TARGET, min(found.targets()))} to sm_{max(found.targets())}"


def check_finding() -> Finding:
    found = nvidia.find()
    if found is None:
        return "check", "not installed", "NVIDIA's own tile compiler, as a second opinion; pip install 'tile2cpp[check]'"
    if found.path is None:
        return "check", str(found), "not on this machine: only its builds in the cache are used (TILE2CPP_NVCC)"
    return "check", str(found), "emitted files can be checked with -enable-tile"


def cache_finding() -> Finding:
    count = len(cache.entries())
    return "cache", f"{counted(count, 'kernel')}, {readable(cache.size())}", short(settings.cache_folder())


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def readable(size: float) -> str:
    """A size in bytes as a person reads it: `4.1 MB`."""
    if size < 1000:
        return f"{size:.0f} B"
    units = ["kB", "MB", "GB"]
    while size >= 1e6 and len(units) > 1:
        size /= 1000
        units.pop(0)
    return f"{size / 1000:.1f} {units[0]}"


def short(path: Path) -> str:
    """A path with `~` for the home folder."""
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):
        return str(path)
