"""Operands: what a typing rule sees of a value, and what the value becomes in the IR."""

from __future__ import annotations

import ast
from typing import Any

from tile2cpp import ir
from tile2cpp.lower import wording
from tile2cpp.lower.frame import Frame
from tile2cpp.lower.values import ArrayValue, Constant, Instance, NamedInt, Runtime, TupleValue, Value, ViewValue, describe
from tile2cpp.ops import Op
from tile2cpp.ops.advanced import Part
from tile2cpp.ops.cast import astype, whole_number
from tile2cpp.ops.rules import POINTER_HINT
from tile2cpp.ops.shape import broadcast_to, reshape
from tile2cpp.types import Tile, Weak, own_dtype

# What constants without a default are, in cuTile's words.
NEEDED = {"axis": "an integer", "divisor": "an integer", "dtype": "a dtype"}


class Operands(Frame):
    """Adds the operands of ops to a frame: what a rule sees of a value, and the value converted to what it asks for."""

    def _seen(self, op: Op, parameter: str, value: Value, node: ast.AST) -> Any:
        """The form in which a rule gets an argument (see the table in `ops`)."""
        kind = op.kind(parameter)
        if kind == "Tile":
            return self._seen_tile(op, parameter, value, node)
        if kind in ("Array", "View"):
            wanted = {"Array": ArrayValue, "View": ViewValue}[kind]
            if not isinstance(value, wanted):
                raise self.fault(node, f"`{parameter}` must be {'an array parameter of the kernel' if kind == 'Array' else 'a tiled view'}, but this is {describe(value)}")
            return value.expr.type
        if kind == "Pointer":
            if not (isinstance(value, Runtime) and value.is_pointer):
                hint = f"write {ast.unparse(node)}.foreign_pointer" if isinstance(value, ArrayValue) else "array.foreign_pointer is one"
                raise self.fault(node, f"`{parameter}` must be a foreign pointer, but this is {describe(value)}", hint=hint)
            return value.type
        if kind == "Shape":
            items = self._as_items(value, node, parameter)
            nodes = _item_nodes(node, len(items))
            return tuple(self._extent_of(op, v, parameter, n, i) for i, (v, n) in enumerate(zip(items, nodes)))
        if kind == "Nested":
            return self._seen_nested(op, parameter, value, node, parameter)
        if kind == "Picks":
            return tuple(self._seen_pick(op, parameter, v, node) for v in self._as_items(value, node, parameter))
        if kind in ("Index", "Indices", "Tiles"):
            items = self._as_items(value, node, parameter)
            nodes = _item_nodes(node, len(items))
            return tuple(self._seen_tile(op, parameter, v, n) for v, n in zip(items, nodes))
        return self._compile_time(op, parameter, value, node)

    def _seen_nested(self, op: Op, parameter: str, value: Value, node: ast.AST, path: str) -> Any:
        if isinstance(value, TupleValue):
            nodes = _item_nodes(node, len(value.items))
            return tuple(self._seen_nested(op, parameter, item, n, f"{path}[{i}]") for i, (item, n) in enumerate(zip(value.items, nodes)))
        if not isinstance(value, Runtime) and not (isinstance(value, Constant) and value.is_number):
            raise self.fault(node, f"`{parameter}` must hold scalars, but it holds {describe(value)}", known_as=f"Expected scalar elements at {path}")
        return self._seen_tile(op, parameter, value, node)

    def _seen_pick(self, op: Op, parameter: str, value: Value, node: ast.AST) -> Any:
        """An index of advanced indexing: a tile, or a `ct.Slice`."""
        if isinstance(value, Instance):
            parts = dict(value.items)
            return Part(self._seen_tile(op, parameter, parts["start"], node), self._extent_of(op, parts["length"], parameter, node))
        return self._seen_tile(op, parameter, value, node)

    def _seen_tile(self, op: Op, parameter: str, value: Value, node: ast.AST) -> Any:
        if isinstance(value, Runtime) and (op.addresses or not value.is_pointer):
            return value.type
        if isinstance(value, Constant):
            if value.is_number:
                with self.rejecting(node, {"x": node}):
                    own_dtype(value.value)  # refused where no integer type holds it
                return Weak(value.value)
            if value.value is None and op.signature.parameters[parameter].default is None:
                return None
        hint = POINTER_HINT if isinstance(value, Runtime) else ""
        known_as = wording.invalid(op, parameter, _of_a_tile(op, value))
        if op.kind(parameter) == "Tile" and parameter == "fill_value":
            known_as = wording.invalid(op, parameter, "Expected a scalar")
        raise self.fault(node, f"`{parameter}` must be a tile or a number, but this is {describe(value)}", hint=hint, known_as=known_as)

    def needs_number(self, node: ast.AST, value: Runtime, what: str) -> None:
        """Refuse an address where a number is needed."""
        if value.is_pointer:
            known_as = f"Expected scalar dtype to satisfy constraint is_numeric, but got {wording.type_name(value)}"
            raise self.fault(node, f"{what} takes a number, but this is {describe(value)}", hint=POINTER_HINT, known_as=known_as)

    def _as_items(self, value: Value, node: ast.AST, parameter: str) -> tuple[Value, ...]:
        if isinstance(value, TupleValue):
            return value.items
        if isinstance(value, (Runtime, Constant, Instance)) and not (isinstance(value, Constant) and not value.is_number):
            return (value,)
        raise self.fault(node, f"`{parameter}` must be a tuple, but this is {describe(value)}")

    def _extent_of(self, op: Op, value: Value, parameter: str, node: ast.AST, position: int = 0) -> int:
        value = self.known(value)
        if isinstance(value, Constant) and isinstance(value.value, int) and not isinstance(value.value, bool):
            return NamedInt(value.value, value.name) if value.name else value.value
        if isinstance(value, Runtime):
            wanted = "an integer constant" if parameter == "size" else "a constant integer tuple"
            known_as = wording.invalid(op, parameter, f"Expected {wanted}, but given value is not constant")
            raise wording.not_constant(self, f"`{parameter}` must be known at compile time, but this is {describe(value)}", value, node, known_as)
        raise self.fault(node, f"`{parameter}` must hold integers, but it holds {describe(value)}", known_as=wording.invalid(op, parameter, _of_integers(parameter, value, position)))

    def _compile_time(self, op: Op, parameter: str, value: Value, node: ast.AST) -> Any:
        value = self.known(value)
        if isinstance(value, Constant):
            return value.value
        if isinstance(value, TupleValue):
            return tuple(self._compile_time(op, parameter, v, n) for v, n in zip(value.items, _item_nodes(node, len(value.items))))
        default = op.signature.parameters[parameter].default
        kind = {bool: "a boolean", str: "a string", int: "an integer"}.get(type(default)) or NEEDED.get(parameter, "a")
        known_as = wording.invalid(op, parameter, f"Expected {kind} constant, but given value is not constant")
        raise wording.not_constant(self, f"`{parameter}` must be known at compile time, but this is {describe(value)}", value, node, known_as)

    def _argument_of(self, op: Op, parameter: str, value: Value, seen: Any, typed) -> Any:
        """An argument in the IR: converted, typed, or the constant's normal form."""
        kind = op.kind(parameter)
        if parameter in typed.constants:
            return typed.constants[parameter]
        if kind in ("Const", "Shape"):
            return seen
        if kind in ("Array", "View", "Pointer"):
            return value.expr
        target = typed.operands.get(parameter)
        if kind == "Tile":
            if seen is None:
                return None
            return self.convert(value, target or self._own_type(seen))
        items = value.items if isinstance(value, TupleValue) else (value,)
        if kind == "Nested":
            items = _scalars_in(value)
        items = tuple(dict(i.items)["start"] if isinstance(i, Instance) else i for i in items)
        targets = target or tuple(self._own_type(s) for s in seen)
        return tuple(self.convert(v, t) for v, t in zip(items, targets))

    @staticmethod
    def _own_type(seen: Tile | Weak) -> Tile:
        return Tile(own_dtype(seen.value)) if isinstance(seen, Weak) else seen

    def convert(self, value: Value, target: Tile) -> Any:
        """`value` as an expression of type `target`: dtype first, then shape."""
        expr = self.literal(value, target.dtype) if isinstance(value, Constant) else value.expr
        if expr.type.dtype != target.dtype:
            expr = self._call_of(astype, expr.type.like(target.dtype), x=expr, dtype=target.dtype)
        if tuple(expr.type.shape) != tuple(target.shape):
            same_size = expr.type.size == target.size
            op = reshape if same_size and expr.type.shape else broadcast_to
            expr = self._call_of(op, target, x=expr, shape=tuple(target.shape))
        return expr

    @staticmethod
    def literal(value: Constant, dtype) -> ir.Literal:
        number = value.value
        if dtype.kind == "bool":
            number = bool(number)
        elif dtype.kind in ("int", "uint"):
            number = whole_number(number, dtype)
        else:
            number = float(number)
        # A name is declared in the constant's own dtype; elsewhere the number itself is written.
        keeps = value.name and own_dtype(value.value) == dtype
        return ir.Literal(number, Tile(dtype), value.name if keeps else "")

    @staticmethod
    def _call_of(op: Op, type_: Tile, **arguments) -> ir.Call:
        full = {p: arguments.get(p, s.default) for p, s in op.signature.parameters.items()}
        return ir.Call(op, tuple(full.items()), type_)


def _of_integers(parameter: str, value: Value, position: int) -> str:
    if parameter == "size":  # the one extent that is no item of a shape
        return f"Expected an integer constant, but given value has type {wording.type_name(value)}"
    return f"Expected a tuple of integers, but element #{position} has type {wording.type_name(value)}"


def _scalars_in(value: Value) -> tuple[Value, ...]:
    """The scalars of nested tuples, in order."""
    return tuple(v for item in value.items for v in _scalars_in(item)) if isinstance(value, TupleValue) else (value,)


def _item_nodes(node: ast.AST, count: int) -> list[ast.AST]:
    """The places of a tuple's items, or the tuple's where they are not written out."""
    return node.elts if isinstance(node, ast.Tuple) and len(node.elts) == count else [node] * count


def _of_a_tile(op: Op, value: Value) -> str:
    """cuTile's words for what is no tile of numbers."""
    found = wording.type_name(value)
    if not (isinstance(value, Runtime) and value.is_pointer):
        return f"Expected a tile, but given value has type {found}"
    if op.name == "bitcast":
        return "bitcast to or from a foreign pointer is not supported"
    return f"Expected tile dtype to satisfy constraint is_numeric, but got {found}"
