"""Matrix products of tiles."""

from __future__ import annotations

import numpy as np

from tile2cpp import dtypes
from tile2cpp.dtypes import bfloat16, float4_e2m1fn, float8_e4m3fn, float8_e5m2, float8_e5m3fnu, float8_e8m0fnu, float16, float32, float64, int8, int32, tfloat32, uint8
from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.rules import constant_bool, dtype_of, is_restricted
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile, Weak, broadcast_shapes, known_of_restricted, promote_dtypes

# The dtypes a product of these operands can be summed in; `matmul` takes the first.
ACCUMULATORS = {
    float16: (float16, float32), bfloat16: (float32,), float32: (float32,), tfloat32: (float32,), float64: (float64,),
    float8_e4m3fn: (float16, float32), float8_e5m2: (float16, float32), int8: (int32,), uint8: (int32,),
}  # fmt: skip


def _factors(x, y) -> tuple[tuple[int, ...], dtypes.DType]:
    """The product's shape and the operands' dtype; rejects what cannot be multiplied."""
    for parameter, tile in (("x", x), ("y", y)):
        if isinstance(tile, Weak) or len(tile.shape) not in (2, 3):
            known_as = f"Expect shape of `{parameter}` to be at least 2D, got {tuple(tile.shape)}"
            raise Reject(parameter, f"`{parameter}` must have 2 or 3 dimensions, but it is {tile}", known_as=known_as)
        if tile.dtype not in ACCUMULATORS:
            raise Reject(parameter, f"there are no matrix products of {tile.dtype}", hint="convert it with .astype(...)", known_as=_unsupported("input", tile.dtype, ACCUMULATORS))
    if x.shape[-1] != y.shape[-2]:
        raise Reject("y", f"`y` has {y.shape[-2]} rows, but `x` has {x.shape[-1]} columns", code="mma-extents", hint=f"load `y` with shape ({x.shape[-1]}, {y.shape[-1]})", known_as=_incompatible(x, y))
    if x.dtype != y.dtype and {x.dtype, y.dtype} != {int8, uint8}:
        known_as = f"x and y must have the same dtype unless they are int8/uint8, got {x.dtype} {y.dtype}"
        raise Reject("y", f"`x` and `y` must have one dtype, but they are {x.dtype} and {y.dtype}", known_as=known_as)
    batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
    return (*batch, x.shape[-2], y.shape[-1]), x.dtype


def _unsupported(role: str, dtype, candidates) -> str:
    """cuTile's words for a dtype that products do not have in this role."""
    return f"Unsupported {role} dtype {dtype}, supported dtypes are {', '.join(str(d) for d in candidates)}"


def _incompatible(x, y) -> str:
    return f"Incompatible shapes for matrix mul on tiles: {tuple(x.shape)}, {tuple(y.shape)}."


def _ranked(tile: Tile, rank: int) -> Tile:
    """C++ wants equal ranks: a missing batch axis is one of extent 1."""
    return Tile(tile.dtype, (1,) * (rank - tile.ndim) + tile.shape)


def _multiply(x, y, dtype):
    wide = np.float64 if dtype.itemsize == 8 and dtype.kind == "f" else np.int64 if dtype.kind in "iu" else np.float32
    with np.errstate(all="ignore"):
        return np.matmul(x.astype(wide), y.astype(wide))


@op(cpp="ct::mma({x}, {y}, {acc})", numpy=lambda x, y, acc: (_multiply(x, y, acc.dtype) + acc.astype(np.float32 if acc.dtype.itemsize == 2 else acc.dtype)).astype(acc.dtype))
def mma(x: Tile, y: Tile, /, acc: Tile, *, use_fast_acc: Const = False) -> Tile:
    """Multiply two tiles and add: `x @ y + acc`, with shapes (M, K), (K, N) and (M, N), or batches of these.

    Products are summed in the dtype of `acc`; float16 inputs usually want a float32 `acc`.
    """
    shape, dtype = _factors(x, y)
    if constant_bool("use_fast_acc", use_fast_acc) and dtype not in (float8_e4m3fn, float8_e5m2):
        raise Reject("use_fast_acc", f"use_fast_acc is for 8-bit floats, but the operands are {dtype}")
    if isinstance(acc, Weak) or acc.shape != shape:
        raise Reject("acc", f"`acc` is {acc}, but `x @ y` has shape {shape}", hint=f"start it as ct.zeros({shape}, ct.{ACCUMULATORS[dtype][-1]})", known_as=f"Expect acc shape to be {shape}, got {tuple(acc.shape)}")
    if acc.dtype not in ACCUMULATORS[dtype]:
        allowed = " or ".join(f"{d}" for d in ACCUMULATORS[dtype])
        raise Reject("acc", f"products of {dtype} are summed in {allowed}, not in {acc.dtype}", hint=f"start it in ct.{ACCUMULATORS[dtype][-1]}, and convert the result at the end", known_as=_unsupported("acc", acc.dtype, ACCUMULATORS[dtype]))
    rank = len(shape)
    return Typed(acc, {"x": _ranked(x, rank), "y": _ranked(y, rank), "acc": acc})


def _spell_matmul(call, c) -> Spelled:
    x, y = call["x"], call["y"]
    text = f"ct::matmul({c(x)}, {c(y)})"
    dtype = x.type.dtype
    if ACCUMULATORS[dtype][0] != call.type.dtype:
        text = f"ct::element_cast<{call.type.dtype.cpp}>({text})"
    full = (*broadcast_shapes(x.type.shape[:-2], y.type.shape[:-2]), x.type.shape[-2], y.type.shape[-1])
    return Spelled(text, shape=full)


def _matmul_numpy(x, y, result):
    from tile2cpp.ops.cast import convert

    return convert(_multiply(x, y, result.dtype.numpy), result.dtype).reshape(result.shape)


@op(cpp=_spell_matmul, numpy=_matmul_numpy, operator="@")
def matmul(x: Tile, y: Tile, /) -> Tile:
    """The matrix product `x @ y` in the common dtype of both; 1-D operands are rows or columns."""
    for parameter, tile in (("x", x), ("y", y)):
        if isinstance(tile, Weak) or not 1 <= len(tile.shape) <= 3:
            raise Reject(parameter, f"`{parameter}` must have 1 to 3 dimensions, but it is {tile}")
    if dtype_of(x) != dtype_of(y) and (is_restricted(x) or is_restricted(y)):
        raise Reject("y", f"`x` and `y` must have one dtype, but they are {x.dtype} and {y.dtype}", known_as=known_of_restricted(x.dtype, y.dtype))
    dtype = promote_dtypes(x.dtype, y.dtype)
    left = Tile(dtype, (1, *x.shape) if x.ndim == 1 else x.shape)
    right = Tile(dtype, (*y.shape, 1) if y.ndim == 1 else y.shape)
    shape, _ = _factors(left, right)
    kept = tuple(e for i, e in enumerate(shape) if not (x.ndim == 1 and i == len(shape) - 2) and not (y.ndim == 1 and i == len(shape) - 1))
    rank = len(shape)
    return Typed(Tile(dtype, kept), {"x": _ranked(left, rank), "y": _ranked(right, rank)})


# How many elements along K one scale may serve, by the dtypes of operands and scales.
BLOCKS = {
    (float8_e4m3fn, float8_e8m0fnu): (32,), (float8_e5m2, float8_e8m0fnu): (32,), (float4_e2m1fn, float8_e8m0fnu): (16, 32),
    (float4_e2m1fn, float8_e4m3fn): (16,), (float4_e2m1fn, float8_e5m3fnu): (16, 32),
}  # fmt: skip


def _check_scale(parameter: str, tile: Tile, scale: Tile, along: int) -> None:
    """Reject scales that do not each serve a block of elements; all other extents must be those of the tile."""
    operand, k = parameter.removesuffix("_scale"), tile.ndim + along
    known_as = f"{parameter} shape {tuple(scale.shape)} is not compatible with {operand} shape {tuple(tile.shape)}. All dimensions except K axis {k} must match"
    if isinstance(scale, Weak) or scale.ndim != tile.ndim:
        raise Reject(parameter, f"`{parameter}` must have the {tile.ndim} dimensions of its operand, but it is {scale}", known_as=known_as)
    for axis in range(tile.ndim):
        if axis != k and scale.shape[axis] != tile.shape[axis]:
            raise Reject(parameter, f"`{parameter}` is {scale}, but the operand has extent {tile.shape[axis]} along axis {axis}", known_as=known_as)
    allowed = BLOCKS[tile.dtype, scale.dtype]
    whole, few = tile.shape[along], scale.shape[along]
    if whole % few or whole // few not in allowed:
        need = " or ".join(str(whole // b) for b in allowed if whole >= b)
        known_as = (
            f"For mma_scaled with dtype={tile.dtype}, scale_dtype={scale.dtype}: {operand}.shape[{k}] must be an exact multiple of {parameter}.shape[{k}] "
            f"with scaling block size B = K // K_s in {set(allowed)}, got {operand}.shape[{k}] = {whole} and {parameter}.shape[{k}] = {few}"
        )
        raise Reject(parameter, f"one scale serves {whole / few:g} elements, but for {tile.dtype} and {scale.dtype} it is {' or '.join(map(str, allowed))}", hint=f"K {whole} needs {need} scales" if need else "", known_as=known_as)


def _check_scaled_dtypes(x: Tile, x_scale: Tile, y: Tile, y_scale: Tile, acc: Tile) -> None:
    """The dtypes, in the order in which cuTile asks for them."""
    if x.dtype != y.dtype:
        raise Reject("y", f"`x` and `y` must have one dtype, but they are {x} and {y}", known_as=f"x and y must have the same dtype, got {x.dtype} and {y.dtype}")
    if x_scale.dtype != y_scale.dtype:
        known_as = f"x_scale and y_scale must have the same dtype, got {x_scale.dtype} and {y_scale.dtype}"
        raise Reject("y_scale", f"both scales must have one dtype, but they are {x_scale.dtype} and {y_scale.dtype}", known_as=known_as)
    if (x.dtype, x_scale.dtype) not in BLOCKS:
        scales = [scale for factor, scale in BLOCKS if factor == x.dtype]
        known_as = f"Unsupported scale dtype {x_scale.dtype} for input dtype {x.dtype}, supported scale dtypes are {', '.join(map(str, scales))}"
        known_as = known_as if scales else f"Unsupported input dtype {x.dtype} for mma_scaled, supported input dtypes are {', '.join(dict.fromkeys(str(factor) for factor, _ in BLOCKS))}"
        raise Reject("x_scale", f"there are no products of {x.dtype} with scales of {x_scale.dtype}", known_as=known_as)
    if acc.dtype != float32:
        raise Reject("acc", f"`acc` is {acc}, but such products are summed in float32", known_as=f"Unsupported acc dtype {acc.dtype} for mma_scaled, expected float32")


def _scaled_numpy(x, x_scale, y, y_scale, acc):
    wide = [t.astype(np.float32) for t in (x, x_scale, y, y_scale)]
    left = wide[0] * np.repeat(wide[1], x.shape[-1] // x_scale.shape[-1], -1)
    right = wide[2] * np.repeat(wide[3], y.shape[-2] // y_scale.shape[-2], -2)
    with np.errstate(all="ignore"):
        return np.matmul(left, right) + acc


@op(cpp="ct::scaled_mma({x}, {x_scale}, {y}, {y_scale}, {acc})", numpy=_scaled_numpy)
def mma_scaled(x: Tile, x_scale: Tile, y: Tile, y_scale: Tile, /, acc: Tile) -> Tile:
    """Multiply two tiles whose blocks along K have scales of their own, and add: `(x * x_scale) @ (y * y_scale) + acc`."""
    for parameter, tile in (("x", x), ("y", y), ("acc", acc), ("x_scale", x_scale), ("y_scale", y_scale)):
        if isinstance(tile, Weak) or tile.ndim not in (2, 3):
            known_as = f"Expect shape of `{parameter}` to be 2D or 3D, got {tuple(tile.shape)}"
            raise Reject(parameter, f"`{parameter}` must have 2 or 3 dimensions, but it is {tile}", known_as=known_as)
    _check_scaled_dtypes(x, x_scale, y, y_scale, acc)
    _check_scale("x_scale", x, x_scale, -1)
    _check_scale("y_scale", y, y_scale, -2)
    if x.shape[-1] != y.shape[-2]:
        raise Reject("y", f"`y` has {y.shape[-2]} rows, but `x` has {x.shape[-1]} columns", code="mma-extents", known_as=_incompatible(x, y))
    shape = (*broadcast_shapes(x.shape[:-2], y.shape[:-2]), x.shape[-2], y.shape[-1])
    if acc.shape != shape:
        raise Reject("acc", f"`acc` is {acc}, but it must be float32 of shape {shape}", known_as=f"Expect acc shape to be {shape}, got {tuple(acc.shape)}")
    factors = {"x": x, "x_scale": x_scale, "y": y, "y_scale": y_scale}
    return Typed(acc, {**{p: _ranked(tile, len(shape)) for p, tile in factors.items()}, "acc": acc})
