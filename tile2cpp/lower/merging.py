"""Where paths meet: one value for what each of them left behind.

Numbers and tiles meet in a variable that every path sets. Arrays meet in the variables
of which an array is made: where it begins, its extents, its strides. Tuples, dataclasses
and functions meet part by part.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tile2cpp import dtypes, ir
from tile2cpp.lower.choices import chosen, is_list
from tile2cpp.lower.closures import freeze, is_frozen
from tile2cpp.lower.names import extent_name, pointer_name, stride_name
from tile2cpp.lower.values import ArrayValue, Closure, Composite, Constant, Runtime, Value, ViewValue
from tile2cpp.types import Array, Extent, Tile

PROMISED = 16  # the multiple that signatures speak of


@dataclass
class Meeting:
    """Paths that meet: what is declared before them, what each does at its end, and what follows them."""

    frame: Any
    paths: list[list[ir.Stmt]]
    declared: list[ir.Stmt] = field(default_factory=list)
    after: list[ir.Stmt] = field(default_factory=list)
    inner: frozenset[str] = frozenset()  # names that mean nothing where the paths meet

    def agreed(self, values: list[Value]) -> Value | None:
        """The one value that all paths have without a variable."""
        first = values[0]
        if isinstance(first, Runtime) or not all(self.frame._same(first, v) for v in values):
            return None
        if self.inner and any(getattr(e, "name", "") in self.inner for part in self.frame.parts_of(first) for e in ir.walk(part)):
            return None
        return Constant(first.value) if isinstance(first, Constant) else first

    def merged(self, name: str, values: list[Value]) -> Value | None:
        """The value that stands for all of `values`, one of each path; None where they have no common type."""
        first = values[0]
        if (one := self.agreed(values)) is not None:
            return one
        if all(map(is_list, values)):
            return (choices := chosen(values)) and self.parts(name, choices)
        target = self.frame._common_type(values)
        if target is not None:
            return self.variable(self.frame.names.fresh(name), target, values)
        if isinstance(first, (ArrayValue, ViewValue)):
            return self.place(name, values)
        if all(isinstance(v, Closure) and is_frozen(v) for v in values):
            made = self.parts(name, list(map(freeze, values)))
            return made and made.closure()
        return self.parts(name, values) if isinstance(first, Composite) else None

    def parts(self, name: str, values: list[Any]) -> Any:
        """Composite values of one kind, part by part."""
        first = values[0]
        if not all(isinstance(v, Composite) and v.kind() == first.kind() for v in values):
            return None
        columns = zip(first.part_names(), zip(*(v.parts() for v in values)))
        made = [self.merged(f"{name}_{part}", list(column)) for part, column in columns]
        return None if None in made else first.rebuilt(tuple(made))

    def variable(self, cname: str, target: Tile, values: list[Value]) -> Runtime:
        """A new variable that every path sets."""
        self.declared.append(ir.Declare(cname, target))
        for path, value in zip(self.paths, values):
            path.append(ir.Set(cname, self.frame.convert(value, target)))
        return Runtime(ir.Name(cname, target))

    def place(self, name: str, values: list[Value]) -> Value | None:
        """An array, or a view of one, that is another one on every path."""
        views = [v.expr for v in values if isinstance(v, ViewValue)]
        if views and (len(views) != len(values) or any(not is_like(v, views[0]) for v in views)):
            return None
        if not all(isinstance(v, (ArrayValue, ViewValue)) for v in values):
            return None
        arrays = [v.expr.array if isinstance(v, ViewValue) else v.expr for v in values]
        kind = joint_type([a.type for a in arrays])
        if kind is None:
            return None
        array = arrays[0] if all(a == arrays[0] for a in arrays) and arrays[0].name not in self.inner else self._array(name, kind, arrays)
        return view_of(views[0], array) if views else ArrayValue(array)

    def _array(self, name: str, kind: Array, arrays: list[ir.ArrayName]) -> ir.ArrayName:
        made = Parts.declared(self.frame, name, kind)
        self.declared += [ir.Declare(v.name, v.type) for v in made.variables()]
        for path, array in zip(self.paths, arrays):
            path += made.set_to(self.frame, array)
        self.after.append(made.array_of({a.name for a in arrays}))
        return made.name


@dataclass(frozen=True)
class Parts:
    """The variables of which an array is made; constants where all of its extents or strides are known."""

    name: ir.ArrayName
    pointer: ir.Name
    shape: tuple[ir.Name | ir.Literal, ...]
    strides: tuple[ir.Name | ir.Literal, ...]

    @classmethod
    def declared(cls, frame: Any, name: str, kind: Array) -> "Parts":
        cname = frame.name_of_arrays(name, kind.ndim)

        def part(spelled, known: Extent, axis: int, dtype) -> ir.Name | ir.Literal:
            return ir.Name(spelled(cname, axis), Tile(dtype), True) if known.value is None else ir.Literal(known.value, Tile(dtype))

        return cls(
            ir.ArrayName(cname, kind),
            ir.Name(pointer_name(cname), Tile(dtypes.foreign_pointer_dtype(kind.dtype))),
            tuple(part(extent_name, e, axis, kind.index_dtype) for axis, e in enumerate(kind.extents)),
            tuple(part(stride_name, s, axis, kind.stride_dtype) for axis, s in enumerate(kind.strides or ())),
        )

    def variables(self) -> list[ir.Name]:
        return [v for v in (self.pointer, *self.shape, *self.strides) if isinstance(v, ir.Name)]

    def values_of(self, frame: Any, array: ir.ArrayName) -> list[tuple[ir.Name, Any]]:
        """Each variable with its value for `array`."""
        found: list[tuple[Any, Any]] = [(self.pointer, ir.Pointer(array, self.pointer.type))]
        for variables, stride in ((self.shape, False), (self.strides, True)):
            found += [(v, frame.convert(frame._extent(array, axis, stride), v.type)) for axis, v in enumerate(variables)]
        return [(variable, value) for variable, value in found if isinstance(variable, ir.Name)]

    def set_to(self, frame: Any, array: ir.ArrayName) -> list[ir.Stmt]:
        return [ir.Set(variable.name, value) for variable, value in self.values_of(frame, array)]

    def array_of(self, origins: set[str]) -> ir.Foreign:
        """The array made of these variables."""
        return ir.Foreign(self.name.name, self.pointer, self.shape, self.strides, self.name.type, origins=tuple(sorted(origins)))


def joint_type(kinds: list[Array]) -> Array | None:
    """What is known of an array that may be of any of these types; None where they have no common one."""
    first = kinds[0]
    if any(k.dtype != first.dtype or k.ndim != first.ndim for k in kinds):
        return None
    extents = tuple(map(_joint, zip(*(k.extents for k in kinds))))
    plain = all(k.strides is None for k in kinds)
    strides = None if plain else tuple(map(_joint, zip(*(_strides(k) for k in kinds))))
    wide, wide_extents = any(k.wide for k in kinds), any(k.wide_extents for k in kinds)
    return replace(first, extents=extents, strides=strides, alignment=min(k.alignment for k in kinds), wide=wide, wide_extents=wide_extents)


def _joint(known: tuple[Extent, ...]) -> Extent:
    if all(e == known[0] for e in known):
        return known[0]
    return Extent(None, PROMISED if all(e.is_multiple_of(PROMISED) for e in known) else 1)


def _strides(kind: Array) -> tuple[Extent, ...]:
    """The strides of an array, those of a row-major one as far as its extents tell them."""
    if kind.strides is not None:
        return kind.strides
    found = [Extent(1)]
    for extent in reversed(kind.extents[1:]):
        inner = found[0]
        known = None if extent.value is None or inner.value is None else extent.value * inner.value
        found.insert(0, Extent(known) if known is not None else Extent(None, PROMISED if extent.is_multiple_of(PROMISED) or inner.is_multiple_of(PROMISED) else 1))
    return tuple(found[: kind.ndim])


def is_like(view: ir.ViewName, other: ir.ViewName) -> bool:
    """Whether two views cut their arrays alike."""
    return (view.shape, view.padding, view.type.steps, view.type.scalar) == (other.shape, other.padding, other.type.steps, other.type.scalar)


def view_of(view: ir.ViewName, array: ir.ArrayName) -> ViewValue:
    """The same view of another array."""
    return ViewValue(replace(view, array=array, type=replace(view.type, array=array.type)))
