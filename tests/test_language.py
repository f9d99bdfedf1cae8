"""docs/language.md: every public name of cuTile Python 1.7 and its state here; `pytest --update-golden` writes its table anew."""

import enum
import re
import types
from pathlib import Path

import pytest

import tile2cpp.lang as ct
from tile2cpp import catalogue
from tile2cpp.directives import DIRECTIVES
from tile2cpp.dtypes import DType
from tile2cpp.ops import Op

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "language.md"
TABLE = re.compile(r"<!-- names -->\n(?P<text>.*?)<!-- end -->", re.DOTALL)

NOTES = {
    "foreign_pointer_dtype": "the dtype of `array.foreign_pointer`, of which `ct.Array.from_foreign(pointer, shape, strides)` makes an array",
    "tfloat32": "converted to, for products",
    "float8_e8m0fnu": "storage and scales",
    "float8_e5m3fnu": "storage and scales",
    "float4_e2m1fn": "through `unpack_from_bytes`",
    "mma_scaled": "computed with plain products where the GPU has no scaled ones",
}


def subjects() -> dict[str, list[str]]:
    lines = (DOCS / "language-names.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return {subject: names.split() for subject, names in pairs}


NAMES = [name for names in subjects().values() for name in names]


def found(name: str):
    """What `ct.name` is, None where it is not there; some are loaded on first use."""
    try:
        return getattr(ct, name, None)
    except ImportError:
        return None


def kind_of(name: str) -> str:
    thing = found(name)
    if isinstance(thing, Op):
        return "operation"
    if name in DIRECTIVES:
        return "directive"
    if isinstance(thing, DType):
        return "data type"
    if isinstance(thing, types.ModuleType):
        return "module"
    if isinstance(thing, type):
        return "error" if issubclass(thing, Exception) else "enumeration" if issubclass(thing, enum.Enum) else "class"
    return "function" if callable(thing) else ""


def state_of(name: str) -> str:
    if found(name) is None:
        return "missing"
    return f"works: {NOTES[name]}" if name in NOTES else "works"


def spellings() -> dict[str, str]:
    """The C++ of each operation on typical operands."""
    rows = [row for family in catalogue.families() for row in catalogue.rows(family)]
    return {row.name: row.spelling for row in rows}


def table() -> str:
    cpp = spellings()
    lines = ["| name | what it is | state | C++ |", "|---|---|---|---|"]
    for subject, names in subjects().items():
        lines.append(f"| **{subject}** | | | |")
        for name in names:
            spelling = f"`{cpp[name]}`".replace("|", r"\|") if cpp.get(name) else ""
            lines.append(f"| `{name}` | {kind_of(name)} | {state_of(name)} | {spelling} |")
    return "\n".join([*lines, ""])


def test_the_page_lists_every_name(golden):
    text = PAGE.read_text(encoding="utf-8")
    assert len(TABLE.findall(text)) == 1
    golden(PAGE, TABLE.sub(lambda _: f"<!-- names -->\n{table()}<!-- end -->", text))


def test_all_names_of_the_release():
    assert len(NAMES) == len(set(NAMES)) == 155


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_works_on_hopper_is_there(name):
    assert found(name) is not None, f"tile2cpp.lang has no {name}"
