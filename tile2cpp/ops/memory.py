"""Loads and stores: by tile index, by element index (gather, scatter), and through views."""

from __future__ import annotations

import numpy as np

from tile2cpp import dtypes
from tile2cpp.errors import Reject, TileValueError
from tile2cpp.ops import Typed, op
from tile2cpp.ops.grid import order_of
from tile2cpp.ops.orders import check_orders
from tile2cpp.ops.rules import constant_bool, describe, dtype_of, implicit, index_types, integral, member, tile_shape
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile, View, Weak, broadcast_shapes

PADDINGS = {
    "UNDETERMINED": "", "ZERO": "", "NEG_ZERO": "view_padding_negative_zero", "NAN": "view_padding_nan",
    "POS_INF": "view_padding_positive_inf", "NEG_INF": "view_padding_negative_inf",
}  # fmt: skip
PADDING_VALUES = {"UNDETERMINED": 0, "ZERO": 0, "NEG_ZERO": -0.0, "NAN": np.nan, "POS_INF": np.inf, "NEG_INF": -np.inf}


# What elements outside can be, for formats that do not have every value.
PADDED = {"float8_e4m3fn": ("ZERO", "NEG_ZERO", "NAN"), "float8_e8m0fnu": ("NAN",), "float8_e5m3fnu": ("ZERO", "NAN"), "float4_e2m1fn": ("ZERO",)}


def padding_of(padding_mode, dtype) -> str:
    name = member("padding_mode", padding_mode, PADDINGS)
    allowed = PADDED.get(dtype.name)
    if allowed is not None and name == "UNDETERMINED":
        return allowed[0]  # anything will do: what the format can hold
    if allowed is not None and name not in allowed:
        raise Reject("padding_mode", f"{dtype} has no padding {name}", hint="use " + " or ".join(f"ct.PaddingMode.{n}" for n in allowed))
    if allowed is None and PADDINGS[name] and not dtype.is_floating:
        raise Reject("padding_mode", f"padding {name} is for floats, but the array is {dtype}", hint="use ct.PaddingMode.ZERO")
    return name


def memory_hints(latency, allow_tma) -> None:
    if latency is not None and (isinstance(latency, bool) or not isinstance(latency, int) or not 1 <= latency <= 10):
        raise Reject("latency", f"`latency` must be a constant from 1 to 10, not {describe(latency)}", kind=TileValueError)
    if allow_tma is not None:
        constant_bool("allow_tma", allow_tma)


# --- NumPy meanings -----------------------------------------------------------------


def _window(array, index, shape, steps=None):
    """For each axis, the part of the tile that lies inside the array: (slices of the array, slices of the tile)."""
    inside, place = [], []
    for i, extent, tile, step in zip(index, array.shape, shape, steps or shape):
        start = int(i) * step
        low, high = min(max(start, 0), extent), min(max(start + tile, 0), extent)
        inside.append(slice(low, high))
        place.append(slice(low - start, low - start + max(0, high - low)))
    return tuple(inside), tuple(place)


def load_tile(array, index, shape, order, padding, steps=None):
    permuted = array.transpose(order)
    with np.errstate(all="ignore"):
        tile = np.full(shape, np.asarray(PADDING_VALUES[padding]).astype(array.dtype), array.dtype)
    inside, place = _window(permuted, index, shape, steps)
    tile[place] = permuted[inside]
    return tile


def store_tile(array, index, tile, order, steps=None):
    permuted = array.transpose(order)
    inside, place = _window(permuted, index, tile.shape, steps)
    permuted[inside] = tile[place]


# --- spellings ----------------------------------------------------------------------


def _index_text(index, c) -> str:
    return ", ".join(c.converting(i) for i in index)


def _order_tags(call) -> str:
    order, scope = (getattr(call[k], "name", call[k]) for k in ("memory_order", "memory_scope"))
    return "" if order == "WEAK" else f"ct::memory_order_{order.lower()}_t{{}}, ct::thread_scope_{ {'SYS': 'system'}.get(scope, scope.lower()) }_t{{}}, "


def _spell_view_load(view: str, call, c, padding: str, checked: bool, full_shape) -> Spelled:
    name = "load_masked" if checked else "load"
    atomic = _order_tags(call) if "memory_order" in dict(call.arguments) else ""
    wanted = PADDINGS[padding] or ("view_padding_zero" if atomic else "")  # which a plain load does by itself
    tag = f"ct::{wanted}_t{{}}, " if wanted and checked else ""
    prefix = "atomic_" if atomic else ""
    text = f"{view}.{prefix}{name}({tag}{atomic}{_index_text(call['index'], c)})"
    return Spelled(text, shape=full_shape)


def _spell_single(name: str, call, *arguments: str) -> Spelled:
    """An access to an array of rank 0, which is one element."""
    tags = _order_tags(call).rstrip(", ")
    return Spelled(f"ct::{'atomic_' if tags else ''}{name}({', '.join([*arguments, *([tags] if tags else [])])})")


def _spell_load(call, c) -> Spelled:
    if not call["array"].type.ndim:
        return _spell_single("load", call, c.pointer(call["array"]))
    shape = call["shape"] or (1,) * call["array"].type.ndim
    view = c.view(call["array"], shape, call["order"])
    return _spell_view_load(view, call, c, call["padding_mode"], call["check_bounds"], tuple(shape))


def _load_numpy(array, index, shape, order, padding_mode, result):
    full = shape or (1,) * array.ndim
    return load_tile(array, index, full, order, padding_mode).reshape(result.shape)


@op(cpp=_spell_load, numpy=_load_numpy, effect="load")
def load(
    array: Array, /, index: Index, shape: Shape, *, order: Const = "C", padding_mode: Const = "UNDETERMINED",
    check_bounds: Const = True, latency: Const = None, allow_tma: Const = None,
    memory_order: Const = "WEAK", memory_scope: Const = "NONE",
) -> Tile:  # fmt: skip
    """Load the tile at tile-space `index`: element `index[d] * shape[d] + k` along axis d.

    `order` permutes the array's axes first. Elements outside the array read as
    `padding_mode` says; `shape=()` loads one element as a scalar.
    """
    order = order_of(order, array.ndim)
    if shape != () and len(shape) != array.ndim:
        raise Reject("shape", f"`shape` has {len(shape)} extent{'s' * (len(shape) != 1)}, but the array has {array.ndim} dimension{'s' * (array.ndim != 1)}", hint="give one extent for each dimension, and 1 where the tile is flat", known_as=f"Expected shape length to be {array.ndim}, got {len(shape)}")
    tile_shape("shape", shape)
    types = index_types("index", index, array.ndim, "the array")
    padding = padding_of(padding_mode, array.dtype)
    constant_bool("check_bounds", check_bounds)
    memory_hints(latency, allow_tma)
    check_orders("tile_load", memory_order, memory_scope, ("WEAK", "RELAXED", "ACQUIRE"))
    return Typed(Tile(array.dtype, shape), {"index": types}, {"order": order, "padding_mode": padding})


def _spell_view_store(view: str, call, c, checked: bool) -> Spelled:
    atomic = _order_tags(call) if "memory_order" in dict(call.arguments) else ""
    name = ("atomic_store" if atomic else "store") + ("_masked" if checked else "")
    return Spelled(f"{view}.{name}({c(call['tile'])}, {atomic}{_index_text(call['index'], c)})")


def _spell_store(call, c) -> Spelled:
    if not call["array"].type.ndim:
        return _spell_single("store", call, c.pointer(call["array"]), c(call["tile"]))
    view = c.view(call["array"], call["tile"].type.shape, call["order"])
    return _spell_view_store(view, call, c, call["check_bounds"])


@op(cpp=_spell_store, numpy=lambda array, index, tile, order: store_tile(array, index, tile, order), effect="store")
def store(
    array: Array, /, index: Index, tile: Tile, *, order: Const = "C", check_bounds: Const = True,
    latency: Const = None, allow_tma: Const = None, memory_order: Const = "WEAK", memory_scope: Const = "NONE",
) -> None:  # fmt: skip
    """Store `tile` at tile-space `index`; elements outside the array are dropped.

    A scalar is stored as one element. The value converts to the array's dtype when
    nothing can get lost (narrow to wide, integer to float).
    """
    order = order_of(order, array.ndim)
    types = index_types("index", index, array.ndim, "the array")
    implicit("tile", tile, array.dtype)
    shape = tile.shape or (1,) * array.ndim
    if len(shape) != array.ndim:
        raise Reject("tile", f"`tile` has {len(shape)} dimensions, but the array has {array.ndim}", hint="reshape it so that both agree")
    constant_bool("check_bounds", check_bounds)
    memory_hints(latency, allow_tma)
    check_orders("tile_store", memory_order, memory_scope, ("WEAK", "RELAXED", "RELEASE"))
    return Typed(None, {"index": types, "tile": Tile(array.dtype, shape)}, {"order": order})


# --- tiled views --------------------------------------------------------------------


def fits_view(parameter: str, tile, view, called: str) -> None:
    """Reject a tile that does not broadcast to the view's; `called` is what cuTile's message calls it."""
    if not broadcasts_to(tile.shape, view.tile):
        known_as = f"{called} shape {tuple(tile.shape)} is not broadcastable to the tiled view's tile shape {tuple(view.tile)}"
        raise Reject(parameter, f"`{parameter}` has shape {tuple(tile.shape)}, but the tiles of the view have {tuple(view.tile)}", hint="it may have fewer axes, or extents of 1", code="broadcast", known_as=known_as)


def broadcasts_to(shape, wanted) -> bool:
    """Whether each extent is the wanted one or 1, where axes may be missing in front."""
    return len(shape) <= len(wanted) and all(a in (1, b) for a, b in zip(reversed(shape), reversed(wanted)))


@op(name="tiled_view", public=False, owner="array", method="tiled_view", cpp="", numpy=lambda array, tile_shape: None)
def tiled_view(array: Array, /, tile_shape: Shape, *, padding_mode: Const = "UNDETERMINED", traversal_steps: Const = None):
    """`array` cut into tiles of `tile_shape`, for several loads and stores of one shape."""
    from tile2cpp.ops.rules import tile_shape as check

    scalar = tile_shape == ()
    tile_shape = tile_shape or (1,) * array.ndim
    if len(tile_shape) != array.ndim:
        raise Reject("tile_shape", f"`tile_shape` has {len(tile_shape)} extent{'s' * (len(tile_shape) != 1)}, but the array has {array.ndim} dimension{'s' * (array.ndim != 1)}", hint="give one extent for each dimension, and 1 where the tiles are flat", known_as=f"Expected shape length to be {array.ndim}, got {len(tile_shape)}")
    check("tile_shape", tile_shape)
    padding = padding_of(padding_mode, array.dtype)
    return Typed(View(array, tile_shape, _steps(array, tile_shape, traversal_steps), scalar), constants={"padding_mode": padding, "tile_shape": tile_shape})


def _steps(array, tile_shape, steps) -> tuple[int, ...] | None:
    """Where tiles start, when that is not side by side."""
    if steps is None:
        return None
    steps = steps if isinstance(steps, tuple) else (steps,)
    if len(steps) != array.ndim:
        raise Reject("traversal_steps", f"`traversal_steps` has {len(steps)} items, but the array has {array.ndim} dimensions", known_as=f"Expected traversal_steps length to be {array.ndim}, got {len(steps)}")
    for axis, step in enumerate(steps):
        if isinstance(step, bool) or not isinstance(step, int) or step <= 0:
            known_as = f"Dimension #{axis} of traversal_steps {tuple(steps)} is not positive"
            raise Reject("traversal_steps", f"`traversal_steps` must be positive constant integers, not {describe(step)}", known_as=known_as)
    return None if tuple(steps) == tuple(tile_shape) else tuple(int(s) for s in steps)


def _spell_load_view(call, c) -> Spelled:
    view = call["view"]
    if not view.shape:
        return Spelled(f"ct::load({c.pointer(view.array)})")
    return _spell_view_load(c.view(view.array, view.shape, None, view.type.steps), call, c, view.padding, call["check_bounds"], tuple(view.shape))


@op(
    name="view_load", public=False, owner="view", method="load", effect="load", cpp=_spell_load_view,
    numpy=lambda view, index, result: load_tile(view.array, index, view.shape, tuple(range(view.array.ndim)), view.padding, view.steps).reshape(result.shape),
)  # fmt: skip
def view_load(view: View, /, index: Index, *, check_bounds: Const = True, latency: Const = None, allow_tma: Const = None) -> Tile:
    """Load the view's tile at `index`."""
    types = index_types("index", index, view.array.ndim, "the view")
    constant_bool("check_bounds", check_bounds)
    memory_hints(latency, allow_tma)
    return Typed(Tile(view.array.dtype, view.tile), {"index": types})


def _spell_store_view(call, c) -> Spelled:
    view = call["view"]
    if not view.shape:
        return Spelled(f"ct::store({c.pointer(view.array)}, {c(call['tile'])})")
    return _spell_view_store(c.view(view.array, view.shape, None, view.type.steps), call, c, call["check_bounds"])


@op(
    name="view_store", public=False, owner="view", method="store", effect="store", cpp=_spell_store_view,
    numpy=lambda view, index, tile: store_tile(view.array, index, tile, tuple(range(view.array.ndim)), view.steps),
)  # fmt: skip
def view_store(view: View, /, index: Index, tile: Tile, *, check_bounds: Const = True, latency: Const = None, allow_tma: Const = None) -> None:
    """Store `tile`, broadcast to the view's shape, at `index`."""
    types = index_types("index", index, view.array.ndim, "the view")
    implicit("tile", tile, view.array.dtype)
    fits_view("tile", tile, view, "Tile")
    constant_bool("check_bounds", check_bounds)
    memory_hints(latency, allow_tma)
    return Typed(None, {"index": types, "tile": Tile(view.array.dtype, view.shape)})


# --- gather and scatter -------------------------------------------------------------


def element_indices(array, indices) -> tuple[tuple[Tile, ...], tuple[int, ...]]:
    """The types that element indices convert to, and the shape they share."""
    if len(indices) != array.ndim:
        raise Reject("indices", f"`indices` has {len(indices)} item{'s' * (len(indices) != 1)}, but the array has {array.ndim} dimension{'s' * (array.ndim != 1)}")
    types, shape = [], ()
    for item in indices:
        integral("indices", item)
        dtype = dtype_of(item)
        wide = array.wide or dtype.bits > 32 or dtype == dtypes.uint32
        types.append(Tile(dtypes.int64 if wide else dtypes.int32, item.shape))
        shape = broadcast_shapes(shape, item.shape, "indices")
    return tuple(types), shape


def check_mask(mask, shape) -> dict:
    if mask is None:
        return {}
    if isinstance(mask, (Tile, Weak)) and dtype_of(mask).kind != "bool":
        raise Reject("mask", f"`mask` must be a bool tile, but it is {mask}", hint="compare it, for example with != 0", known_as=f"Custom mask must have boolean dtype, but got {dtype_of(mask)}")
    broadcast_to_indices("mask", mask, shape, "Custom mask")
    return {"mask": Tile(dtypes.bool_, mask.shape)}


def broadcast_to_indices(parameter: str, value: Tile | Weak, shape: tuple[int, ...], known: str) -> None:
    """Reject a value of another shape than the indices'; `known` is what cuTile's messages call it."""
    own = value.shape
    if not broadcasts_to(own, shape):
        known_as = f"{known} shape {own} is not broadcastable to the index shape {shape}"
        raise Reject(parameter, f"`{parameter}` has shape {own}, but the indices have shape {shape}", hint="it may have fewer dimensions, or extents of 1", known_as=known_as)


def live_lanes(array, indices, mask, check_bounds, shape):
    """Which lanes touch memory, and their indices with dead lanes moved to 0."""
    live = np.ones(shape, bool)
    for i, extent in zip(indices, array.shape):
        if check_bounds:
            live = live & (i >= 0) & (i < extent)
    if mask is not None:
        live = live & mask
    return live, tuple(np.where(live, np.broadcast_to(i, shape), 0) for i in indices)


def _gather_numpy(array, indices, mask, padding_value, check_bounds, result):
    live, safe = live_lanes(array, indices, mask, check_bounds, result.shape)
    out = np.array(np.broadcast_to(padding_value, result.shape), dtype=array.dtype)
    picked = tuple(s[live] for s in safe)
    out[live] = array[picked] if picked else array
    return out


def _spell_gather(call, c) -> Spelled:
    pointers = c.pointers(call["array"], call["indices"])
    mask = c.mask(call["array"], call["indices"], call["mask"], call["check_bounds"])
    if not mask:
        return Spelled(f"ct::load({pointers})")
    return Spelled(f"ct::load_masked({pointers}, {mask}, {c(call['padding_value'])})")


@op(cpp=_spell_gather, numpy=_gather_numpy, effect="load")
def gather(
    array: Array, indices: Indices, /, *, mask: Tile = None, padding_value: Tile = 0,
    check_bounds: Const = True, latency: Const = None,
) -> Tile:  # fmt: skip
    """Load single elements: one integer tile (or scalar) per dimension, broadcast together.

    Elements outside the array, or where `mask` is false, are not read and give
    `padding_value`.
    """
    types, shape = element_indices(array, indices)
    masked = check_mask(mask, shape)
    if padding_value is None:
        raise Reject("padding_value", "`padding_value` must be a number")
    implicit("padding_value", padding_value, array.dtype)
    broadcast_to_indices("padding_value", padding_value, shape, "Padding")
    constant_bool("check_bounds", check_bounds)
    memory_hints(latency, None)
    return Typed(Tile(array.dtype, shape), {"indices": types, "padding_value": Tile(array.dtype, padding_value.shape), **masked})


def _scatter_numpy(array, indices, value, mask, check_bounds):
    shape = value.shape
    live, safe = live_lanes(array, indices, mask, check_bounds, shape)
    picked = tuple(s[live] for s in safe)
    if picked:
        array[picked] = value[live]
    elif live:
        array[...] = value


def _spell_scatter(call, c) -> Spelled:
    pointers = c.pointers(call["array"], call["indices"])
    mask = c.mask(call["array"], call["indices"], call["mask"], call["check_bounds"])
    if not mask:
        return Spelled(f"ct::store({pointers}, {c(call['value'])})")
    return Spelled(f"ct::store_masked({pointers}, {c(call['value'])}, {mask})")


@op(cpp=_spell_scatter, numpy=_scatter_numpy, effect="store")
def scatter(
    array: Array, indices: Indices, value: Tile, /, *, mask: Tile = None,
    check_bounds: Const = True, latency: Const = None,
) -> None:  # fmt: skip
    """Store single elements; those outside the array, or where `mask` is false, are dropped."""
    types, shape = element_indices(array, indices)
    masked = check_mask(mask, shape)
    implicit("value", value, array.dtype)
    broadcast_to_indices("value", value, shape, "Value")
    constant_bool("check_bounds", check_bounds)
    memory_hints(latency, None)
    return Typed(None, {"indices": types, "value": Tile(array.dtype, shape), **masked})
