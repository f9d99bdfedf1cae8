"""Barriers of a block by number, and those that lie in shared memory."""

from __future__ import annotations

import numpy as np

from .access import addresses
from .decode import LANES, instruction
from .errors import EmulationError
from .warp import Wait


class Barrier:
    """One of the sixteen of a block. Whole warps arrive."""

    def __init__(self):
        self.arrived = self.generation = 0

    def arrive(self, wanted: int) -> None:
        self.arrived += LANES
        if self.arrived > wanted:
            raise EmulationError(f"{self.arrived} threads at a barrier for {wanted}")
        if self.arrived == wanted:
            self.arrived, self.generation = 0, self.generation + 1


class PhaseBarrier:
    """An mbarrier: a phase ends when as many have arrived as were announced, and as many bytes."""

    def __init__(self, count: int):
        self.count = self.pending = count
        self.phase = self.bytes = 0

    def arrive(self) -> None:
        if self.pending == 0:
            raise EmulationError(f"more arrivals than the {self.count} that this phase of the barrier waits for")
        self.pending -= 1
        self._turn()

    def expect(self, count: int) -> None:
        self.bytes += count

    def complete(self, count: int) -> None:
        self.bytes -= count
        self._turn()

    def _turn(self) -> None:
        if self.pending == 0 and self.bytes == 0:
            self.phase, self.pending = self.phase + 1, self.count

    def passed(self, parity: int) -> bool:
        """Whether the latest phase of this parity is over."""
        return self.phase & 1 != parity & 1

    def __str__(self) -> str:
        return f"phase {self.phase}, {self.pending} of {self.count} arrivals and {self.bytes} bytes missing"


@instruction("mbarrier")
def _(d, i):
    return {"init": init, "inval": inval, "arrive": arrive, "expect_tx": expect, "try_wait": wait, "test_wait": wait}[i.parts[1]](d, i)


def init(d, i):
    find, count = addresses(d, i, i.operands[0]), d.source(i.operands[1], "u32", i)

    def run(w, m):
        for at, n in zip(find(w, m), w.rows[count] if m is True else w.rows[count][m]):
            if at % 8 or not w.block.memory.shared.base <= at < w.block.memory.shared.base + w.block.memory.shared.size:
                raise EmulationError(f"no place for a barrier: {at:#x}")
            if int(at) in w.block.phase_barriers:
                raise EmulationError("a barrier that exists is made again")
            w.block.phase_barriers[int(at)] = PhaseBarrier(int(n))

    return run


def inval(d, i):
    find = addresses(d, i, i.operands[0])

    def run(w, m):
        for at in find(w, m):
            w.block.phase_barriers.pop(int(at))

    return run


def arrive(d, i):
    if i.operands[0] != "_":
        raise EmulationError(i.text)
    find = addresses(d, i, i.operands[1])
    expects = "expect_tx" in i.parts
    count = d.source(i.operands[2], "u32", i) if len(i.operands) > 2 else None

    def run(w, m):
        counts = np.ones(LANES, int) if count is None else w.rows[count]
        for at, n in zip(find(w, m), counts if m is True else counts[m]):
            barrier = w.block.phase_barrier(int(at))
            if expects:
                barrier.expect(int(n))
            for _ in range(1 if expects else int(n)):
                barrier.arrive()

    return run


def expect(d, i):
    find, count = addresses(d, i, i.operands[0]), d.source(i.operands[1], "u32", i)

    def run(w, m):
        for at, n in zip(find(w, m), w.rows[count] if m is True else w.rows[count][m]):
            w.block.phase_barrier(int(at)).expect(int(n))

    return run


def wait(d, i):
    """Waiting goes on until a phase ends, so a failed wait is one that nothing runs in."""
    if "parity" not in i.parts:
        raise EmulationError(i.text)
    target = d.target(i.operands[0], "pred", i)
    find, parity = addresses(d, i, i.operands[1]), d.source(i.operands[2], "u32", i)
    tests = i.parts[1] == "test_wait"

    def run(w, m):
        wanted = w.rows[parity] if m is True else w.rows[parity][m]
        pairs = [(w.block.phase_barrier(int(at)), int(p)) for at, p in zip(find(w, m), wanted)]
        if pairs.count(pairs[0]) == len(pairs):
            pairs = pairs[:1]
        done = [barrier.passed(p) for barrier, p in pairs]
        if any(done) or tests:
            w.rows[target][... if m is True else m] = done if len(done) > 1 else done[0]
            return None
        at = int(find(w, m)[0])
        text = lambda: f"for the end of a phase of parity {pairs[0][1]} of {w.block.name_of(at)} ({pairs[0][0]})"  # noqa: E731
        return Wait(lambda: any(barrier.passed(p) for barrier, p in pairs), text, again=True)

    return run
