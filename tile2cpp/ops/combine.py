"""Reductions and scans with a function of the author's own.

Canonical Tile C++ folds with the functions it knows, and no others. All operations of a
combining function are elementwise, so the function is written once for tiles of any
shape, and a small recursion applies it to whole parts of the tile: halves are combined
until one element is left (`reduce`, in no fixed order), or blocks of twice the length are
made of two until the axis is one block (`scan`, in order).
"""

from __future__ import annotations

import math

import numpy as np

from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.reduce import reduced
from tile2cpp.ops.rules import arithmetic, axis_in, constant_bool, describe, dtype_of
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile, broadcast_shapes

FOLD_HALVES = """\
// Combines the halves of an axis of `Length` elements until one is left; {around} it.
template <int Before, int Length{after_parameter}, {classes}, class Combine>
__tile__ auto {{name}}({parameters}, Combine combine) {{{{
  using half = ct::shape<Before, Length / 2{after}>;
  auto combined = combine(
      {firsts},
      {seconds});
  if constexpr (Length == 2) {{{{
    return combined;
  }}}} else {{{{
{again}
  }}}}
}}}}"""

SCAN_BLOCKS = """\
// Joins blocks of an axis two by two: what one amounts to is combined into every element of the other.
template <int Before, int Block, int Length, int After, {classes}, class Combine>
__tile__ auto {{name}}({parameters}, Combine combine) {{{{
  using split = ct::shape<Before * Length / (2 * Block), 2, Block, After>;
  using half = ct::shape<Before * Length / (2 * Block), 1, Block, After>;
  using edge = ct::shape<Before * Length / (2 * Block), 1, 1, After>;
{splits}
  auto {combined} = combine(
      {totals},
      {others});
{joined}
  if constexpr (2 * Block == Length) {{{{
    return {result};
  }}}} else {{{{
    return {{name}}<Before, 2 * Block, Length, After>({tiles}, combine);
  }}}}
}}}}"""

SCAN_TURNED = """\
// A scan along one of the last axes: inside blocks of `Block` elements with the tile turned, so that the blocks lie
// side by side, then block by block.
template <int Before, int Block, int Length, int After, {classes}, class Combine>
__tile__ auto {{name}}({parameters}, Combine combine) {{{{
  constexpr int blocks = Before * Length / Block;
  using turn = ct::dimension_map<1, 0, 2>;
{turned}
  auto {scanned} = {blocks_name}<1, 1, Block, blocks * After>({turned_tiles}, combine);
{back}
  if constexpr (Block == Length) {{{{
    return {result};
  }}}} else {{{{
    return {blocks_name}<Before, Block, Length, After>({back_tiles}, combine);
  }}}}
}}}}"""

TURNED_BLOCK = 32  # elements; from this many elements after the axis on, nothing is turned


def _names(letter: str, count: int) -> list[str]:
    return [letter] if count == 1 else [f"{letter}{i}" for i in range(count)]


def _classes(tiles: list[str]) -> str:
    return ", ".join(f"class X{t[1:]}" for t in tiles)


def _parameters(tiles: list[str]) -> str:
    return ", ".join(f"X{t[1:]} {t}" for t in tiles)


def fold_halves(count: int, inner: bool) -> str:
    """The recursion of `reduce` over `count` tiles; `inner`: elements lie after the axis, too."""
    tiles, parts = _names("x", count), _names("c", count)
    after, zero = (", After", ", 0") if inner else ("", "")
    call = f"return {{name}}<Before, Length / 2{after}>"
    unpacked = f"    auto [{', '.join(parts)}] = combined;\n    {call}({', '.join(parts)}, combine);"
    return FOLD_HALVES.format(
        around="`Before` and `After` are the numbers of elements around" if inner else "`Before` is the number of rows along",
        after_parameter=", int After" if inner else "",
        after=after,
        classes=_classes(tiles),
        parameters=_parameters(tiles),
        firsts=", ".join(f"ct::extract({t}, half{{{{}}}}, 0, 0{zero})" for t in tiles),
        seconds=", ".join(f"ct::extract({t}, half{{{{}}}}, 0, 1{zero})" for t in tiles),
        again=f"    {call}(combined, combine);" if count == 1 else unpacked,
    )


def _made(names: list[str]) -> str:
    """Tiles as one result."""
    if len(names) == 1:
        return names[0]
    return f"scanned_{len(names)}<{', '.join(f'decltype({n})' for n in names)}>{{{{{', '.join(names)}}}}}"


def scan_blocks(count: int, reverse: bool) -> str:
    """The recursion of `scan` over `count` tiles, from either end."""
    tiles, parts = _names("x", count), _names("c", count)
    lines = []
    for t in tiles:
        lines.append(f"  auto split_{t} = ct::reshape({t}, split{{{{}}}});")
        lines.append(f"  auto first_{t} = ct::extract(split_{t}, half{{{{}}}}, 0, 0, 0, 0);")
        lines.append(f"  auto second_{t} = ct::extract(split_{t}, half{{{{}}}}, 0, 1, 0, 0);")
    source, other, place = ("second", "first", "0") if reverse else ("first", "second", "Block - 1")
    joined = [f"  auto joined_{t} = ct::cat({p}, second_{t}, 1_ic);" if reverse else f"  auto joined_{t} = ct::cat(first_{t}, {p}, 1_ic);" for t, p in zip(tiles, parts)]
    made = [f"joined_{t}" for t in tiles]
    return SCAN_BLOCKS.format(
        classes=_classes(tiles),
        parameters=_parameters(tiles),
        splits="\n".join(lines),
        combined=parts[0] if count == 1 else f"[{', '.join(parts)}]",
        totals=", ".join(f"ct::broadcast(ct::extract({source}_{t}, edge{{{{}}}}, 0, 0, {place}, 0), half{{{{}}}})" for t in tiles),
        others=", ".join(f"{other}_{t}" for t in tiles),
        joined="\n".join(joined),
        result=_made(made),
        tiles=", ".join(made),
    )


def scan_turned(count: int, blocks_name: str) -> str:
    """The recursion applied to a turned tile first."""
    tiles, parts = _names("x", count), _names("s", count)
    turned = [f"  auto turned_{t} = ct::permute(ct::reshape({t}, ct::shape<blocks, Block, After>{{{{}}}}), turn{{{{}}}});" for t in tiles]
    back = [f"  auto back_{t} = ct::permute(ct::reshape({p}, ct::shape<Block, blocks, After>{{{{}}}}), turn{{{{}}}});" for t, p in zip(tiles, parts)]
    return SCAN_TURNED.format(
        classes=_classes(tiles),
        parameters=_parameters(tiles),
        turned="\n".join(turned),
        turned_tiles=", ".join(f"turned_{t}" for t in tiles),
        scanned=parts[0] if count == 1 else f"[{', '.join(parts)}]",
        back="\n".join(back),
        back_tiles=", ".join(f"back_{t}" for t in tiles),
        result=_made([f"back_{t}" for t in tiles]),
        blocks_name=blocks_name,
    )


def scanned(count: int) -> str:
    """What `scan` of several tiles gives."""
    classes = ", ".join(f"class X{i}" for i in range(count))
    fields = " ".join(f"X{i} item{i};" for i in range(count))
    return f"template <{classes}>\nstruct {{name}} {{{{ {fields} }}}};"


def _around(shape: tuple[int, ...], axis: int) -> tuple[int, int, int]:
    return math.prod(shape[:axis]), int(shape[axis]), math.prod(shape[axis + 1 :])


def reduced_shape(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """The shape in which the C++ recursion of `reduce` leaves its result."""
    before, _, after = _around(shape, axis)
    return (before, 1) if after == 1 else (before, 1, after)


def scanned_shape(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """The shape in which the C++ recursion of `scan` leaves its result."""
    before, length, after = _around(shape, axis)
    if after < TURNED_BLOCK and length <= TURNED_BLOCK:
        return before, length, after
    return before, 2, length // 2, after


def combiner(call, c) -> str:
    """The author's function as an argument: a lambda that hands on what the function captures."""
    func, count = call["func"], len(call["x"])
    taken = [c.unused(name) for side in ("left", "right") for name in _names(side, count)]
    captured = [c.converting(a) for a in func.arguments]
    heading = ", ".join(f"auto {name}" for name in taken)
    return f"[{'=' if captured else ''}]({heading}) {{ return {func.helper}({', '.join([*captured, *taken])}); }}"


def _spell_reduce(call, c) -> Spelled:
    from tile2cpp.ops.shape import respell

    tiles, axis = call["x"], call["axis"]
    before, length, after = _around(tuple(tiles[0].type.shape), axis)
    whole = (before, length) if after == 1 else (before, length, after)
    ending = ("" if after == 1 else "_inside") + ("" if len(tiles) == 1 else f"_of_{len(tiles)}")
    name = c.snippet(f"fold_halves{ending}", fold_halves(len(tiles), after > 1))
    numbers = ", ".join(str(n) for n in whole)
    text = f"{name}<{numbers}>({', '.join(respell(t, whole, c).text for t in tiles)}, {combiner(call, c)})"
    return Spelled(text, shape=reduced_shape(tuple(tiles[0].type.shape), axis))


def _spell_scan(call, c) -> Spelled:
    tiles, axis = call["x"], call["axis"]
    count, shape = len(tiles), tuple(tiles[0].type.shape)
    ending = ("_backward" if call["reverse"] else "") + ("" if count == 1 else f"_of_{count}")
    if count > 1:
        c.snippet(f"scanned_{count}", scanned(count))
    name = c.snippet(f"scan_blocks{ending}", scan_blocks(count, call["reverse"]))
    before, length, after = _around(shape, axis)
    block = 1
    if after < TURNED_BLOCK:
        name = c.snippet(f"scan_turned{ending}", scan_turned(count, name))
        block = min(length, TURNED_BLOCK)
    text = f"{name}<{before}, {block}, {length}, {after}>({', '.join(c(t) for t in tiles)}, {combiner(call, c)})"
    return Spelled(text, shape=scanned_shape(shape, axis))


# --- rules --------------------------------------------------------------------------


def _common(x: tuple, identity) -> tuple[Tile, ...]:
    """The tiles in their common shape."""
    if not x:
        raise Reject("x", "`x` must be a tile, or a tuple of tiles")
    shape: tuple[int, ...] = ()
    for tile in x:
        arithmetic(("x", tile))
        shape = broadcast_shapes(shape, tile.shape, "x")
    if not shape:
        raise Reject("x", "a scalar has no axis")
    identities = identity if isinstance(identity, tuple) else (identity,)
    if len(identities) != len(x):
        raise Reject("identity", f"there must be one identity for each tile, {len(x)}, but this is {describe(identity)}")
    for number in identities:
        if not isinstance(number, (bool, int, float)):
            raise Reject("identity", f"`identity` must be a constant number for each tile, not {describe(number)}")
    return tuple(Tile(dtype_of(tile), shape) for tile in x)


def _columns(x: tuple, axis: int) -> list[tuple]:
    """The operands of a fold, one after another: for each position along `axis`, the elements of all tiles."""
    moved = [np.moveaxis(tile, axis, 0) for tile in x]
    return list(zip(*(list(tile.reshape(tile.shape[0], -1)) for tile in moved)))


def _reduce_numpy(x, axis, func, result):
    first, *rest = _columns(x, axis)
    for column in rest:
        first = func(*first, *column)
    return tuple(np.asarray(part).reshape(tile.shape) for part, tile in zip(first, result))


def _scan_numpy(x, axis, func, reverse, result):
    columns = _columns(x, axis)
    columns = columns[::-1] if reverse else columns
    made = columns[:1]
    for column in columns[1:]:
        made.append(func(*made[-1], *column))
    made = made[::-1] if reverse else made
    rest = tuple(e for i, e in enumerate(x[0].shape) if i != axis)
    return tuple(np.moveaxis(np.stack(part).reshape(len(made), *rest), 0, axis) for part in zip(*made))


@op(cpp=_spell_reduce, numpy=_reduce_numpy)
def reduce(x: Tiles, /, axis: Const, func: Combiner, identity: Const, *, keepdims: Const = False) -> Tile:
    """Fold `x`, a tile or a tuple of tiles, along `axis` with a function of your own.

    `func` gets two elements (of N tiles: N, then N) and returns one (N). The elements are
    combined in no fixed order, and `identity` leaves the other operand as it is.
    """
    tiles = _common(x, identity)
    axis = axis_in("axis", axis, len(tiles[0].shape))
    _, shape = reduced(tiles[0], axis, keepdims)
    return Typed(tuple(Tile(t.dtype, shape) for t in tiles), {"x": tiles}, {"axis": axis})


@op(cpp=_spell_scan, numpy=_scan_numpy)
def scan(x: Tiles, /, axis: Const, func: Combiner, identity: Const, *, reverse: Const = False) -> Tile:
    """Running fold of `x`, a tile or a tuple of tiles, along `axis` with a function of your own.

    Each element is included in its own result; from the end when `reverse`. `func` is as
    in `reduce`: the folded elements come first.
    """
    tiles = _common(x, identity)
    if axis is None:
        raise Reject("axis", "a running fold goes along one axis, and this is None", hint="give its number; -1 is the last one", known_as="Expected an integer constant, but given value has type None")
    axis = axis_in("axis", axis, len(tiles[0].shape))
    constant_bool("reverse", reverse)
    return Typed(tiles, {"x": tiles}, {"axis": axis})


def _spell_bits(function: str):
    return lambda call, c: Spelled(f"ct::{function}({c(call['x'])}, {call['axis']}_ic)", shape=tuple(1 if i == call["axis"] else e for i, e in enumerate(call["x"].type.shape)))


def _bits(name: str, function, word: str):
    """The folds of bits that C++ has and Python spells with `reduce`."""

    def rule(x: Tile, /, axis: Const, *, keepdims: Const = False) -> Tile:
        axes, shape = reduced(x, axis, keepdims)
        return Typed(Tile(x.dtype, shape), {"x": Tile(x.dtype, x.shape)}, {"axis": axes[0]})

    rule.__name__, rule.__doc__ = name, f"Bitwise {word} of the elements along `axis`."
    return op(cpp=_spell_bits(name), numpy=lambda x, axis, result: function.reduce(x, axis=axis).reshape(result.shape), public=False)(rule)


BIT_FOLDS = {
    "bitwise_and": _bits("reduce_bitand", np.bitwise_and, "and"),
    "bitwise_or": _bits("reduce_bitor", np.bitwise_or, "or"),
    "bitwise_xor": _bits("reduce_bitxor", np.bitwise_xor, "exclusive or"),
}
