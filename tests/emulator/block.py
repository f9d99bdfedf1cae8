"""A block: its warps take turns, and copies and products get done in between."""

from __future__ import annotations

import math
import random

import numpy as np

from .barriers import Barrier, PhaseBarrier
from .decode import LANES
from .errors import Deadlock, EmulationError
from .memory import Memory
from .schedule import Policy
from .warp import FULL, Warp

REGISTERS = 65536  # of a multiprocessor
MOST_STEPS = 20_000_000


class Block:
    def __init__(self, program, memory: Memory, index: tuple[int, int, int], grid: tuple[int, int, int], threads: int, policy: Policy, maps: list):
        self.program, self.memory, self.index, self.threads, self.policy = program, memory, index, threads, policy
        self.rng = random.Random(f"{policy.seed} {index}")
        self.maps = maps  # what the numbers in descriptors stand for
        self.tokens = 0  # of branches that lanes met again behind
        self.has_products = program.has_products
        self.barriers: dict[int, Barrier] = {}
        self.phase_barriers: dict[int, PhaseBarrier] = {}
        self.copies: list = []  # by the copy engine, under way
        self.issued: dict[int, list] = {}  # products of each warpgroup, to compare those of its warps
        self.free_registers = 0
        decoder = program.decoder
        self.warps = []
        for number in range(-(-threads // LANES)):
            warp = Warp(self, number, decoder, FULL if threads >= LANES else (1 << threads) - 1)
            warp.registers = self._registers_at_launch()
            for name, row in decoder.specials.items():
                warp.files[32][row] = self._special(name, number, grid)
            self.warps.append(warp)
        self.weights = [math.exp(self.rng.gauss(0, policy.skew)) for _ in self.warps]

    def _registers_at_launch(self) -> int:
        """What the assembler gives a thread of a kernel that changes the number later: all that there is, but no more than it asks for."""
        asked = [int(i.operands[0]) for i in self.program.module.instructions if i.opcode.startswith("setmaxnreg")]
        return min(REGISTERS // max(1, self.program.module.blocks) // self.threads // 8 * 8, max(asked, default=255))

    def _special(self, name: str, warp: int, grid: tuple[int, int, int]):
        if name == "%laneid":
            return np.arange(LANES)
        what, axis = name.split(".")
        axis = "xyz".index(axis)
        if what == "%tid":
            return np.arange(LANES) + warp * LANES if axis == 0 else 0
        return {"%ntid": (self.threads, 1, 1), "%ctaid": self.index, "%nctaid": grid}[what][axis]

    def barrier(self, number: int) -> Barrier:
        if not 0 <= number < 16:
            raise EmulationError(f"there is no barrier {number}")
        return self.barriers.setdefault(number, Barrier())

    def phase_barrier(self, at: int) -> PhaseBarrier:
        if at not in self.phase_barriers:
            raise EmulationError(f"there is no barrier at {self.name_of(at)}")
        return self.phase_barriers[at]

    def name_of(self, at: int) -> str:
        """A place in shared memory, by its variable."""
        return self.program.shared_name(at)

    def left(self, warp: Warp) -> None:
        """A warp has ended."""
        if warp.products:
            raise EmulationError("the warp ends while its products are under way")
        if warp.copies:
            warp.copies = []

    def run(self) -> None:
        rng, policy = self.rng, self.policy
        steps = 0
        while True:
            ready = []
            for warp, weight in zip(self.warps, self.weights):
                if warp.live:
                    groups = warp.runnable()
                    if groups:
                        ready.append((weight, warp, groups))
            if ready:
                _, warp, groups = rng.choices(ready, [r[0] for r in ready])[0] if len(ready) > 1 else ready[0]
                before = warp.steps
                warp.run(rng.choice(groups) if len(groups) > 1 else groups[0], rng.randint(1, policy.quantum))
                steps += warp.steps - before
                if steps > MOST_STEPS:
                    raise Deadlock("the block does not come to an end\n" + self.describe())
                if self.copies and rng.random() < policy.copies:
                    self._copy()
                if rng.random() < policy.products:
                    self._work(rng.choice(self.warps))
                if policy.apart and rng.random() < policy.apart:
                    rng.choice(self.warps).release()
            elif not any(warp.live for warp in self.warps):
                if self.copies:
                    raise EmulationError(f"the block ends while {len(self.copies)} copies are under way")
                return
            elif self.copies:
                self._copy()
            elif not any(warp.release() for warp in self.warps if warp.live):
                raise Deadlock("no warp can go on\n" + self.describe())

    def _copy(self) -> None:
        """One of the copies under way arrives."""
        self.copies.pop(self.rng.randrange(len(self.copies))).land()

    def _work(self, warp: Warp) -> None:
        """What a warp has under way is done, up to some point."""
        waiting = [p for p in warp.products if not p.done]
        for product in waiting[: self.rng.randint(1, len(waiting))] if waiting else []:
            product.work()
        if warp.copies and self.rng.random() < 0.5:
            copy = self.rng.choice(warp.copies)
            if copy.land(np.array([self.rng.random() < 0.5 for _ in copy.lanes])):
                warp.copies.remove(copy)

    def describe(self) -> str:
        lines = [line for warp in self.warps for line in warp.describe()]
        lines += [f"barrier {number}: {b.arrived} threads are there" for number, b in self.barriers.items() if b.arrived]
        lines += [f"{self.name_of(at)}: {b}" for at, b in sorted(self.phase_barriers.items())]
        return "\n".join(lines)
