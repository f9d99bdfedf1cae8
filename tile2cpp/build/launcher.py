"""The header that starts an emitted kernel from C++: a typed function, what it wants of its arguments, and the checks.

`launcher(emitted)` is the text of NAME.hpp, which lies beside NAME.cu. The schedule is
that of `emitted`, so translate for the GPUs that the header is meant for.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Callable, Iterator

from tile2cpp.build.entry import declaration, render
from tile2cpp.emitted import Emitted, Parameter, Schedule
from tile2cpp.lower.names import Names
from tile2cpp.signature import Fixed, Signature, leaves, named
from tile2cpp.types import Array, ArrayList, Extent

# Tensor cores of 8.0 and newer; as much shared memory as all of these GPUs have; 8-bit floats, where a kernel has them.
USUAL_TARGET = 89
INCLUDES = re.compile(r"^#include <(.+)>$", re.MULTILINE)
ORIGIN = re.compile(r"written by tile2cpp from (.+); edit")


def launcher(emitted: Emitted) -> str:
    """The header's text."""
    signature, schedule = Signature.parse(emitted.signature), _everywhere(emitted.schedule)
    found = list(_arguments(emitted, signature))
    facts = [fact for argument in found for fact in argument.facts()]
    tested = set(re.findall(r"\w+", " ".join(condition for condition, _ in facts)))
    plain = _lines_of(emitted.parameters, lambda p: f"{p.cpp} {p.name}")
    checked = _lines_of(emitted.parameters, lambda p: f"{'' if p.name in tested else '[[maybe_unused]] '}{p.cpp} {p.name}")
    names = Names({p.name for p in emitted.parameters})
    grid, stream = names.fresh("grid"), names.fresh("stream")
    macros = {
        "T2C_THREADS": schedule.threads, "T2C_VECTOR": schedule.vector, "T2C_COLUMN_THREADS": schedule.column_threads,
        "T2C_ORDERED": int(schedule.ordered), "T2C_PRODUCT": int(schedule.product), "T2C_SHARED": schedule.shared,
    }  # fmt: skip
    return render(
        "launcher.hpp.jinja", emitted,
        origin=ORIGIN.search(emitted.text)[1], signature=f"{emitted.name}({emitted.signature})", assumed=emitted.assumed,
        schedule=schedule, least_target=80 if schedule.product else 0, macros=list(macros.items()),
        headers=[name for name in INCLUDES.findall(emitted.text) if name != "cuda_tile.h"], doc=list(_doc(emitted, signature, found, grid, stream)), grid=grid, stream=stream,
        parameters=[f"tile2cpp::dim3 {grid}, tile2cpp::launch_stream {stream}", *plain], checked=checked,
        declared=_lines_of(emitted.parameters, declaration), given="".join(f", {p.name}" for p in emitted.parameters),
        facts=facts,
    )  # fmt: skip


def _everywhere(schedule: Schedule) -> Schedule:
    """A schedule for any file that includes the kernel's: its lines have other numbers there."""
    return replace(schedule, parked=(), shared=0) if schedule.parked else schedule


def _lines_of(parameters: tuple[Parameter, ...], spell: Callable[[Parameter], str]) -> list[str]:
    """The parameters, those of one argument on one line."""
    groups: dict[tuple, list[str]] = {}
    for parameter in parameters:
        groups.setdefault((parameter.argument, parameter.path), []).append(spell(parameter))
    return [", ".join(group) for group in groups.values()]


class Argument:
    """What is passed for one array, list or scalar: its kind and its C++ parameters."""

    def __init__(self, name: str, kind: Any, parameters: list[Parameter]):
        self.name, self.kind = name, kind
        self._by_role = {(p.role, p.axis): p.name for p in parameters}
        self.parameters = parameters

    def number(self, role: str, axis: int, extent: Extent) -> str:
        """An extent or stride as C++ has it: a parameter, or a number of the signature."""
        return self._by_role.get((role, axis), str(extent.value))

    @property
    def extents(self) -> list[str]:
        return [self.number("extent", axis, e) for axis, e in enumerate(self.kind.extents)]

    @property
    def strides(self) -> list[str]:
        return [self.number("stride", axis, s) for axis, s in enumerate(self.kind.strides or ())]

    # --- checks -------------------------------------------------------------------------

    def facts(self) -> Iterator[tuple[str, str]]:
        """Conditions in C++, and what is said where one does not hold."""
        if isinstance(self.kind, ArrayList):
            length = self._by_role["length", 0]
            yield f"({length} >= 0)", f"{length} is negative"
        elif isinstance(self.kind, Array):
            pointer = self._by_role["pointer", 0]
            yield f"tile2cpp::is_aligned({pointer}, {self.kind.alignment})", f"{pointer} is no multiple of {self.kind.alignment} bytes"
            yield from self._numbers("extent", self.kind.extents)
            yield from self._numbers("stride", self.kind.strides or ())
            yield from self._reach()

    def _numbers(self, role: str, values: tuple[Extent, ...]) -> Iterator[tuple[str, str]]:
        for axis, value in enumerate(values):
            name = self._by_role.get((role, axis))
            if name is None:
                continue
            yield f"({name} >= 0)", f"{name} is negative"
            if value.divisor > 1:
                yield f"({name} % {value.divisor} == 0)", f"{name} is no multiple of {value.divisor}"

    def _reach(self) -> Iterator[tuple[str, str]]:
        """Offsets of 32 bits reach every element; one axis of adjacent elements always fits."""
        array = self.kind
        if array.wide or array.ndim == 0 or (array.ndim == 1 and array.strides is None) or not self._runs():
            return
        strides = f", {{{', '.join(self.strides)}}}" if array.strides is not None else ""
        yield f"tile2cpp::offsets_fit({{{', '.join(self.extents)}}}{strides})", f"{self.name} spans 2^31 elements or more"

    def _runs(self) -> bool:
        """Whether anything of the shape is known at run time only."""
        return any(p.role in ("extent", "stride") for p in self.parameters)

    # --- documentation ------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        if isinstance(self.kind, ArrayList):
            yield from self._list_lines()
        elif isinstance(self.kind, Array):
            yield f"{self.parameters[0].name}: {self._array_text()}"
        else:
            yield f"{self.parameters[0].name}: a number ({self.parameters[0].cpp})"

    def _array_text(self) -> str:
        array = self.kind
        access = "read" if "const*" in self.parameters[0].cpp else "written"
        text = f"an array of {array.dtype.cpp}, {access}; {_shape(self.extents)}"
        if array.strides is not None:
            letters = "ijklmnop"[: array.ndim]
            place = " + ".join(letter if s == "1" else f"{letter} * {s}" for letter, s in zip(letters, self.strides))
            text += f", element ({', '.join(letters)}) at [{place}]"
        elif array.ndim > 1:
            text += ", row-major"
        return text + (f"; the address is a multiple of {array.alignment}" if array.alignment > array.dtype.bytes else "")

    def _list_lines(self) -> Iterator[str]:
        rows = [p.name for p in self.parameters if p.role != "length"]
        yield f"{', '.join(rows)}: tables in the kernel's memory, with an entry for each of the {self._by_role['length', 0]} arrays of `{self.name}`"
        element = self.kind.element
        if element.alignment > element.dtype.bytes:
            yield f"  (the addresses are multiples of {element.alignment})"
        for role, values in (("extents", element.extents), ("strides", element.strides or ())):
            for axis, value in enumerate(values):
                if value.divisor > 1 and (role, axis) in self._by_role:
                    yield f"  (the numbers in {self._by_role[role, axis]} are multiples of {value.divisor})"


def _shape(extents: list[str]) -> str:
    return " x ".join(extents) + " elements" if extents else "one element"


def _arguments(emitted: Emitted, signature: Signature) -> Iterator[Argument]:
    """All that is passed at run time; what a kernel has no parameters for is not."""
    known: dict[tuple, list[Parameter]] = {}
    for parameter in emitted.parameters:
        known.setdefault((parameter.argument, parameter.path), []).append(parameter)
    for argument, (name, kind) in enumerate(zip(signature.names, signature.types)):
        for path, leaf in leaves(kind):
            if parameters := known.get((argument, path)):
                yield Argument(named(name, path), leaf, parameters)


def _doc(emitted: Emitted, signature: Signature, found: list[Argument], grid: str, stream: str) -> Iterator[str]:
    yield f"Starts `{emitted.name}` for every block of `{grid}`, on `{stream}`. With CUDA these are dim3 and cudaStream_t, and the result"
    yield "is a cudaError_t; on the CPU the call returns when all blocks are done. The result 0 is success. cudaErrorInvalidValue (1)"
    yield "says that an argument is not what the kernel was made for; `refusal_" + emitted.name + "` says which. Arrays must not overlap"
    yield "when one of them is written."
    yield ""
    for argument in found:
        yield from (f"  {line}" for line in argument.lines())
    constants = [f"{n} = {v}" for name, kind in zip(signature.names, signature.types) for n, v in _constants(name, kind)]
    if constants:
        yield ""
        yield f"Part of the kernel: {', '.join(constants)}."


def _constants(name: str, kind: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[str, str]]:
    if isinstance(kind, Fixed):
        yield named(name, path), repr(kind.value)
    elif isinstance(kind, tuple):
        for position, item in enumerate(kind):
            yield from _constants(name, item, (*path, position))
