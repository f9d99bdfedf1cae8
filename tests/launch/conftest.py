"""A cache folder of each test's own, and a GPU that is played."""

import ctypes
import sys
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)

import kernels_launched as kernels  # noqa: E402  (its folder has to be on the path first)
import standin_cupy  # noqa: E402

import tile2cpp  # noqa: E402
from tile2cpp.build import host  # noqa: E402
from tile2cpp.launch import cupy as launch_cupy  # noqa: E402
from tile2cpp.launch import library  # noqa: E402


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path / "cache"))


@pytest.fixture(autouse=True)
def in_python(monkeypatch):
    """Nothing is built in the background, and launches go on in Python; `in_cpp` changes that."""
    monkeypatch.setattr(library, "_loaded", None)
    monkeypatch.setattr(library, "_waiting", [])
    monkeypatch.setattr(library, "build_ahead", lambda: None)


@pytest.fixture(scope="session")
def swift_library(tmp_path_factory):
    if host.find() is None or not library.is_possible():
        pytest.skip("there is no C++ compiler, or this Python has no C++ part")
    folder = tmp_path_factory.mktemp("swift")
    assert library.compile_in(folder, host.find()).ok
    return folder / library.BINARY


@pytest.fixture
def in_cpp(in_python, swift_library):
    library._arrived(ctypes.PyDLL(str(swift_library)))


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


@pytest.fixture
def ways(monkeypatch):
    """Notes each launch that takes the general way."""
    found = []
    kind, general = tile2cpp.jit(kernels.scaled.__wrapped__).__class__, kernels.scaled.__class__._start_any
    monkeypatch.setattr(kind, "_start_any", lambda self, *rest: found.append(self.__name__) or general(self, *rest))
    return found
