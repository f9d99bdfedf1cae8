"""docs/written-out.md: each example's C++ is what translation writes; `pytest --update-golden` writes it anew."""

import ast
import re
import sys
from pathlib import Path

import pytest

from tile2cpp.speller import Speller
from tile2cpp.translate import translate

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "written-out.md"
EXAMPLE = re.compile(r"```python\n(?P<source>.*?)```\n\n```cpp\n(?P<text>.*?)```\n", re.DOTALL)

# The page says what these names stand for.
KERNEL = '''\
import tile2cpp
import tile2cpp.lang as ct

{functions}
@tile2cpp.jit("xs: f32[?,?], ys: f32[?,?], hs: f16[?,?], js: i32[?,?]")
def kernel(xs, ys, hs, js):
    x, y = ct.load(xs, (0, 0), (8, 64)), ct.load(ys, (0, 0), (8, 64))
    h = ct.load(hs, (0, 0), (8, 64))
    i, j = ct.load(js, (0, 0), (8, 64)), ct.load(js, (0, 1), (8, 64))
{body}
'''


def written(source: str, folder: Path) -> str:
    """The C++ of an example: the functions written into the file, then its statements."""
    lines = source.splitlines()
    start = next(n for n, line in enumerate(lines) if line and not line.startswith(("def ", "    ", "@")))
    file = folder / "example.py"
    file.write_text(KERNEL.format(functions="\n".join([*lines[:start], ""]), body="\n".join(f"    {line}" for line in lines[start:])), encoding="utf-8")
    text = translate(file).text
    functions = text.split("using namespace ct::literals;\n")[1].split('extern "C"')[0].strip()
    body = [line[2:] for line in text.split("  auto j = ")[1].rstrip().splitlines()[1:-1]]
    return "\n".join([*([functions, ""] if functions else []), *body, ""])


def test_the_page_shows_what_is_written(golden, tmp_path):
    text = PAGE.read_text(encoding="utf-8")
    golden(PAGE, EXAMPLE.sub(lambda m: f"```python\n{m['source']}```\n\n```cpp\n{written(m['source'], tmp_path)}```\n", text))
    assert text.count("```python") == text.count("```cpp") == len(EXAMPLE.findall(text))


def places() -> set[tuple[str, int]]:
    """Every line of the package that writes a function into the file."""
    found = set()
    for path in (ROOT / "tile2cpp").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "snippet":
                found.add((path.name, node.lineno))
    return found


def test_the_page_has_every_function_that_is_written_out(monkeypatch, tmp_path):
    seen, real = set(), Speller.snippet

    def noted(self, name, text):
        caller = sys._getframe(1)
        seen.add((Path(caller.f_code.co_filename).name, caller.f_lineno))
        return real(self, name, text)

    monkeypatch.setattr(Speller, "snippet", noted)
    for example in EXAMPLE.finditer(PAGE.read_text(encoding="utf-8")):
        written(example["source"], tmp_path)
    assert places() == seen


@pytest.mark.toolkit
def test_the_tile_compiler_takes_the_examples(tmp_path):
    from tile2cpp.build import nvidia

    for example in EXAMPLE.finditer(PAGE.read_text(encoding="utf-8")):
        written(example["source"], tmp_path)
        nvidia.compile(translate(tmp_path / "example.py"), 90)
