"""Where lanes that take different ways meet again: the first instruction that all ways from a branch lead to."""

from __future__ import annotations

from .ptx import Instruction

LEAVES = ("ret", "exit", "trap")


def successors(instructions: list[Instruction]) -> list[list[int]]:
    """The instructions that may follow each; len(instructions) is the end."""
    following = []
    for number, i in enumerate(instructions):
        family = i.parts[0]
        if family in LEAVES:
            ways = [len(instructions)]
        elif family == "bra":
            ways = [i.scope.label(i.operands[0])]
        else:
            ways = [number + 1]
        if i.guard and number + 1 not in ways:
            ways.append(number + 1)
        following.append(ways)
    return following


def meeting_points(instructions: list[Instruction]) -> tuple[dict[int, int], list[bool]]:
    """For each branch that may divide lanes where they meet (the end for none), and which instructions begin a block."""
    end = len(instructions)
    ways = successors(instructions)
    leaders = [False] * (end + 1)
    leaders[0] = leaders[end] = True
    for number, following in enumerate(ways):
        if following != [number + 1]:
            leaders[min(number + 1, end)] = True
            for target in following:
                leaders[target] = True
    blocks = [n for n in range(end) if leaders[n]]
    last = {}
    for first, after in zip(blocks, blocks[1:] + [end]):
        last[first] = after - 1
    after_block = {first: ways[last[first]] for first in blocks}
    immediate = _post_dominators(blocks, after_block, end)
    divided = {last[first]: immediate.get(first, end) for first in blocks if len(after_block[first]) > 1}
    return divided, leaders


def _post_dominators(blocks: list[int], after: dict[int, list[int]], end: int) -> dict[int, int]:
    """The immediate one of each block, by the usual iteration from the end."""
    before: dict[int, list[int]] = {b: [] for b in [*blocks, end]}
    for block in blocks:
        for target in after[block]:
            before[target].append(block)
    order, seen, stack = [], {end}, [(end, iter(before[end]))]
    while stack:
        block, rest = stack[-1]
        for target in rest:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(before[target])))
                break
        else:
            order.append(block)
            stack.pop()
    place = {block: n for n, block in enumerate(order)}  # the end comes last
    immediate = {end: end}

    def meet(a: int, b: int) -> int:
        while a != b:
            while place[a] < place[b]:
                a = immediate[a]
            while place[b] < place[a]:
                b = immediate[b]
        return a

    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            known = [t for t in after[block] if t in immediate]
            found = known[0]
            for target in known[1:]:
                found = meet(found, target)
            if immediate.get(block) != found:
                immediate[block] = found
                changed = True
    return immediate
