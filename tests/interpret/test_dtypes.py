"""Where the language and NumPy, or plain Python, disagree about a value's type."""

import numpy as np
import pytest
from running import interpret

import tile2cpp.lang as ct


def types_of(kernel, *args):
    """The dtypes that `kernel` notes."""
    seen = []
    NOTED[:] = [seen]
    interpret(kernel, (1,), *args)
    return [str(d) for d in seen]


NOTED = []


def note(value):
    NOTED[0].append(value.dtype)


def half_and_scalars(x, scale, TILE: ct.Constant[int], FACTOR: ct.Constant[float]):
    t = ct.load(x, (0,), (TILE,))
    note(t * FACTOR)  # a constant adapts
    note(t * scale)  # a float parameter is float32
    note(t * 2.5)
    note(t * x.shape[0])  # an int32 scalar takes the small float
    note(t + ct.bid(0))
    note(ct.sum(t))


def test_scalars_and_half():
    assert types_of(half_and_scalars, np.ones(4, np.float16), 2.0, 4, 2.0) == ["float16", "float32", "float16", "float16", "float16", "float16"]


def small_integers(x):
    t = ct.load(x, (0,), (4,))
    note(t + 100)
    note(ct.sum(t))  # NumPy would sum in int64
    note(t / t)  # and divide in float64
    note(ct.exp(t))  # and compute this in float16
    note(-t)
    note(t << 1)
    note(ct.cumsum(t))


def test_small_integers():
    assert types_of(small_integers, np.ones(4, np.int8)) == ["int8", "int8", "float32", "float32", "int8", "int8", "int8"]


def test_int64_divides_as_float32():
    def divide(x):
        note(ct.load(x, (0,), (4,)) / 2)

    assert types_of(divide, np.ones(4, np.int64)) == ["float32"]


def induction(x, n):
    for i in range(n):
        note(i)
    for i in range(3):
        note(i * ct.ones((4,), ct.int64))
        note(ct.ones((4,), ct.int8) * i)  # typed, so the result is int32
        break


def test_induction_variables_are_int32():
    assert types_of(induction, np.ones(4, np.int64), 1) == ["int32", "int64", "int32"]


def joined(x, n):
    t = ct.load(x, (0,), (4,))
    scale = 1.0
    note(t * scale)
    if n > 2:
        scale = 2.0
    note(t * scale)  # no literal any more: float32
    note(t * (3.0 if n > 2 else 4.0))
    if ct.bid(0) == 0 and n > 1:
        depth = 1
    else:
        depth = 2
    note(depth)


@pytest.mark.parametrize("n", [1, 3])
def test_constants_joined_at_run_time_are_strict(n):
    assert types_of(joined, np.ones(4, np.float16), n) == ["float16", "float32", "float32", "int32"]


def kept(x, WIDE: ct.Constant[bool]):
    t = ct.load(x, (0,), (4,))
    scale = 1.0
    if WIDE:  # decided at compile time: stays a literal
        scale = 2.0
    note(t * scale)
    note(t * (3.0 if x.dtype == ct.float16 else 4.0))


@pytest.mark.parametrize("wide", [True, False])
def test_constants_chosen_by_constants_stay_weak(wide):
    assert types_of(kept, np.ones(4, np.float16), wide) == ["float16", "float16"]


def one_way_out(x, n):
    t = ct.load(x, (0,), (4,))
    scale = 1.0
    if n > 2:
        scale = 2.0
        note(t * scale)
        return
    note(t * scale)  # only one path leads here


@pytest.mark.parametrize("n", [1, 3])
def test_a_branch_that_leaves_does_not_join(n):
    assert types_of(one_way_out, np.ones(4, np.float16), n) == ["float16"]


def carried(x, n):
    acc = 0.0
    count = 0
    for i in range(n):
        note(acc)
        acc = acc + ct.load(x, (i,), ())
        count += 1
    note(acc)
    note(count)


def test_carried_constants_get_their_own_dtype():
    assert types_of(carried, np.ones(4, np.float16), 2) == ["float32", "float32", "float32", "int32"]
    assert types_of(carried, np.ones(4, np.float16), 0) == ["float32", "int32"]


def flags(x, n):
    found = False
    while not found:
        n -= 1
        if n < 0:
            found = True
    note(found)
    note(n > 0 and n < 5)
    note(not n)
    note(n in (1, 2))
    note(n in ())


def test_conditions_are_bools():
    assert [str(d) for d in types_of(flags, np.ones(4), 3)] == ["bool_"] * 5  # the last is the constant False


def constants(x):
    note(ct.full((1,), 7 // 2 + 0.5, ct.float64))
    t = ct.load(x, (0,), (4,))
    size, *rest = t.shape
    note(ct.zeros((size * 2, *rest), t.dtype))
    note(ct.zeros((max(size, 8), min(2, 1)), x.dtype))
    note(max(t, 1))
    note(ct.int64(int(2.9)))


def test_constants_are_plain_python():
    assert types_of(constants, np.ones(4, np.int16)) == ["float64", "int16", "int16", "int16", "int64"]


def test_wide_arrays_have_int64_extents():
    from tile2cpp import interpret as backend
    from tile2cpp.signature import Signature

    def extents(x):
        note(x.shape[0])

    NOTED[:] = [[]]
    backend.run(extents, Signature.parse("x: f32[?]W"), (1,), (np.zeros(4, np.float32),), {})
    assert [str(d) for d in NOTED[0]] == ["int64"]


def test_fixed_extents_are_constants():
    from tile2cpp import interpret as backend
    from tile2cpp.signature import Signature

    def fill(x):
        ct.store(x, (0, 0), ct.ones((2, x.shape[1]), ct.float32))

    x = np.zeros((2, 8), np.float32)
    backend.run(fill, Signature.parse("x: f32[?,8]"), (1,), (x,), {})
    assert x.all()
