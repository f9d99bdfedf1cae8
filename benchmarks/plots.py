"""Results as SVG, one picture for each group: every work has a bar for each contestant, as long as its speed in proportion to the best."""

from __future__ import annotations

from html import escape
from typing import Any, Sequence

from benchmarks.report import HEADINGS, OURS, value
from benchmarks.results import TIMES, Found, newest

LEFT, WIDTH, RIGHT = 440, 420, 270  # titles, bars, figures
BAR, GAP, TOP = 12, 12, 40
COLOURS = ("#2f6f4f", "#8a8fa3", "#b7a57a", "#7aa0b7", "#b78a9a", "#a3b78a")
STYLE = "text{font:12px sans-serif;fill:#444}.t{font-weight:bold}@media(prefers-color-scheme:dark){text{fill:#ccc}}"


def pictures(runs: Sequence[tuple[str, dict[str, Any]]], names: Sequence[str]) -> dict[str, str]:
    """File names and their texts."""
    found = newest(runs)
    made = {}
    for group in HEADINGS:
        here = [found[n] for n in names if n in found and found[n].entry["group"] == group and found[n].entry.get("rivals")]
        if here:
            made[f"benchmarks-{group}.svg"] = picture(here)
    return made


def picture(found: Sequence[Found]) -> str:
    parts, y = [], TOP
    for f in found:
        rivals, unit = f.entry["rivals"], f.entry["unit"]
        parts.append(text(LEFT - 10, y + BAR, f"{f.entry['title']}", anchor="end", kind="t"))
        speeds = {name: 1 / times["figure"] if unit in TIMES else times["figure"] for name, times in rivals.items() if times["figure"]}
        best = max(speeds.values())
        for name, speed in speeds.items():
            length = WIDTH * speed / best
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{colour(name, rivals)}"/>')
            parts.append(text(LEFT + length + 6, y + BAR - 2, f"{name} {value(rivals[name])} {unit}"))
            y += BAR + 2
        y += GAP
    width = LEFT + WIDTH + RIGHT
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}"><style>{STYLE}</style>'
    return "\n".join([head, text(10, 22, "Longer is faster; figures of one line were measured side by side."), *parts, "</svg>", ""])


def colour(name: str, rivals: dict[str, Any]) -> str:
    """Ours stands out; the others follow each other."""
    if name == OURS:
        return COLOURS[0]
    others = [n for n in rivals if n != OURS]
    return COLOURS[1 + others.index(name) % (len(COLOURS) - 1)]


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{escape(words)}</text>'
