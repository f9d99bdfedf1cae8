"""Calls of Python's built-in functions and of dtypes."""

from __future__ import annotations

import ast
from typing import Any

from tile2cpp import dtypes, ir
from tile2cpp.lower import lists, wording
from tile2cpp.lower.choices import is_list
from tile2cpp.lower.operands import Operands
from tile2cpp.lower.operators import FUNCTIONS
from tile2cpp.lower.values import Constant, Instance, RangeValue, Runtime, TextValue, TupleValue, Value, describe
from tile2cpp.ops import BUILTINS, OPERATORS
from tile2cpp.ops.create import scalar
from tile2cpp.types import Tile, Weak


HANDLED = {range, len, int, float, bool, tuple, divmod, getattr, str, repr, slice}


class Builtins(Operands):
    """Adds the built-in functions of Python that mean something in tile code."""

    def _one_argument(self, node: ast.Call, name: str) -> Value:
        (values, keywords), _ = self._evaluate_arguments(node)
        if len(values) != 1 or keywords:
            raise self.fault(node, f"{name}(...) takes one argument")
        return values[0]

    def _call_dtype(self, dtype, node: ast.Call) -> Value:
        """`ct.int8(300)`: a strictly typed scalar, converted like `astype`; `ct.int8()` is zero."""
        value = self._one_argument(node, f"ct.{dtype.name}") if node.args or node.keywords else Constant(0)
        place = node.args[0] if node.args else node
        if dtype.kind == "pointer":
            raise self.fault(node, f"{dtype} is not made of {describe(value)}", hint="an address comes from array.foreign_pointer")
        if isinstance(value, Constant) and isinstance(value.value, str) and dtype.is_floating:  # such as "-inf"
            value = self._spelled_number(value.value, dtype, place)
        if isinstance(value, Constant) and value.is_number:
            with self.rejecting(node, {"value": place}):
                scalar(dtype, Weak(value.value))
            return Runtime(self.literal(Constant(value.value), dtype))
        if not isinstance(value, Runtime):
            raise self.fault(place, f"ct.{dtype.name}(...) takes a scalar, but this is {describe(value)}", known_as=f"Invalid argument type for {dtype}")
        with self.rejecting(node, {"value": place}):
            scalar(dtype, value.type)
        return Runtime(self.convert(value, Tile(dtype)))

    def _spelled_number(self, text: str, dtype, place: ast.AST) -> Constant:
        """The float that a string spells."""
        try:
            return Constant(float(text))
        except ValueError:
            raise self.fault(place, f"{text!r} spells no number", hint="numbers are spelled like '1.5', '-inf' and 'nan'", known_as=f"Invalid argument type for {dtype}") from None

    def _pointer_dtype(self, node: ast.Call) -> Value:
        """`ct.foreign_pointer_dtype(x.dtype)`."""
        value = self._one_argument(node, "ct.foreign_pointer_dtype")
        if not isinstance(value, Constant):
            raise self.fault(node.args[0], f"ct.foreign_pointer_dtype takes a dtype, but this is {describe(value)}")
        return self.fold(node, dtypes.foreign_pointer_dtype, value.value)

    def _call_extreme(self, callee, node: ast.Call) -> Value:
        """`min`, `max` and `abs` of Python: folded for constants."""
        (values, keywords), (nodes, _) = self._evaluate_arguments(node)
        op = BUILTINS[callee]
        if all(isinstance(v, Constant) for v in values) and not keywords and values:
            return self.fold(node, callee, *(v.value for v in values))
        expected = len([p for p in op.signature.parameters.values() if p.kind == p.POSITIONAL_ONLY])
        if len(values) != expected or keywords:
            raise self.fault(node, f"`{callee.__name__}` takes {expected} argument{'s' * (expected != 1)} in tile code, not {len(values)}", hint=f"call it for two at a time, or reduce a tile with ct.{callee.__name__}")
        names = list(op.signature.parameters)[:expected]
        return self.apply(op, dict(zip(names, values)), node, dict(zip(names, nodes)), f"{callee.__name__}", {p: describe(v) for p, v in zip(names, values)})

    def _builtin_range(self, node: ast.Call) -> Value:
        (values, keywords), (nodes, _) = self._evaluate_arguments(node)
        if not 1 <= len(values) <= 3 or keywords:
            raise self.fault(node, "range takes one to three integers")
        for value, place in zip(values, nodes):
            self._check_range_bound(value, place)
        start, stop = (Constant(0), values[0]) if len(values) == 1 else values[:2]
        step = values[2] if len(values) == 3 else Constant(1)
        if isinstance(step, Constant) and step.value <= 0:
            raise self.fault(nodes[2], f"the step of a run-time range must be positive, not {step.value}", hint="count up and compute the index: for i in range(n): j = n - 1 - i")
        return RangeValue(start, stop, step)

    def _check_range_bound(self, value: Value, place: ast.AST) -> None:
        if isinstance(value, Constant) and isinstance(value.value, int):
            return
        if isinstance(value, Runtime) and not value.type.shape and value.type.dtype.kind == "int":
            return
        hint = "`/` gives floats: use // or ct.cdiv to divide integers" if isinstance(value, Runtime) and value.type.dtype.is_float else ""
        raise self.fault(place, f"a range needs signed integer scalars, but this is {describe(value)}", hint=hint, others=wording.origin(self, place))

    def _builtin_len(self, node: ast.Call) -> Value:
        value = self._one_argument(node, "len")
        if isinstance(value, TupleValue):
            return Constant(len(value.items))
        if is_list(value):
            return lists.length(self, node, value)
        if isinstance(value, Constant) and isinstance(value.value, str):
            return Constant(len(value.value))
        raise self.fault(node.args[0], f"len takes a tuple or a list, but this is {describe(value)}", hint="a tile's extents are in .shape")

    def _number_of(self, node: ast.Call, kind: type) -> Value:
        value = self._one_argument(node, kind.__name__)
        if isinstance(value, Constant):
            return self.fold(node, kind, value.value)
        hint = "write // for a whole quotient, or .astype(ct.int32)" if kind is int else "write .astype(ct.float32)"
        raise self.fault(node, f"{kind.__name__}(...) takes a constant, but this is {describe(value)}", hint=hint)

    def _builtin_int(self, node: ast.Call) -> Value:
        return self._number_of(node, int)

    def _builtin_float(self, node: ast.Call) -> Value:
        return self._number_of(node, float)

    def _builtin_bool(self, node: ast.Call) -> Value:
        value = self._one_argument(node, "bool")
        if isinstance(value, Runtime):
            self.needs_number(node.args[0], value, "bool")
            return Runtime(self.convert(value, value.type.like(dtypes.bool_)))
        return Constant(bool(self.python(value)))

    def _call_operator(self, function: Any, node: ast.Call) -> Value:
        """`operator.add(x, y)`: what the operator gives."""
        (values, keywords), (nodes, _) = self._evaluate_arguments(node)
        symbol, count = FUNCTIONS[function]
        if len(values) != count or keywords:
            raise self.fault(node, f"`{function.__name__}` takes {count} argument{'s' * (count != 1)}")
        if count == 2:
            return self.binary(symbol, function, node, nodes[0], values[0], nodes[1], values[1])
        return self.unary(symbol, function, node, nodes[0], values[0])

    def _call_text(self, method: Any, node: ast.Call) -> Value:
        """A method of a constant string: `join` of constants."""
        if method.__name__ != "join":
            raise self.fault(node, f"strings have no `{method.__name__}` in tile code", hint="there are +, ==, in and join")
        return self.fold(node, method, self.python(self._one_argument(node, "join")))

    def _builtin_getattr(self, node: ast.Call) -> Value:
        if len(node.args) != 2 or node.keywords:
            raise self.fault(node, "getattr takes an object and a name")
        name = self.constant(node.args[1], "the attribute's name")
        return self.value(ast.copy_location(ast.Attribute(node.args[0], name, ast.Load()), node))

    def _builtin_str(self, node: ast.Call) -> Value:
        value = self._one_argument(node, "str")
        if isinstance(value, (Instance, Runtime, TextValue)):  # put together where it is printed
            return value if isinstance(value, TextValue) else TextValue((("", ""),), (value,))
        return self.fold(node, str, self.python(value))

    def _builtin_repr(self, node: ast.Call) -> Value:
        return self.fold(node, repr, self.python(self._one_argument(node, "repr")))

    def _builtin_slice(self, node: ast.Call) -> Value:
        (values, _), _ = self._evaluate_arguments(node)
        return self.fold(node, slice, *(self.python(v) for v in values))

    def _builtin_tuple(self, node: ast.Call) -> Value:
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self.comprehension(node.args[0])
        value = self._one_argument(node, "tuple")
        return TupleValue(self.items_of(node.args[0], value))

    def _builtin_divmod(self, node: ast.Call) -> Value:
        (values, _), (nodes, _) = self._evaluate_arguments(node)
        if len(values) != 2:
            raise self.fault(node, "divmod takes two arguments")
        if any(isinstance(v, Instance) for v in values):
            return self.instance_operator("divmod", node, *values)
        steady = [Runtime(self.stable(v.expr, n)) if isinstance(v, Runtime) else v for v, n in zip(values, ("dividend", "divisor"))]
        if all(isinstance(v, Constant) for v in steady):
            return TupleValue(tuple(map(Constant, divmod(*(v.value for v in steady)))))
        places = dict(zip("xy", nodes))
        for value, place in zip(steady, nodes):
            if isinstance(value, Runtime) and value.type.dtype.is_float or isinstance(value, Constant) and isinstance(value.value, float):
                raise self.fault(place, f"divmod takes integers, but this is {describe(value)}", hint="write x // y and x % y")
        return TupleValue(tuple(self.apply(OPERATORS[s], dict(zip("xy", steady)), node, places) for s in ("//", "%")))
