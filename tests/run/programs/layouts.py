"""Arrays that are not contiguous: turned, sliced, stretched, shifted, reversed and empty."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def copy(x, y, TM: ct.Constant[int], TN: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(y, (i, j), ct.load(x, (i, j), (TM, TN)))


@ct.kernel
def copy_by_element(x, y, TM: ct.Constant[int], TN: ct.Constant[int]):
    rows = ct.bid(0) * TM + ct.arange(TM, dtype=ct.int32)
    columns = ct.bid(1) * TN + ct.arange(TN, dtype=ct.int32)
    ct.scatter(y, (rows[:, None], columns[None, :]), ct.gather(x, (rows[:, None], columns[None, :])))


@ct.kernel
def double_in_place(x):
    i = ct.bid(0)
    ct.store(x, (i,), ct.load(x, (i,), (8,)) * 2)


SHAPES = {
    "turned": lambda rng: fresh(rng, (40, 21)).T,
    "every second column": lambda rng: fresh(rng, (21, 80))[:, ::2],
    "every second row": lambda rng: fresh(rng, (42, 40))[::2],
    "inner block": lambda rng: fresh(rng, (30, 50))[3:24, 5:45],
    "one row, stretched": lambda rng: np.broadcast_to(fresh(rng, 40), (21, 40)),
    "one column, stretched": lambda rng: np.broadcast_to(fresh(rng, (21, 1)), (21, 40)),
    "one element off": lambda rng: fresh(rng, 21 * 40 + 1)[1:].reshape(21, 40),
    "column major": lambda rng: np.asfortranarray(fresh(rng, (21, 40))),
}

CASES = [
    *(Case(f"{how} {name}", kernel, (2, 3),
           lambda rng, make=make: (make(rng), blank((21, 40)), 16, 16), (1,), lambda x, y, *_: [x])
      for how, kernel in (("read", copy), ("gather", copy_by_element)) for name, make in SHAPES.items()),
    *(Case(f"{how} {name}", kernel, (2, 3),
           lambda rng, make=make: (fresh(rng, (21, 40)), make(), 16, 16), (1,), lambda x, y, *_: [x])
      for how, kernel in (("write", copy), ("scatter", copy_by_element))
      for name, make in (("turned", lambda: blank((40, 21)).T), ("every second column", lambda: blank((21, 80))[:, ::2]))),
    Case("in place", double_in_place, (3,), lambda rng: (fresh(rng, 21),), (0,), lambda x: [x * 2]),
]
