"""Loads, stores, atomics, and copies of 16 bytes that threads start."""

from __future__ import annotations

import numpy as np

from .arithmetic import type_of
from .decode import LANES, instruction
from .errors import EmulationError
from .halves import narrow, widened
from .ptx import SIZES
from .warp import Gathering

SPACES = ("global", "shared", "param", "const", "local")
LANE = np.arange(LANES)


def space_of(i) -> str:
    return next((p.split("::")[0] for p in i.parts if p.split("::")[0] in SPACES), "generic")


def addresses(d, i, operand):
    """A function from a warp and a mask to the addresses of the lanes in it."""
    base, offset, kind = d.address(operand, i)
    offset = (np.uint32 if kind == "u32" else np.uint64)(offset & ((1 << 32) - 1 if kind == "u32" else (1 << 64) - 1))

    def find(w, m):
        at = w.rows[base] if m is True else w.rows[base][m]
        return at + offset if offset else at

    return find


@instruction("ld", "ldu")
def _(d, i):
    kind, space = type_of(i), space_of(i)
    parts = d.vector(i.operands[0])
    bytes_each = SIZES[kind] // 8
    size = bytes_each * len(parts)
    find = addresses(d, i, i.operands[1])
    signed = kind[0] == "s"
    targets = [d.target(p, f"{'s' if signed else 'b'}{max(16, d.width(p, i, SIZES[kind]))}", i) for p in parts]

    def run(w, m):
        at = find(w, m)
        for region, lanes, where in w.block.memory.locate(at, space, size):
            region.reads(where, size)
            view, index = region.views[bytes_each], where // bytes_each
            for n, target in enumerate(targets):
                value = view[index + n] if n else view[index]
                if signed:
                    value = value.view(f"i{bytes_each}")
                row = w.rows[target]
                if lanes is None:
                    row[... if m is True else m] = value
                else:
                    row[(LANE if m is True else LANE[m])[lanes]] = value

    return run


@instruction("st")
def _(d, i):
    kind, space = type_of(i), space_of(i)
    parts = d.vector(i.operands[1])
    bytes_each = SIZES[kind] // 8
    size = bytes_each * len(parts)
    find = addresses(d, i, i.operands[0])
    sources = [d.source(p, f"b{max(16, d.width(p, i, SIZES[kind]))}", i) for p in parts]

    def run(w, m):
        at = find(w, m)
        for region, lanes, where in w.block.memory.locate(at, space, size):
            region.wrote(where, size, w)
            view, index = region.views[bytes_each], where // bytes_each
            for n, source in enumerate(sources):
                value = w.rows[source] if m is True else w.rows[source][m]
                view[index + n if n else index] = value if lanes is None else value[lanes]

    return run


def sum_of(kind):
    if kind in ("f16", "bf16"):
        return lambda old, new: narrow(widened(old, kind, 0) + widened(new, kind, 0), kind)
    if kind in ("f16x2", "bf16x2"):
        element = kind[:-2]

        def both(old, new):
            low, high = (narrow(widened(old, element, h) + widened(new, element, h), element) for h in (0, 1))
            return low.astype(np.uint32) | high.astype(np.uint32) << np.uint32(16)

        return both
    return lambda old, new: old + new


OPERATIONS = {
    "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "exch": lambda old, new: new,
    "inc": lambda old, new: np.where(old >= new, 0, old + 1).astype(old.dtype),
}  # fmt: skip


REGISTERS = {"f16": "b16", "bf16": "b16", "f16x2": "b32", "bf16x2": "b32"}


@instruction("atom", "red")
def _(d, i):
    kind, space = type_of(i), space_of(i)
    name = next(p for p in i.parts[1:] if p in OPERATIONS or p in ("add", "cas"))
    returns = i.parts[0] == "atom"
    place, values = (i.operands[1], i.operands[2:]) if returns else (i.operands[0], i.operands[1:])
    vector = [d.vector(v) for v in values]
    if any(len(v) > 1 for v in vector):
        if returns or len(vector) > 1:
            raise EmulationError(i.text)
        return vector_update(d, i, kind, space, place, vector[0], sum_of(kind) if name == "add" else OPERATIONS[name])
    find = addresses(d, i, place)
    register = REGISTERS.get(kind, kind)
    target = d.target(i.operands[0], register, i) if returns else None
    sources = [d.source(v, register, i) for v in values]
    size = SIZES[kind] // 8
    function = sum_of(kind) if name == "add" else OPERATIONS.get(name)

    def run(w, m):
        at = find(w, m)
        active = LANE if m is True else LANE[m]
        for region, lanes, where in w.block.memory.locate(at, space, size):
            region.wrote(where, size, w)
            view = region.views[size].view(w.rows[sources[0]].dtype)
            for lane, position in zip(active if lanes is None else active[lanes], where // size):
                old = view[position : position + 1].copy()
                new = [w.rows[s][lane : lane + 1] for s in sources]
                view[position] = (np.where(old == new[0], new[1], old) if name == "cas" else function(old, new[0]))[0]
                if returns:
                    w.rows[target][lane] = old[0]

    return run


def vector_update(d, i, kind, space, place, values, function):
    """Elements beside each other, each updated on its own."""
    find = addresses(d, i, place)
    sources = [d.source(v, REGISTERS.get(kind, kind), i) for v in values]
    size = SIZES[kind] // 8

    def run(w, m):
        at = find(w, m)
        active = LANE if m is True else LANE[m]
        for region, lanes, where in w.block.memory.locate(at, space, size * len(values)):
            region.wrote(where, size * len(values), w)
            view = region.views[size].view(w.rows[sources[0]].dtype)
            for lane, position in zip(active if lanes is None else active[lanes], where // size):
                for n, source in enumerate(sources):
                    view[position + n] = function(view[position + n : position + n + 1].copy(), w.rows[source][lane : lane + 1])[0]

    return run


# --- copies that threads start and wait for ---


class ThreadCopy:
    """One cp.async of some lanes. It arrives at any time before the wait for its group."""

    def __init__(self, warp, lanes, to, source, size, count):
        self.warp, self.lanes, self.to, self.source, self.size, self.count = warp, lanes, to, source, size, count
        self.groups = warp.copy_groups[lanes]  # the group of each lane that it belongs to

    def land(self, which: np.ndarray) -> bool:
        """For some of its lanes; says whether none is left."""
        memory = self.warp.block.memory
        for n in np.flatnonzero(which):
            (target, _, where), = memory.locate(self.to[n : n + 1], "shared", self.size)
            target.wrote(where, self.size, self.warp)
            data = np.zeros(self.size, np.uint8)
            if self.count[n]:
                (source, _, start), = memory.locate(self.source[n : n + 1], "global", 1)
                if start[0] + self.count[n] > source.size or (int(self.source[n]) % self.size):
                    raise EmulationError(f"a copy of {self.count[n]} bytes from {source.name} at {start[0]} of {source.size}")
                data[: self.count[n]] = source.bytes[start[0] : start[0] + self.count[n]]
            target.bytes[where[0] : where[0] + self.size] = data
        keep = ~which
        self.lanes, self.to, self.source, self.count, self.groups = (x[keep] for x in (self.lanes, self.to, self.source, self.count, self.groups))
        return len(self.lanes) == 0


@instruction("cp")
def _(d, i):
    if i.parts[1] != "async":
        raise EmulationError(i.text)
    if "bulk" in i.parts:
        from .copies import bulk

        return bulk(d, i)
    if i.parts[2] in ("commit_group", "wait_group", "wait_all"):
        return copy_groups(d, i)
    to, source = addresses(d, i, i.operands[0]), addresses(d, i, i.operands[1])
    size = d.literal(i.operands[2])
    count = d.source(i.operands[3], "u32", i) if len(i.operands) > 3 else None

    def run(w, m):
        lanes = LANE.copy() if m is True else LANE[m]
        counts = np.full(len(lanes), size) if count is None else w.rows[count][lanes].astype(np.int64)
        if (counts > size).any():
            raise EmulationError("a copy of more bytes than it has room for")
        w.copies.append(ThreadCopy(w, lanes, to(w, m).copy(), source(w, m).copy(), size, counts))

    return run


def copy_groups(d, i):
    if i.parts[2] == "commit_group":

        def commit(w, m):
            w.copy_groups[... if m is True else m] += 1

        return commit
    most = d.literal(i.operands[0]) if i.operands else -1  # wait_all counts what is in no group yet

    def wait(w, m):
        if w.copies:
            waits = np.full(LANES, -1)
            active = ... if m is True else m
            waits[active] = (w.copy_groups - most)[active]
            w.copies = [c for c in w.copies if not c.land(c.groups < waits[c.lanes])]

    return wait


@instruction("ldmatrix")
def _(d, i):
    """Blocks of 8 by 8 halves; lane n of each eight has the address of row n of one of them."""
    if "m8n8" not in i.parts:
        raise EmulationError(i.text)
    parts = d.vector(i.operands[0])
    targets = [d.target(p, "b32", i) for p in parts]
    find = addresses(d, i, i.operands[1])
    turned = "trans" in i.parts

    def run(w, m):
        if w.group.lanes != w.live:
            return Gathering(w.live)
        at = find(w, m)[: 8 * len(parts)]
        (region, _, where), = w.block.memory.locate(at, "shared", 16)
        region.reads(where, 16)
        rows = region.views[2][where[:, None] // 2 + np.arange(8)].reshape(len(parts), 8, 8)
        for target, block in zip(targets, rows):
            pairs = (block.T if turned else block).reshape(32, 2).astype(np.uint32)
            w.rows[target][...] = pairs[:, 0] | pairs[:, 1] << np.uint32(16)

    return run


@instruction("prefetch", "prefetchu", "applypriority", "discard")
def _(d, i):
    return lambda w, m: None
