"""Shapes: every result element is the input element that the definition names."""

import itertools

import numpy as np
import pytest
from harness import any_tile, check, quick, refuses
from hypothesis import given

import tile2cpp.lang as ct

CUBE = np.arange(64, dtype=np.int32).reshape(2, 4, 8)


def filled(shape, element):
    """An int32 array whose element at each place is `element(place)`."""
    out = np.empty(shape, np.int32)
    for place in itertools.product(*map(range, shape)):
        out[place] = element(place)
    return out


@quick
@given(any_tile(shapes=((2, 8), (2, 2, 4), (4,))))
def test_reshape_is_row_major(x):
    flat = np.array(list(x.ravel()), x.dtype)
    check(lambda p: p.reshape((-1,)), x, expected=flat)
    check(lambda p: ct.reshape(p, (1, 2, -1)), x, expected=flat[None, :].reshape(1, 2, x.size // 2))


@pytest.mark.parametrize("axes", [*itertools.permutations(range(3)), (-1, 0, 1)])
def test_permute(axes):
    normal = [a % 3 for a in axes]
    shape = tuple(CUBE.shape[a] for a in normal)

    def element(place):
        source = [0, 0, 0]
        for k, a in enumerate(normal):
            source[a] = place[k]
        return CUBE[tuple(source)]

    check(lambda p: ct.permute(p, axes), CUBE, expected=filled(shape, element))
    check(lambda p: p.permute(axes), CUBE, expected=filled(shape, element))


def test_transpose():
    flat = CUBE.reshape(8, 8)[:4]
    check(lambda p: ct.transpose(p), flat, expected=filled((8, 4), lambda i: flat[i[1], i[0]]))
    check(lambda p: p.transpose(0, -1), CUBE, expected=filled((8, 4, 2), lambda i: CUBE[i[2], i[1], i[0]]))
    refuses(lambda p: p.transpose(), CUBE, words="two dimensions")
    refuses(lambda p: p.transpose(1), CUBE, words="both axes")


def test_new_axes():
    row = np.arange(4, dtype=np.int32)
    check(lambda p: p[:, None], row, expected=filled((4, 1), lambda i: i[0]))
    check(lambda p: p[None], row, expected=filled((1, 4), lambda i: i[1]))
    check(lambda p: p[..., np.newaxis], row, expected=filled((4, 1), lambda i: i[0]))
    check(lambda p: p[None, :, None], row, expected=filled((1, 4, 1), lambda i: i[1]))
    check(lambda p: ct.expand_dims(p, -1), row, expected=filled((4, 1), lambda i: i[0]))
    check(lambda p: ct.expand_dims(p, 0), row, expected=filled((1, 4), lambda i: i[1]))
    refuses(lambda p: p[0], row, words="cannot be indexed")
    refuses(lambda p: p[:], row, words="only to add axes")
    refuses(lambda p: p[:, :, None], row, words="too many axes")


def test_broadcasting():
    row, column = np.arange(4, dtype=np.int32), np.arange(2, dtype=np.int32).reshape(2, 1)
    check(lambda p: ct.broadcast_to(p, (2, 4)), row, expected=filled((2, 4), lambda i: i[1]))
    check(lambda p: ct.broadcast_to(p, (2, 4)), column, expected=filled((2, 4), lambda i: i[0]))
    check(lambda p, q: p * 10 + q, column, row, expected=filled((2, 4), lambda i: 10 * i[0] + i[1]))
    check(lambda p: ct.broadcast_to(p, (2, 2)), np.array(7, np.int32), expected=filled((2, 2), lambda i: 7))
    refuses(lambda p: ct.broadcast_to(p, (2, 8)), row, words="broadcast")


def test_cat():
    x, y = np.arange(8, dtype=np.int32).reshape(2, 4), np.arange(8, 16, dtype=np.int32).reshape(2, 4)
    check(lambda p, q: ct.cat((p, q), 0), x, y, expected=filled((4, 4), lambda i: 4 * i[0] + i[1]))
    check(lambda p, q: ct.cat((p, q), -1), x, y, expected=filled((2, 8), lambda i: 4 * i[0] + i[1] % 4 + 8 * (i[1] // 4)))
    check(lambda p: ct.cat((p,), 0), x, expected=x)
    refuses(lambda p: ct.cat((p, p, p), 0), x, words="joins two tiles")
    refuses(lambda p: ct.cat((p, p.astype(ct.int64)), 0), x, words="one dtype and shape")


def test_extract_counts_parts():
    x = CUBE.reshape(8, 8)
    check(lambda p: ct.extract(p, (1, 2), (4, 2)), x, expected=filled((4, 2), lambda i: x[4 + i[0], 4 + i[1]]))
    check(lambda p, k: p.extract((k, 0), (2, 8)), x, np.array(3, np.int32), expected=filled((2, 8), lambda i: x[6 + i[0], i[1]]))
    check(lambda p: ct.extract(p, (5, 6), ()), x, expected=np.array(x[5, 6]))
    refuses(lambda p: ct.extract(p, (0, 4), (4, 2)), x, words="part 4 does not exist")
    refuses(lambda p: ct.extract(p, (0, 0), (16, 2)), x, words="does not divide")


def test_item():
    check(lambda p: p.item() + 1, np.array([[41]], np.int32), expected=np.array(42, np.int32))
    refuses(lambda p: p.item(), np.ones(4), words="one element")


def test_extents_are_powers_of_two():
    refuses(lambda: ct.zeros((3,), ct.int32), words=("powers of two", "use 4"))
    refuses(lambda p: p.reshape((3, -1)), np.ones(4), words="elements")
    refuses(lambda p: ct.zeros((p,), ct.int32), np.array(4, np.int32), words="known at compile time")
