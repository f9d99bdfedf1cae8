"""Tile code in a module of its own, as kernels in other files use it."""

import tile2cpp.lang as ct

SCALE = 3


def scaled(t, by=SCALE):
    return t * by


def sign_of(v):
    if v > 0:
        return 1
    if v < 0:
        return -1
    return 0


@ct.function
def marked(t):
    return t + 1


@ct.function(tile=False, host=True)
def host_only(t):
    return t


def tile_size(wide):
    """A constant, although it is returned from two places."""
    if wide:
        return 8
    return 4


def recursive(t, n):
    if n == 0:
        return t
    return recursive(t + 1, n - 1)
