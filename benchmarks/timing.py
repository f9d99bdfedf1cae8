"""How things are timed: in turns, and the median counts.

A GPU that draws much power slows down within seconds, so what runs later looks worse.
Rivals therefore take turns, round by round, each round begins with another one, and only
figures of one run are compared. Before each launch the cache of the GPU is overwritten,
so that nobody finds inputs there. Nothing in this file knows a GPU: `measure(name)` gives
the seconds of one run.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import Callable, Sequence

FEWEST, MOST = 7, 200  # rounds


@dataclass(frozen=True)
class Spread:
    """Seconds: median, quartiles, and how many runs they are of."""

    median: float
    low: float
    high: float
    runs: int


def spread(times: Sequence[float]) -> Spread:
    """Median and quartiles of at least one time."""
    ordered = sorted(times)
    if len(ordered) == 1:
        return Spread(ordered[0], ordered[0], ordered[0], 1)
    low, middle, high = statistics.quantiles(ordered, n=4, method="inclusive")
    return Spread(middle, low, high, len(ordered))


def in_turns(
    names: Sequence[str], measure: Callable[[str], float], seconds: float, *, fewest: int = FEWEST, most: int = MOST,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:  # fmt: skip
    """Times of each, measured round by round until `seconds` have passed; every round has all of them."""
    times: dict[str, list[float]] = {name: [] for name in names}
    started, turn = clock(), 0
    while turn < most and (turn < fewest or clock() - started < seconds):
        first = turn % len(names)
        for name in [*names[first:], *names[:first]]:
            times[name].append(measure(name))
        turn += 1
    return times


def fastest(names: Sequence[str], measure: Callable[[str], float], rounds: int = 3) -> str:
    """The one with the smallest median, of few rounds: to choose a form before it is measured for good."""
    if len(names) == 1:
        return names[0]
    times = in_turns(names, measure, 0.0, fewest=rounds)
    return min(names, key=lambda name: statistics.median(times[name]))
