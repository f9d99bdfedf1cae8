"""docs/gallery.md: the C++ under each kernel is what translation writes, and the result what the call prints."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from tile2cpp.translate import load, translate

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "gallery.md"
HEAD = "import numpy as np\nimport tile2cpp\nimport tile2cpp.lang as ct\n\n\n"
ENTRY = re.compile(
    r"```python\n(?P<kernel>@.*?)```\n\n(?:```cpp\n.*?```\n\n)?```python\n(?P<call>.*?)```\n(?:\n```text\n.*?```\n)?", re.DOTALL
)  # fmt: skip


def written(kernel: str, folder: Path) -> Path:
    """The file with a kernel of the page."""
    name = re.search(r"def (\w+)", kernel)[1]
    path = folder / f"{name}.py"
    path.write_text(HEAD + kernel, encoding="utf-8")
    return path


def emitted(path: Path) -> str:
    """The emitted file without the lines that all files begin with."""
    return translate(path).text.partition("using namespace ct::literals;\n")[2].lstrip("\n")


def result(path: Path, call: str) -> str:
    """What a call prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(call, str(path), "exec"), vars(load(path)))
    return said.getvalue()


def test_the_page_shows_what_is_written_and_printed(golden, tmp_path):
    def entry(match):
        path = written(match["kernel"], tmp_path)
        return (
            f"```python\n{match['kernel']}```\n\n```cpp\n{emitted(path)}```\n\n"
            f"```python\n{match['call']}```\n\n```text\n{result(path, match['call'])}```\n"
        )  # fmt: skip

    text = PAGE.read_text(encoding="utf-8")
    assert text.count("```python\n") == 2 * len(ENTRY.findall(text)), "each entry is a kernel and a call"
    golden(PAGE, ENTRY.sub(entry, text))


@pytest.mark.toolkit
def test_the_tile_compiler_takes_them(tmp_path):
    from tile2cpp.build import nvidia

    for match in ENTRY.finditer(PAGE.read_text(encoding="utf-8")):
        nvidia.compile(translate(written(match["kernel"], tmp_path)), 90)


@pytest.mark.gpu
def test_the_same_on_a_gpu(tmp_path):
    """With arrays of CuPy in place of NumPy's."""
    import cupy

    for match in ENTRY.finditer(PAGE.read_text(encoding="utf-8")):
        path = written(match["kernel"], tmp_path)
        on_gpu = re.sub(r"\bnp\.", "cupy.", match["call"])
        names = {**vars(load(path)), "cupy": cupy}
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(on_gpu, str(path), "exec"), names)
        assert said.getvalue() == result(path, match["call"])
