"""Mistakes must be refused, at every launch, with the right line and the author's names, and run nothing."""

import re
from pathlib import Path

import numpy as np
import pytest
from case import launch, load_module

import tile2cpp

FILE = Path(__file__).parent / "kernels" / "mistakes.py"
MISTAKES = load_module(FILE, "bug_kernels")

# Each kernel of `mistakes.py`, and words that its message must contain.
MENTIONS = {
    "carried_type_change": ["`s`", "int32", "float32"],
    "unknown_function": ["no_such_function"],
    "one_element_tile_as_index": ["index"],
    "sub_tile_outside": ["4"],
    "signed_with_unsigned": ["uint32", "int32"],
    "shapes_that_do_not_meet": ["a", "b", "8", "4"],
    "narrowing_store": ["float64", "float32"],
    "extent_not_a_power_of_two": ["6", "powers of two"],
    "mistake_in_a_helper": ["missing_name", "broken_helper"],
    "list_of_indices": ["list comprehension"],
}


def line_of(mark):
    """The line of `mistakes.py` that carries `# <- mark`."""
    (line,) = [n for n, text in enumerate(FILE.read_text().splitlines(), 1) if text.endswith(f"# <- {mark}")]
    return line


def lines_named(error):
    """The lines of `mistakes.py` that a message points at, in its order."""
    return [int(n) for n in re.findall(rf"{FILE.name}:(\d+)", str(error))]


def arguments():
    return np.ones(32, np.float32), np.full(32, 5, np.float32)


@pytest.mark.parametrize("backend", ["interpret", "host"])
@pytest.mark.parametrize("name", MENTIONS)
def test_refused_at_every_launch(name, backend):
    kernel = getattr(MISTAKES, name)
    x, out = arguments()
    args = (x, out, 4) if name == "carried_type_change" else (x, out)
    messages = []
    for _ in range(3):
        with pytest.raises(tile2cpp.Tile2cppError) as caught:
            launch(kernel, (1,), args, backend)
        messages.append(str(caught.value))
    assert messages[0] == messages[1] == messages[2]
    assert line_of(name) in lines_named(messages[0]), messages[0]
    for word in MENTIONS[name]:
        assert word in messages[0], messages[0]
    assert (out == 5).all(), "nothing may run"


@pytest.mark.parametrize("backend", ["interpret", "host"])
def test_all_mistakes_at_once_in_source_order(backend):
    with pytest.raises(tile2cpp.Tile2cppError) as caught:
        launch(MISTAKES.two_mistakes, (1,), arguments(), backend)
    wanted = [line_of("two_mistakes 1"), line_of("two_mistakes 2")]
    assert [n for n in lines_named(caught.value) if n in wanted] == wanted, caught.value


@pytest.mark.parametrize("backend", ["interpret", "host"])
def test_negative_step_is_right_or_refused(backend):
    """Never zero iterations, never endless."""
    out = np.zeros(1, np.int32)
    try:
        launch(MISTAKES.down_the_range, (1,), (out,), backend)
    except tile2cpp.Tile2cppError as error:
        assert line_of("down_the_range") in lines_named(error)
        assert "positive" in str(error)
    else:
        assert out[0] == 531


def test_a_message_shows_no_frames_of_the_library():
    with pytest.raises(tile2cpp.Tile2cppError) as caught:
        launch(MISTAKES.unknown_function, (1,), arguments(), "host")
    assert "/tile2cpp/" not in str(caught.value) and "Traceback" not in str(caught.value)
