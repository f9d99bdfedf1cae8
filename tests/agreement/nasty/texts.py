"""Comments, docstrings and lines in odd places."""

# ruff: noqa
from nasty_case import case

import tile2cpp.lang as ct


@case([10.0, 14.0, 18.0, 22.0, 26.0, 30.0, 34.0, 38.0])
def comments_everywhere(x, n, o):  # beside the head
    # first
    t = (  # open
        # inside
        ct.load(x, (0,), (8,))  # load \
        + 1  # one
    )  # close
    if n > 2:  # condition ???/
        # in branch
        t = t + 1
        # after
    # between
    else:
        # only a comment
        pass
    for i in range(2):
        # */ /* odd
        t = t * 2  # trailing \\
    ct.store(o, (0,), t)
    # last


@case([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5])
def docstring_odd(x, n, o):
    """Has a backslash at the end \\
    and */ comment // ends ??/
    """
    ct.store(o, (0,), ct.load(x, (0,), (8,)))


@case(57.0)
def semicolons(x, n, o):
    a = n; b = a + 1; a = b
    if n > 2: a = a + 1; b = 7
    ct.store(o, (0,), ct.full((8,), a * 10 + b, ct.float32))


@case(8.0)
def one_line_loop(x, n, o):
    s = 0
    for i in range(4): s += i; s *= 2
    while s > 10: s -= 7
    ct.store(o, (0,), ct.full((8,), s, ct.float32))


@case([68.5, 69.5, 70.5, 71.5, 72.5, 73.5, 74.5, 75.5])
def long_line(x, n, o):
    t = ct.load(x, (0,), (8,))
    t = t + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
    ct.store(o, (0,), t)


@case(0.0)
def empty_body(x, n, o):
    pass


@case(0.0)
def docstring_only(x, n, o):
    """Nothing."""
