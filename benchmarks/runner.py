"""Runs one work: right answers first, then everybody in turns."""

from __future__ import annotations

import time
from dataclasses import asdict
from types import MappingProxyType
from typing import Any, Callable, Mapping

from benchmarks import arrays, gpu
from benchmarks.check import Distance, distance
from benchmarks.rivals.same_text import started
from benchmarks.timing import Spread, fastest, in_turns, spread
from benchmarks.work import OURS, Missing, Task, Work, figure

Run = Callable[[], Any]
FACTS = ("registers", "shared_bytes", "stack_bytes", "spill_stores", "spill_loads", "serialised", "seconds")


def run(
    work: Work, seconds: float, *, make: Callable[[Work], dict[str, Any]] = arrays.with_torch, measure: Callable[[Run], float] = gpu.seconds_of,
    without: Mapping[str, str] = MappingProxyType({}), tell: Callable[[str], None] = lambda who: None,
) -> dict[str, Any]:  # fmt: skip
    """All that is found out about a work, as JSON knows it; `measure` gives the seconds of one run.

    `without` has rivals that are known to fail, and why; `tell` hears who is turned to.
    """
    tell(OURS)
    begun = time.perf_counter()
    work.set_globals()
    made = make(work)
    expected = work.reference(made, arrays.namespace(made))
    found: dict[str, Any] = {**heading(work), "rivals": {}, "missing": {}, "wrong": {}, "forms": {}, "form": ""}
    runs = forms_of(work, made, expected, found)
    contestants: dict[str, Run] = {}
    if runs:
        found["form"] = fastest(list(runs), lambda name: measure(runs[name]))
        contestants[OURS] = runs[found["form"]]
    contestants |= rivals_of(Task(work, made, found["form"] or next(iter(work.ours))), expected, found, without, tell)
    del expected
    tell("")
    times = in_turns(list(contestants), lambda name: measure(contestants[name]), seconds) if contestants else {}
    for name, measured in times.items():
        amount = work.rivals[name].amount if name != OURS else None
        found["rivals"][name] = described(spread(measured), amount or work.amount, work.unit)
    found["spent"] = round(time.perf_counter() - begun, 2)
    return found


def forms_of(work: Work, made: dict[str, Any], expected: Any, found: dict[str, Any]) -> dict[str, Run]:
    """What starts each form of ours that is right; what is known of them goes into `found`."""
    runs = {}
    for form, steps in work.ours.items():
        one = started(steps, Task(work, made, form))
        try:
            right, far = checked(work, made, one, expected)
        except Exception as error:  # the other forms may do
            gpu.check(error)
            found["missing"][f"{OURS} {form}"] = f"{type(error).__name__}: {error}".splitlines()[0]
            continue
        found["forms"][form] = {"error": asdict(far), "kernels": facts_of(work, made, form)}
        if right:
            runs[form] = one
        else:
            found["wrong"][f"{OURS} {form}"] = asdict(far)
    return runs


def rivals_of(task: Task, expected: Any, found: dict[str, Any], without: Mapping[str, str], tell: Callable[[str], None]) -> dict[str, Run]:
    """What starts each rival that can run here; a wrong one takes part, and is named."""
    runs = {}
    for name, rival in task.work.rivals.items():
        if name in without:
            found["missing"][name] = without[name]
            continue
        tell(name)
        try:
            runs[name] = one = rival.make(task)
            right, far = checked(task.work, task.arrays, one, expected) if rival.checked else (True, None)
        except (ImportError, Missing) as error:
            gpu.check(error)  # no form of it may have run, since the first one broke the GPU
            found["missing"][name] = str(error) or type(error).__name__
        except Exception as error:  # it is reported; the others go on
            gpu.check(error)
            found["missing"][name] = f"{type(error).__name__}: {error}".splitlines()[0]
        else:
            if not right:
                found["wrong"][name] = asdict(far)
            continue
        runs.pop(name, None)
    return runs


def heading(work: Work) -> dict[str, Any]:
    return {"group": work.group, "title": work.title, "unit": work.unit, "amount": work.amount, "limit": work.limit, "bars": [bar.described() for bar in work.bars]}


def described(times: Spread, amount: float, unit: str) -> dict[str, Any]:
    """Microseconds and what they mean."""
    return {
        "us": round(times.median * 1e6, 3), "low": round(times.low * 1e6, 3), "high": round(times.high * 1e6, 3), "runs": times.runs,
        "figure": float(f"{figure(amount, unit, times.median):.6g}"),
    }  # fmt: skip


def checked(work: Work, made: Mapping[str, Any], one: Run, expected: Any) -> tuple[bool, Distance]:
    """Run once into poisoned memory and hold the result against the right one."""
    arrays.poison(made[work.result])
    answer = one()
    far = distance(made[work.result] if answer is None else answer, expected)
    return far.is_within(work.limit), far


def facts_of(work: Work, made: dict[str, Any], form: str) -> dict[str, Any]:
    """Registers, spills and the like of each kernel of a form; they are in the cache by now."""
    from tile2cpp.launch import prepare

    facts = {}
    for launch in work.ours[form]:
        built = prepare.prepare(launch.kernel, launch.arguments(made), None).variant.function.built.facts
        facts[launch.kernel.__name__] = {name: built.get(name, 0) for name in FACTS} | {"threads": built.get("schedule", {}).get("threads", 1)}
    return facts
