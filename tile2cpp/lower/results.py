"""What helpers give back: one shape for all of their returns, and how a caller fills it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tile2cpp import dtypes, ir
from tile2cpp.errors import Label, TileTypeError
from tile2cpp.lower.closures import Frozen, freeze
from tile2cpp.lower.merging import is_like, joint_type, view_of
from tile2cpp.lower.names import Names
from tile2cpp.lower.statements import Statements
from tile2cpp.lower.values import ArrayValue, Closure, Composite, Constant, Fault, Runtime, Value, ViewValue, describe, plain
from tile2cpp.types import Array, Tile, own_dtype


@dataclass(frozen=True)
class Leaf(Value):
    """A place in a helper's result that is computed at run time."""

    number: int


@dataclass(frozen=True)
class Given(Value):
    """A place in a helper's result that is an array which it was given."""

    parameter: str


@dataclass(frozen=True)
class Made(Value):
    """A place in a helper's result that is an array it made: of which it is made, and of which parameters."""

    type: Array
    pointer: Leaf
    shape: tuple[Value, ...]
    strides: tuple[Value, ...]
    origins: tuple[str, ...]


@dataclass(frozen=True)
class Viewed(Value):
    """A place in a helper's result that is a view of such an array."""

    view: ir.ViewName
    array: Given | Made


class Results(Statements):
    """Adds the joint form of a helper's returns."""

    parameter_names: frozenset[str] = frozenset()  # of a helper, as C++ has them

    def results(self):
        """The joint form of all returned values: template, its leaves, and each return's expressions."""
        values = [freeze(v) if isinstance(v, Closure) else v for v, _ in self.returns]
        leaves: list[tuple[str, Tile]] = []
        parts: list[list[Any]] = [[] for _ in values]
        template = self._joined(values, leaves, parts, "")
        return template, tuple(leaves), [tuple(p) for p in parts]

    def _joined(self, values: list[Value], leaves, parts, wanted: str) -> Value:
        first = values[0]
        if isinstance(first, Composite) and all(isinstance(v, Composite) and v.kind() == first.kind() for v in values):
            names = [n if not n.isdigit() else f"item{n}" for n in first.part_names()]
            columns = zip(*([freeze(p) if isinstance(p, Closure) else p for p in v.parts()] for v in values))
            return first.rebuilt(tuple(self._joined(list(column), leaves, parts, n) for n, column in zip(names, columns)))
        if all(isinstance(v, (ArrayValue, ViewValue)) for v in values):
            return self._joined_places(values, leaves, parts, wanted)
        if not isinstance(first, Runtime) and all(self._same(first, v) for v in values[1:]):
            return Constant(first.value) if isinstance(first, Constant) else first
        types_ = {self._leaf_type(v) for v in values}
        if len(types_) != 1 or None in types_:
            raise self._differing(values)
        return self._leaf(values, types_.pop(), leaves, parts, self._field_name(values, wanted, leaves))

    def _leaf(self, values: list[Value], target: Tile, leaves, parts, name: str) -> Leaf:
        leaves.append((name, target))
        for part, value in zip(parts, values):
            part.append(self.convert(value, target))
        return Leaf(len(leaves) - 1)

    # --- arrays ---------------------------------------------------------------------

    def _joined_places(self, values: list[Value], leaves, parts, wanted: str) -> Value:
        """Arrays, or views of arrays that are cut alike."""
        views = [v.expr for v in values if isinstance(v, ViewValue)]
        arrays = [v.expr.array if isinstance(v, ViewValue) else v.expr for v in values]
        kind = joint_type([a.type for a in arrays])
        if kind is None or views and (len(views) < len(values) or not all(is_like(v, views[0]) for v in views)):
            raise self._differing(values)
        first = arrays[0].name
        if first in self.parameter_names and all(a.name == first for a in arrays):
            array: Given | Made = Given(first)
        else:
            array = self._made(kind, arrays, leaves, parts, wanted or "array")
        return Viewed(views[0], array) if views else array

    def _made(self, kind: Array, arrays: list[ir.ArrayName], leaves, parts, wanted: str) -> Made:
        names = Names({n for n, _ in leaves})
        tile = Tile(dtypes.foreign_pointer_dtype(kind.dtype))
        leaves.append((names.fresh(f"{wanted}_ptr"), tile))
        for part, array in zip(parts, arrays):
            part.append(ir.Pointer(array, tile, True))
        pointer = Leaf(len(leaves) - 1)

        def numbers(known, stride: bool, word: str, dtype) -> tuple[Value, ...]:
            found: list[Value] = []
            for axis, extent in enumerate(known):
                values = [self._extent(array, axis, stride) for array in arrays]
                found.append(Constant(extent.value) if extent.value is not None else self._leaf(values, Tile(dtype), leaves, parts, names.fresh(f"{wanted}_{word}{axis}")))
            return tuple(found)

        shape = numbers(kind.extents, False, "shape", kind.index_dtype)
        strides = numbers(kind.strides or (), True, "stride", kind.stride_dtype)
        taken = ir.sources(tuple(self.out))
        origins = {step for array in arrays for step in ir.steps_to(array.name, taken)} & self.parameter_names
        return Made(kind, pointer, shape, strides, tuple(sorted(origins)))

    # --- words ----------------------------------------------------------------------

    def _leaf_type(self, value: Value) -> Tile | None:
        if isinstance(value, Runtime):
            return plain(value.type)
        if isinstance(value, Constant) and value.is_number:
            return Tile(own_dtype(value.value))
        return None

    @staticmethod
    def _field_name(values: list[Value], wanted: str, leaves) -> str:
        names = {v.expr.name if isinstance(v, Runtime) and isinstance(v.expr, ir.Name) else "" for v in values}
        name = names.pop() if len(names) == 1 else ""
        return Names({n for n, _ in leaves}).fresh(name or wanted or "value")

    def _differing(self, values: list[Value]) -> Fault:
        node, file = self.syntax.node, self.syntax.module.file
        for found in self.shared.diagnostics:  # a return that failed says more than that it is missing
            if found.span is not None and found.span.file == file and node.lineno <= found.span.line <= node.end_lineno:
                return Fault(None)
        spans = [s for _, s in self.returns]
        kinds = [describe(v) if not (isinstance(v, Constant) and v.value is None) else "nothing" for v in values]
        second = next((i for i in range(1, len(values)) if kinds[i] != kinds[0]), len(values) - 1)
        message = f"the returns of `{self.syntax.name}` differ: {kinds[0]} and {kinds[second]}"
        return self.fault(spans[second], message, hint="return one type on every path", text=kinds[second], others=[Label(spans[0], kinds[0])], kind=TileTypeError, known_as="Type of return value depends on path taken")


def fill(frame: Any, template: Value, values: list[Value], given: dict[str, Any], wanted: str) -> Value:
    """A helper's result with the run-time values, and the arrays it was given, in place."""
    match template:
        case Leaf():
            return values[template.number]
        case Given():
            return ArrayValue(given[template.parameter])
        case Made():
            return ArrayValue(_array_of(frame, template, values, given, wanted))
        case Viewed():
            return view_of(template.view, fill(frame, template.array, values, given, wanted).expr)
        case Composite():
            made = template.rebuilt(tuple(fill(frame, part, values, given, f"{wanted}_{n}") for n, part in zip(template.part_names(), template.parts())))
            return made.closure() if isinstance(made, Frozen) else made
    return template


def _array_of(frame: Any, template: Made, values: list[Value], given: dict[str, Any], wanted: str) -> ir.ArrayName:
    """The caller's name for an array that a helper made."""

    def numbers(parts: tuple[Value, ...], dtype) -> tuple[Any, ...]:
        return tuple(frame.convert(values[p.number] if isinstance(p, Leaf) else p, Tile(dtype)) for p in parts)

    kind = template.type
    name = ir.ArrayName(frame.name_of_arrays(wanted, kind.ndim), kind)
    shape, strides = numbers(template.shape, kind.index_dtype), numbers(template.strides, kind.stride_dtype)
    origins = tuple(sorted({given[parameter].name for parameter in template.origins}))
    frame.emit(ir.Foreign(name.name, values[template.pointer.number].expr, shape, strides, kind, origins=origins))
    return name
