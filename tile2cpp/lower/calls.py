"""Calls: ops with their operands converted, helper functions, methods and built-ins."""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import math
import types
from typing import Any

from tile2cpp import dtypes, ir
from tile2cpp.directives import Directive
from tile2cpp.errors import NoDeviceMeaning, Reject, TileSyntaxError, TileTypeError, TileValueError
from tile2cpp.lower import combining, printing, slices, wording
from tile2cpp.lower.frame import Frame
from tile2cpp.lower.values import (
    ArrayValue, Closure, Constant, DictValue, Instance, ListValue, Method, NamedInt, RangeValue, Runtime, TupleValue, Value, ViewValue, describe,
)  # fmt: skip
from tile2cpp.ops import BUILTINS, OPERATORS, Op, result_of
from tile2cpp.ops.advanced import Part
from tile2cpp.ops.cast import astype
from tile2cpp.ops.create import scalar
from tile2cpp.ops.shape import broadcast_to, reshape
from tile2cpp.types import Tile, Weak, own_dtype


class Calls(Frame):
    """Adds calls to a frame."""

    def _call(self, node: ast.Call) -> Value:
        callee = self.value(node.func)
        if isinstance(callee, Method):
            return self._call_method(callee, node)
        if isinstance(callee, Closure):
            return self.call_closure(callee, node)
        if isinstance(callee, Constant):
            return self._call_python(callee.value, node)
        if isinstance(callee, Instance):
            found = [vars(base)["__call__"] for base in callee.cls.__mro__ if "__call__" in vars(base)]
            if found:
                return self._call_method(Method(found[0], callee), node)
        raise self.fault(node.func, f"{describe(callee)} cannot be called")

    def _call_method(self, method: Method, node: ast.Call) -> Value:
        if isinstance(method.op, Op):
            return self._call_op(method.op, node, method.receiver)
        if isinstance(method.receiver, DictValue):
            return self.call_dict_method(method, node)
        (values, keywords), _ = self._evaluate_arguments(node)
        if keywords:
            syntax = self.shared.syntax_of(method.op, self, node)
            names = [p.arg for p in syntax.parameters][1 + len(values) :]
            values = [*values, *(keywords.pop(n) for n in names if n in keywords)]
            if keywords:
                raise self.fault(node, f"`{method.op.__name__}` has no parameter `{next(iter(keywords))}`")
        return self.call_bound(method.op, method.receiver, values, node)

    def _call_python(self, callee: Any, node: ast.Call) -> Value:
        """A call of a Python object: an op, a dtype, a built-in or a helper."""
        if isinstance(callee, Op):
            return self._call_op(callee, node, None)
        if callee is print:
            return printing.print_(self, node)
        if isinstance(callee, Directive):
            return self.directive(callee, node)
        if callee is dataclasses.replace:
            return self.replaced(node)
        dtype = dtypes.as_dtype(callee) if not isinstance(callee, types.FunctionType) else None
        if dtype is not None and callee not in (bool, int, float):
            return self._call_dtype(dtype, node)
        if _is_hashable(callee) and callee in _HANDLED:
            return getattr(self, f"_builtin_{callee.__name__}")(node)
        if isinstance(callee, type) and (dataclasses.is_dataclass(callee) or issubclass(callee, enum.Enum)):
            return self.call_class(callee, node)
        if isinstance(callee, types.BuiltinMethodType) and isinstance(callee.__self__, str):
            return self._call_text(callee, node)
        if isinstance(callee, types.BuiltinFunctionType) and callee in BUILTINS:
            return self._call_extreme(callee, node)
        # A decorated helper is what its decorator made of it; only our own marks are looked through.
        function = callee if isinstance(callee, types.FunctionType) else getattr(callee, "__wrapped__", None)
        if isinstance(function, types.FunctionType):
            if hasattr(callee, "replace_hints"):
                others = wording.definition(self, function.__name__)
                raise self.fault(node.func, "a kernel cannot call a kernel", hint=f"remove the decorator of `{function.__name__}`, or move the shared part into a plain function", others=others, kind=TileTypeError)
            return self.call_function(function, node)
        is_builtin = getattr(callee, "__module__", "") in ("builtins", "math", "operator")
        message, hint = wording.not_callable(callee, node)
        raise self.fault(node.func, message, hint=hint, kind=NoDeviceMeaning if is_builtin else TileTypeError)

    # --- ops ------------------------------------------------------------------------

    def _call_op(self, op: Op, node: ast.Call, receiver: Value | None) -> Value:
        callee = f"ct.{op.name}" if op.public else f".{op.method}"
        if "Combiner" in op.kinds:
            return combining.call(self, op, node, callee)
        if op.name == "printf":
            return printing.printf(self, node, callee)
        if op.name == "print":
            return printing.print_(self, node)
        if op.builtin is divmod:
            return self._builtin_divmod(node)
        given, places = self._evaluate_arguments(node)
        if receiver is not None:
            given[0].insert(0, receiver)
            places[0].insert(0, node.func.value if isinstance(node.func, ast.Attribute) else node.func)
        bound, where = self._bind(op, callee, node, given, places)
        return self.apply(op, bound, node, where, callee, wording.argument_labels(bound, where))

    def _evaluate_arguments(self, node: ast.Call):
        """Positional and keyword values, and the nodes they stand at."""
        values: list[Value] = []
        nodes: list[ast.AST] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                items = self.items_of(argument.value, self.value(argument.value))
                values.extend(items)
                nodes.extend([argument] * len(items))
            else:
                values.append(self.value(argument))
                nodes.append(argument)
        keywords: dict[str, Value] = {}
        keyword_nodes: dict[str, ast.AST] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                passed = self.value(keyword.value)
                if not isinstance(passed, DictValue):
                    raise self.fault(keyword.value, f"`**` takes the keyword arguments of a helper, but this is {describe(passed)}")
                keywords.update(passed.items)
                keyword_nodes.update({k: keyword.value for k, _ in passed.items})
                continue
            keywords[keyword.arg] = self.value(keyword.value)
            keyword_nodes[keyword.arg] = keyword.value
        return (values, keywords), (nodes, keyword_nodes)

    def _bind(self, op: Op, callee: str, node: ast.Call, given, places):
        (values, keywords), (nodes, keyword_nodes) = given, places
        try:
            bound = op.signature.bind(*values, **keywords)
        except TypeError:
            raise self._wrong_arguments(callee, op.signature, node, values, keywords) from None
        where = op.signature.bind(*nodes, **keyword_nodes).arguments
        arguments = {p: bound.arguments.get(p, Constant(spec.default)) for p, spec in op.signature.parameters.items()}
        return arguments, dict(where)

    def _wrong_arguments(self, callee: str, signature: inspect.Signature, node: ast.Call, values: list, keywords: dict, others=()):
        place, message, hints = wording.wrong_arguments(callee, signature, node, values, keywords)
        span = self.span(place)
        return self.fault(wording.keyword_span(span, place.arg) if isinstance(place, ast.keyword) else span, message, hint=hints, others=others)

    def apply(self, op: Op, bound: dict[str, Value], node: ast.AST, places: dict[str, ast.AST], callee: str = "", described=None) -> Value:
        """Type an op by its rule and build the call with converted operands."""
        combining.check(self, op, node)
        for p, spec in op.signature.parameters.items():
            if p not in bound:
                bound[p] = Constant(spec.default)
        with self.rejecting(node, places, callee, described, lambda parameter, why: wording.related(self, op, bound, places, parameter, why)):
            seen = {p: self._seen(op, p, v, places.get(p, node)) for p, v in bound.items()}
            positional = [seen[p] for p, s in op.signature.parameters.items() if s.kind != s.KEYWORD_ONLY]
            named = {p: seen[p] for p, s in op.signature.parameters.items() if s.kind == s.KEYWORD_ONLY}
            typed = result_of(op.rule(*positional, **named))
        folded = self._folded(op, bound)
        if folded is not None:
            return folded
        with self.rejecting(node):
            arguments = tuple((p, self._argument_of(op, p, bound[p], seen[p], typed)) for p in op.signature.parameters)
        return self._result(op, arguments, typed.result, node)

    def _folded(self, op: Op, bound: dict[str, Value]) -> Value | None:
        """Integer ops of constants that Python itself knows stay constants."""
        from tile2cpp.ops import HOST_MEANINGS

        values = [v for p, v in bound.items() if op.kind(p) == "Tile"]
        if op.name in HOST_MEANINGS and values and all(isinstance(v, Constant) for v in values):
            return Constant(HOST_MEANINGS[op.name](*(v.value for v in values)))
        return None

    def _result(self, op: Op, arguments: tuple, result: Any, node: ast.AST) -> Value:
        from tile2cpp.types import Array, View

        span = self.span(node)
        if isinstance(result, Array):
            return slices.made(self, op, arguments, result, node)
        if isinstance(result, View):
            named = dict(arguments)
            return ViewValue(ir.ViewName(named["array"], named["tile_shape"], named["padding_mode"], result, span))
        if op.effect in ("store", "atomic"):
            arguments = self._steady_indices(op, arguments)
        call = ir.Call(op, arguments, result, span)
        if result is None and not op.cpp:
            return Constant(None)
        if result is None:
            return Constant(None) if self.emit(ir.Do(call, self.statement_note)) is None else Constant(None)
        if op.effect == "load" and any(op.kind(p) == "Indices" for p, _ in arguments):
            call = ir.Call(op, self._steady_indices(op, arguments), result, span)
        return Runtime(call)

    def _steady_indices(self, op: Op, arguments: tuple) -> tuple:
        """Element indices are written several times (address and mask), so they must be names."""
        steady = []
        for p, value in arguments:
            if op.kind(p) == "Indices":
                suffix = [""] if len(value) == 1 else [str(i) for i in range(len(value))]
                value = tuple(v if self.is_stable(v) or isinstance(v, ir.Name) else self.shared_temporary(f"index{s}", v) for v, s in zip(value, suffix))
            steady.append((p, value))
        return tuple(steady)

    # --- what a rule sees, and what its operands become ------------------------------

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
        if kind == "Shape":
            items = self._as_items(value, node, parameter)
            return tuple(self._extent_of(v, parameter, n) for v, n in zip(items, _item_nodes(node, len(items))))
        if kind == "Nested":
            return self._seen_nested(op, parameter, value, node)
        if kind == "Picks":
            return tuple(self._seen_pick(op, parameter, v, node) for v in self._as_items(value, node, parameter))
        if kind in ("Index", "Indices", "Tiles"):
            items = self._as_items(value, node, parameter)
            nodes = _item_nodes(node, len(items))
            return tuple(self._seen_tile(op, parameter, v, n) for v, n in zip(items, nodes))
        return self._compile_time(parameter, value, node)

    def _seen_nested(self, op: Op, parameter: str, value: Value, node: ast.AST) -> Any:
        if isinstance(value, TupleValue):
            return tuple(self._seen_nested(op, parameter, item, node) for item in value.items)
        return self._seen_tile(op, parameter, value, node)

    def _seen_pick(self, op: Op, parameter: str, value: Value, node: ast.AST) -> Any:
        """An index of advanced indexing: a tile, or a `ct.Slice`."""
        if isinstance(value, Instance):
            parts = dict(value.items)
            return Part(self._seen_tile(op, parameter, parts["start"], node), self._extent_of(parts["length"], parameter, node))
        return self._seen_tile(op, parameter, value, node)

    def _seen_tile(self, op: Op, parameter: str, value: Value, node: ast.AST) -> Any:
        if isinstance(value, Runtime):
            return value.type
        if isinstance(value, Constant):
            if value.is_number:
                with self.rejecting(node, {"x": node}):
                    own_dtype(value.value)  # refused where no integer type holds it
                return Weak(value.value)
            if value.value is None and op.signature.parameters[parameter].default is None:
                return None
        raise self.fault(node, f"`{parameter}` must be a tile or a number, but this is {describe(value)}")

    def _as_items(self, value: Value, node: ast.AST, parameter: str) -> tuple[Value, ...]:
        if isinstance(value, TupleValue):
            return value.items
        if isinstance(value, (Runtime, Constant, Instance)) and not (isinstance(value, Constant) and not value.is_number):
            return (value,)
        raise self.fault(node, f"`{parameter}` must be a tuple, but this is {describe(value)}")

    def _extent_of(self, value: Value, parameter: str, node: ast.AST) -> int:
        if isinstance(value, Constant) and isinstance(value.value, int) and not isinstance(value.value, bool):
            return NamedInt(value.value, value.name) if value.name else value.value
        if isinstance(value, Runtime):
            raise wording.not_constant(self, f"`{parameter}` must be known at compile time, but this is {describe(value)}", value, node)
        raise self.fault(node, f"`{parameter}` must hold integers, but it holds {describe(value)}")

    def _compile_time(self, parameter: str, value: Value, node: ast.AST) -> Any:
        if isinstance(value, Constant):
            return value.value
        if isinstance(value, TupleValue):
            return tuple(self._compile_time(parameter, v, n) for v, n in zip(value.items, _item_nodes(node, len(value.items))))
        raise wording.not_constant(self, f"`{parameter}` must be known at compile time, but this is {describe(value)}", value, node)

    def _argument_of(self, op: Op, parameter: str, value: Value, seen: Any, typed) -> Any:
        """An argument in the IR: converted, typed, or the constant's normal form."""
        kind = op.kind(parameter)
        if parameter in typed.constants:
            return typed.constants[parameter]
        if kind in ("Const", "Shape"):
            return seen
        if kind in ("Array", "View"):
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
            if isinstance(number, float) and not math.isfinite(number):
                raise Reject("", f"the constant {number} has no value in {dtype}", kind=TileValueError)
            number = int(number)
            low, high = dtype.range()
            if not low <= number <= high:
                number = (number - low) % (high - low + 1) + low
        else:
            number = float(number)
        # A name is declared in the constant's own dtype; elsewhere the number itself is written.
        keeps = value.name and own_dtype(value.value) == dtype
        return ir.Literal(number, Tile(dtype), value.name if keeps else "")

    @staticmethod
    def _call_of(op: Op, type_: Tile, **arguments) -> ir.Call:
        full = {p: arguments.get(p, s.default) for p, s in op.signature.parameters.items()}
        return ir.Call(op, tuple(full.items()), type_)

    # --- dtypes and built-ins -------------------------------------------------------

    def _one_argument(self, node: ast.Call, name: str) -> Value:
        (values, keywords), _ = self._evaluate_arguments(node)
        if len(values) != 1 or keywords:
            raise self.fault(node, f"{name}(...) takes one argument")
        return values[0]

    def _call_dtype(self, dtype, node: ast.Call) -> Value:
        """`ct.int8(300)`: a strictly typed scalar, converted like `astype`."""
        value = self._one_argument(node, f"ct.{dtype.name}")
        if isinstance(value, Constant) and value.is_number:
            return Runtime(self.literal(Constant(value.value), dtype))
        if not isinstance(value, Runtime):
            raise self.fault(node.args[0], f"ct.{dtype.name}(...) takes a scalar, but this is {describe(value)}")
        with self.rejecting(node, {"value": node.args[0]}):
            scalar(dtype, value.type)
        return Runtime(self.convert(value, Tile(dtype)))

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
        if isinstance(value, ListValue):
            return Runtime(ir.Length(value.expr))
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
            return Runtime(self.convert(value, value.type.like(dtypes.bool_)))
        return Constant(bool(self.python(value)))

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
        return self.fold(node, str, self.python(self._one_argument(node, "str")))

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
        steady = [Runtime(self.stable(v.expr, n)) if isinstance(v, Runtime) else v for v, n in zip(values, ("dividend", "divisor"))]
        if all(isinstance(v, Constant) for v in steady):
            return TupleValue(tuple(map(Constant, divmod(*(v.value for v in steady)))))
        places = dict(zip("xy", nodes))
        for value, place in zip(steady, nodes):
            if isinstance(value, Runtime) and value.type.dtype.is_float or isinstance(value, Constant) and isinstance(value.value, float):
                raise self.fault(place, f"divmod takes integers, but this is {describe(value)}", hint="write x // y and x % y")
        return TupleValue(tuple(self.apply(OPERATORS[s], dict(zip("xy", steady)), node, places) for s in ("//", "%")))

    # --- functions ------------------------------------------------------------------

    def parameters_for(self, syntax, defaults: dict[str, Value], node: ast.Call) -> dict[str, Value]:
        """The parameters of a helper with the values of this call, by Python's rules."""
        (values, keywords), _ = self._evaluate_arguments(node)
        a, kinds = syntax.node.args, inspect.Parameter
        ordered = [(p, kinds.POSITIONAL_ONLY) for p in a.posonlyargs] + [(p, kinds.POSITIONAL_OR_KEYWORD) for p in a.args]
        ordered += [(a.vararg, kinds.VAR_POSITIONAL)] * bool(a.vararg) + [(p, kinds.KEYWORD_ONLY) for p in a.kwonlyargs]
        ordered += [(a.kwarg, kinds.VAR_KEYWORD)] * bool(a.kwarg)
        parameters = [kinds(p.arg, kind, default=defaults.get(p.arg, kinds.empty)) for p, kind in ordered]
        try:
            bound = inspect.Signature(parameters).bind(*values, **keywords)
        except TypeError:
            raise self._wrong_arguments(syntax.name, inspect.Signature(parameters), node, values, keywords, [wording.heading(syntax)]) from None
        bound.apply_defaults()
        given = dict(bound.arguments)
        if a.vararg:
            given[a.vararg.arg] = TupleValue(tuple(given[a.vararg.arg]))
        if a.kwarg:
            given[a.kwarg.arg] = DictValue(tuple(given[a.kwarg.arg].items()))
        return given

    def silent(self):
        """The consequence of a mistake that was reported where it happened."""
        from tile2cpp.lower.values import Fault

        return Fault(None)


def _scalars_in(value: Value) -> tuple[Value, ...]:
    """The scalars of nested tuples, in order."""
    return tuple(v for item in value.items for v in _scalars_in(item)) if isinstance(value, TupleValue) else (value,)


_HANDLED = {range, len, int, float, bool, tuple, divmod, getattr, str, repr, slice}


def _item_nodes(node: ast.AST, count: int) -> list[ast.AST]:
    """The places of a tuple's items, or the tuple's where they are not written out."""
    return node.elts if isinstance(node, ast.Tuple) and len(node.elts) == count else [node] * count


def _is_hashable(found: Any) -> bool:
    return getattr(type(found), "__hash__", None) is not None
