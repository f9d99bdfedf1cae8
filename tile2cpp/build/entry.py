"""The generated caller of a reviewed file, for a GPU or for the host."""

from __future__ import annotations

from tile2cpp import rendering
from tile2cpp.emitted import Emitted, Parameter


def entry_name(emitted: Emitted) -> str:
    return f"{emitted.name}__entry"


def device_entry(emitted: Emitted, symbol: str = "", declared: tuple[str, ...] | None = None) -> str:
    """The `__global__` function: schedule constants, launch bounds, one call.

    It is called `symbol`, and takes the `declared` parameters where a calling convention
    wants others than the kernel has; the kernel's own must be among them.
    """
    parameters = [declaration(p) for p in emitted.parameters] if declared is None else declared
    return render("entry.cu.jinja", emitted, symbol, schedule=emitted.schedule, parameters=parameters, products=_has_products(emitted))


def _has_products(emitted: Emitted) -> bool:
    """Whether the file may multiply matrices: the largest part of the library, which others need not read."""
    return emitted.schedule.product or "mma" in emitted.text or "matmul" in emitted.text


def host_entry(emitted: Emitted) -> str:
    """The loop over the grid; it takes the addresses of the kernel's arguments."""
    return render("entry_host.cpp.jinja", emitted, typed=[(p.cpp, p.name) for p in emitted.parameters])


def declaration(parameter: Parameter) -> str:
    """A parameter as the entry declares it."""
    # Only here can the compiler still see that arrays do not overlap: the kernel itself is inlined.
    return f"{parameter.cpp}{' __restrict__' if parameter.is_memory else ''} {parameter.name}"


def render(template: str, emitted: Emitted, symbol: str = "", **facts) -> str:
    """A template of templates/ about an emitted file."""
    names = [p.name for p in emitted.parameters]
    return rendering.render(template, {"name": emitted.name, "entry": symbol or entry_name(emitted), "file_name": emitted.file_name, "names": names, **facts})
