"""`cuda.tile_experimental`: a search on the first launch of its kind, and none on those that follow."""

import sys
from itertools import count
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent / "launch"))

import kernels_launched as kernels  # noqa: E402

import tile2cpp.lang as ct  # noqa: E402
from tile2cpp.experimental import autotune_launch, clear_autotune_cache  # noqa: E402


@pytest.fixture(autouse=True)
def nothing_known(tmp_path, monkeypatch):
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path / "cache"))
    clear_autotune_cache()


def tuned(y, space=(16, 32), n=48, **options):
    x = np.arange(n, dtype="f")
    return autotune_launch(0, lambda c: (ct.cdiv(n, c),), kernels.scaled, lambda c: (c, x, 2.0, y), search_space=space, **options)


def test_the_first_launch_searches_and_later_ones_do_not():
    y = np.zeros(48, "f")
    first = tuned(y)
    assert not first.cache_hit and first.tuned_config in (16, 32) and first.grid == (48 // first.tuned_config + (48 % first.tuned_config > 0),)
    assert [config for config, milliseconds in first.tuning_record if milliseconds > 0] == [16, 32]
    y[:] = 0
    second = tuned(y)
    assert second.cache_hit and second.tuned_config == first.tuned_config and (y == 2 * np.arange(48)).all()
    assert not tuned(np.zeros(64, "f"), n=64).cache_hit  # other shapes
    assert not tuned(y, force_retune=True).cache_hit
    clear_autotune_cache(kernels.scaled)
    assert not tuned(y).cache_hit


def test_a_key_of_ones_own_and_arguments_of_the_launch():
    y, z = np.zeros(48, "f"), np.zeros(48, "f")
    assert not tuned(y, key="mine").cache_hit and tuned(y, key="mine").cache_hit
    clear_autotune_cache(key="mine")
    found = tuned(y, key="mine", launch_args_fn=lambda c: (c, np.ones(48, "f"), 3.0, z), hints_fn=lambda c: {"occupancy": c // 16})
    assert not found.cache_hit and (z == 3).all() and found.kernel.hints == {"occupancy": found.tuned_config // 16}


def test_spaces_may_be_functions_and_endless():
    def endless():
        yield from (16 + 0 * n for n in count())

    found = tuned(np.zeros(48, "f"), lambda: [32], max_iter=1)
    assert found.tuned_config == 32
    assert len(tuned(np.zeros(48, "f"), endless, max_iter=2, seed=1, key=2).tuning_record) == 2


def test_mistakes_are_those_of_the_kernel():
    with pytest.raises(ValueError, match="empty"):
        tuned(np.zeros(48, "f"), [])
    with pytest.raises(ct.TileTypeError, match="powers of two"):
        tuned(np.zeros(48, "f"), [3])
