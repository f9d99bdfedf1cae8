"""A cache folder of each test's own, and a GPU that is played."""

import sys
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)

import standin_cupy  # noqa: E402  (its folder has to be on the path first)

from tile2cpp.launch import cupy as launch_cupy  # noqa: E402


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def gpu(monkeypatch):
    """Launches on `standin_cupy` arrays; gives the driver that notes them."""
    driver = standin_cupy.Driver()
    monkeypatch.setitem(sys.modules, "cupy", standin_cupy.make(driver))
    standin_cupy.Device.current = 0
    for cached in (launch_cupy.capability, launch_cupy.driver_major):
        cached.cache_clear()
    monkeypatch.setattr(launch_cupy, "driver", lambda: driver)
    yield driver
    for cached in (launch_cupy.capability, launch_cupy.driver_major):
        cached.cache_clear()
