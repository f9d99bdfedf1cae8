"""Which loaded tiles wait in shared memory, because a kernel keeps more of them than registers hold.

A row that is normalised is wanted twice: for its sum, and when the sum is known. What does not fit into registers would be read from
memory a second time; but shared memory is as large as the registers are, and kernels without products leave it unused.
A tile may be loaded anew in each round of a loop, as the rows of a block are that takes one after the other: then it has its place
for all of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator

from tile2cpp import ir
from tile2cpp.types import Array, Tile

LOADS = ("load", "view_load")
MOST_AXES = 2
PIECE_BYTES = 16  # that are copied at once
REGISTER_BYTES = 4

Line = tuple[int, int]  # of the kernel, and of the loop that stands there; -1 outside of loops


@dataclass
class Kept:
    """Variables that hold one loaded tile after the other: the first one, the tile's type, the lines that load it and those that ask for it."""

    name: str
    tile: Tile
    loads: dict[str, Line] = field(default_factory=dict)
    asked: list[Line] = field(default_factory=list)

    @property
    def loop(self) -> int | None:
        """The line of the loop that loads it anew."""
        return next((line for line, inner in self.loads.values() if inner >= 0), None)

    @property
    def reloaded(self) -> int:
        return max(inner for _, inner in self.loads.values())

    def is_orderly(self) -> bool:
        """Whether it is loaded once, and once more at most in each round of one loop: then it is asked for in that loop only, and before that."""
        outside = [line for line, inner in self.loads.values() if inner < 0]
        if len(outside) != 1 or len(self.loads) > 2 or not self.asked or min(self.asked)[0] <= outside[0]:
            return False
        return self.loop is None or all(line == self.loop and 0 <= inner < self.reloaded for line, inner in self.asked)


def plan(kernel: ir.Kernel, slots: Callable[[Tile], int], vector: int, registers: int, room: int) -> tuple[tuple[tuple[str, int], ...], int]:
    """The variables whose tiles are parked, each with the number of its place, and the bytes of a place; none where registers suffice.

    `slots(tile)`: elements that one thread holds; `registers` of a thread that tiles may take while they wait; `room`: bytes of shared memory.
    All are of one size, and all are on their way before the first one is asked for.
    """
    kept = [k for k in _kept(kernel.main.body) if k.tile.dtype.bits * vector == 8 * PIECE_BYTES]
    if sum(slots(k.tile) * k.tile.dtype.bytes for k in kept) <= registers * REGISTER_BYTES:
        return (), 0
    alike = [k for k in kept if (k.tile, k.loop) == (kept[-1].tile, kept[-1].loop)]
    size = kept[-1].tile.size * kept[-1].tile.dtype.bytes
    parked: list[Kept] = []
    for one in reversed(alike[-(room // size) :] if room >= size else []):
        if not _together([one, *parked]):
            break
        parked.insert(0, one)
    return tuple((name, place) for place, k in enumerate(parked) for name in k.loads), size if parked else 0


def _together(kept: list[Kept]) -> bool:
    """Whether all of them are loaded before the first one is asked for, in each round too, and always in the same order."""
    first = [min(k.loads.values()) for k in kept]
    if max(first)[0] >= min(min(k.asked) for k in kept)[0] or first != sorted(first):
        return False
    again = [k.reloaded for k in kept]
    return kept[0].loop is None or (again == sorted(again) and max(min(k.asked)[1] for k in kept) < again[0])


def _kept(body: tuple) -> list[Kept]:
    """All that are orderly, and asked for more than once or loaded anew, in the order of their first loads."""
    lines = list(_lines(body))
    groups = _groups([stmt for _, stmt in lines])
    found = {group: Kept(group, None) for group in dict.fromkeys(groups.values())}
    spoilt = set()
    made = Counter(stmt.name for _, stmt in lines if isinstance(stmt, ir.Let))
    for line, stmt in lines:
        value = getattr(stmt, "value", None)
        group = groups.get(getattr(stmt, "name", None)) if isinstance(stmt, (ir.Let, ir.Set, ir.Declare)) else None
        if group is not None and isinstance(stmt, ir.Let) and _is_load(value) and made[stmt.name] == 1:
            found[group].loads[stmt.name] = line
            found[group].tile = value.type
        elif group is not None and not _is_copy(stmt):
            spoilt.add(group)
        if not _is_copy(stmt):
            for name in {e.name for root in _all_roots(stmt) for e in ir.walk(root) if isinstance(e, ir.Name)} & groups.keys():
                found[groups[name]].asked.append(line)
        for name in _changed_inside(stmt) & groups.keys():
            spoilt.add(groups[name])
    wanted = [k for name, k in found.items() if name not in spoilt and k.loads and k.is_orderly() and (len(k.asked) > 1 or k.loop is not None)]
    return sorted(wanted, key=lambda k: min(k.loads.values()))


def _lines(body: tuple) -> Iterator[tuple[Line, Any]]:
    """The statements of the kernel and of its outermost loops, each with its line; a loop itself counts for its bounds only."""
    for line, stmt in enumerate(body):
        yield (line, -1), stmt
        if isinstance(stmt, ir.For):
            yield from (((line, inner), s) for inner, s in enumerate(stmt.body))


def _all_roots(stmt: Any) -> list[Any]:
    """The expressions of a statement, and of those inside it that have no line of their own."""
    inside = () if isinstance(stmt, ir.For) else tuple(s for block in ir.blocks(stmt) for s in ir.statements(block))
    return [root for s in (stmt, *inside) for root in ir.roots(s)]


def _changed_inside(stmt: Any) -> set[str]:
    """The variables that branches and inner loops set; a loop with lines of its own has none."""
    if isinstance(stmt, ir.For):
        return {s.name for inner in stmt.body for block in ir.blocks(inner) for s in ir.statements(block) if isinstance(s, (ir.Let, ir.Set))}
    return {s.name for block in ir.blocks(stmt) for s in ir.statements(block) if isinstance(s, (ir.Let, ir.Set))}


def _is_copy(stmt: Any) -> bool:
    return isinstance(stmt, (ir.Let, ir.Set)) and isinstance(stmt.value, ir.Name) and bool(stmt.value.type.shape)


def _groups(statements: list[Any]) -> dict[str, str]:
    """The tile variables that are loaded or copied, each with the first of those that it shares its tiles with."""
    first: dict[str, str] = {}

    def root(name: str) -> str:
        while first.setdefault(name, name) != name:
            name = first[name]
        return name

    for stmt in statements:
        if _is_copy(stmt):
            one, other = root(stmt.value.name), root(stmt.name)
            first[other] = one
        elif isinstance(stmt, ir.Let) and _is_load(stmt.value):
            root(stmt.name)
    return {name: root(name) for name in list(first)}


def _is_load(value: Any) -> bool:
    """Whether a value is a whole tile of a parameter that is an array, of one or two axes as it lies there."""
    if not isinstance(value, ir.Call) or value.op.name not in LOADS:
        return False
    arguments = dict(value.arguments)
    source = arguments.get("array", arguments.get("view"))
    array = source.array if isinstance(source, ir.ViewName) else source
    if not isinstance(array, ir.ArrayName) or not isinstance(array.type, Array) or not 0 < array.type.ndim <= MOST_AXES:
        return False
    plain = getattr(arguments.get("memory_order", "WEAK"), "name", arguments.get("memory_order", "WEAK")) == "WEAK"
    return plain and bool(value.type.shape) and arguments.get("order") in (None, tuple(range(array.type.ndim)))
