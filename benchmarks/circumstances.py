"""What figures depend on, besides the code: GPU, driver, versions, commit."""

from __future__ import annotations

import datetime
import importlib.metadata
import subprocess
import sys
from pathlib import Path
from typing import Any

PACKAGES = (
    "numpy", "cupy-cuda12x", "cupy-cuda13x", "torch", "triton", "nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12", "nvidia-cublas", "nvidia-cudnn-cu13", "cuda-tile",
    "nvidia-cuda-tileiras",
)  # fmt: skip


def about() -> dict[str, Any]:
    from tile2cpp.build import nvrtc

    try:
        import cupy

        properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    except Exception as error:  # CuPy is missing, or finds no GPU
        raise SystemExit(f"benchmarks need a GPU and CuPy ({error}); `tile2cpp doctor` says what to install") from None
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "gpu": properties["name"].decode(),
        "gpu_uuid": of_gpu("uuid"),  # tells one machine from another
        "driver": of_gpu("driver_version"),
        "cuda_driver_api": cupy.cuda.runtime.driverGetVersion(),
        "nvrtc": str(nvrtc.find()).removeprefix("NVRTC "),
        "python": sys.version.split()[0],
        "versions": {name: version for name in PACKAGES if (version := installed(name))},
        "commit": commit(),
    }


def commit() -> str:
    """The checkout's commit; where git is not there, what the file `COMMIT` says that whoever made the copy left."""
    folder = Path(__file__).resolve().parents[1]
    try:
        done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=folder, capture_output=True, text=True)
        if not done.returncode and done.stdout.strip():
            return done.stdout.strip()
    except OSError:
        pass
    note = folder / "COMMIT"
    return note.read_text().strip() if note.is_file() else "unknown"


def of_gpu(fact: str) -> str:
    """What nvidia-smi knows of the first GPU by this name."""
    try:
        query = ["nvidia-smi", f"--query-gpu={fact}", "--format=csv,noheader"]
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
