"""The README and the pages it leaves lists to show what the product really does; `pytest --update-golden` writes their generated parts anew."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import catalogue as catalogue_of_works
from benchmarks import report, results
from tile2cpp import catalogue
from tile2cpp.translate import translate

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = (README, ROOT / "docs" / "operations.md", ROOT / "docs" / "emitted.md")

# A comment that names what follows, and the code block or table that it governs.
BLOCK = re.compile(r"<!-- (?P<kind>kernel|emitted): (?P<path>\S+) -->\n```\w+\n(?P<text>.*?)```\n", re.DOTALL)
FIGURES = re.compile(r"<!-- figures -->\n(?P<text>.*?)(?=\n## )", re.DOTALL)
TABLE = re.compile(r"<!-- ops -->\n(?P<text>.*?)\Z", re.DOTALL)


def kernel_source(path: Path) -> str:
    """The part of a sample a reader needs: its first line, what it imports of tile2cpp, and its kernel."""
    text = path.read_text(encoding="utf-8")
    lines, tree = text.splitlines(), ast.parse(text)
    imports = [lines[n.lineno - 1] for n in tree.body if isinstance(n, ast.Import) and n.names[0].name.startswith("tile2cpp")]
    kernel = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.decorator_list)
    return "\n".join([lines[0], "", *imports, "", "", *lines[kernel.decorator_list[0].lineno - 1 : kernel.end_lineno]]) + "\n"


def wanted(kind: str, path: str) -> str:
    file = ROOT / path
    return kernel_source(file) if kind == "kernel" else translate(file).text


def table() -> str:
    """All operations by family: how each is called, what else means it, its C++ on typical operands, what it does."""
    lines = ["", "| operation | also | C++ | what it does |", "|---|---|---|---|"]
    for family in catalogue.families():
        lines.append(f"| **{family}** | | | |")
        for row in catalogue.rows(family):
            cells = [code(row.call), code(row.python), code(row.spelling), row.summary.replace("|", r"\|")]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def figures() -> str:
    """The newest results in the repository, as a table."""
    if runs := results.read_all():
        plain = ("copy-", "silu-", "simt-")  # of these the page tells
        quick = [work.name for work in catalogue_of_works.chosen([], quick=True) if not work.name.startswith(plain)]
        about = runs[-1][1]
        head = f"{about['gpu']}, driver {about['driver']}, NVRTC {about['nvrtc']}, {about['date'][:10]}, commit {about['commit']}; all of it in [docs/benchmarks.md](docs/benchmarks.md):"
        return "\n".join(["", head, "", *report.summary(runs, quick), ""])
    path = max((ROOT / "benchmarks" / "results").glob("*.json"))
    found = json.loads(path.read_text(encoding="utf-8"))
    by_work: dict[str, list[str]] = {}
    for row in found["rows"]:
        by_work.setdefault(row["work"], []).append(f"{row['who']} {row['figure']:.{0 if row['figure'] >= 100 else 1}f} {row['unit']}")
    about = f"{found['gpu']}, driver {found['driver']}, NVRTC {found['nvrtc']}, {found['date'][:10]}, commit {found['commit']}, medians of one alternating run (`{path.relative_to(ROOT).as_posix()}`):"
    lines = ["", about, "", "| work | tile2cpp | others |", "|---|---|---|"]
    for work, texts in by_work.items():
        mine = [t.removeprefix("tile2cpp ") for t in texts if t.startswith(("tile2cpp", "empty", "full"))]
        lines.append(f"| {work} | {', '.join(mine)} | {', '.join(t for t in texts if t.removeprefix('tile2cpp ') not in mine)} |")
    return "\n".join([*lines, ""])


def code(text: str) -> str:
    """Text as code in a cell, where a bar would end it."""
    return f"`{text}`".replace("|", r"\|") if text else ""


def fresh(text: str) -> str:
    """A page with its generated parts as they should be."""

    def block(match):
        start, end = (match.start("text") - match.start(), match.end("text") - match.start())
        return match[0][:start] + wanted(match["kind"], match["path"]) + match[0][end:]

    text = BLOCK.sub(block, text)
    text = FIGURES.sub(lambda match: f"<!-- figures -->\n{figures()}", text)
    return TABLE.sub(lambda match: f"<!-- ops -->\n{table()}", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_generated_parts_are_fresh(golden, page):
    golden(page, fresh(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("command", ["translate", "run", "ops", "include-path", "doctor", "cache"])
def test_every_command_is_mentioned(command):
    assert f"`tile2cpp {command}" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [README, ROOT / "benchmarks" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    prose = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)\)", prose):
        assert target.startswith("http") or (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def test_the_index_leads_to_every_page():
    """The README links to the index, and the index to all pages; those of docs/cpp have an index of their own."""
    for index in (ROOT / "docs" / "index.md", ROOT / "docs" / "cpp" / "index.md"):
        text = index.read_text(encoding="utf-8")
        assert [page.name for page in sorted(index.parent.glob("*.md")) if page != index and f"({page.name})" not in text] == []


def test_the_readme_is_short():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 185, "lists belong to docs/"


def test_the_call_it_shows_works(tmp_path):
    """The kernel's block and the call's block, one after the other, are a program."""
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    program = tmp_path / "program.py"
    program.write_text("\n".join([*blocks[:2], "assert abs(y.sum(1) - 1).max() < 1e-5"]), encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stderr
    assert "__tile_global__ void softmax" in done.stdout


def test_the_ci_script_runs_the_test_command():
    command = re.search(r"pip install -e '\S+' && python -m pytest", README.read_text(encoding="utf-8"))[0]
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for part in command.split(" && "):
        assert part.removeprefix("pip install ") in script


def test_an_emitted_file_can_be_printed():
    """It watches the globals of the kernel's module, and does not print them all."""
    made = translate(ROOT / "samples" / "softmax.py")
    assert made.watched and len(repr(made)) < len(made.text) + 2500
