"""`python -m benchmarks [NAME]...`: what is asked for, run one after the other within a limit of time."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Sequence

from benchmarks import ahead, carry, catalogue, plots, report, results, worker
from benchmarks.work import CUTILE, OURS, VENDOR, Work

QUICK_SECONDS = 0.4  # of measuring, for each work of a quick run
QUICK_CALLS = 1.0
DOCS = results.HERE.parent / "docs"


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    if options.render:
        render()
        return 0
    works = catalogue.chosen(options.names, options.quick)
    if options.carry:
        return carried(works, options)
    if options.list:
        for work in works:
            print(f"{work.name:<40} {work.group:<10} {work.title}{'  (quick)' if work.quick else ''}")
        return 0
    return measure(works, options)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("python -m benchmarks", description="Measure tile2cpp side by side with what else a user would take.")
    made.add_argument("names", nargs="*", help="works, beginnings of their names, or groups; all of them when left out")
    made.add_argument("--quick", action="store_true", help="one work of each kind, measured for a short time")
    made.add_argument("--seconds", type=float, help="how long each work is measured")
    made.add_argument("--limit", type=float, default=float("inf"), help="begin no work after so many seconds")
    made.add_argument("--out", type=Path, default=results.FOLDER, help="folder for the JSON file (default: benchmarks/results)")
    made.add_argument("--no-build", action="store_true", help="do not compile all kernels ahead, in parallel")
    made.add_argument("--against", action="append", metavar="RIVAL", help="measure only these rivals beside tile2cpp (may be repeated)")
    made.add_argument("--patience", type=float, default=worker.PATIENCE, help="seconds after which a rival that says nothing is given up")
    made.add_argument("--carry", type=Path, metavar="DIR", help="only build the kernels of NVIDIA's compiler and cuTile into DIR, for GPUs elsewhere")
    made.add_argument("--target", type=int, default=90, help="the compute capability of these GPUs (default: 90)")
    made.add_argument("--carried", type=Path, metavar="DIR", help="let NVIDIA's compiler and cuTile take their builds from DIR")
    made.add_argument("--list", action="store_true", help="only say which works there are")
    made.add_argument("--render", action="store_true", help="only write docs/benchmarks.md and its pictures from the results")
    return made


def measure(works: Sequence[Any], options: argparse.Namespace) -> int:
    started = time.perf_counter()
    from benchmarks.circumstances import about

    if options.carried:
        carry.use(options.carried)
    run = {**about(), "quick": options.quick, "entries": {}}
    if options.against:
        run["against"] = options.against
    print(f"{run['gpu']}, driver {run['driver']}, NVRTC {run['nvrtc']}, commit {run['commit']}: {len(works)} works", flush=True)
    tiles = [work for work in works if isinstance(work, Work)]
    if tiles and not options.no_build:
        build(tiles, options, started)
    skipped = []
    with worker.Worker(worker.serve, options.patience) as workers:
        for work in works:
            if time.perf_counter() - started > options.limit:
                skipped.append(work.name)
                continue
            order = worker.Order(work.name, seconds_for(work, options), options.quick, tuple(options.against or ()))
            entry, why = workers.run(order)
            run["entries"][work.name] = entry = entry or failed(work, why)
            print("\n".join(lines(entry)), flush=True)
            path = results.write(options.out, run)  # after each, so that a run that is stopped leaves what it has
    if skipped:
        print(f"not begun within {options.limit:.0f} s: {' '.join(skipped)}")
    if run["entries"]:
        print(f"{path}  ({time.perf_counter() - started:.0f} s)")
    if options.out == results.FOLDER:
        render()
    return 1 if any(is_bad(entry) for entry in run["entries"].values()) else 0


def is_bad(entry: dict[str, Any]) -> bool:
    """Whether something of ours fails or is wrong."""
    return "failed" in entry or any(name.startswith(OURS) for name in (*entry["wrong"], *entry["missing"]))


def build(works: Sequence[Work], options: argparse.Namespace, started: float) -> None:
    """Compile in parallel what would otherwise be compiled one after the other."""
    from benchmarks.builds import build_all
    from tile2cpp.launch import cupy

    failures = build_all(works, cupy.capability(0), cupy.driver_major())
    if not options.carried:
        rivals = [rival for rival in compiled(options) if not ahead.lacking(rival)]
        failures |= ahead.build_all([work.name for work in works], rivals, cupy.capability(0))
    for name, error in failures.items():
        print(f"{name} cannot be built: {error.splitlines()[0][:200]}", flush=True)
    print(f"kernels are built ({time.perf_counter() - started:.0f} s)", flush=True)


def compiled(options: argparse.Namespace) -> tuple[str, ...]:
    """The rivals that take part and whose kernels are built ahead."""
    return tuple(rival for rival in (VENDOR, CUTILE) if not options.against or rival in options.against)


def carried(works: Sequence[Any], options: argparse.Namespace) -> int:
    """Build for a machine without compilers."""
    started = time.perf_counter()
    failures = carry.make(options.carry, [work.name for work in works], compiled(options), options.target)
    for name, error in failures.items():
        print(f"{name} cannot be built: {error[:200]}")
    print(f"{options.carry}: builds for sm_{options.target} ({time.perf_counter() - started:.0f} s)")
    return 0


def seconds_for(work: Any, options: argparse.Namespace) -> float:
    if options.seconds is not None:
        return options.seconds
    if options.quick:
        return QUICK_SECONDS if isinstance(work, Work) else QUICK_CALLS
    return work.seconds


def one(order: worker.Order, tell: Callable[[str], None]) -> dict[str, Any]:
    """A work's entry; one that fails says so, and the others go on."""
    from benchmarks import gpu, runner
    from benchmarks.rivals.same_text import Effort

    Effort.most = 2 if order.quick else 8
    work = only(catalogue.works()[order.name], order.against)
    try:
        if not isinstance(work, Work):
            return work.run(order.seconds)
        try:
            measure = gpu.seconds_of_reads if work.reads else gpu.seconds_of
            return runner.run(work, order.seconds, measure=measure, without=order.without, tell=tell)
        finally:
            gpu.free()
    except worker.Lost:
        raise
    except Exception as error:
        traceback.print_exc(limit=4)
        gpu.check(error)
        return failed(work, f"{type(error).__name__}: {error}")


def only(work: Any, against: Sequence[str]) -> Any:
    """The work with these rivals alone; all of them where none is named."""
    if not against or not isinstance(work, Work):
        return work
    return replace(work, rivals={name: rival for name, rival in work.rivals.items() if name in against})


def failed(work: Any, why: str) -> dict[str, Any]:
    bars = [bar.described() for bar in work.bars]
    return {"title": work.title, "group": work.group, "unit": work.unit, "bars": bars, "failed": why[:500]}


def lines(entry: dict[str, Any]) -> list[str]:
    """An entry on the screen."""
    if "failed" in entry:
        return [f"{entry['title']}: failed: {entry['failed'].splitlines()[0]}"]
    found = [f"{entry['title']}  ({entry['spent']:.1f} s)"]
    for name, times in entry["rivals"].items():
        form = f"  {entry['form']}" if name == OURS and entry.get("form") else ""
        found.append(f"  {name:<28}{times['figure']:>10.2f} {entry['unit']:<8}{times['low']:>11.1f} to {times['high']:.1f} us, {times['runs']} runs{form}")
    for text in report.judged(entry):
        found.append(f"  bar: {text.replace('**', '')}{'  NOT MET' if text.startswith('**') else ''}")
    for name, far in entry["wrong"].items():
        found.append(f"  WRONG: {name}: error {far['norm']:.2e}, largest {far['largest']:.2e}, limit {entry['limit']:g}")
    for name, why in entry["missing"].items():
        found.append(f"  without {name}: {why[:120]}")
    form = entry.get("forms", {}).get(entry.get("form"), {})
    for name, facts in form.get("kernels", {}).items():
        spilled = facts["spill_stores"] + facts["spill_loads"]
        codes = " ".join(facts["serialised"]) or "no C75xx"
        numbers = f"{facts['threads']} threads, {facts['registers']} registers, {facts['shared_bytes']} bytes shared, {spilled} spilled, {codes}"
        found.append(f"  {name}: {numbers}, built in {facts['seconds']} s")
    return found


def render(docs: Path = DOCS) -> None:
    """The page and its pictures, from all results."""
    names = list(catalogue.works())
    for file, text in rendered(names).items():
        (docs / file).write_text(text, encoding="utf-8")


def rendered(names: Sequence[str]) -> dict[str, str]:
    runs = results.read_all()
    return {"benchmarks.md": report.page(runs, names), **plots.pictures(runs, names)}


if __name__ == "__main__":
    sys.exit(main())
