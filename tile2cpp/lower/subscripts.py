"""Attributes and subscripts: of tiles, arrays and views, of tuples and objects, of modules."""

from __future__ import annotations

import ast
import enum
import types

from tile2cpp import dtypes, ir
from tile2cpp.errors import TileSyntaxError
from tile2cpp.lower import lists, wording
from tile2cpp.lower.choices import is_list
from tile2cpp.lower.static import Static
from tile2cpp.lower.values import ArrayValue, Constant, DictValue, Instance, Method, Runtime, TupleValue, Value, ViewValue, describe
from tile2cpp.ops import METHODS
from tile2cpp.ops.arrays import foreign_pointer
from tile2cpp.ops.shape import reshape
from tile2cpp.types import Tile, own_dtype


class Subscripts(Static):
    """Adds `x.name` and `x[index]`."""

    def _attribute(self, node: ast.Attribute) -> Value:
        base = self.value(node.value)
        if isinstance(base, Instance):
            found = self.instance_attribute(base, node.attr, node)
        elif isinstance(base, DictValue):
            found = self.dict_method(base, node.attr)
        else:
            found = self._known_attribute(base, node.attr)
        if found is not None:
            return found
        if isinstance(base, Constant):
            return self._python_attribute(node, base.value)
        raise self._no_attribute(node, base)

    def _known_attribute(self, base: Value, name: str) -> Value | None:
        match base:
            case Constant() if base.is_number:  # on its own it is a scalar
                return self._known_attribute(Runtime(self.literal(base, own_dtype(base.value))), name)
            case Runtime():
                facts = {"dtype": base.type.dtype, "ndim": base.type.ndim}
                if name == "shape":
                    return TupleValue(tuple(Constant(int(e), getattr(e, "name", "")) for e in base.type.shape))
            case ArrayValue():
                array = base.expr.type
                facts = {"dtype": array.dtype, "ndim": array.ndim}
                if name == "foreign_pointer":
                    return Runtime(self._call_of(foreign_pointer, foreign_pointer.rule(array), array=base.expr))
                if name in ("shape", "strides"):
                    return TupleValue(tuple(self._extent(base.expr, i, name == "strides") for i in range(array.ndim)))
            case ViewValue():
                facts = {"dtype": base.expr.array.type.dtype}
                if name in ("tile_shape", "traversal_steps"):
                    extents = base.expr.type.tile if name == "tile_shape" else base.expr.type.steps or base.expr.shape
                    return TupleValue(tuple(Constant(int(e), getattr(e, "name", "")) for e in extents))
            case _:
                return None
        if name in facts:
            return Constant(facts[name])
        owner = {Runtime: "tile", ArrayValue: "array", ViewValue: "view"}[type(base)]
        op = METHODS.get((owner, name))
        return Method(op, base) if op is not None else None

    def _extent(self, array: ir.ArrayName, axis: int, stride: bool) -> Value:
        known = (array.type.strides if stride else array.type.extents) or ()
        if axis < len(known) and known[axis].value is not None:
            return Constant(known[axis].value)
        if stride and array.type.strides is None and axis == array.type.ndim - 1:
            return Constant(1)
        return Runtime(ir.Extent(array, axis, Tile(array.type.stride_dtype if stride else array.type.index_dtype), stride))

    def _python_attribute(self, node: ast.Attribute, base) -> Value:
        if not isinstance(base, (types.ModuleType, enum.Enum, type, dtypes.DType, str, slice)):
            raise self._no_attribute(node, Constant(base))
        try:
            found = getattr(base, node.attr)
        except AttributeError:
            name = ast.unparse(node.value)
            owner = "ct" if getattr(base, "__name__", "") == "tile2cpp.lang" else name
            hint = wording.missing_name(owner, node.attr, getattr(base, "__all__", dir(base))).replace("ct.", f"{name}." if owner == "ct" else "ct.")
            known_as = f"Module '{'cuda.tile' if owner == 'ct' else base.__name__}' has no attribute '{node.attr}'" if isinstance(base, types.ModuleType) else ""
            raise self.fault(node, f"`{name}` has no `{node.attr}`", hint=hint, code="name", known_as=known_as) from None
        if isinstance(base, types.ModuleType):
            self.shared.watch(vars(base), node.attr, found)
        return self.python_value(found)

    def _no_attribute(self, node: ast.Attribute, base: Value):
        owner = {Runtime: "tile", ArrayValue: "array", ViewValue: "view"}.get(type(base), "")
        known = [m for o, m in METHODS if o == owner] + ["dtype", "shape", "ndim"]
        hint = wording.missing_attribute(ast.unparse(node.value), node.attr, known) if owner else ""
        return self.fault(node, f"{describe(base)} has no attribute `{node.attr}`", hint=hint)

    def _subscript(self, node: ast.Subscript) -> Value:
        base = self.value(node.value)
        if isinstance(base, Runtime):
            return self._new_axes(node, base)
        if isinstance(base, TupleValue):
            return self._tuple_item(node, base)
        if isinstance(base, DictValue):
            return self.dict_item(base, self.constant(node.slice, "a key"), node)
        if isinstance(base, Instance) and hasattr(base.cls, "__getitem__"):
            return self.call_bound(base.cls.__getitem__, base, [self.value(node.slice)], node)
        if is_list(base):
            return lists.item(self, node, base)
        if isinstance(base, ArrayValue):
            hint = f"load a tile: ct.load({base.expr.name}, index, shape), or ct.gather"
            raise self.fault(node, "an array is not indexed in tile code", hint=hint, known_as="Arrays are not directly subscriptable. Use load() or gather() instead.")
        if isinstance(base, Constant) and isinstance(base.value, (list, dict, set)):
            kind, name = type(base.value).__name__, ast.unparse(node.value)
            hint = f"make it a tuple: {name} = {tuple(base.value)}" if len(repr(base.value)) <= 40 and kind == "list" else f"make it a tuple, or read it inside ct.static_eval({ast.unparse(node)})"
            raise self.fault(node.value, f"`{name}` is a {kind}, which can change and cannot be frozen into a kernel", hint=hint, others=wording.definition(self, name))
        raise self.fault(node, f"{describe(base)} cannot be indexed")

    def _tuple_item(self, node: ast.Subscript, base: TupleValue) -> Value:
        if isinstance(node.slice, ast.Slice):
            parts = [self.constant(p, "a tuple's slice") if p else None for p in (node.slice.lower, node.slice.upper, node.slice.step)]
            return TupleValue(base.items[slice(*parts)])
        found = self.value(node.slice)
        if isinstance(found, Runtime) and not found.type.shape and found.type.dtype.is_integral:
            raise wording.not_constant(self, f"a tuple's index must be known at compile time, but this is {describe(found)}", found, node.slice, "Tuple indices must be constant")
        if not isinstance(found, Constant) or not isinstance(found.value, int):
            raise self.fault(node.slice, f"a tuple's index must be an integer, not {describe(found)}", known_as=f"Tuple indices must be integers or slices, not {wording.type_name(found)}")
        index = found.value
        if not -len(base.items) <= index < len(base.items):
            raise self.fault(node, f"item {index} does not exist: {self._what(node.value, len(base.items))}")
        return base.items[index]

    @staticmethod
    def _what(node: ast.expr, count: int) -> str:
        if isinstance(node, ast.Attribute) and node.attr in ("shape", "strides"):
            return f"`{ast.unparse(node.value)}` has {count} dimension{'s' * (count != 1)}"
        return f"the tuple has {count} item{'s' * (count != 1)}"

    def _new_axes(self, node: ast.Subscript, base: Runtime) -> Value:
        """`t[:, None]`: full slices, `...` and at least one new axis."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        shape, rest, has_new, missing = [], list(base.type.shape), False, 0
        kinds = [self._axis_kind(part) for part in parts]
        missing = len(rest) - kinds.count(":")
        if missing < 0 or kinds.count("...") > 1:
            raise self.fault(node, f"{kinds.count(':')} `:` for {describe(base)}", hint="each `:` is an axis of the tile, each None a new one")
        if "..." not in kinds:
            kinds.append("...")
        for kind in kinds:
            if kind == "None":
                shape.append(1)
                has_new = True
            elif kind == ":":
                shape.append(rest.pop(0))
            else:
                shape += [rest.pop(0) for _ in range(missing)]
        if not has_new:
            raise self.fault(node, "a tile is indexed only to add axes", hint="write t[:, None]; take parts with ct.extract", kind=TileSyntaxError)
        return self.apply(reshape, {"x": base, "shape": TupleValue(tuple(Constant(int(e), getattr(e, "name", "")) for e in shape))}, node, {})

    def _axis_kind(self, part: ast.expr) -> str:
        if isinstance(part, ast.Slice):
            if not (part.lower or part.upper or part.step):
                return ":"
        else:
            value = self.value(part)
            if isinstance(value, Constant) and value.value is None:
                return "None"
            if isinstance(value, Constant) and value.value is ...:
                return "..."
        hint = "take parts of a tile with ct.extract, single elements with ct.extract(...).item()"
        raise self.fault(part, "a tile's elements cannot be indexed", hint=hint)
