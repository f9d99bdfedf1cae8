"""Tiles as bytes: the storage of their elements, little end first."""

from __future__ import annotations

import numpy as np

from tile2cpp import dtypes
from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.formats import from_bits, to_bits
from tile2cpp.ops.rules import dtype_argument, dtype_of
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile


def _packed(parameter: str, dtype, doing: str) -> int:
    """The bits of an element in packed storage; `doing` is what cuTile's message calls the use."""
    if dtype.kind == "bool":
        raise Reject(parameter, "bools have no packed storage", hint="convert with .astype(ct.uint8)", known_as=f"{doing} a bool_ tile is not supported")
    if dtype.name == "tfloat32":
        raise Reject(parameter, "tfloat32 has no bytes of its own", hint="convert with .astype(ct.float32)")
    return dtype.bits


def _to_bytes(x, types):
    """The bytes of elements; of two 4-bit elements the first is in the low half."""
    bits = to_bits(x, types["x"].dtype)
    return bits[0::2] | (bits[1::2] << 4) if types["x"].dtype.bits == 4 else bits.view(np.uint8)


def _from_bytes(x, result):
    if result.dtype.bits == 4:
        return from_bits(np.stack([x & 15, x >> 4], axis=-1), result.dtype)
    return from_bits(np.ascontiguousarray(x).view(f"u{result.dtype.bytes}"), result.dtype)


def _spell_repack(call, c) -> Spelled:
    from tile2cpp.ops.shape import respell

    x = call["x"]
    text = respell(x, (x.type.size,), c).text if x.type.shape else f"ct::reshape({c(x)}, ct::shape{{1_ic}})"
    return Spelled(f"ct::repack<{call.type.dtype.cpp}>({text}, 0_ic)", shape=tuple(call.type.shape))


@op(cpp=_spell_repack, numpy=_to_bytes)
def pack_to_bytes(x: Tile, /) -> Tile:
    """The bytes of all elements, in row-major order, as a flat uint8 tile."""
    dtype = dtype_of(x)
    kept = Tile(dtype, x.shape)
    bits = kept.size * _packed("x", dtype, "pack_to_bytes from")
    if bits % 8:
        known_as = f"Cannot pack tile {kept}: total bits ({kept.size} * {dtype.bits}) not divisible by 8"
        raise Reject("x", f"{kept} has {bits} bits, which are no whole bytes", known_as=known_as)
    return Typed(Tile(dtypes.uint8, (bits // 8,)), {"x": kept})


@op(cpp=_spell_repack, numpy=_from_bytes)
def unpack_from_bytes(x: Tile, /, dtype: Const) -> Tile:
    """The elements of `dtype` that the bytes of a flat uint8 tile hold."""
    target = dtype_argument("dtype", dtype)
    if dtype_of(x) != dtypes.uint8 or len(x.shape) != 1:
        known_as = f"unpack_from_bytes requires uint8 tile, got {dtype_of(x)} tile"
        if len(x.shape) != 1:
            known_as = f"unpack_from_bytes requires a 1D tile, got {len(x.shape)}D tile with shape {tuple(x.shape)}"
        raise Reject("x", f"`x` must be a uint8 tile of one dimension, but it is {x}", known_as=known_as, hint="ct.bitcast reads the bits as another dtype of the same width, ct.pack_to_bytes makes bytes of them")
    bits = x.shape[0] * 8
    size = bits // _packed("dtype", target, "unpack_from_bytes to")
    if bits % target.bits or not size:
        known_as = f"Cannot unpack tile {x} to {target}: total bits ({x.shape[0]} * 8) not divisible by {target.bits}"
        raise Reject("x", f"{x.shape[0]} bytes hold no whole number of {target}", known_as=known_as)
    return Typed(Tile(target, (size,)), {"x": Tile(dtypes.uint8, x.shape)}, {"dtype": target})
