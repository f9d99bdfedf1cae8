"""docs/cpp: every program of a page compiles and prints what the page says; `pytest --update-golden` writes that anew."""

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "launcher"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

import layout_picture  # noqa: E402  (the folders have to be on the path first)
import programs  # noqa: E402

from tile2cpp import resources  # noqa: E402

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "cpp").glob("*.md"))
PROGRAM = re.compile(r"```cpp\n(?P<source>#.*?)```\n\n```text\n(?P<output>.*?)```\n", re.DOTALL)
PROGRAMS = [(page, match["source"]) for page in PAGES for match in PROGRAM.finditer(page.read_text(encoding="utf-8"))]
every_program = pytest.mark.parametrize("source", [source for _, source in PROGRAMS], ids=[f"{page.stem}-{n}" for n, (page, _) in enumerate(PROGRAMS)])


def prepare(source: str, folder: Path) -> str:
    """The launchers that a program includes lie beside it."""
    for name in re.findall(r'#include "(\w+)\.hpp"', source):
        programs.write(folder, name, file=ROOT / "samples" / f"{name}.py")
    return source


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_programs_print_what_the_page_says(page, golden, tmp_path):
    def program(match):
        binary = programs.compile_cpu(tmp_path, prepare(match["source"], tmp_path))
        return f"```cpp\n{match['source']}```\n\n```text\n{programs.checked([binary], tmp_path)}```\n"

    text = page.read_text(encoding="utf-8")
    assert PROGRAM.search(text), "every page has a program"
    assert text.count("```cpp\n") == len(PROGRAM.findall(text)), "a piece of C++ that is no program, or whose output is not shown"
    golden(page, PROGRAM.sub(program, text))


def test_the_picture_shows_the_layouts(golden, tmp_path):
    golden(ROOT / "docs" / "cpp" / "layout.svg", layout_picture.picture(tmp_path))


@every_program
def test_nvcc(source, tmp_path):
    programs.compile_gpu(tmp_path, prepare(source, tmp_path))


@pytest.mark.toolkit
@every_program
def test_tile_compiler(source, tmp_path):
    programs.compile_tile(tmp_path, prepare(source, tmp_path))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_are_those_of_the_library(page):
    known = set(re.findall(r"\w+", "\n".join(resources.headers().values())))
    text = page.read_text(encoding="utf-8")
    names = set(re.findall(r"\b(?:ct|tile2cpp)::(\w+)", text)) | set(re.findall(r"\bT2C_\w+", text))
    assert not names - known


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "cpp" / "index.md").read_text(encoding="utf-8")
    assert {page.name for page in PAGES} - {"index.md"} == set(re.findall(r"\]\((\w+\.md)\)", index))
