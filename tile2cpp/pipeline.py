"""The stages in a row: a Python function and a signature in, the reviewed file out."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any

from tile2cpp.emitted import Emitted
from tile2cpp.signature import Signature, leaves


def emit_kernel(
    function: types.FunctionType, signature: Signature, hints: dict[str, Any] | None = None, *, target: int | None = None, assumed: tuple[str, ...] = ()
) -> Emitted:  # fmt: skip
    """Translate a kernel for a signature.

    `target` is the compute capability to schedule for, such as 90, or None for the
    host. Raises a `TileError` with all findings, in source order.
    """
    from tile2cpp.emit import emit
    from tile2cpp.lower import lower
    from tile2cpp.passes import optimise
    from tile2cpp.schedule import choose

    kernel, watched = lower(function, signature, hints or {})
    kernel = optimise(kernel)
    text, parameters = emit(kernel, assumed)
    # Emission numbers what is passed at run time; callers number the parameters of the Python function.
    places = [(position, path) for position, kind in enumerate(signature.types) for path, _ in leaves(kind)]
    parameters = tuple(replace(p, argument=places[p.argument][0], path=places[p.argument][1]) for p in parameters)
    name = kernel.main.name
    return Emitted(name, f"{name}.cu", text, parameters, choose(kernel, target), str(signature), watched, assumed)
