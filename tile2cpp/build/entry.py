"""The generated caller of a reviewed file, for a GPU or for the host."""

from __future__ import annotations

from functools import lru_cache

from tile2cpp import resources
from tile2cpp.emitted import Emitted, Parameter


def entry_name(emitted: Emitted) -> str:
    return f"{emitted.name}__entry"


def device_entry(emitted: Emitted) -> str:
    """The `__global__` function: schedule constants, launch bounds, one call."""
    return _render("entry.cu.jinja", emitted, schedule=emitted.schedule, parameters=[_declared(p) for p in emitted.parameters])


def host_entry(emitted: Emitted) -> str:
    """The loop over the grid; it takes the addresses of the kernel's arguments."""
    return _render("entry_host.cpp.jinja", emitted, typed=[(p.cpp, p.name) for p in emitted.parameters])


def _declared(parameter: Parameter) -> str:
    # Only here can the compiler still see that arrays do not overlap: the kernel itself is inlined.
    return f"{parameter.cpp}{' __restrict__' if parameter.is_memory else ''} {parameter.name}"


def _render(template: str, emitted: Emitted, **facts) -> str:
    names = [p.name for p in emitted.parameters]
    text = _templates().get_template(template)
    return text.render(name=emitted.name, entry=entry_name(emitted), file_name=emitted.file_name, names=names, **facts)


@lru_cache(maxsize=1)
def _templates():
    import jinja2

    loader = jinja2.FileSystemLoader(resources.templates())
    return jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
