"""Calls: ops with their operands converted, helper functions and methods."""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import types
from typing import Any

from tile2cpp import dtypes, ir
from tile2cpp.directives import Directive, is_static_def
from tile2cpp.errors import NoDeviceMeaning, TileTypeError
from tile2cpp.lower import combining, printing, slices, wording
from tile2cpp.lower.builtin_calls import HANDLED, Builtins
from tile2cpp.lower.managers import is_manager
from tile2cpp.lower.operators import FUNCTIONS
from tile2cpp.lower.values import Closure, Constant, DictValue, Instance, Method, Runtime, TupleValue, Value, ViewValue, describe
from tile2cpp.ops import BUILTINS, Op, Typed, folding, result_of
from tile2cpp.ops.rules import own_dtype


class Calls(Builtins):
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
        known_as = f"Cannot call an object of type {callee.cls.__name__}" if isinstance(callee, Instance) else ""
        raise self.fault(node.func, f"{describe(callee)} cannot be called", known_as=known_as)

    def _call_method(self, method: Method, node: ast.Call) -> Value:
        if isinstance(method.op, Op):
            return self._call_op(method.op, node, method.receiver)
        if isinstance(method.receiver, DictValue):
            return self.call_dict_method(method, node)
        if is_manager(method.op):
            return self._manager_of(method.op, [method.receiver], node)
        function = method.op
        if is_static_def(function):
            (values, keywords), _ = self._evaluate_arguments(node)
            return self.call_static(function, [method.receiver, *values], keywords, node)
        syntax = self.shared.syntax_of(function, self, node)
        defaults = {n: self.python_value(v) for n, v in self.shared.defaults_of(function).items()}
        arguments = self.parameters_for(syntax, defaults, node, [method.receiver])
        return self._invoke(syntax, self.shared.resolver(function), arguments, {}, node)

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
        if callee is dtypes.foreign_pointer_dtype:
            return self._pointer_dtype(node)
        # A dtype of torch names one, but is no function, and neither is an instance of `numpy.dtype`.
        dtype = dtypes.as_dtype(callee) if callable(callee) and not isinstance(callee, types.FunctionType) else None
        if dtype is not None and callee not in (bool, int, float):
            return self._call_dtype(dtype, node)
        if _is_hashable(callee) and callee in HANDLED:
            return getattr(self, f"_builtin_{callee.__name__}")(node)
        if _is_hashable(callee) and callee in FUNCTIONS:
            return self._call_operator(callee, node)
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
            if is_static_def(function):
                (values, keywords), _ = self._evaluate_arguments(node)
                return self.call_static(function, values, keywords, node)
            return self.call_function(function, node)
        is_builtin = getattr(callee, "__module__", "") in ("builtins", "math", "operator")
        message, hint = wording.not_callable(callee, node)
        raise self.fault(node.func, message, hint=hint, kind=NoDeviceMeaning if is_builtin else TileTypeError)

    # --- ops ------------------------------------------------------------------------

    def _call_op(self, op: Op, node: ast.Call, receiver: Value | None) -> Value:
        callee = f".{op.method}" if op.method and not op.public else f"ct.{op.name}"
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
                items = self.items_of(argument.value, self.value(argument.value), True)
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
        numbers = folding.numbers_of(op, bound, lambda value: value.value if isinstance(value, Constant) and value.is_number else None)
        if numbers is not None:
            return self.fold(node, folding.MEANINGS[op.name], *numbers)
        with self.rejecting(node, places, callee, described, lambda parameter, why: wording.related(self, op, bound, places, parameter, why), op):
            seen = {p: self._seen(op, p, v, places.get(p, node)) for p, v in bound.items()}
            positional = [seen[p] for p, s in op.signature.parameters.items() if s.kind != s.KEYWORD_ONLY]
            named = {p: seen[p] for p, s in op.signature.parameters.items() if s.kind == s.KEYWORD_ONLY}
            typed = result_of(op.rule(*positional, **named))
        folded = self._folded(op, bound, typed)
        if folded is not None:
            return folded
        with self.rejecting(node):
            arguments = tuple((p, self._argument_of(op, p, bound[p], seen[p], typed)) for p in op.signature.parameters)
        return self._result(op, arguments, typed.result, node)

    def _folded(self, op: Op, bound: dict[str, Value], typed: Typed) -> Value | None:
        """What an op makes of constants that its rule lets pass: the number as it is, or a constant of a dtype."""
        x, dtype = bound.get("x"), getattr(typed.result, "dtype", None)
        if isinstance(x, Constant) and not typed.result.shape:
            if op.name in folding.UNCHANGED or op.name in folding.CONVERSIONS and own_dtype(x.value) == dtype:
                return x
            if op.name == "astype" and dtype.is_arithmetic and bound["rounding_mode"].value is None:
                return Runtime(self.literal(Constant(x.value), dtype))
        if op.name not in folding.MEANINGS:
            return None
        known = [self.known(value) for parameter, value in bound.items() if op.kind(parameter) == "Tile"]
        if not all(isinstance(value, Constant) for value in known):
            return None
        try:
            return Runtime(self.literal(Constant(folding.MEANINGS[op.name](*(value.value for value in known))), dtype))
        except (ArithmeticError, ValueError):
            return None  # such as a division by zero, which is left to the time when the kernel runs

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
            self.shared.unwritten.add(op.name)
            return Constant(None)
        if result is None:
            return Constant(None) if self.emit(ir.Do(call, self.take_note())) is None else Constant(None)
        if op.effect == "load" and any(op.kind(p) == "Indices" for p, _ in arguments):
            call = ir.Call(op, self._steady_indices(op, arguments), result, span)
        if op.effect in ("load", "atomic"):
            return self.accessing(call, op.effect == "atomic", "old" if op.effect == "atomic" else "loaded")
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

    # --- functions ------------------------------------------------------------------

    def parameters_for(self, syntax, defaults: dict[str, Value], node: ast.Call, receiver: list[Value] = ()) -> dict[str, Value]:
        """The parameters of a helper with the values of this call, by Python's rules; a method's receiver comes first."""
        (values, keywords), _ = self._evaluate_arguments(node)
        values = [*receiver, *values]
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


def _is_hashable(found: Any) -> bool:
    return getattr(type(found), "__hash__", None) is not None
