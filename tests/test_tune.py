"""Measuring configurations on the host, and on a GPU where there is one."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent / "launch"))

import kernels_launched as kernels  # noqa: E402

import tile2cpp  # noqa: E402
import tile2cpp.lang as ct  # noqa: E402
from tile2cpp.errors import Tile2cppError  # noqa: E402
from tile2cpp.tune import Failure, Measurement, TuningResult  # noqa: E402


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path / "cache"))


def search(space, x, y, **options):
    return ct.tune.exhaustive_search(
        space, 0, lambda c: (ct.cdiv(48, c[0]),), kernels.scaled, lambda c: (c[0], x, 2.0, y), lambda c: {"occupancy": c[1]}, **options
    )


def test_the_fastest_is_found_and_failures_are_kept(capsys):
    x, y = np.arange(48, dtype="f"), np.zeros(48, "f")
    found = search([(16, 1), (3, 1), (32, 2), (16, 99)], x, y)
    assert [m.config for m in found.successes] == [(16, 1), (32, 2)] and [f.config for f in found.failures] == [(3, 1), (16, 99)]
    assert found.best.config in {(16, 1), (32, 2)} and 0 < found.best.mean_us == min(m.mean_us for m in found.successes)
    assert (y == 2 * x).all()
    assert "powers of two" in found.summary() and "2 succeeded, 2 failed" in str(found)
    assert "[4/4] scaled (16, 99): failed" in capsys.readouterr().err
    for config, kind, message in found.failures:  # as programs for cuTile read them
        assert issubclass(kind, Tile2cppError) and kind.__name__ in found.summary() and message
    assert found.best.num_samples >= 3 and found.best.error_margin_us >= 0


def test_long_summaries_leave_rows_out():
    rows = tuple(Measurement(config=n, mean_us=float(n), error_margin_us=0.5, num_samples=5) for n in range(20))
    failures = tuple(Failure(n, ValueError, "too large\nby far") for n in range(12))
    lines = TuningResult(best=rows[0], successes=rows, failures=failures).summary().splitlines()
    assert lines[0] == "20 succeeded, 12 failed" and lines[1] == "* 0: 0.0±0.5 us (5 samples)"
    assert lines[11] == "    ... 8 more not shown" and lines[13] == "  19: 19.0±0.5 us (5 samples)"
    assert lines[14] == "    0: ValueError: too large" and lines[-1] == "    ... 2 more not shown"


def test_every_configuration_may_have_its_own_kernel():
    x, y = np.arange(48, dtype="f"), np.zeros(48, "f")
    grid, args = lambda c: (ct.cdiv(48, c),), lambda c: (c, x, 2.0, y)
    found = ct.tune.exhaustive_search([16, 32], 0, grid, lambda c: kernels.scaled.replace_hints(occupancy=c), args, quiet=True)
    assert [m.config for m in found.successes] == [16, 32] and (y == 2 * x).all()


def test_nothing_found(capsys):
    x, y = np.arange(48, dtype="f"), np.zeros(48, "f")
    with pytest.raises(ValueError, match="empty"):
        search([], x, y)
    with pytest.raises(ValueError, match=r"none of the 1 configurations of `scaled` ran(.|\n)*No valid config found in search space\."):
        search([(3, 1)], x, y, quiet=True)
    with pytest.raises(Tile2cppError, match="are allowed"):
        search([(16, 1)], x, y, quiet=True, single_run_timeout_sec=1e-9)
    assert not capsys.readouterr().err


def test_its_names():
    assert tile2cpp.tune is ct.tune.exhaustive_search


@pytest.mark.gpu
@pytest.mark.parametrize("flush_l2", [True, False])
def test_on_a_gpu(flush_l2):
    import cupy

    x, y = cupy.arange(48, dtype="f"), cupy.zeros(48, "f")
    found = search([(16, 1), (32, 2)], x, y, quiet=True, flush_l2=flush_l2)
    assert len(found.successes) == 2 and 0.5 < found.best.mean_us < 1000 and (y == 2 * x).all()
