"""A warp: groups of lanes, each with a place of its own in the program.

Lanes that take different ways become groups, which run in any order. Where all ways from a branch
meet, a group waits for the others as long as anything else can run. An instruction that wants certain lanes together
waits until they all are there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Callable

import numpy as np

from .decode import LANES
from .errors import EmulationError, Hazard

FULL = (1 << LANES) - 1


@lru_cache(maxsize=4096)
def mask_of(lanes: int):
    """What instructions take for a set of lanes: True for all, else an array."""
    if lanes == FULL:
        return True
    mask = np.array([lanes >> n & 1 for n in range(LANES)], bool)
    mask.flags.writeable = False
    return mask


def lanes_of(mask) -> int:
    return FULL if mask is True else int(np.packbits(mask, bitorder="little").view("<u4")[0])


class Exit:
    """The lanes are done."""


class Split:
    """Some lanes branch to `target`."""

    def __init__(self, taken: int, target: int):
        self.taken, self.target = taken, target


class Wait:
    """The lanes wait until `ready()`; then they run the same instruction once more, or the next one."""

    def __init__(self, ready: Callable[[], bool], text: Callable[[], str], again: bool = False):
        self.ready, self.text, self.again = ready, text, again


class Gathering:
    """The lanes wait for others to come to the same instruction; `anywhere`: or to another one of its kind."""

    def __init__(self, need: int, anywhere: bool = False):
        self.need, self.anywhere = need, anywhere

    def text(self) -> str:
        return f"for lanes {self.need:#x} to come together"


class Group:
    __slots__ = ("pc", "lanes", "meets", "wait")

    def __init__(self, pc: int, lanes: int, meets: tuple):
        self.pc, self.lanes, self.meets, self.wait = pc, lanes, meets, None


class Warp:
    def __init__(self, block, number: int, decoder, lanes: int = FULL):
        self.block, self.number, self.program = block, number, decoder
        self.files = decoder.files()
        self.rows = decoder.rows(self.files)
        self.groups = [Group(0, lanes, ())]
        self.live = lanes
        self.group = self.groups[0]  # the one that runs
        self.copies: list = []  # of its threads, under way
        self.copy_groups = np.zeros(LANES, np.int64)
        self.products: list = []  # under way
        self.product_groups = self.issued = 0
        self.busy: frozenset | set = frozenset()  # registers that products under way read or write
        self.ran: list[tuple[int, int]] = []  # since the last fence for products
        self.registers = 0
        self.first = 0  # of the instructions that run without a jump
        self.steps = 0
        self.waited = False  # for the kernels before this one

    def parked(self, group: Group) -> bool:
        return bool(group.meets) and group.meets[-1][0] == group.pc

    def runnable(self) -> list[Group]:
        """The groups that can go on, after those that meet were joined."""
        if len(self.groups) == 1:
            group = self.groups[0]
            if group.wait is not None:
                self._look(group)
            elif group.meets:
                group.meets = ()
            return [] if group.wait is not None else [group]
        for group in list(self.groups):
            if group.wait is not None and group in self.groups:
                self._look(group)
        self._meet()
        return [g for g in self.groups if g.wait is None and not self.parked(g)]

    def _look(self, group: Group) -> None:
        """Whether what a group waits for has come."""
        wait = group.wait
        if isinstance(wait, Wait):
            if wait.ready():
                group.wait = None
                group.pc += not wait.again
            return
        need = wait.need & self.live if wait.need != FULL or wait.anywhere else FULL
        others = [g for g in self.groups if isinstance(g.wait, Gathering) and g.wait.need == wait.need and (wait.anywhere or g.pc == group.pc)]
        if wait.anywhere:
            there = 0
            for g in others:
                there |= g.lanes
            if there & need == need:
                for g in others:
                    g.wait = None
                    g.pc += 1
            return
        for g in others:
            if g is not group:
                self._join(group, g)
        if group.lanes & need == need:
            group.wait = None

    def _join(self, group: Group, other: Group) -> None:
        group.lanes |= other.lanes
        group.meets = tuple(a for a, b in zip(group.meets, other.meets) if a == b)
        self.groups.remove(other)

    def _meet(self) -> None:
        changed = True
        while changed:
            changed = False
            for group in self.groups:
                if group.wait is not None or not self.parked(group):
                    continue
                token = group.meets[-1]
                others = [g for g in self.groups if g is not group and token in g.meets]
                ready = [g for g in others if g.wait is None and g.pc == group.pc and g.meets[-1] == token]
                for g in ready:
                    self._join(group, g)
                if len(ready) == len(others):
                    group.meets = group.meets[:-1]
                    changed = True
                if ready or changed:
                    changed = True
                    break

    def release(self) -> bool:
        """Lets a group go on that waits where the others were to come; says whether there is one."""
        for group in self.groups:
            if group.wait is None and self.parked(group):
                group.meets = group.meets[:-1]
                return True
        return False

    def run(self, group: Group, quantum: int) -> None:
        """Some instructions of one group."""
        self.group = group
        program = self.program
        operations, touched, leaders = program.operations, program.touched, program.leaders
        divided = len(self.groups) > 1
        mask, pc = mask_of(group.lanes), group.pc
        self.first = pc
        try:
            for _ in range(quantum):
                if self.busy and not self.busy.isdisjoint(touched[pc]):
                    raise Hazard("touches registers of a product under way")
                outcome = operations[pc](self, mask)
                if outcome is None:
                    pc += 1
                    if divided and leaders[pc]:
                        break
                elif outcome.__class__ is int:
                    self.note(pc)
                    self.first = pc = outcome
                    if divided:
                        break
                else:
                    self.note(pc)
                    group.pc = pc
                    self._apply(group, outcome)
                    return
        except EmulationError as error:
            where = f"warp {self.number} of block {self.block.index}, lanes {group.lanes:#x}, at {pc}: {self.text_at(pc)[:200]}"
            raise type(error)(f"{error}; {where}") from error
        self.note(pc - 1)
        group.pc = pc

    def note(self, last: int) -> None:
        """Remembers what ran without a jump."""
        self.steps += last - self.first + 1
        if self.block.has_products and last >= self.first:
            self.ran.append((self.first, last))

    def _apply(self, group: Group, outcome) -> None:
        if outcome is Exit:
            self.groups.remove(group)
            self.live &= ~group.lanes
            if not self.live:
                self.block.left(self)
        elif isinstance(outcome, Split):
            at = group.pc
            meeting = self.program.meeting.get(at)
            end = len(self.program.operations) - 1
            if meeting is not None and meeting != end:
                self.block.tokens += 1
                group.meets += ((meeting, self.block.tokens),)
            taken = Group(outcome.target, outcome.taken, group.meets)
            group.lanes &= ~outcome.taken
            group.pc = at + 1
            self.groups.append(taken)
        else:
            group.wait = outcome

    def text_at(self, pc: int) -> str:
        instructions = self.program.module.instructions
        return instructions[pc].text if pc < len(instructions) else "the end"

    def describe(self) -> list[str]:
        """Where its groups are and what they wait for."""
        lines = []
        for g in self.groups:
            why = f"waits {g.wait.text()}" if g.wait is not None else "waits for the other lanes" if self.parked(g) else "runs"
            lines.append(f"warp {self.number}, lanes {g.lanes:#010x}, at {g.pc}: {self.text_at(g.pc)[:120]}: {why}")
        return lines
