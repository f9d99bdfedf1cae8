"""Mistakes at a launch that only show inside the kernel, and those of constants, defaults and keywords."""

import enum

import numpy as np
import pytest

import tile2cpp
import tile2cpp.lang as ct


class Mode(enum.Enum):
    FAST = 1


@ct.kernel
def with_default(x, n=3):
    ct.store(x, (0,), n)


@ct.kernel
def constant(x, n: ct.Constant[int]):
    ct.store(x, (0,), ct.zeros((n,), x.dtype))


@ct.kernel
def forgotten(x, n):
    ct.store(x, (0,), ct.zeros((n,), x.dtype))


@ct.kernel
def number(x, n):
    for i in range(n):
        ct.store(x, (i,), 1.0)


def start(kernel, *args, backend="host", **options):
    tile2cpp.launch(0, (1,), kernel, args, backend=backend, **options)


def x():
    return np.zeros(16, np.float32)


@pytest.mark.parametrize("backend", ["host", "interpret"])
@pytest.mark.parametrize(
    "kernel, args, error, words",
    [
        (with_default, (x(),), TypeError, "takes 2 arguments, but 1"),  # defaults do not apply
        (constant, (x(), "16"), TypeError, r"parameter 1 \(`n`\) is a constant"),
        (constant, (x(), None), TypeError, r"parameter 1 \(`n`\)"),
        (number, (x(), None), TypeError, r"parameter 1 \(`n`\)"),
        (number, (x(), ct.float32), TypeError, r"parameter 1 \(`n`\)"),
        (number, (x(), Mode.FAST), TypeError, r"parameter 1 \(`n`\)"),
        (number, (x(), 1j), TypeError, r"parameter 1 \(`n`\)"),
        (number, (x().astype(complex), 1), TypeError, r"parameter 0 \(`x`\).*complex"),
        (constant, (x(), 16.0), ct.TileTypeError, "integers"),
        (number, (x(), x()), ct.TileTypeError, "range needs signed integer scalars, but this is the array `n`"),
        (forgotten, (x(), 16), ct.TileTypeError, r"(?s)declare it as a constant: `n: ct.Constant\[int\]`"),
    ],
)
def test_arguments(kernel, args, error, words, backend):
    with pytest.raises(error, match=words) as caught:
        start(kernel, *args, backend=backend)
    assert isinstance(caught.value, tile2cpp.Tile2cppError) and "/tile2cpp/" not in str(caught.value)


def test_a_forgotten_constant_shows_its_parameter():
    with pytest.raises(ct.TileTypeError) as caught:
        start(forgotten, x(), 16)
    labels = [label.text for label in caught.value.diagnostics[0].others]
    assert labels == ["`n` is known at run time only"]


def test_keywords_of_a_launch():
    with pytest.raises(TypeError, match="shared_mem"):
        start(number, x(), 1, shared_mem=3)
    with pytest.raises(TypeError, match="position"):
        tile2cpp.launch(0, grid=(1,), kernel=number, args=(x(), 1))


def test_keys_of_by_target():
    with pytest.raises((ValueError, TypeError), match="sm_100"):
        ct.ByTarget(sm100=2)


def test_a_quotient_as_a_grid():
    with pytest.raises(TypeError, match="ct.cdiv"):
        tile2cpp.launch(0, (16 / 4,), number, (x(), 1))
