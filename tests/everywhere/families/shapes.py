"""Shapes of tiles of every dtype, and tiles made from nothing."""

from __future__ import annotations

import numpy as np
from families.batch import Batch, Row
from families.formats import EVERY, FORMATS, dtype_of, nibbles, packed
from families.values import INTEGERS, drawn

import tile2cpp.lang as ct
from tile2cpp.ops.formats import rounded

# What is done to a tile of shape (4, 8), in both languages.
MOVES = {
    "reshape": (lambda t: ct.reshape(t, (2, 2, 8)), lambda a: a.reshape(2, 2, 8)),
    "reshape -1": (lambda t: t.reshape((8, -1)), lambda a: a.reshape(8, 4)),
    "expand_dims": (lambda t: ct.expand_dims(t, -2), lambda a: a[:, None, :]),
    "expand_dims axis": (lambda t: ct.expand_dims(t, axis=0), lambda a: a[None]),
    "[:, None]": (lambda t: t[:, None], lambda a: a[:, None]),
    "[..., None]": (lambda t: t[..., None], lambda a: a[..., None]),
    "broadcast_to": (lambda t: ct.broadcast_to(t, (2, 4, 8)), lambda a: np.broadcast_to(a, (2, 4, 8))),
    "permute": (lambda t: ct.permute(t, (1, 0)), lambda a: a.T),
    "permute method": (lambda t: t.reshape((2, 2, 8)).permute((-1, 0, 1)), lambda a: a.reshape(2, 2, 8).transpose(2, 0, 1)),
    "transpose": (lambda t: ct.transpose(t), lambda a: a.T),
    "transpose axes": (lambda t: ct.transpose(t.reshape((2, 2, 8)), 0, -1), lambda a: a.reshape(2, 2, 8).swapaxes(0, 2)),
    "transpose method": (lambda t: t.transpose(0, 1), lambda a: a.T),
    "cat": (lambda t: ct.cat((t, t), 0), lambda a: np.concatenate([a, a], 0)),
    "cat -1": (lambda t: ct.cat((t, ct.extract(t, (0, 0), (4, 8))), axis=-1), lambda a: np.concatenate([a, a], 1)),
    "cat one": (lambda t: ct.cat((t,), 1), lambda a: a),
    "extract": (lambda t: ct.extract(t, (1, 1), (2, 4)), lambda a: a[2:4, 4:8]),
    "extract runtime": (lambda t: ct.extract(t, (ct.bid(0), ct.bid(0) + 3), (2, 2)), lambda a: a[0:2, 6:8]),
    "extract method": (lambda t: t.extract((3, 0), (1, 8)), lambda a: a[3:4]),
    "insert": (lambda t: ct.insert(t, (1, 0), ct.extract(t, (0, 1), (2, 4))), lambda a: inserted(a)),
    "insert method": (lambda t: t.insert((1, ct.bid(0)), ct.extract(t, (0, 1), (2, 4))), lambda a: inserted(a)),
    "where": (lambda t: ct.where(ct.arange(8, dtype=ct.int32) > 3, t, ct.extract(t, (0, 0), (1, 8))), lambda a: np.where(np.arange(8) > 3, a, a[:1])),
    "where itself": (lambda t: ct.where(t, t, t), lambda a: a),
    "bitcast itself": (lambda t: ct.bitcast(t, t.dtype), lambda a: a),
    "item": (lambda t: ct.broadcast_to(ct.reshape(ct.extract(t, (1, 5), (1, 1)).item(), (1,)), (8,)), lambda a: np.repeat(a[1, 5], 8)),
}  # fmt: skip


def inserted(a: np.ndarray) -> np.ndarray:
    a = a.copy()
    a[2:4, 0:4] = a[0:2, 4:8]
    return a


def moving(name: str, move):
    enter, leave = FORMATS[name].enter, FORMATS[name].leave
    return lambda x: leave(move(ct.reshape(enter(x), (4, 8))))


def moved(name: str, move):
    if name == "float4_e2m1fn":
        return lambda x: packed(move(nibbles(x).reshape(4, 8)))
    return lambda x: move(x)


def source(name: str) -> np.ndarray:
    if name == "float4_e2m1fn":
        return np.random.default_rng(41).integers(0, 256, 16, np.uint8)
    stored = FORMATS[name].stored
    if name in ("bool", "tfloat32", "float16", "bfloat16", "float32", "float64"):
        return (np.arange(32) % 3 == 0 if name == "bool" else np.arange(32) * 0.5 - 6).reshape(4, 8).astype(stored)
    return drawn(stored.name, 32, 42).reshape(4, 8) if name in (*INTEGERS, "float8_e5m3fnu") else np.arange(32, dtype=np.uint8).reshape(4, 8).view(stored)


def shapes(name: str) -> Batch:
    rows = {n: Row(moving(name, move), moved(name, meant)) for n, (move, meant) in MOVES.items() if name != "bool" or not n.startswith("bitcast")}
    return Batch(f"shapes {name}", (source(name),), rows)


def made(name: str) -> Batch:
    """full, zeros, ones, arange and astile; a runtime scalar and a constant as the number."""
    dtype, form = dtype_of(name), FORMATS[name]
    leave, numbers = form.leave, lambda values: form.memory(rounded(np.asarray(values, np.float64), name))
    rows = {
        "zeros": Row(lambda x: leave(ct.zeros((2, 8), dtype)), lambda x: numbers(np.zeros((2, 8)))),
        "ones": Row(lambda x: leave(ct.ones((8,), dtype)), lambda x: numbers(np.ones(8))),
        "full": Row(lambda x: leave(ct.full((4, 2), 2, dtype)), lambda x: numbers(np.full((4, 2), 1 if name == "bool" else 2))),
        "full runtime": Row(lambda x: leave(ct.full(8, x.item(), dtype)), lambda x: numbers(np.full(8, 1))),
        "astile": Row(lambda x: leave(ct.astile(((0, 1), (x.item(), 1)), dtype=dtype)), lambda x: numbers([[0, 1], [1, 1]])),
        "scalar": Row(lambda x: leave(ct.full((2,), dtype(1), dtype)), lambda x: numbers(np.ones(2))),
    }
    if name != "float4_e2m1fn":
        rows |= {"arange": Row(lambda x: leave(ct.arange(16, dtype=dtype)), lambda x: numbers(np.arange(16)))}
    else:
        rows |= {"arange": Row(lambda x: leave(ct.arange(4, dtype=dtype)), lambda x: numbers(np.arange(4)))}
    if name == "bool":
        rows |= {"full of a float": Row(lambda x: ct.full((4,), 0.5, dtype), lambda x: np.ones(4, bool))}
    if name in INTEGERS:
        rows |= {
            "full of a float": Row(lambda x: ct.full((4,), 300.75, dtype), lambda x: np.full(4, 300).astype(name)),
            "full of a large number": Row(lambda x: ct.full((4,), 2**40 + 3, dtype), lambda x: np.full(4, 2**40 + 3).astype(name)),
            "full below zero": Row(lambda x: ct.full((4,), -1.5, dtype), lambda x: np.full(4, -1).astype(name)),
            "scalar that wraps": Row(lambda x: ct.full((4,), dtype(300), dtype), lambda x: np.full(4, 300).astype(name)),
        }
    if name in ("float8_e8m0fnu", "float8_e5m3fnu", "float8_e4m3fn", "float8_e5m2", "float4_e2m1fn", "tfloat32", "bool"):
        return Batch(f"made {name}", (np.ones(1, np.int32),), rows)
    rows |= {
        "arange from": Row(lambda x: leave(ct.arange(8, dtype=dtype, start=3, step=2)), lambda x: numbers(3 + 2 * np.arange(8))),
        "arange runtime": Row(lambda x: leave(ct.arange(8, dtype=dtype, start=x.item(), step=x.item())), lambda x: numbers(1 + np.arange(8))),
    }
    if name.startswith(("float", "bfloat")):
        rows |= {
            "arange of halves": Row(lambda x: ct.arange(8, dtype=dtype, start=0.5, step=-0.25), lambda x: numbers(0.5 - 0.25 * np.arange(8))),
            "full of infinity": Row(lambda x: ct.full((4,), float("inf"), dtype), lambda x: numbers(np.full(4, np.inf))),
            "full of NaN": Row(lambda x: ct.full((4,), float("nan"), dtype), lambda x: numbers(np.full(4, np.nan))),
            "full of -0.0": Row(lambda x: ct.full((4,), -0.0, dtype), lambda x: numbers(np.full(4, -0.0))),
            "full of a tenth": Row(lambda x: ct.full((4,), 0.1, dtype), lambda x: numbers(np.full(4, 0.1))),
            "full of a large number": Row(lambda x: ct.full((4,), 1e39, dtype), lambda x: numbers(np.full(4, 1e39))),
        }
    return Batch(f"made {name}", (np.ones(1, np.int32),), rows)


BATCHES = [make(name) for name in EVERY for make in (shapes, made)]
