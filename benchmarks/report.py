"""Results as Markdown tables: docs/benchmarks.md, and the short one of the README."""

from __future__ import annotations

from typing import Any, Iterable, Sequence

from benchmarks.results import Found, newest, verdicts

OURS = "tile2cpp"
HEADINGS = {
    "products": "Products", "attention": "Attention", "memory": "Work that memory bounds",
    "others": "The same in other words", "simt": "Kernels written thread by thread", "calls": "Calls",
}  # fmt: skip


def page(runs: Sequence[tuple[str, dict[str, Any]]], names: Sequence[str]) -> str:
    """The whole page; `names` are all works there are."""
    found = newest(runs)
    lines = [
        "# Benchmarks", "",
        "Written by `python -m benchmarks --render` from the files in `benchmarks/results/`; [how it is measured](../benchmarks/README.md).",
        "Medians of one alternating run for each line, in the unit of its title; bars are ratios of these medians.", "",
    ]  # fmt: skip
    if found:
        lines += [f"Bars met: {score(found.values())}.", ""]
    for group, heading in HEADINGS.items():
        here = [found[name] for name in names if name in found and found[name].entry["group"] == group]
        if here:
            lines += [f"## {heading}", "", f"![{heading}](benchmarks-{group}.svg)", "", *table(here), ""]
            lines += kernels(here)
    lines += runs_of(found.values())
    absent = [name for name in names if name not in found]
    if absent:
        lines += ["## Not measured yet", "", ", ".join(f"`{name}`" for name in absent), ""]
    return "\n".join(lines)


def score(found: Iterable[Found]) -> str:
    judged = [v.is_met for f in found for v in verdicts(f.entry)]
    unknown = judged.count(None)
    return f"{judged.count(True)} of {len(judged) - unknown}" + (f", and {unknown} not measured" if unknown else "")


def table(found: Sequence[Found]) -> list[str]:
    lines = ["| work | tile2cpp | others | bars: measured, wanted | run |", "|---|---|---|---|---|"]
    letters = letters_of(found)
    for f in found:
        entry = f.entry
        if "failed" in entry:
            lines.append(f"| {entry['title']} | failed: {cell(entry['failed'])} | | | {letters[f.file]} |")
            continue
        form = f" ({entry['form']})" if entry.get("form") else ""
        mine = entry["rivals"].get(OURS)
        own = f"{value(mine)} {entry['unit']}{form}" if mine else "wrong"
        others = ", ".join(f"{name} {value(times)}" for name, times in entry["rivals"].items() if name != OURS)
        lines.append(f"| {entry['title']} | {own} | {others} | {'; '.join(judged(entry))} | {letters[f.file]} |")
    return lines


def letters_of(found: Iterable[Found]) -> dict[str, str]:
    """Runs in short: the day and the commit, which the last table spells out."""
    return {f.file: f"{f.run['date'][:10]} {f.run['commit']}" for f in found}


def judged(entry: dict[str, Any]) -> list[str]:
    texts = []
    for v in verdicts(entry):
        if v.measured is None:
            texts.append(f"not measured, {v.text}")
        else:
            number = f"{v.measured:.2f}"
            texts.append(f"{number}, {v.text}" if v.is_met else f"**{number}**, {v.text}")
    return texts


def value(times: dict[str, Any]) -> str:
    """A figure with three digits or more, and the spread between its quartiles where that is more than a hundredth."""
    figure, wide = times["figure"], (times["high"] - times["low"]) / times["us"] if times["us"] else 0.0
    digits = 0 if figure >= 100 else 1 if figure >= 10 else 2
    return f"{figure:.{digits}f}" + (f" ±{50 * wide:.0f}%" if wide > 0.01 else "")


def kernels(found: Sequence[Found]) -> list[str]:
    """Registers and the like of the forms that were the fastest."""
    lines = []
    for f in found:
        form = f.entry.get("forms", {}).get(f.entry.get("form"), {})
        for name, facts in form.get("kernels", {}).items():
            spilled = facts["spill_stores"] + facts["spill_loads"]
            codes = ", ".join(facts["serialised"]) or "none"
            lines.append(
                f"| {f.entry['title']} | {name} | {facts['threads']} | {facts['registers']} | {facts['shared_bytes']} | {spilled} | {codes} | {facts['seconds']:.2f} s |"
            )
    if not lines:
        return []
    return ["| work | kernel | threads | registers | shared bytes | spilled bytes | C75xx | compiled in |", "|---|---|---|---|---|---|---|---|", *lines, ""]


def runs_of(found: Iterable[Found]) -> list[str]:
    runs = {f.file: f.run for f in found}
    if not runs:
        return []
    lines = ["## Runs", "", "| file | GPU | driver | NVRTC | versions | commit |", "|---|---|---|---|---|---|"]
    for file, run in sorted(runs.items()):
        versions = ", ".join(f"{name} {version}" for name, version in run["versions"].items())
        lines.append(f"| {file} | {gpu_of(run)} | {run['driver']} | {run['nvrtc']} | Python {run['python']}, {versions} | {run['commit']} |")
    return [*lines, ""]


def gpu_of(run: dict[str, Any]) -> str:
    """Its name, and the first letters of its number, by which machines are told apart; older files do not have that."""
    number = run.get("gpu_uuid", "").removeprefix("GPU-")[:8]
    return f"{run['gpu']} ({number})" if number else run["gpu"]


def summary(runs: Sequence[tuple[str, dict[str, Any]]], names: Sequence[str]) -> list[str]:
    """A few lines for the README: those of the quick run."""
    found = newest(runs)
    here = [found[name] for name in names if name in found and "failed" not in found[name].entry]
    lines = ["| work | tile2cpp | others |", "|---|---|---|"]
    for f in here:
        rivals, unit = f.entry["rivals"], f.entry["unit"]
        mine = f"{value(rivals[OURS])} {unit}" if OURS in rivals else "wrong"
        lines.append(f"| {f.entry['title']} | {mine} | {', '.join(f'{name} {value(times)}' for name, times in rivals.items() if name != OURS)} |")
    return lines


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
