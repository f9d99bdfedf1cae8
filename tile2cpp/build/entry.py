"""The generated caller of a reviewed file, for a GPU or for the host."""

from __future__ import annotations

from tile2cpp import rendering
from tile2cpp.emitted import FEEDER_REGISTERS, SCRATCH_BYTES, Emitted, Factor, Parameter, Schedule, TensorMap


def entry_name(emitted: Emitted) -> str:
    return f"{emitted.name}__entry"


def device_entry(emitted: Emitted, symbol: str = "", declared: tuple[str, ...] | None = None) -> str:
    """The `__global__` function: schedule constants, launch bounds, one call.

    It is called `symbol`, and takes the `declared` parameters where a calling convention
    wants others than the kernel has; the kernel's own must be among them.
    """
    parameters = [declaration(p) for p in emitted.parameters] if declared is None else declared
    maps = [(f"map__{number}", m, *_extents_and_strides(m, emitted)) for number, m in enumerate(emitted.schedule.maps)]
    parameters = [*parameters, *(f"__grid_constant__ const tile2cpp::backend::tensor_map {name}" for name, *_ in maps)]
    if emitted.schedule.walks:
        parameters.append("uint3 grid__extents")
    facts = {"maps": maps, "feeder_registers": FEEDER_REGISTERS, "map_names": [name for name, *_ in maps], "places": _places(emitted.schedule), "products": _has_products(emitted), "own_scales": "__nv_fp8_ue5m3" in emitted.text}
    return render("entry.cu.jinja", emitted, symbol, schedule=emitted.schedule, parameters=parameters, **facts)


def _has_products(emitted: Emitted) -> bool:
    """Whether the file may multiply matrices: the largest part of the library, which others need not read."""
    return emitted.schedule.product or "mma" in emitted.text or "matmul" in emitted.text


def _places(schedule: Schedule) -> list[tuple[str, str]]:
    """Where factors of products wait, as macros; none where no warpgroups multiply."""
    if not (schedule.rings or schedule.residents):
        return []
    rings = "".join(f" {{{_form(r.left)}, {_form(r.right)}, {r.offset}, {r.stages}, {int(r.mapped)}}}," for r in schedule.rings)
    maps = "".join(f" {{{_form(m.factor)}, {m.row}, {m.column}}}," for m in schedule.maps)
    residents = "".join(f" {{role::{r.role}, {_form(r.factor)}, {r.offset}}}," for r in schedule.residents)
    fixed = [("T2C_SCRATCH", f" {SCRATCH_BYTES}"), ("T2C_FIXED_LOADS", f" {int(schedule.fixed_loads)}")]
    fed = [("T2C_FED", " 1"), ("T2C_OVERTAKEN", _lines(schedule.ahead)), ("T2C_WRITTEN_ZEROS", _lines(schedule.written_zeros))] if schedule.feeder else []
    fed += [("T2C_PACKS_EARLY", " 1")] if schedule.packs_early else []
    turned = [("T2C_TURNED", " 1")] if schedule.turned else []
    flat = [("T2C_FLAT", " 1")] if schedule.flat else []
    walks = [("T2C_WALKING", " 1")] if schedule.walks else []
    walks += [("T2C_WIDE_LINES", " 1")] if schedule.wide else []
    kept = [("T2C_KEEPS_SUMS", " 1")] if schedule.keeps_sums else []
    return [*fixed, *fed, *turned, *flat, *walks, *kept, ("T2C_RINGS", rings), ("T2C_MAPS", maps), ("T2C_RESIDENTS", residents)]


def _lines(numbers: tuple[int, ...]) -> str:
    return "".join(f" {number}," for number in numbers)


def _form(factor: Factor | None) -> str:
    return f"{{{factor.lines}, {factor.depth}, {factor.size}, {int(factor.turned)}}}" if factor else "{}"


def _extents_and_strides(tensor_map: TensorMap, emitted: Emitted) -> tuple[list[str], list[str]]:
    """Those of the array along the axes of the view, as expressions of the entry."""
    array = tensor_map.array
    found = {(p.role, p.axis): p.name for p in emitted.parameters if (p.argument, p.path) == (tensor_map.argument, tensor_map.path)}
    extents = [found.get(("extent", axis), str(extent.value)) for axis, extent in enumerate(array.extents)]
    if array.strides is None:
        strides = [" * ".join(f"(long long){e}" for e in extents[axis + 1 :]) or "1" for axis in range(array.ndim)]
    else:
        strides = [found.get(("stride", axis), str(stride.value)) for axis, stride in enumerate(array.strides)]
    return [extents[axis] for axis in tensor_map.order], [strides[axis] for axis in tensor_map.order]


def host_entry(emitted: Emitted) -> str:
    """The loop over the grid; it takes the addresses of the kernel's arguments."""
    given = [f"*static_cast<{p.cpp}*>(arguments[{number}])" for number, p in enumerate(emitted.parameters)]
    return render("entry_host.cpp.jinja", emitted, given=given)


def declaration(parameter: Parameter) -> str:
    """A parameter as the entry declares it."""
    # Only here can the compiler still see that arrays do not overlap: the kernel itself is inlined.
    return f"{parameter.cpp}{' __restrict__' if parameter.is_memory else ''} {parameter.name}"


def render(template: str, emitted: Emitted, symbol: str = "", **facts) -> str:
    """A template of templates/ about an emitted file."""
    names = [p.name for p in emitted.parameters]
    return rendering.render(template, {"name": emitted.name, "entry": symbol or entry_name(emitted), "file_name": emitted.file_name, "names": names, **facts})
