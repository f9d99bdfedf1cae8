"""The kernel's own body runs: helpers, closures, printing, debugging, and exceptions in the author's file."""

import io
import linecache
import math
import pdb
import sys
import traceback
from pathlib import Path

import helpers
import numpy as np
import pytest
from helpers import scaled as times_three
from running import interpret

import tile2cpp
import tile2cpp.lang as ct

HERE = Path(__file__).name


def line_of(text):
    """The number of the first line of this file that contains `text`."""
    return next(n for n, line in enumerate(linecache.getlines(__file__), 1) if text in line and "line_of" not in line)


def result(function, *args, size=1, dtype=np.float32):
    out = np.zeros(size, dtype)
    interpret(function, (1,), out, *args)
    return out.tolist()


# --- functions ----------------------------------------------------------------------


def uses_helpers(out, n):
    t = ct.full((4,), 2, ct.float32)
    t = times_three(t) + helpers.scaled(t, by=2) + helpers.marked(t)
    t = helpers.recursive(t, 5)
    ct.store(out, (0,), t + helpers.sign_of(n))


def test_helpers_of_another_module():
    assert result(uses_helpers, -3, size=4) == [17.0] * 4


def constant_helper(out, WIDE: ct.Constant[bool]):
    ct.store(out, (0,), ct.ones((helpers.tile_size(WIDE),), ct.float32))


def test_helpers_can_return_constants():
    assert result(constant_helper, False, size=8) == [1.0] * 4 + [0] * 4
    assert result(constant_helper, True, size=8) == [1.0] * 8


def strict_helper(out, n):
    out_type = (ct.ones((4,), ct.float16) * helpers.sign_of(n)).dtype
    v = helpers.sign_of(n)
    ct.store(out, (0,), v)
    if v.dtype == ct.int32 and out_type == ct.float16:
        ct.store(out, (1,), True)


def test_constants_returned_by_a_run_time_choice_are_strict():
    assert result(strict_helper, 9, size=2) == [1, 1]


def nested(out, n):
    shift = 1
    total = ct.zeros((4,), ct.float32)

    def add(t, *more, factor=2):
        for _ in range(2):
            t = t + factor
        return t + shift + len(more)

    double, negate = (lambda v: v * 2), (lambda v: -v)
    shift = 10
    total = add(total, n, n)
    ct.store(out, (0,), double(total) + negate(ct.float32(n)))


def test_nested_functions_and_lambdas_see_their_variables():
    assert result(nested, 3, size=4) == [29.0] * 4


def test_closures_and_functions_as_values():
    def make(step):
        def kernel(out):
            ct.store(out, (0,), operation(ct.zeros((4,), ct.float32) + step, 2))

        return kernel

    operation = ct.maximum
    assert result(make(1), size=4) == [2.0] * 4
    assert result(make(5), size=4) == [5.0] * 4
    operation = lambda t, k: t * k if k > 1 else t  # noqa: E731
    assert result(make(5), size=4) == [10.0] * 4


def test_globals_are_read_when_the_kernel_runs(monkeypatch):
    def kernel(out):
        ct.store(out, (0,), helpers.SCALE)

    assert result(kernel) == [3]
    monkeypatch.setattr(helpers, "SCALE", 8)
    assert result(kernel) == [8]


def loops(out, n):
    total = 0
    i = 0
    while True:
        i += 1
        if i > n:
            break
        if i % 2:
            continue
        for j in range(i):
            if j == 3:
                break
            total += j
    ct.store(out, (0,), total)


def test_loops_break_and_continue():
    wanted = sum(min(j, 99) for i in range(2, 8, 2) for j in range(min(i, 3)))
    assert result(loops, 7) == [wanted]


def dead_in_loop(out, n):
    t = ct.zeros((4,), ct.int32)
    ct.store(out, (0,), t)
    for i in range(n):
        t = ct.full((4,), 0.5, ct.float32)
        ct.store(out, (0,), t * (i + 1))


def test_a_name_nobody_carries_may_change_its_type():
    assert result(dead_in_loop, 3, size=4) == [1.5] * 4


def host_maths(out):
    ct.store(out, (0,), math.pi * float("2") + divmod(7, 2)[0] + len((1, 2)) + abs(-1) + bool(3))


def test_built_ins_and_math_constants():
    assert result(host_maths, dtype=np.float64)[0] == pytest.approx(math.pi * 2 + 3 + 2 + 1 + 1)


# --- seeing what happens ------------------------------------------------------------


def printing(out, n):
    t = ct.arange(4, dtype=ct.int32)
    print("tile", t, "row", n, t.shape, t.dtype)
    print(f"{n:>4d}|{t:02d}|{t * 0.5:.1f}")


def test_print(capsys):
    result(printing, 7)
    assert capsys.readouterr().out == "tile [0, 1, 2, 3] row 7 (4,) int32\n   7|[00, 01, 02, 03]|[0.0, 0.5, 1.0, 1.5]\n"


def debugged(out, n):
    doubled = n * 2
    breakpoint()
    if n > 1 and doubled > 2:
        doubled = doubled + helpers.sign_of(n)
    ct.store(out, (0,), doubled)


def test_breakpoint_shows_the_authors_lines_and_values(monkeypatch):
    """A session in pdb: the frame is the author's, `next` goes line by line, `step` enters helpers."""
    first = "next\n" if sys.version_info >= (3, 13) else ""  # newer Pythons stop at the breakpoint itself
    script = io.StringIO(f"p doubled\n{first}next\nnext\np doubled\nwhere\ncontinue\n")
    shown = io.StringIO()
    monkeypatch.setattr("sys.breakpointhook", pdb.Pdb(stdin=script, stdout=shown, nosigint=True).set_trace)
    assert result(debugged, 5) == [11.0]
    text = shown.getvalue()
    assert "Tile[i32, ()](10)" in text and "Tile[i32, ()](11)" in text
    assert "-> doubled = doubled + helpers.sign_of(n)" in text
    assert "-> ct.store(out, (0,), doubled)" in text
    assert f"{HERE}({line_of('if n > 1 and doubled > 2')})debugged()" in text


def failing(out, n):
    values = {"a": 1}
    ct.store(out, (0,), n)
    print(values["b"])


def test_python_exceptions_show_the_authors_line():
    with pytest.raises(KeyError) as told:
        result(failing, 5)
    frames = traceback.extract_tb(told.value.__traceback__)
    assert (frames[-1].name, frames[-1].lineno) == ("failing", line_of('print(values["b"])'))


# --- refusals -----------------------------------------------------------------------


def refusal(function, *args):
    with pytest.raises(tile2cpp.Tile2cppError) as told:
        result(function, *args)
    return told.value


def changes_type(out, n):
    s = 0
    for _ in range(n):
        s = s + ct.float32(1)
    ct.store(out, (0,), s)


def test_a_carried_type_may_not_change():
    error = refusal(changes_type, 3)
    assert "`s` is int32 before the loop, but float32 after a round" in str(error)
    assert error.loc.line == line_of("s = s + ct.float32(1)")
    assert error.diagnostics[0].others[0].span.line == line_of("s = 0")


def deep(out, n):
    wrong(ct.zeros((4,), ct.int32), n)


def wrong(t, n):
    return ct.sum(t, axis=n)


def test_a_mistake_in_a_helper_shows_the_way_there():
    error = refusal(deep, 3)
    assert isinstance(error, ct.TileTypeError)
    assert error.loc.line == line_of("return ct.sum(t, axis=n)")
    assert error.diagnostics[0].calls[0].span.line == line_of("wrong(ct.zeros(")
    frames = traceback.extract_tb(error.__traceback__)
    assert [f.name for f in frames if HERE in f.filename][-2:] == ["deep", "wrong"]


@pytest.mark.skipif("sys.version_info < (3, 11)", reason="Python 3.10 knows only the line of an error")
def test_the_mark_is_on_the_argument():
    def kernel(out, n):
        ct.store(out, (0, n), ct.zeros((4,), ct.float32))

    error = refusal(kernel, 3)
    assert error.loc.text == "(0, n)"


MISTAKES = {
    "name 'missing' is not defined": lambda out, n: missing + 1,  # noqa: F821
    "`ct` has no `lod`": lambda out, n: ct.lod(out, (0,), (4,)),
    "a tile has no attribute 'astyp'": lambda out, n: ct.zeros((4,), ct.int32).astyp(ct.int8),
    "one truth value": lambda out, n: 1 if ct.zeros((4,), ct.int32) else 2,
    "the step of a range must be positive": lambda out, n: range(8, 0, -1),
    "must be a signed integer": lambda out, n: range(n / 2),
    "works on constants": lambda out, n: int(n),
    "is host code": lambda out, n: helpers.host_only(n),
    "indices must be integers": lambda out, n: (1, 2)[n],
    "a tile's elements cannot be indexed": lambda out, n: ct.zeros((4,), ct.int32)[n],
}


@pytest.mark.parametrize("words", MISTAKES)
def test_mistakes_are_refusals_with_a_place(words):
    error = refusal(MISTAKES[words], 3)
    assert words in str(error)
    assert Path(error.loc.file.path).name == HERE


def over_a_tuple(out):
    for _ in (1, 2):
        pass


def test_loops_go_over_ranges():
    assert "a loop goes over range" in str(refusal(over_a_tuple))


def endless(out, n):
    helpers.recursive(ct.zeros((1,), ct.int32), n + 10**6)


def test_equal_functions_of_two_files_are_told_apart(tmp_path):
    for name in ("first.py", "second.py"):
        path = tmp_path / name
        path.write_text("import tile2cpp.lang as ct\n\n\ndef kernel(out):\n    ct.store(out, (0, 0), 1)\n")
        names = {"__name__": name}
        exec(compile(path.read_text(), str(path), "exec"), names)
        assert refusal(names["kernel"]).loc.file.path == str(path)


def test_endless_recursion():
    assert isinstance(refusal(endless, 1), ct.TileRecursionError)


def test_empty_grids_run_nothing():
    out = np.zeros(1, np.float32)
    interpret(changes_type, (0, 4), out, 1)
    assert out.tolist() == [0]


def test_ops_are_refused_again_after_a_run():
    result(host_maths)
    with pytest.raises(RuntimeError, match="only available inside a kernel"):
        ct.exp(1.0)
