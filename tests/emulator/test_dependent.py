"""Launches that may begin before the kernels in front of them have ended: these are waited for before anything is read."""

import numpy as np
import pytest

import tile2cpp.lang as ct
from tile2cpp.build import nvrtc

from . import EmulationError, Launch, Policy
from .access import space_of

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")
WAIT, GO_ON = "griddepcontrol.wait", "griddepcontrol.launch_dependents"


@ct.kernel
def shifted(x, y, T: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (T,)) + ct.load(x, (0,), (1,)))


@ct.kernel
def letting(x, y, T: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (T,)) + ct.load(x, (0,), (1,)))
    let_others_begin()


def let_others_begin():
    ct.grid_dependency_control_launch_dependents()


@ct.kernel
def rows(x, y, T: ct.Constant[int]):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        tile = ct.load(x, (row, 0), (1, T))
        ct.store(y, (row, 0), tile / ct.sum(tile))


@ct.kernel
def product(a, b, c, T: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    total = ct.zeros((T, T), ct.float32)
    for k in range(ct.cdiv(a.shape[1], T)):
        total = ct.mma(ct.load(a, (i, k), (T, T)), ct.load(b, (k, j), (T, T)), total)
    ct.store(c, (i, j), total.astype(c.dtype))


def halves(*shape):
    return np.ones(shape, "e")


CASES = {
    "shifted": (shifted, (np.ones(2048, "f"), np.zeros(2048, "f"), 1024), (2,)),
    "letting": (letting, (np.ones(2048, "f"), np.zeros(2048, "f"), 1024), (2,)),
    "rows": (rows, (np.ones((4, 512), "f"), np.zeros((4, 512), "f"), 512), (2,)),
    "a small product": (product, (halves(64, 64), halves(64, 64), halves(64, 64), 32), (2, 2)),
    "a product of warpgroups": (product, (halves(256, 256), halves(256, 256), halves(256, 256), 128), (2, 2)),
}
every_case = pytest.mark.parametrize("case", CASES)


def reaches_memory(instruction):
    """Copies and accesses of arrays; not the barriers of a block."""
    opcode = instruction.opcode
    return opcode.startswith(("ld", "st", "atom", "red", "cp.")) and (space_of(instruction) in ("global", "generic") or ".global" in opcode)


@every_case
def test_nothing_is_read_before_the_wait(case):
    kernel, args, _ = CASES[case]
    instructions = Launch(kernel, args).program.module.instructions
    opcodes = [i.opcode for i in instructions]
    assert opcodes.count(WAIT) == 1
    assert opcodes.index(WAIT) < next(n for n, i in enumerate(instructions) if reaches_memory(i))


@every_case
def test_the_next_kernel_may_begin_where_the_author_lets_it(case):
    """Else not: blocks that say so begin half as fast. And behind the wait: it may be one that reads what the kernels before this one wrote."""
    kernel, args, _ = CASES[case]
    opcodes = [i.opcode for i in Launch(kernel, args).program.module.instructions]
    assert opcodes.count(GO_ON) == (case == "letting")
    assert GO_ON not in opcodes or opcodes.index(WAIT) < opcodes.index(GO_ON)


def test_a_kernel_that_does_not_wait_is_found():
    kernel, args, grid = CASES["letting"]
    Launch(kernel, args).run(args, grid, Policy.drawn(0))
    hasty = Launch(kernel, args, lambda text: text.replace(f"{WAIT};", ""))
    with pytest.raises(EmulationError, match="before it waits"):
        hasty.run(args, grid, Policy.drawn(0))
