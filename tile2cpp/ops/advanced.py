"""Loads and stores of which one axis takes its elements from anywhere, by a tile of indices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tile2cpp import dtypes
from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.memory import PADDING_VALUES, PADDINGS, memory_hints, padding_of
from tile2cpp.ops.rules import dtype_of, implicit, integral, tile_shape
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile, Weak


class Part(NamedTuple):
    """What a rule sees of a `ct.Slice`: the type of its start, and its length."""

    start: Any
    length: Any


def _picked(array, indices: tuple) -> tuple[tuple[Tile, ...], tuple[int, ...]]:
    """The types of the indices and the shape of the tile."""
    if len(indices) != array.ndim:
        raise Reject("indices", f"`indices` has {len(indices)} item{'s' * (len(indices) != 1)}, but the array has {array.ndim} dimension{'s' * (array.ndim != 1)}")
    tiles = [i for i in indices if isinstance(i, Tile) and i.shape]
    if len(tiles) != 1 or not all(isinstance(i, Part) or i is tiles[0] for i in indices):
        raise Reject("indices", "exactly one index must be a tile of integers, all others ct.Slice(start, length)", hint="ct.load reads plain blocks, ct.gather elements anywhere")
    types, shape = [], []
    for position, item in enumerate(indices):
        if isinstance(item, Part):
            types.append(_start(array, position, item))
            shape.append(item.length)
            continue
        integral(f"indices[{position}]", item)
        if len(item.shape) != 1:
            raise Reject(f"indices[{position}]", f"the tile of indices must have one dimension, but it is {item}")
        wide = array.wide or dtype_of(item).bits > 32 or dtype_of(item) == dtypes.uint32
        types.append(Tile(dtypes.int64 if wide else dtypes.int32, item.shape))
        shape.append(item.shape[0])
    return tuple(types), tile_shape("indices", tuple(shape))


def _start(array, position: int, item: Part) -> Tile:
    if not isinstance(item.start, (Tile, Weak)) or item.start.shape:
        raise Reject(f"indices[{position}]", f"a slice starts at an integer scalar, not at {item.start}")
    integral(f"indices[{position}]", item.start)
    return Tile(dtypes.int64 if array.wide or dtype_of(item.start).bits > 32 else dtypes.int32)



def _places(array, indices, shape):
    """Index arrays of all elements, and which of them exist."""
    grid = []
    for axis, (item, length) in enumerate(zip(indices, shape)):
        line = np.asarray(item) if np.ndim(item) else int(item) + np.arange(length)
        grid.append(line.reshape([-1 if a == axis else 1 for a in range(len(shape))]))
    full = [np.broadcast_to(g, shape) for g in grid]
    live = np.logical_and.reduce([(g >= 0) & (g < extent) for g, extent in zip(full, array.shape)])
    return live, tuple(g[live] for g in full)


def _load_numpy(array, indices, padding_mode, result):
    live, places = _places(array, indices, result.shape)
    with np.errstate(all="ignore"):
        out = np.full(result.shape, np.asarray(PADDING_VALUES[padding_mode]).astype(array.dtype), array.dtype)
    out[live] = array[places]
    return out


def _view(call, shape, c) -> tuple[str, str]:
    axis = next(i for i, item in enumerate(call["indices"]) if item.type.shape)
    return c.view(call["array"], tuple(shape), None, gathered=axis), ", ".join(c.converting(i) for i in call["indices"])


def _spell_load(call, c) -> Spelled:
    view, index = _view(call, call.type.shape, c)
    tag = PADDINGS[call["padding_mode"]]
    return Spelled(f"{view}.load_masked({f'ct::{tag}_t{{}}, ' if tag else ''}{index})")


@op(cpp=_spell_load, numpy=_load_numpy, effect="load")
def load_advanced_indexing(array: Array, indices: Picks, /, *, padding_mode: Const = "UNDETERMINED", latency: Const = None, allow_tma: Const = None) -> Tile:
    """Load rows (or columns, ...) from anywhere: one index is a 1-D tile of integers, the others are `ct.Slice(start, length)`.

    Elements outside the array read as `padding_mode` says.
    """
    types, shape = _picked(array, indices)
    padding = padding_of(padding_mode, array.dtype)
    memory_hints(latency, allow_tma)
    return Typed(Tile(array.dtype, shape), {"indices": types}, {"padding_mode": padding})


def _store_numpy(array, indices, tile):
    live, places = _places(array, indices, tile.shape)
    array[places] = tile[live]


def _spell_store(call, c) -> Spelled:
    view, index = _view(call, call["tile"].type.shape, c)
    return Spelled(f"{view}.store_masked({c(call['tile'])}, {index})")


@op(cpp=_spell_store, numpy=_store_numpy, effect="store")
def store_advanced_indexing(array: Array, indices: Picks, tile: Tile, /, *, latency: Const = None, allow_tma: Const = None) -> None:
    """Store rows (or columns, ...) anywhere, as `load_advanced_indexing` reads them; elements outside are dropped."""
    types, shape = _picked(array, indices)
    implicit("tile", tile, array.dtype)
    if tuple(tile.shape) != tuple(shape):
        raise Reject("tile", f"`tile` has shape {tile.shape}, but the indices make {shape}")
    memory_hints(latency, allow_tma)
    return Typed(None, {"indices": types, "tile": Tile(array.dtype, shape)})
