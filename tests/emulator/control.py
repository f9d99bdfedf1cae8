"""Branches, what lanes of a warp tell each other, and what a block agrees on."""

from __future__ import annotations

import numpy as np

from .decode import EVERY, LANES, NOBODY, instruction
from .errors import EmulationError
from .warp import FULL, Exit, Gathering, Split, Wait, lanes_of

LANE = np.arange(LANES)


@instruction("bra")
def _(d, i):
    target = i.scope.label(i.operands[0])
    if not i.guard:
        return lambda w, m: target
    negated, name = i.guard
    predicate = d.source(name, "pred", i)
    every, nobody = (NOBODY, EVERY) if negated else (EVERY, NOBODY)

    def run(w, m):
        p = w.rows[predicate]
        if m is True:
            bits = p.tobytes()
            if bits == every:
                return target
            if bits == nobody:
                return None
            return Split(lanes_of(~p if negated else p), target)
        taken = lanes_of(m & ~p if negated else m & p)
        if taken == w.group.lanes:
            return target
        return Split(taken, target) if taken else None

    return run


@instruction("ret", "exit")
def _(d, i):
    if i.guard:
        raise EmulationError(i.text)
    return lambda w, m: Exit


@instruction("trap", "brkpt")
def _(d, i):
    def run(w, m):
        raise EmulationError("the program stops itself")

    return run


@instruction("fence", "membar")
def _(d, i):
    if i.parts[1] != "proxy":
        return lambda w, m: None
    if i.parts[2] != "async":
        raise EmulationError(i.text)
    return lambda w, m: w.block.memory.shared.fence(w)


@instruction("nanosleep")
def _(d, i):
    return lambda w, m: None


@instruction("griddepcontrol")
def _(d, i):
    """The kernels before this one are done; but whoever lets the next one begin early has to wait for them first."""

    def wait(w, m):
        w.waited = True

    def go_on(w, m):
        if not w.waited:
            raise EmulationError("a warp lets the next kernel begin before it waits for the ones before")

    return wait if i.parts[1] == "wait" else go_on


def need_of(w, m, row) -> int:
    """The lanes that a member mask names."""
    values = w.rows[row] if m is True else w.rows[row][m]
    need = int(values[0])
    if not lanes_of(m) & need == lanes_of(m):
        raise EmulationError(f"a lane runs this, but the mask {need:#x} leaves it out")
    return need


def together(d, i, mask, operation):
    """The operation, when all lanes of the mask are there."""

    def run(w, m):
        need = need_of(w, m, mask) & w.live
        if w.group.lanes & need != need:
            return Gathering(need)
        return operation(w, m)

    return run


@instruction("bar", "barrier")
def _(d, i):
    if i.parts[1] == "warp":
        return warp_barrier(d, i)
    kind = next(p for p in i.parts if p in ("sync", "arrive"))
    number = d.source(i.operands[0], "u32", i)
    count = d.source(i.operands[1], "u32", i) if len(i.operands) > 1 else None

    def run(w, m):
        if w.group.lanes != w.live:
            return Gathering(w.live)
        wanted = w.block.threads if count is None else int(w.rows[count][0])
        barrier = w.block.barrier(int(w.rows[number][0]))
        before = barrier.generation
        barrier.arrive(wanted)
        if kind == "arrive":
            return None
        text = lambda: f"at barrier {int(w.rows[number][0])}, where {barrier.arrived} of {wanted} threads are"  # noqa: E731
        return Wait(lambda: barrier.generation != before, text)

    return run


def warp_barrier(d, i):
    mask = d.source(i.operands[0], "b32", i)

    def run(w, m):
        need = need_of(w, m, mask) & w.live
        if w.group.lanes & need == need:
            return None
        return Gathering(need, anywhere=True)

    return run


@instruction("shfl")
def _(d, i):
    way = i.parts[2]
    targets = i.operands[0].split("|")
    target, found = d.target(targets[0], "b32", i), d.target(targets[1], "pred", i) if len(targets) > 1 else None
    a, by, limits, mask = d.source(i.operands[1], "b32", i), *(d.source(o, "s32", i) for o in i.operands[2:4]), d.source(i.operands[4], "b32", i)

    def shuffle(w, m):
        r = w.rows
        b, c = r[by] & 31, r[limits]
        segment, clamp = c >> 8 & 31, c & 31
        low, high = LANE & segment, LANE & segment | clamp & ~segment
        if way == "idx":
            source = low | b & ~segment & 31
            inside = source <= high
        elif way == "up":
            source = LANE - b
            inside = source >= high
        else:
            source = LANE + b if way == "down" else LANE ^ b
            inside = source <= high
        source = np.where(inside, source, LANE)
        if m is not True and not m[source[m]].all():
            raise EmulationError("a lane reads from one that is not there")
        np.copyto(r[target], r[a][source], where=m)
        if found is not None:
            np.copyto(r[found], inside, where=m)

    return together(d, i, mask, shuffle)


@instruction("vote")
def _(d, i):
    kind = i.parts[2]
    negated = i.operands[1].startswith("!")
    target = d.target(i.operands[0], "b32" if kind == "ballot" else "pred", i)
    p, mask = d.source(i.operands[1].lstrip("!"), "pred", i), d.source(i.operands[2], "b32", i)

    def vote(w, m):
        values = ~w.rows[p] if negated else w.rows[p]
        mine = values if m is True else values[m]
        if kind == "ballot":
            result = lanes_of(values if m is True else values & m)
        else:
            result = {"all": mine.all(), "any": mine.any(), "uni": mine.all() or not mine.any()}[kind]
        np.copyto(w.rows[target], np.asarray(result).astype(w.rows[target].dtype), where=m)

    return together(d, i, mask, vote)


@instruction("activemask")
def _(d, i):
    target = d.target(i.operands[0], "b32", i)
    return lambda w, m: np.copyto(w.rows[target], np.uint32(lanes_of(m)), where=m)


@instruction("match")
def _(d, i):
    if i.parts[1] != "any":
        raise EmulationError(i.text)
    kind = i.parts[-1]
    target, a, mask = d.target(i.operands[0], "b32", i), d.source(i.operands[1], kind, i), d.source(i.operands[2], "b32", i)

    def match(w, m):
        values, active = w.rows[a], np.ones(LANES, bool) if m is True else m
        result = np.array([lanes_of((values == v) & active) for v in values], np.uint32)
        np.copyto(w.rows[target], result, where=m)

    return together(d, i, mask, match)


@instruction("redux")
def _(d, i):
    kind = i.parts[-1]
    function = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[i.parts[2]]
    target, a, mask = d.target(i.operands[0], kind, i), d.source(i.operands[1], kind, i), d.source(i.operands[2], "b32", i)

    def reduce(w, m):
        np.copyto(w.rows[target], function.reduce(w.rows[a] if m is True else w.rows[a][m], dtype=w.rows[a].dtype), where=m)

    return together(d, i, mask, reduce)


@instruction("elect")
def _(d, i):
    leader, elected = i.operands[0].split("|")
    who, p, mask = d.target(leader, "b32", i), d.target(elected, "pred", i), d.source(i.operands[1], "b32", i)

    def elect(w, m):
        # Any lane may be the one; the lowest is the one that GPUs take.
        first = int(np.argmax(m)) if m is not True else 0
        np.copyto(w.rows[who], np.uint32(first), where=m)
        np.copyto(w.rows[p], LANE == first, where=m)

    return together(d, i, mask, elect)


@instruction("setmaxnreg")
def _(d, i):
    count = d.literal(i.operands[0])
    if count % 8 or not 24 <= count <= 256:
        raise EmulationError(i.text)

    def run(w, m):
        if w.group.lanes != FULL:
            return Gathering(FULL)
        change = (count - w.registers) * LANES
        if (change > 0) != (i.parts[1] == "inc") and change:
            raise EmulationError(f"a thread has {w.registers} registers, so this is no {i.parts[1]}")
        if change > w.block.free_registers:
            return Wait(lambda: w.block.free_registers >= change, lambda: f"for {change} registers, of which {w.block.free_registers} are free", again=True)
        w.block.free_registers -= change
        w.registers = count

    return run
