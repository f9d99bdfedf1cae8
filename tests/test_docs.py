"""The reports in docs/errors.md are what the program prints; `pytest --update-golden` writes them anew."""

import re
from pathlib import Path

from tile2cpp.errors import Tile2cppError
from tile2cpp.translate import translate

ROOT = Path(__file__).parents[1]
ERRORS = ROOT / "docs" / "errors.md"
EXAMPLE = re.compile(r"```python\n(?P<source>.*?)```\n\n```text\n(?P<report>.*?)```\n", re.DOTALL)


def report_of(source: str, folder: Path) -> str:
    """What translating `source` prints, as `kernel.py` of the current folder."""
    file = folder / "kernel.py"
    file.write_text(source, encoding="utf-8")
    try:
        translate(file)
    except Tile2cppError as error:
        return f"{error}\n"
    return "(no error)\n"


def test_reports_are_real(golden, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def example(match):
        start, end = match.start("report") - match.start(), match.end("report") - match.start()
        return match[0][:start] + report_of(match["source"], tmp_path) + match[0][end:]

    text = ERRORS.read_text(encoding="utf-8")
    assert len(EXAMPLE.findall(text)) >= 5
    golden(ERRORS, EXAMPLE.sub(example, text))
    assert "(no error)" not in ERRORS.read_text(encoding="utf-8")


def test_links_lead_somewhere():
    for page in (ROOT / "docs").rglob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)):
            assert target.startswith("http") or (page.parent / target).exists(), f"{page.name} links to {target}"


def test_files_that_are_named_exist():
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for place in re.findall(r"`((?:tile2cpp|include|templates|cmake)/[\w./]*)`", page.read_text(encoding="utf-8")):
            assert (ROOT / place).exists() or (ROOT / "include" / place).exists(), f"{page.name} names {place}"
