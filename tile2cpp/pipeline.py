"""The stages in a row: a Python function and a signature in, the reviewed file out."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any

from tile2cpp import ir
from tile2cpp.emitted import Emitted, Schedule
from tile2cpp.errors import Diagnostic, Label, TileUnsupportedFeatureError
from tile2cpp.signature import Signature, leaves
from tile2cpp.types import Array

BESIDE_RESULTS = 48  # registers of a thread for maxima, sums and addresses
FLOAT8, FLOAT8_SINCE = ("float8_e4m3fn", "float8_e5m2"), 89


def emit_kernel(
    function: types.FunctionType, signature: Signature, hints: dict[str, Any] | None = None, *, target: int | None = None, assumed: tuple[str, ...] = (), maps: bool | None = None
) -> Emitted:  # fmt: skip
    """Translate a kernel for a signature.

    `target` is the compute capability to schedule for, such as 90, or None for the
    host. `maps` says whether the launch can pass descriptors of arrays beside the
    parameters; None keeps to what any launch can do. Raises a `TileError` with all
    findings, in source order.
    """
    from tile2cpp.emit import emit
    from tile2cpp.joining import joined
    from tile2cpp.lower import lower
    from tile2cpp.passes import optimise
    from tile2cpp.passing import with_unread
    from tile2cpp.schedule import choose, lets_begin

    _refuse_missing_formats(function, signature, target)
    kernel, watched = lower(function, signature, hints or {})
    kernel = joined(optimise(kernel))
    begins = lets_begin(kernel)
    kernel, schedule = _plain(kernel, choose(kernel, target, maps), target, maps)
    if schedule.feeder and not schedule.flat:
        kernel, schedule = _turn(kernel, schedule, target, maps)
    if schedule.feeder:
        kernel = with_unread(kernel)
    text, parameters = emit(kernel, assumed)
    # Emission numbers what is passed at run time; callers number the parameters of the Python function.
    places = [(position, path) for position, kind in enumerate(signature.types) for path, _ in leaves(kind)]
    parameters = tuple(replace(p, argument=places[p.argument][0], path=places[p.argument][1]) for p in parameters)
    schedule = replace(schedule, ahead=_lines_with(schedule.ahead, text), written_zeros=_lines_with(schedule.written_zeros, text))
    schedule = replace(schedule, parked=_lines_with(tuple(f"  auto {name} = " for name in schedule.parked), text))
    schedule = replace(schedule, maps=tuple(replace(m, argument=places[m.argument][0], path=places[m.argument][1]) for m in schedule.maps), lets_begin=begins)
    name = kernel.main.name
    return Emitted(name, f"{name}.cu", text, parameters, schedule, str(signature), watched, assumed)


def _lines_with(beginnings: tuple[str, ...], text: str) -> tuple[int, ...]:
    """The lines on which these first stand, where they do."""
    return tuple(1 + text[: text.index(begin)].count("\n") for begin in beginnings if begin in text)


def _plain(kernel: ir.Kernel, schedule: Schedule, target: int | None, maps: bool | None) -> tuple[ir.Kernel, Schedule]:
    """The kernel with its factors as plain loads, and its products as those of matrices, where more is fetched ahead then; else as it is."""
    from tile2cpp.plain_loads import with_plain_loads
    from tile2cpp.schedule import choose
    from tile2cpp.unit_batches import with_matrices

    if not schedule.product or schedule.feeder:
        return kernel, schedule
    plain = with_matrices(with_plain_loads(kernel))
    chosen = schedule if plain is kernel else choose(plain, target, maps)
    return (plain, chosen) if _fetching(chosen) > _fetching(schedule) else (kernel, schedule)


def _fetching(schedule: Schedule) -> tuple[bool, ...]:
    """How well products come by their factors, the best ways first: by warps that do nothing else, without another way beside it, by the products, or for them."""
    return bool(schedule.feeder), schedule.fixed_loads, bool(schedule.rings), schedule.shared > 0


def _turn(kernel: ir.Kernel, schedule: Schedule, target: int | None, maps: bool | None) -> tuple[ir.Kernel, Schedule]:
    """The kernel with its loops turned, where that pays and registers suffice; else as it is. In turned loops helpers that multiply are written out."""
    from tile2cpp.inlining import inlined
    from tile2cpp.masks import passed_over
    from tile2cpp.schedule import choose
    from tile2cpp.sums import are_kept, may_end_early
    from tile2cpp.turning import turned

    whole = inlined(kernel, to_write=True)
    # Sums that helpers return among other results count as kept until the helpers are written out.
    made = turned(whole) if whole is not None and not are_kept(whole) else None
    if made is None or may_end_early(made.kernel):
        return kernel, schedule
    chosen = choose(made.kernel, target, maps)
    # Both results, and the left factor of the second product at half their width.
    packed, wide = (max(int(first.size * share) + second.size for first, second in made.tiles) // chosen.threads + BESIDE_RESULTS for share in (1.5, 2))
    # A product that runs on still needs its stage when the next one begins.
    thin = any(ring.stages == 1 for ring in chosen.rings)
    if not chosen.feeder or thin or packed > chosen.product_registers:
        return kernel, schedule
    ahead, zeros = (f"auto {name} = ct::mma(" for name in made.ahead), (f"auto {name} = ct::zeros<" for name in made.sums)
    schedule = replace(chosen, keeps_sums=False, ahead=tuple(ahead), written_zeros=tuple(dict.fromkeys(zeros)), packs_early=wide > chosen.product_registers)
    return replace(made.kernel, main=passed_over(made.kernel.main)), schedule


def _refuse_missing_formats(function: types.FunctionType, signature: Signature, target: int | None) -> None:
    """8-bit floats need a GPU that knows them, whichever compiler reads the file."""
    from tile2cpp.parse import function_syntax

    lacking = [(n, k.dtype) for n, k in zip(signature.names, signature.types) if isinstance(k, Array) and k.dtype.name in FLOAT8]
    if target is None or target >= FLOAT8_SINCE or not lacking:
        return
    name, dtype = lacking[0]
    syntax = function_syntax(function)
    place = next((p for p in syntax.parameters if p.arg == name), syntax.node)
    hint = f"GPUs have it since sm_{FLOAT8_SINCE}; on older ones keep the array in float16, or its bytes in uint8"
    kind = TileUnsupportedFeatureError
    raise kind(Diagnostic(f"the array `{name}` holds {dtype}, which sm_{target} does not have", code="target", label=Label(syntax.span(place)), hints=(hint,), kind=kind, known_as=f"{dtype} is not supported on sm_{target}"))
