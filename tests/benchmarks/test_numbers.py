"""What the benchmarks compute from times, and how they take turns: no GPU is needed."""

import math

import numpy as np
import pytest

from benchmarks import check, results, timing
from benchmarks.work import UNITS, Bar, figure


def test_median_and_quartiles():
    found = timing.spread([5.0, 1.0, 3.0, 2.0, 4.0])
    assert (found.low, found.median, found.high, found.runs) == (2.0, 3.0, 4.0, 5)
    assert timing.spread([2.0]) == timing.Spread(2.0, 2.0, 2.0, 1)


def test_every_round_has_everybody_and_begins_with_another():
    seen = []
    times = timing.in_turns(["a", "b", "c"], lambda name: seen.append(name) or 1.0, 0.0, fewest=4)
    assert {name: len(t) for name, t in times.items()} == {"a": 4, "b": 4, "c": 4}
    assert "".join(seen) == "abcbcacababc"


def test_rounds_end_with_the_time():
    clock = iter(range(100))
    times = timing.in_turns(["a"], lambda name: 1.0, 12.0, fewest=2, clock=lambda: next(clock))
    assert 10 <= len(times["a"]) <= 13
    assert len(timing.in_turns(["a"], lambda name: 1.0, math.inf, most=5)["a"]) == 5


def test_the_fastest_form():
    seconds = {"slow": 3.0, "quick": 1.0}
    assert timing.fastest(["slow", "quick"], seconds.__getitem__) == "quick"


def test_a_figure_is_what_was_done_by_its_time():
    assert figure(2.0 * 8192**3, "TFLOP/s", 1e-3) == pytest.approx(1099.5, rel=1e-4)
    assert figure(1e9, "GB/s", 0.5) == 2.0
    assert set(UNITS) == {"TFLOP/s", "TOP/s", "GB/s"}


def test_distance_sees_one_wrong_element():
    expected = np.random.default_rng(0).standard_normal(1 << 20)
    right = expected.astype(np.float16)
    assert check.distance(right, expected).is_within(6e-4)
    right[12345] += 1
    far = check.distance(right, expected)
    assert far.norm < 2e-3 and not far.is_within(2e-3)


def test_distance_sees_what_was_not_written():
    expected = np.ones(1000)
    got = expected.copy()
    got[7] = np.nan
    assert not check.distance(got, expected).is_within(1.0)
    assert not check.distance(got[:10], expected).is_within(1.0)


def test_exact_means_exact():
    assert check.distance(np.arange(9, dtype=np.int32), np.arange(9.0)).is_within(0.0)
    assert not check.distance(np.arange(9, dtype=np.int32), np.arange(9.0) + 1e-9).is_within(0.0)


def entry(unit="TFLOP/s", **figures):
    return {"unit": unit, "rivals": {name: {"figure": value} for name, value in figures.items()}}


def bar(*against, least=1.0, of="tile2cpp", most=None):
    b = Bar(against, least, of, most)
    return {"of": b.of, "against": list(b.against), "least": b.least, "most": b.most}


def test_a_bar_is_a_ratio_to_the_best_of_those_named():
    found = entry(tile2cpp=95.0, torch=90.0, Triton=100.0)
    assert results.verdict(found, bar("torch", "Triton", least=0.95)) == results.Verdict("0.95x torch or Triton", 0.95, True)
    assert results.verdict(found, bar("Triton", least=0.96)).is_met is False
    assert results.verdict(found, bar("cuTile")) == results.Verdict("1.00x cuTile", None, None)


def test_less_is_better_for_times():
    found = entry("us", tile2cpp=4.0, cuTile=5.0)
    assert results.verdict(found, bar("cuTile")).measured == 1.25
    assert results.verdict(found, bar(most=5.0)) == results.Verdict("at most 5 us", 4.0, True)
    assert results.verdict(found, bar(most=3.0)).is_met is False
    assert results.verdict(found, bar(of="other", most=3.0)) == results.Verdict("other: at most 3 us", None, None)
