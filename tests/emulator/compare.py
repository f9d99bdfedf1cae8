"""Comparisons, and what follows from them."""

from __future__ import annotations

import numpy as np

from .arithmetic import type_of, write
from .decode import instruction
from .errors import EmulationError
from .halves import widened

COMPARE = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "lo": np.less, "ls": np.less_equal, "hi": np.greater, "hs": np.greater_equal,
}  # fmt: skip
JOIN = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def comparison(name, kind):
    if kind[0] != "f" and kind != "bf16":
        return COMPARE[name]
    if name in ("num", "nan"):
        return lambda a, b: (np.isnan(a) | np.isnan(b)) == (name == "nan")
    if name.endswith("u") and name[:-1] in COMPARE:
        return lambda a, b: COMPARE[name[:-1]](a, b) | np.isnan(a) | np.isnan(b)
    if name == "ne":
        return lambda a, b: (a != b) & ~np.isnan(a) & ~np.isnan(b)
    return COMPARE[name]


@instruction("setp")
def _(d, i):
    kind, compare = type_of(i), comparison(i.parts[1], type_of(i))
    targets = [d.target(t, "pred", i) for t in i.operands[0].split("|")]
    a, b = (d.source(o, kind if kind != "bf16" else "b16", i) for o in i.operands[1:3])
    if len(targets) == 1 and len(i.operands) == 3:
        target = targets[0]
        if isinstance(compare, np.ufunc) and kind != "bf16":

            def run(w, m):
                r = w.rows
                compare(r[a], r[b], out=r[target], where=m)

            return run
    join = next((JOIN[p] for p in i.parts[2:] if p in JOIN), None)
    third = i.operands[3] if len(i.operands) > 3 else None
    negated = third is not None and third.startswith("!")
    c = d.source(third.lstrip("!"), "pred", i) if third else None

    def run(w, m):
        r = w.rows
        x, y = (widened(r[s], "bf16", 0) for s in (a, b)) if kind == "bf16" else (r[a], r[b])
        first = compare(x, y)
        for target, value in zip(targets, (first, ~first)):
            if join:
                value = join(value, ~r[c] if negated else r[c])
            write(r, target, value, m)

    return run


@instruction("set", "slct")
def _(d, i):
    raise EmulationError(i.text)


@instruction("selp")
def _(d, i):
    kind = type_of(i)
    target = d.target(i.operands[0], kind, i)
    a, b = (d.source(o, kind, i) for o in i.operands[1:3])
    p = d.source(i.operands[3], "pred", i)

    def run(w, m):
        r = w.rows
        np.copyto(r[target], np.where(r[p], r[a], r[b]), where=m)

    return run
