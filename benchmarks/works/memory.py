"""Work that memory bounds: copies, sums, activations, softmax, norms, transposes."""

from __future__ import annotations

from typing import Any, Sequence

from benchmarks import rivals
from benchmarks.arrays import wide
from benchmarks.kernels import memory as kernels
from benchmarks.kernels import rows as in_pieces
from benchmarks.work import CUTILE, Array, Bar, Launch, Rival, Work
from benchmarks.works.attention import softmax
from benchmarks.works.products import cdiv

SHORT = {"float16": "f16", "float32": "f32"}
SPOKEN = {"float16": "fp16", "float32": "fp32"}
BYTES = {"float16": 2, "float32": 4}
LIMITS = {"float16": 6e-4, "float32": 1e-6}
SUBNORMAL = 3e-8  # the weights of long rows are about 1 / length, where half precision has absolute steps
EPS = 1e-5
LONGEST_ROW = 16384  # that is kept in registers
LONG_TILE = 8192
PART, PART_BLOCKS = 1024, 4  # elements of a row at a time; blocks on a multiprocessor, by which some norms gain
ROW_WARPS = 16  # of a block with one row of 8192, which is faster with more threads than hold it
HELD_TILE, HELD_TILES = 16384, (3, 4)  # half of a row of 131072 fits into the registers of a multiprocessor
FLAT = {"copy": (kernels.copy, 1), "add": (kernels.add, 2), "silu": (kernels.silu, 1)}
NORMS = {"softmax": "softmax", "layer_norm": "layer norm", "rms_norm": "RMS norm"}


def flat(what: str, dtype: str, count: int, tiles: Sequence[int] = (512, 1024, 2048, 4096), bars: Sequence[Bar] = (), **options) -> Work:
    """One element of the result from one element of each input."""
    kernel, inputs = FLAT[what]
    names = ("x", "y")[:inputs]
    arrays = {name: Array((count,), dtype) for name in names} | {"out": Array((count,), dtype, "empty")}
    references = {
        "copy": lambda a, xp: wide(a["x"]),
        "add": lambda a, xp: wide(a["x"]) + wide(a["y"]),
        "silu": lambda a, xp: wide(a["x"]) / (1.0 + xp.exp(-wide(a["x"]))),
    }
    others = {"torch": Rival(lambda a: rivals.torch_flat(a, what)), CUTILE: Rival(rivals.cutile)}
    if what != "copy":
        others["copy"] = Rival(rivals.copy_of_same_size("x"), amount=2.0 * BYTES[dtype] * count, checked=False)
    return Work(
        f"{what}-{SHORT[dtype]}-{count}", "memory", f"{SPOKEN[dtype]} {what}, {power(count)} elements", BYTES[dtype] * (inputs + 1.0) * count, "GB/s",
        arrays, {str(t): (Launch(kernel, (cdiv(count, t),), (*names, "out", t)),) for t in tiles}, others,
        references[what], 0.0 if what == "copy" else LIMITS[dtype], tuple(bars), "out", **options,
    )  # fmt: skip


def power(count: int) -> str:
    return f"2^{count.bit_length() - 1}" if count & (count - 1) == 0 else str(count)


def rows(what: str, count: int, length: int, bars: Sequence[Bar] = (), **options) -> Work:
    """Softmax and norms over the rows of a matrix in half precision."""
    arrays = {"x": Array((count, length), "float16"), "y": Array((count, length), "float16", "empty")}
    if what != "softmax":
        arrays["weight"] = Array((length,), "float16")
    if what == "layer_norm":
        arrays["bias"] = Array((length,), "float16")
    names = {"softmax": ("x", "y"), "layer_norm": ("x", "weight", "bias", "y", EPS), "rms_norm": ("x", "weight", "y", EPS)}[what]
    return Work(
        f"{what.replace('_', '-')}-f16-{count}x{length}", "memory", f"fp16 {NORMS[what]} {count}x{length}", 4.0 * count * length, "GB/s",
        arrays, row_forms(what, count, length, names),
        {
            "copy": Rival(rivals.copy_of_same_size("x"), checked=False), "torch": Rival(lambda a: rivals.torch_rows(a, what, EPS)),
            "Triton": Rival(lambda a: rivals.triton_rows(a, what, EPS)), CUTILE: Rival(rivals.cutile),
        },
        lambda a, xp: normalised(a, xp, what), LIMITS["float16"] + (SUBNORMAL * length if what == "softmax" else 0.0), tuple(bars), "y", **options,
    )  # fmt: skip


def row_forms(what: str, count: int, length: int, names: Sequence[Any]) -> dict:
    tile = 1 << (length - 1).bit_length()
    if length > LONGEST_ROW:
        tile = min(LONG_TILE, tile)
        kept = {f"{h} tiles of {HELD_TILE} kept": held(count, names, h, HELD_TILE) for h in HELD_TILES if what == "softmax" and length >= h * HELD_TILE}
        kept |= {f"all tiles of {HELD_TILE} kept": whole(what, count, names, cdiv(length, HELD_TILE), HELD_TILE)}
        return {f"tiles of {tile}": (Launch(getattr(kernels, f"{what}_long"), (count,), (*names, tile)),), **kept}
    several = (1, 4, 8) if tile <= 1024 else (1,)
    forms = {f"{r} rows": (Launch(getattr(kernels, what), (cdiv(count, r),), (*names, r, tile)),) for r in several}
    if what == "softmax":
        forms |= {f"{r} rows, base 2": (Launch(in_pieces.softmax, (cdiv(count, r),), (*names, r, tile)),) for r in several}
    if length <= PART:
        return forms
    if what == "softmax":
        forms[f"1 rows, base 2, {ROW_WARPS} warps"] = (Launch(in_pieces.softmax.replace_hints(num_worker_warps=ROW_WARPS), (count,), (*names, 1, tile)),)
    for said, hints in (("", {}), (f", {PART_BLOCKS} blocks", {"occupancy": PART_BLOCKS})):
        forms[f"parts of {PART}{said}"] = parts(what, count, names, length, PART, **hints)
    return forms


def parts(what: str, count: int, names: Sequence[Any], length: int, tile: int, **hints: Any) -> tuple[Launch, ...]:
    return (Launch(getattr(in_pieces, f"{what}_parts").replace_hints(**hints), (count,), (*names, cdiv(length, tile), tile)),)


def held(count: int, names: Sequence[Any], tiles: int, tile: int) -> tuple[Launch, ...]:
    return (Launch(in_pieces.softmax_held, (count,), (*names, tiles, tile, tile // 4)),)


def whole(what: str, count: int, names: Sequence[Any], tiles: int, tile: int) -> tuple[Launch, ...]:
    return (Launch(getattr(in_pieces, f"{what}_whole"), (count,), (*names, tiles, tile, tile // 4)),)


def normalised(arrays: Any, xp: Any, what: str) -> Any:
    x = wide(arrays["x"])
    if what == "softmax":
        return softmax(x, xp)
    if what == "rms_norm":
        return x / xp.sqrt((x * x).mean(-1)[..., None] + EPS) * wide(arrays["weight"])
    centred = x - x.mean(-1)[..., None]
    return centred / xp.sqrt((centred * centred).mean(-1)[..., None] + EPS) * wide(arrays["weight"]) + wide(arrays["bias"])


def turned(dtype: str, m: int, n: int, tiles: Sequence[Sequence[int]] = ((64, 64), (32, 128), (128, 32)), bars: Sequence[Bar] = (), **options) -> Work:
    arrays = {"x": Array((m, n), dtype), "y": Array((n, m), dtype, "empty")}
    return Work(
        f"transpose-{SHORT[dtype]}-{m}x{n}", "memory", f"{SPOKEN[dtype]} transpose {m}x{n}", 2.0 * BYTES[dtype] * m * n, "GB/s", arrays,
        {f"{tm}x{tn}": (Launch(kernels.transpose, (cdiv(m, tm), cdiv(n, tn)), ("x", "y", tm, tn)),) for tm, tn in tiles},
        {"copy": Rival(rivals.copy_of_same_size("x"), checked=False), "torch": Rival(rivals.torch_transpose), CUTILE: Rival(rivals.cutile)},
        lambda a, xp: wide(a["x"]).T, 0.0, tuple(bars), "y", **options,
    )  # fmt: skip


def small() -> list[Work]:
    return [
        *(flat(what, dtype, 1000, (256,)) for what in FLAT for dtype in BYTES), *(rows(what, 3, 100) for what in NORMS),
        *(long_rows(what, 3, 700, 256) for what in NORMS), turned("float32", 70, 50, ((32, 16),)), turned("float16", 70, 50, ((32, 16),)),
    ]  # fmt: skip


def long_rows(what: str, count: int, length: int, tile: int) -> Work:
    """The kernels for long rows and for rows in parts, with short ones: for tests."""
    from dataclasses import replace

    work = rows(what, count, length)
    names = next(iter(work.ours.values()))[0].args[:-2]
    ours = {
        f"tiles of {tile}": (Launch(getattr(kernels, f"{what}_long"), (count,), (*names, tile)),),
        f"parts of {tile}": parts(what, count, names, length, tile), "all tiles kept": whole(what, count, names, cdiv(length, tile), tile),
    }  # fmt: skip
    if what == "softmax":
        ours["2 tiles kept"] = held(count, names, 2, tile)
    return replace(work, name=f"{work.name}-long", ours=ours)


def all_works() -> list[Work]:
    of_copy, works = Bar(("copy",), 0.97), []
    for what in FLAT:
        for dtype in BYTES:
            bars = (Bar(("torch",), 0.97 if what == "copy" else 1.0), *(() if what == "copy" else (of_copy,)))
            works.append(flat(what, dtype, 2**28, bars=bars, quick=dtype == "float32" or what == "silu"))
    for what in NORMS:
        for count, length in ((8192, 8192), (8192, 5000), (65536, 512), (256, 131072)):
            bars = (Bar(("copy",), least(length)), Bar(("Triton",), 1.0))
            works.append(rows(what, count, length, bars=bars, quick=what == "softmax" or length == 8192))
    for dtype in BYTES:
        works.append(turned(dtype, 8192, 8192, bars=(Bar(("copy",), 0.92),), quick=True))
    return works


def least(length: int) -> float:
    """Of copy bandwidth: less where rows do not fill a tile."""
    return 0.92 if length & (length - 1) == 0 else 0.85
