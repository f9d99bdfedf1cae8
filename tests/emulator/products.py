"""Products of warpgroups, which run beside the threads.

Each warp's quarter of 64 rows counts as an operation of its own. It is done, in the order in which they were issued, at any
time before the wait that covers it; its registers may not be touched, nor its factors be written, before that wait.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from .decode import instruction
from .errors import EmulationError, Hazard
from .fragments import ELEMENTS, exact, left_matrix, plus, sum_places
from .memory import PIECE, SHARED_BASE
from .warp import FULL, Gathering

SWIZZLED = {1: 128, 2: 64, 3: 32}  # bytes of a row by the mode in a descriptor


@lru_cache(maxsize=4096)
def places(descriptor: int, first: int, lines: int, depth: int, size: int, turned: bool) -> tuple[np.ndarray, np.ndarray]:
    """Where the elements of a factor lie in shared memory, in elements, as (line, depth); and the pieces that they lie in.

    `turned`: lines are adjacent, not what is summed over. `first`: the line to begin with.
    """
    start = (descriptor & 0x3FFF) << 4
    leading, stride = (descriptor >> 16 & 0x3FFF) << 4, (descriptor >> 32 & 0x3FFF) << 4
    if descriptor >> 49 & 7:
        raise EmulationError("a descriptor with a base offset")
    width = SWIZZLED.get(descriptor >> 62)
    line, k = np.meshgrid(np.arange(first, first + lines), np.arange(depth), indexing="ij")
    if width is None:  # blocks of eight rows of 16 bytes
        across, along = (k, line) if turned else (line, k)
        piece, within = along * size // 16, along * size % 16
        between = (stride, leading) if turned else (leading, stride)
        at = across % 8 * 16 + across // 8 * between[1] + piece * between[0] + within
    elif turned:
        at = line * size % width + line * size // width * leading + k % 8 * width + k // 8 * stride
    else:
        if depth * size != 32:
            raise EmulationError("an instruction sums over 32 bytes")
        at = line % 8 * width + line // 8 * stride + k * size
    at = start + at
    if width:
        at ^= (at >> 7 & width // 16 - 1) << 4
    where = at - SHARED_BASE
    if where.min() < 0:
        raise EmulationError(f"a descriptor leads below shared memory: {descriptor:#x}")
    return where // size, np.unique(where // PIECE)


class Product:
    """The quarter of one warp."""

    def __init__(self, warp, plan, left, right, keeps):
        self.warp, self.plan, self.left, self.right, self.keeps = warp, plan, left, right, keeps
        self.done, self.committed = False, 0  # the number of its group
        quarter = warp.number % 4 * 16
        self.sources, self.pieces = [], []
        size = np.dtype(ELEMENTS[plan.kinds[0]]).itemsize
        for descriptor, first, lines, turned in ((left, quarter, 16, plan.turned[0]), (right, 0, plan.columns, plan.turned[1])):
            if descriptor is None:
                self.sources.append(None)
                continue
            where, pieces = places(descriptor, first, lines, plan.depth, size, turned)
            if (int(pieces[-1]) + 1) * PIECE > warp.block.memory.shared.size:
                raise EmulationError(f"a descriptor leads out of shared memory: {descriptor:#x}")
            self.sources.append(where)
            self.pieces.append(pieces)
        for pieces in self.pieces:
            warp.block.memory.shared.product_begins(pieces)

    def work(self) -> None:
        """Reads the factors and adds their product to the sums."""
        self.done = True
        plan, warp = self.plan, self.warp
        memory, words = warp.block.memory.shared, warp.files[32]
        left, right = (None if s is None else self._factor(memory, s, kind) for s, kind in zip(self.sources, plan.kinds))
        if left is None:
            left = left_matrix(words[plan.left_rows], plan.kinds[0])
        product = (left @ right.T)[sum_places(len(plan.sum_rows))]
        sums = words[plan.sum_rows].view(plan.sum)
        words[plan.sum_rows] = (plus(sums, product) if self.keeps else plus(np.zeros_like(sums), product)).view(np.uint32)

    def _factor(self, memory, source, kind):
        dtype = np.dtype(ELEMENTS[kind])
        return exact(memory.views[dtype.itemsize][source].view(dtype), kind)

    def end(self) -> None:
        for pieces in self.pieces:
            self.warp.block.memory.shared.product_ends(pieces)


class Plan:
    """What does not change from one run of an instruction to the next."""


@instruction("wgmma")
def _(d, i):
    name = i.parts[1]
    if name == "fence":
        return aligned(fence)
    if name == "commit_group":
        return aligned(commit)
    if name == "wait_group":
        most = d.literal(i.operands[0])
        return aligned(lambda w, m: wait(w, most))
    return aligned(multiply(d, i))


def aligned(operation):
    """All lanes of the warp run it together."""

    def run(w, m):
        return operation(w, m) if w.group.lanes == w.live == FULL else Gathering(FULL)

    return run


def fence(w, m):
    w.ran.clear()


def commit(w, m):
    w.product_groups += 1
    for product in w.products:
        if not product.committed:
            product.committed = w.product_groups


def wait(w, most):
    """Until at most so many groups are under way."""
    last = w.product_groups - most
    over = [p for p in w.products if p.committed and p.committed <= last]
    for product in over:
        if not product.done:
            product.work()
        product.end()
    if over:
        w.products = w.products[len(over) :]
        w.busy = frozenset().union(*(p.plan.touched for p in w.products))


def multiply(d, i):
    shape = re.fullmatch(r"m64n(\d+)k(\d+)", i.parts[4])
    plan = Plan()
    plan.columns, plan.depth, plan.kinds = int(shape[1]), int(shape[2]), i.parts[6:8]
    plan.sum = {"f32": np.float32, "s32": np.int32}[i.parts[5]]
    sums, left, right, keep = [d.vector(o) for o in i.operands[:4]]
    rest = [d.literal(o) for o in i.operands[4:]]
    if rest[:2] not in ([], [1, 1]):
        raise EmulationError(i.text)
    plan.sum_rows = np.array([d.row_of(d.target(s, i.parts[5], i)) for s in sums])
    held = len(left) > 1
    plan.left_rows = np.array([d.row_of(d.source(a, "b32", i)) for a in left]) if held else None
    flags = [bool(f) for f in rest[2:]]
    plan.turned = (False, *flags, False)[:2] if held else (*flags, False, False)[:2]
    left_row, right_row = None if held else d.source(left[0], "b64", i), d.source(right[0], "b64", i)
    keep = d.source(keep[0], "pred", i)
    plan.touched = frozenset(32 << 20 | int(row) for row in [*plan.sum_rows, *([] if plan.left_rows is None else plan.left_rows)])
    plan.sums = frozenset(32 << 20 | int(row) for row in plan.sum_rows)
    if len(sums) != plan.columns // 2:
        raise EmulationError(i.text)
    d.reads, d.writes = set(), set()  # looked after here
    plan.number = d.at

    def run(w, m):
        a = None if left_row is None else same(w.rows[left_row])
        b, keeps = same(w.rows[right_row]), same(w.rows[keep])
        check_registers(w, plan)
        agree(w, (plan.number, a, b, keeps))
        w.products.append(Product(w, plan, a, b, keeps))
        w.busy = w.busy | plan.touched

    return run


def same(row: np.ndarray) -> int:
    """What all lanes agree on."""
    value = row[0]
    if (row != value).any():
        raise EmulationError("lanes disagree about an operand of a product")
    return int(value)


def check_registers(w, plan) -> None:
    """What is read was written before the last fence, or by products of the same form."""
    for other in w.products:
        if not other.plan.touched.isdisjoint(plan.touched):
            if not other.plan.sums.isdisjoint(plan.touched - plan.sums) or not plan.sums.isdisjoint(other.plan.touched - other.plan.sums):
                raise Hazard("a factor in registers is a sum of a product under way")
            if other.plan.sums != plan.sums and not other.plan.sums.isdisjoint(plan.sums):
                raise Hazard("sums of another form are under way")
    for first, last in reversed([*w.ran, (w.first, plan.number - 1)]):
        fenced, written = w.block.program.written(first, last)
        if not written.isdisjoint(plan.touched):
            names = ", ".join(w.program.names(written & plan.touched))
            raise Hazard(f"registers of a product were written after the last wgmma.fence ({names})")
        if fenced:
            break


def agree(w, product: tuple) -> None:
    """The four warps of a warpgroup issue the same products."""
    w.issued += 1
    seen = w.block.issued.setdefault(w.number // 4, [])
    if len(seen) < w.issued:
        seen.append(product)
    elif seen[w.issued - 1] != product:
        raise EmulationError(f"warps of a warpgroup issue different products: {seen[w.issued - 1]} and {product}")
