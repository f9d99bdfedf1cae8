"""docs/cpp/layout.svg: who owns each element, as the constexpr layouts of the library say."""

import colorsys
from pathlib import Path

import programs

# Rows, columns, the schedule as C++ has it, and what stands above the picture.
LAYOUTS = (
    (8, 8, "{8, 2, 2}", "8 x 8, eight threads: pairs side by side, two threads along a row"),
    (16, 8, "{32, 2, 4, true}", "16 x 8, one warp: the result of a matrix instruction"),
)
PROGRAM = """\
#include <tile2cpp/layout.hpp>
#include <cstdio>

template <int Rows, int Columns, tile2cpp::schedule S>
void print() {
  using map = tile2cpp::layout<tile2cpp::shape<Rows, Columns>, S>;
  int owner[map::size];
  for (int thread = 0; thread < S.threads; ++thread)
    for (int slot = 0; slot < map::slots && map::owner(thread); ++slot) owner[map::base(thread) + map::offset(slot)] = thread;
  for (int i = 0; i < map::size; ++i) std::printf("%d%c", owner[i], (i + 1) % Columns ? ' ' : '\\n');
}

int main() {
"""
CELL, GAP, HEAD = 34, 40, 34
HUES = 8  # neighbouring threads differ


def owners(folder: Path) -> list[list[list[int]]]:
    """Rows of thread numbers, for each layout."""
    calls = "".join(f"  print<{rows}, {columns}, tile2cpp::schedule{schedule}>();\n" for rows, columns, schedule, _ in LAYOUTS)
    said = programs.checked([programs.compile_cpu(folder, f"{PROGRAM}{calls}}}\n")], folder)
    lines = [list(map(int, line.split())) for line in said.splitlines()]
    found = []
    for rows, _, _, _ in LAYOUTS:
        found.append(lines[:rows])
        lines = lines[rows:]
    return found


def picture(folder: Path) -> str:
    """The text of the SVG file: a matrix for each layout, one beside the other."""
    parts, left = [], GAP
    for (rows, columns, _, title), owner in zip(LAYOUTS, owners(folder)):
        width = max(columns * CELL, 7 * len(title))
        parts.append(f'<text x="{left}" y="22" class="title">{title}</text>')
        parts += [cell(left + column * CELL, HEAD + row * CELL, thread) for row, threads in enumerate(owner) for column, thread in enumerate(threads)]
        left += width + GAP
    height = HEAD + max(rows for rows, *_ in LAYOUTS) * CELL + GAP // 2
    style = "text{font:12px sans-serif;text-anchor:middle;fill:#222}.title{text-anchor:start;font-size:13px}rect{stroke:#fff;stroke-width:2}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{left}" height="{height}" viewBox="0 0 {left} {height}">'
    return "\n".join([head, f"<style>{style}</style>", f'<rect width="{left}" height="{height}" fill="#fff"/>', *parts, "</svg>", ""])


def cell(x: int, y: int, thread: int) -> str:
    shades = colorsys.hls_to_rgb(thread % HUES / HUES, 0.88 - thread // HUES * 0.07, 0.7)
    colour = "#" + "".join(f"{round(255 * shade):02x}" for shade in shades)
    return f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}"/><text x="{x + CELL // 2}" y="{y + 21}">{thread}</text>'
