"""Where a block is in the grid, and how many tiles cover an array."""

from __future__ import annotations

import numpy as np

from tile2cpp import dtypes
from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.rules import describe, dtype_of, integral, pair, tile_shape
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile, Weak


def _grid_axis(axis) -> Tile:
    if isinstance(axis, bool) or axis not in (0, 1, 2):
        raise Reject("axis", f"`axis` must be the constant 0, 1 or 2, not {describe(axis)}")
    return Tile(dtypes.int32)


def _component(function: str):
    """A component of bid() or num_blocks(); they are unsigned in C++, so a signed copy is taken."""

    def spell(call, c):
        component = f"ct::{function}().{'xyz'[call['axis']]}"
        return Spelled(f"int({component})", bare=component)

    return spell


@op(cpp=_component("bid"), numpy=lambda axis, block: np.int32(block.index[axis]), nonnegative="always")
def bid(axis: Const) -> Tile:
    """Index of this block along `axis` (0, 1 or 2) of the grid, an int32 scalar."""
    return _grid_axis(axis)


@op(cpp=_component("num_blocks"), numpy=lambda axis, block: np.int32(block.count[axis]), nonnegative="always")
def num_blocks(axis: Const) -> Tile:
    """Number of blocks along `axis` (0, 1 or 2) of the grid, an int32 scalar."""
    return _grid_axis(axis)


def _spell_num_tiles(call, c) -> Spelled:
    axis = call["axis"]
    extent = call["order"][axis]
    return Spelled(f"ct::ceildiv({c.extent(call['array'], extent)}, {c.number(call['shape'][axis])})")


def order_of(order, rank: int) -> tuple[int, ...]:
    """A permutation of the axes: "C", "F", or a tuple."""
    if order == "C":
        return tuple(range(rank))
    if order == "F":
        return tuple(reversed(range(rank)))
    if isinstance(order, tuple):
        order = tuple(a + rank if type(a) is int and -rank <= a < 0 else a for a in order)
    twice = [a for i, a in enumerate(order) if a in order[:i]] if isinstance(order, tuple) else []
    if twice:
        why = f"`order` must name each axis once, but it is {order}"
        raise Reject("order", why, known_as=f"Axis order must be a permutation, but axis {twice[0]} is used at least twice")
    if not isinstance(order, tuple) or sorted(order) != list(range(rank)):
        raise Reject("order", f'`order` must be "C", "F" or a permutation of {tuple(range(rank))}, not {describe(order)}', known_as=_order_known_as(order, rank))
    return order


def _order_known_as(order, rank: int) -> str:
    if not isinstance(order, tuple):
        return f"Expected 'C' or 'F', got {order!r}"
    beyond = [axis for axis in order if isinstance(axis, int) and not -rank <= axis < rank]
    return f"Axis {beyond[0]} is out of range for rank {rank}" if beyond else ""


@op(
    cpp=_spell_num_tiles,
    numpy=lambda array, axis, shape, order: np.int32(-(-array.shape[order[axis]] // shape[axis])),
    nonnegative="always",
)
def num_tiles(array: Array, /, axis: Const, shape: Shape, order: Const = "C") -> Tile:
    """Number of tiles of `shape` that cover `array` along `axis`: `ceil(extent / tile extent)`."""
    if len(shape) != array.ndim:
        raise Reject("shape", f"`shape` has {len(shape)} extent{'s' * (len(shape) != 1)}, but the array has {array.ndim} dimension{'s' * (array.ndim != 1)}", hint="give one extent for each dimension")
    if isinstance(axis, bool) or not isinstance(axis, int) or not -array.ndim <= axis < array.ndim:
        raise Reject("axis", f"axis {describe(axis)} does not exist in an array of {array.ndim} dimension{'s' * (array.ndim != 1)}", hint=f"the axes are numbered from 0 to {array.ndim - 1}")
    tile_shape("shape", shape)
    return Typed(Tile(array.index_dtype), constants={"order": order_of(order, array.ndim), "axis": axis % array.ndim})


def _tiles_of_view(call, c) -> Spelled:
    view, axis = call["view"], call["axis"]
    return Spelled(f"ct::ceildiv({c.extent(view.array, axis)}, {c.number((view.type.steps or view.shape)[axis])})")


@op(
    name="view_num_tiles", public=False, owner="view", method="num_tiles", nonnegative="always",
    cpp=_tiles_of_view, numpy=lambda view, axis: np.int32(-(-view.array.shape[axis] // (view.steps or view.shape)[axis])),
)  # fmt: skip
def view_num_tiles(view: View, /, axis: Const) -> Tile:
    """Number of tiles of the view along `axis`."""
    if isinstance(axis, bool) or not isinstance(axis, int) or not -view.array.ndim <= axis < view.array.ndim:
        raise Reject("axis", f"`axis` must be a constant from 0 to {view.array.ndim - 1}, not {describe(axis)}")
    return Typed(Tile(view.array.index_dtype), constants={"axis": axis % view.array.ndim})


def _ceil_divide(x, y):
    with np.errstate(all="ignore"):
        return x // y + (x % y != 0)  # negating would wrap for unsigned


def _host_cdiv(x: int, y: int) -> int:
    """`ceil(x / y)` on the host."""
    return -(-x // y)


@op(cpp="ct::ceildiv({x}, {y})", numpy=_ceil_divide, nonnegative="operands", host=_host_cdiv)
def cdiv(x: Tile, y: Tile, /) -> Tile:
    """`x / y` rounded up, for integers. Also works on the host."""
    integral("x", x)
    integral("y", y)
    result, operands = pair(x, y)
    return Typed(result, operands)


def _spell_assume(call, c) -> Spelled:
    """C++ takes powers of two: the largest one in the divisor is what addresses gain from."""
    power = call["divisor"] & -call["divisor"]
    return Spelled(f"ct::assume_divisible<{power}>({c(call['x'])})") if power > 1 else c.spelled(call["x"])


@op(cpp=_spell_assume, numpy=lambda x, divisor: x, nonnegative="operands")
def assume_divisible_by(x: Tile, divisor: Const) -> Tile:
    """`x`, of which the compiler may assume that it is a multiple of the constant `divisor`."""
    if dtype_of(x).kind not in ("int", "uint"):
        raise Reject("x", f"`x` must be an integer, but it is {describe(x)}", known_as=f"`assume_divisible_by` requires an integer scalar, got {x}")
    if isinstance(divisor, bool) or not isinstance(divisor, int):
        raise Reject("divisor", f"`divisor` must be a constant integer, not {describe(divisor)}", known_as="Expected an integer constant")
    if divisor < 1:
        raise Reject("divisor", f"`divisor` must be positive, not {divisor}", known_as=f"`assume_divisible_by` requires a positive divisor, got {divisor}")
    if isinstance(x, Weak) and x.value % divisor:
        known_as = f"Value {x.value} is not divisible by {divisor}: `assume_divisible_by` contradicts a known constant"
        raise Reject("x", f"the constant {x.value} is not a multiple of {divisor}", known_as=known_as)
    return Typed(Tile(dtype_of(x), x.shape), {"x": Tile(dtype_of(x), x.shape)})


def _dependency(name: str, summary: str) -> None:
    """Programmatic dependent launch has no spelling in canonical Tile C++, and nothing is written for it.

    Whatever runs the file waits at the start of every kernel for the one before it, and lets the one behind it
    begin when all blocks have begun, if the kernel says anywhere that it may, and the other's launch asks for that.
    """

    def rule() -> None:
        return None

    rule.__name__, rule.__doc__ = name, summary
    op(cpp="", numpy=lambda: None)(rule)


_dependency("grid_dependency_control_wait", "Wait for the kernels that this one depends on; all kernels do so where they start.")
_dependency("grid_dependency_control_launch_dependents", "Let dependent kernels start early: when all blocks have started, wherever it is written.")
