"""`ct.compiler_timeout`: compilers that take too long are stopped."""

import sys
import time

import pytest

import tile2cpp.lang as ct
from tile2cpp.build import host, nvrtc, process


def test_a_process_is_stopped(tmp_path):
    started = time.perf_counter()
    with ct.compiler_timeout(0.3), pytest.raises(ct.TileCompilerTimeoutError, match="did not finish within 0.3 seconds"):
        process.run([sys.executable, "-c", "import time; time.sleep(30)"])
    assert time.perf_counter() - started < 10
    assert process.run([sys.executable, "-c", ""]).ok  # the limit is gone


def test_a_build_that_is_stopped_leaves_nothing_behind(emitted):
    host.require()
    with ct.compiler_timeout(0.01), pytest.raises(ct.TileCompilerTimeoutError):
        host.compile(emitted)
    assert host.compile(emitted).binary.exists()


@pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed: pip install 'tile2cpp[cuda13]'")
def test_nvrtc_is_measured(emitted):
    with ct.compiler_timeout(1e-6), pytest.raises(ct.TileCompilerTimeoutError, match="NVRTC"):
        nvrtc.compile(emitted, 90)
    with ct.compiler_timeout(1e-6):
        assert nvrtc.compile(emitted, 90).binary.exists()  # it cannot be stopped, and what it made is kept


@pytest.mark.parametrize("seconds", [0, -1, "3", None, True])
def test_limits_are_positive_numbers(seconds):
    with pytest.raises(ValueError, match="positive number"), ct.compiler_timeout(seconds):
        pass
