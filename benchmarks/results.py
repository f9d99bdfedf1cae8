"""Results on disk: one JSON file for each run, and what they say of each work together.

    {"format": 2, "date", "gpu", "driver", ..., "commit", "quick", "entries": {name: entry}}
    "against": [rival], where only these took part

An entry has `title`, `group`, `unit`, `bars`, and for each contestant in `rivals` the
median `us`, the quartiles `low` and `high`, the number of `runs` and the `figure` in the
unit; `forms` has the kernels of ours with their error, registers and so on, `form` the one
that was the fastest; `missing`, `wrong` and `failed` say what is not there, and why.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable

FORMAT = 2
HERE = Path(__file__).resolve().parent
FOLDER = HERE / "results"
TIMES = ("us", "ms")  # units of which less is better
ABOUT = ("date", "gpu", "driver", "nvrtc", "python", "versions", "commit", "quick", "entries")


@dataclass(frozen=True)
class Found:
    """A work's newest entry, the run it is of, and the entry before, of another run."""

    name: str
    entry: dict[str, Any]
    run: dict[str, Any]
    file: str
    before: dict[str, Any] | None = None


@dataclass(frozen=True)
class Verdict:
    """A bar, the ratio (or time) that was measured, and whether that is enough; None where nothing was measured."""

    text: str
    measured: float | None
    is_met: bool | None


def write(folder: Path, run: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{run['date'][:19].replace(':', '')}-{run['gpu'].replace(' ', '-')}.json"
    path.write_text(json.dumps({"format": FORMAT, **run}, indent=1) + "\n", encoding="utf-8")
    return path


def read_all(folder: Path = FOLDER) -> list[tuple[str, dict[str, Any]]]:
    """Runs of this format with their files' names, oldest first."""
    runs = [(path.name, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*.json"))]
    return sorted(((name, run) for name, run in runs if run.get("format") == FORMAT), key=lambda pair: pair[1]["date"])


def newest(runs: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, Found]:
    """For each work its latest entry; one beside some rivals alone (`--against`) takes the place of no other."""
    found: dict[str, Found] = {}
    for file, run in runs:
        for name, entry in run["entries"].items():
            if run.get("against") and name in found:
                continue
            before = found[name].entry if name in found else None
            found[name] = Found(name, entry, run, file, before)
    return found


def verdicts(entry: dict[str, Any]) -> list[Verdict]:
    return [verdict(entry, bar) for bar in entry.get("bars", ())]


def verdict(entry: dict[str, Any], bar: dict[str, Any]) -> Verdict:
    rivals = entry.get("rivals", {})
    of = "" if bar["of"] == "tile2cpp" else f"{bar['of']}: "
    own = rivals.get(bar["of"])
    if bar.get("most") is not None:
        measured = own and own["figure"]
        return Verdict(f"{of}at most {bar['most']:g} {entry['unit']}", measured, None if own is None else measured <= bar["most"])
    others = [rivals[name]["figure"] for name in bar["against"] if name in rivals]
    text = f"{of}{bar['least']:.2f}x {' or '.join(bar['against'])}"
    if own is None or not others:
        return Verdict(text, None, None)
    ratio = min(others) / own["figure"] if entry["unit"] in TIMES else own["figure"] / max(others)
    return Verdict(text, ratio, round(ratio, 3) >= bar["least"])


def problems(run: dict[str, Any]) -> list[str]:
    """What a file lacks to be of this format."""
    lacking = [f"no {name}" for name in ("format", *ABOUT) if name not in run]
    for name, entry in run.get("entries", {}).items():
        wanted = ("title", "group", "unit", "bars", "failed") if "failed" in entry else ("title", "group", "unit", "bars", "rivals", "missing", "wrong", "spent")
        lacking += [f"{name}: no {key}" for key in wanted if key not in entry]
        for who, times in entry.get("rivals", {}).items():
            lacking += [f"{name}: {who}: no {key}" for key in ("us", "low", "high", "runs", "figure") if key not in times]
            if not times["low"] <= times["us"] <= times["high"]:
                lacking.append(f"{name}: {who}: the median is not between the quartiles")
    return lacking
