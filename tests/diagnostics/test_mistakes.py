"""What authors get wrong inside kernels, and every word that they are told.

The pages beside this file hold one kernel for each mistake, with marks under what a
message must point at; the `.txt` of a page shows the messages as they are read.
"""

import re
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest
from case import load_module

import tile2cpp.lang as ct
from tile2cpp import jit
from tile2cpp.errors import Tile2cppError
from tile2cpp.pipeline import emit_kernel
from tile2cpp.signature import Signature

HERE = Path(__file__).parent
PAGES = ("statements", "variables", "objects", "calls", "compile_time", "shapes", "dtypes", "operations", "addresses")
MARK = re.compile(r"#\s*(\^+) (\w+)")
# Sentences that name what fits, beside what was found; the author's own words and Python's propose nothing.
SAYS_WHAT_FITS = re.compile(r"must|may be|only|but |works on|takes|lies between|\d values? for \d names|does not exist|no sign|comes before|names an axis twice|one shape|multiple of")
OWN_WORDS = {"b01", "b06", "b12", "b13", "b14", "d28"}


@dataclass(frozen=True)
class Mistake:
    """A kernel that is wrong, and where: line, first and last column, class of the error."""

    title: str
    kernel: object
    place: tuple[int, int, int]
    kind: str


def mistakes_of(page: str) -> dict[str, Mistake]:
    path = HERE / f"{page}.py"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # Python itself doubts some of them
        module = load_module(path, "diagnostics")
    found, title, code = {}, "", 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if heading := re.match(r"# (\w\d\d): (.*)", line):
            name, title = heading[1].lower(), heading[2]
        elif mark := MARK.match(line):
            found[name] = Mistake(title, getattr(module, name), (code, mark.start(1) + 1, mark.end(1)), mark[2])
        else:
            code = number
    return found


MISTAKES = {name: mistake for page in PAGES for name, mistake in mistakes_of(page).items()}


def error_of(kernel) -> Tile2cppError:
    # The GPU matters to one of them, which it is too old for.
    target = 80 if kernel.__name__ == "e38" else 90
    with pytest.raises(Tile2cppError) as caught:
        emit_kernel(kernel.__wrapped__, Signature.parse(kernel.signature_text, kernel.names), kernel.hints, target=target)
    return caught.value


def message_of(kernel) -> str:
    """The whole message, with files by their names alone."""
    return re.sub(r"--> \S*?(\w+\.py):", r"--> \1:", str(error_of(kernel)))


def test_all_are_here():
    counts = {letter: sum(name[0] == letter for name in MISTAKES) for letter in "abcdef"}
    assert counts == {"a": 74, "b": 14, "c": 47, "d": 30, "e": 38, "f": 22}


@pytest.mark.parametrize("name", MISTAKES)
def test_class_and_place(name):
    mistake = MISTAKES[name]
    error = error_of(mistake.kernel)
    assert isinstance(error, getattr(ct, mistake.kind)) and (type(error).__name__ == mistake.kind or mistake.kind == "TileError")
    span = error.loc
    last = span.end_column - 1 if span.end_line == span.line else len(span.file.line(span.line))
    assert (span.line, span.column, last) == mistake.place, error
    assert len(error.diagnostics) == 1, f"one mistake, one finding:\n{error}"


@pytest.mark.parametrize("name", MISTAKES)
def test_message_is_in_the_words_of_the_author(name):
    text = re.sub(r"\n  = in cuTile: .*", "", str(error_of(MISTAKES[name].kernel)))
    assert "Traceback" not in text and "/tile2cpp/" not in text
    assert not re.search(r"Tile\[|Weak|Runtime|ir\.|<\w+\.\w+:|tile2cpp\.", text.replace("tile2cpp.lang", "")), text
    assert name in OWN_WORDS or "= hint: " in text or SAYS_WHAT_FITS.search(text.splitlines()[0]), text


@pytest.mark.parametrize("page", PAGES)
def test_whole_messages(page, golden):
    parts = [f"{name.upper()}: {m.title}\n\n{message_of(m.kernel)}\n" for name, m in mistakes_of(page).items()]
    golden(HERE / f"{page}.txt", "\n\n".join(parts))


def test_a_long_chain_of_calls_is_cut():
    text = str(error_of(MISTAKES["a57"].kernel))
    assert text.count("called here") == 4 and "more calls" in text


@jit("x: f32[?]")
async def waits(x):
    ct.store(x, (0,), 0)


def test_coroutines_are_no_kernels():
    error = error_of(waits)
    assert isinstance(error, ct.TileSyntaxError) and "`async`" in error.message and error.loc.column == 1


def helper(t):
    return deeper(t, 1)


def deeper(t, axis):
    return ct.sum(t, axis)


@jit("x: f32[?]")
def calls_helpers(x):
    ct.store(x, (0,), helper(ct.load(x, (0,), (16,))))


def test_the_way_to_a_mistake_in_a_helper():
    """The mistake first, then the calls that lead to it, outermost first."""
    lines = [calls_helpers.__wrapped__.__code__.co_firstlineno + 2, helper.__code__.co_firstlineno + 1]
    error = error_of(calls_helpers)
    named = [int(n) for n in re.findall(r"test_mistakes\.py:(\d+)", str(error))]
    assert named == [deeper.__code__.co_firstlineno + 1, *lines], error
    assert [label.span.line for label in error.diagnostics[0].calls] == lines
