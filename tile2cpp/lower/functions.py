"""Helper functions: one C++ function for each way in which a helper is called."""

from __future__ import annotations

import ast
import contextvars
import types
from dataclasses import dataclass
from typing import Any, Callable

from tile2cpp import ir
from tile2cpp.errors import Diagnostic, Label, TileRecursionError
from tile2cpp.lower import slices, wording
from tile2cpp.lower.closures import Snapshot, captures
from tile2cpp.lower.managers import is_manager
from tile2cpp.lower.names import length_name, names_of_array
from tile2cpp.lower.results import Leaf, Results, fill
from tile2cpp.lower.values import ArrayValue, Binding, Closure, Composite, Constant, Fault, ListValue, Manager, Runtime, Value, ViewValue, describe, plain
from tile2cpp.parse import FunctionSyntax, function_syntax
from tile2cpp.types import Tile

DEEPEST = 1000  # nested calls, as the language defines
PER_THREAD = 40  # nested calls that one thread lowers: Python counts its own recursion by thread


@dataclass
class Helper:
    """A helper in the emitted file, and the shape of its result."""

    function: ir.Function
    template: Value
    leaves: tuple[tuple[str, Tile], ...]
    effects: bool

    def given(self, passed: tuple) -> dict[str, Any]:
        """The arguments of a call by the helper's own parameter names."""
        return dict(zip((p.name for p in self.function.params), passed))

    @property
    def accesses(self) -> bool:
        """Whether it touches memory, as far as is easily seen."""
        return any(isinstance(e, ir.Invoke) or isinstance(e, ir.Call) and bool(e.op.effect) for e in ir.expressions(self.function.body))


class FunctionFrame(Results):
    """A frame that can call helpers."""

    def __init__(self, shared, syntax, resolve, is_kernel, captured=None):
        super().__init__(shared, syntax, resolve, is_kernel)
        self.captured: dict[str, Binding] = captured or {}

    def call_function(self, function: types.FunctionType, node: ast.Call) -> Value:
        """A plain Python function reached through a name."""
        if is_manager(function):
            return self._manager_of(function, [], node)
        syntax = self.shared.syntax_of(function, self, node)
        defaults = {n: self.python_value(v) for n, v in self.shared.defaults_of(function).items()}
        arguments = self.parameters_for(syntax, defaults, node)
        return self._invoke(syntax, self.shared.resolver(function), arguments, {}, node)

    def _manager_of(self, function: types.FunctionType, receiver: list[Value], node: ast.Call) -> Value:
        """A call of what `contextlib.contextmanager` made: nothing runs before a `with` enters it."""
        generator = function.__wrapped__
        syntax = self.shared.syntax_of(generator, self, node)
        defaults = {n: self.python_value(v) for n, v in self.shared.defaults_of(generator).items()}
        return Manager(generator, tuple(self.parameters_for(syntax, defaults, node, receiver).items()))

    def call_closure(self, closure: Closure, node: ast.Call) -> Value:
        """A function defined inside a function; what it captures travels as parameters."""
        arguments = self.parameters_for(closure.syntax, closure.defaults, node)
        captured, siblings = captures(closure)
        return self._invoke(closure.syntax, closure.frame.resolve, arguments, captured, node, siblings)

    def _invoke(self, syntax: FunctionSyntax, resolve, arguments: dict[str, Value], captured: dict[str, Value], node: ast.Call, siblings=None) -> Value:
        key = (id(syntax.node), scope(resolve), tuple((n, structure(v)) for n, v in {**captured, **arguments}.items()))
        helper = self.shared.helpers.get(key)
        if helper is None:
            helper = self._specialise(key, syntax, resolve, arguments, captured, node, siblings or {})
        passed = tuple(e for v in {**{n: v for n, v in captured.items() if n not in arguments}, **arguments}.values() for e in runtime_leaves(v))
        if not helper.leaves and not helper.effects:
            return fill(self, helper.template, [], helper.given(passed), "")
        return self._result_of(helper, passed, node)

    def _result_of(self, helper: Helper, passed: tuple, node: ast.Call) -> Value:
        span = self.span(node)
        types_, given = tuple(t for _, t in helper.leaves), helper.given(passed)
        wanted = slices.wanted_name(self, node) or f"{helper.function.name}_result"
        invoke = ir.Invoke(helper.function.name, passed, types_[0] if len(types_) == 1 else (types_ or None), span)
        if isinstance(helper.template, Leaf) and helper.accesses:
            return self.accessing(invoke, helper.effects, f"{helper.function.name}_result")
        if helper.accesses:
            self.accessed(invoke, helper.effects)
        if not types_:
            self.emit(ir.Do(invoke, self.take_note()))
            return fill(self, helper.template, [], given, wanted)
        if isinstance(helper.template, Leaf):
            return Runtime(invoke)
        if len(types_) == 1:
            return fill(self, helper.template, [Runtime(self.temporary(f"{helper.function.name}_result", invoke))], given, wanted)
        variable = self.names.fresh(f"{helper.function.name}_result")
        self.emit(ir.Let(variable, invoke, self.take_note()))
        name = ir.Name(variable, types_)
        return fill(self, helper.template, [Runtime(ir.Field(name, n, t)) for n, t in helper.leaves], given, wanted)

    def _specialise(self, key, syntax: FunctionSyntax, resolve, arguments, captured, node: ast.Call, siblings: dict[str, Closure]) -> Helper:
        shared = self.shared
        if len(shared.calls) >= DEEPEST:
            raise self.fault(node, f"`{syntax.name}` calls itself without end: {DEEPEST} calls deep", hint="a condition on constants ends a recursion; on run-time values write a loop", kind=TileRecursionError)
        shared.check_syntax(syntax)
        frame = FunctionFrame(shared, syntax, resolve, False, {})
        params = frame.bind_parameters({**{n: v for n, v in captured.items() if n not in arguments}, **arguments})
        frame.parameter_names = frozenset(p.name for p in params)
        frame.captured = Snapshot.of(resolve, {n: frame.env[n].value for n in captured if n not in arguments}, siblings).bindings()
        shared.calls.append(Label(self.span(node), f"called here with {', '.join(describe(v) for v in arguments.values())}" if arguments else "called here"))
        try:
            if len(shared.calls) % PER_THREAD:
                frame.lower(syntax.body)
            else:
                in_fresh_thread(lambda: frame.lower(syntax.body))
            if not frame.ended:
                frame.returns.append((Constant(None), wording.name_in(syntax)))
            template, leaves, values = frame.results()
        except RecursionError:
            raise self.fault(node, f"`{syntax.name}` calls itself without end: {len(shared.calls)} calls deep", hint="a condition on constants ends a recursion; on run-time values write a loop", kind=TileRecursionError) from None
        finally:
            shared.calls.pop()
        if frame.failed:
            raise Fault(None)
        body = ir.rebuild(tuple(frame.out), lambda s: ir.Return(values[s.values[0]], s.note) if isinstance(s, ir.Return) else s)
        result = None if not leaves else leaves[0][1] if len(leaves) == 1 else leaves
        name = frame.taken_for_function(syntax.name)
        function = ir.Function(name, params, body, syntax.doc or "", syntax.comments, result, frame.constant_list())
        helper = shared.helpers[key] = Helper(function, template, leaves, shared.body_has_effect(body))
        return helper

    def inlined(self, syntax: FunctionSyntax, resolve, arguments: dict[str, Value], node: ast.AST) -> "FunctionFrame":
        """A frame for a helper's own names whose statements go into this function."""
        frame = FunctionFrame(self.shared, syntax, resolve, False)
        frame.out, frame.scopes, frame.names, frame.constants = self.out, self.scopes, self.names, self.constants
        frame.loops, frame.managers = self.loops, self.managers
        frame.env = {name: Binding(value, self.span(node)) for name, value in arguments.items()}
        return frame

    @property
    def failed(self) -> bool:
        return bool(self.shared.diagnostics)

    def constant_list(self) -> tuple[ir.Constant, ...]:
        return tuple(ir.Constant(n, v) for n, v in self.constants.items())

    # --- parameters -----------------------------------------------------------------

    def bind_parameters(self, values: dict[str, Value]) -> tuple[ir.Param, ...]:
        """Make parameters of what is known at run time only, constants of the rest."""
        params: list[ir.Param] = []
        for name, value in values.items():
            self.env[name] = Binding(self._parameter(name, value, params), None)
            bound = self.env[name].value
            if isinstance(bound, Runtime):
                self.env[name] = Binding(bound, self.span(self._parameter_node(name)), bound.expr.name)
        return tuple(params)

    def _parameter_node(self, name: str):
        for parameter in self.syntax.parameters:
            if parameter.arg == name:
                return parameter
        return self.syntax.node

    def _parameter(self, name: str, value: Value, params: list[ir.Param]) -> Value:
        match value:
            case Runtime():
                cname = self.declare(name, plain(value.type))
                params.append(ir.Param(cname, plain(value.type)))
                stays = self.assigned[name] == 0
                return Runtime(ir.Name(cname, plain(value.type), stays and self.shared.nonnegative(value.expr)))
            case ArrayValue():
                cname = self.name_of_arrays(name, value.expr.type.ndim) if self.is_kernel else self.names.fresh(name)
                params.append(ir.Param(cname, value.expr.type))
                return ArrayValue(ir.ArrayName(cname, value.expr.type))
            case ListValue():
                cname = self.name_of_arrays(name, value.expr.type.element.ndim)
                self.names.taken.add(length_name(cname))
                params.append(ir.Param(cname, value.expr.type))
                return ListValue(ir.ListName(cname, value.expr.type))
            case ViewValue():
                view = value.expr
                array = self._parameter(name, ArrayValue(view.array), params)
                return ViewValue(ir.ViewName(array.expr, tuple(int(e) for e in view.shape), view.padding, view.type))
            case Composite():
                return value.rebuilt(tuple(self._parameter(f"{name}_{n}", v, params) for n, v in zip(value.part_names(), value.parts())))
            case Constant() if value.is_number:
                return Constant(value.value, self._constant_name(name, value.value))
            case Constant():
                return value
            case Closure():
                return self._captured_closure(value, params)
        raise TypeError(value)

    def name_of_arrays(self, name: str, rank: int) -> str:
        """A name whose pointer, extents and strides are free, too."""
        cname = self.names.fresh(name)
        while self.names.taken & set(names_of_array(cname, rank)):
            cname = self.names.fresh(name)
        self.names.taken.update(names_of_array(cname, rank))
        return cname

    def _captured_closure(self, closure: Closure, params: list[ir.Param]) -> Value:
        """A function passed as an argument: what it reads of its own frame becomes parameters here."""
        values, siblings = captures(closure)
        names = {n: self._parameter(n, v, params) for n, v in values.items()}
        return Closure(closure.syntax, Snapshot.of(closure.frame.resolve, names, siblings), closure.defaults)

    def _constant_name(self, name: str, value: Any) -> str:
        if self.assigned[name]:
            return ""
        cname = self.names.fresh(name)
        self.constants[cname] = value
        return cname


def in_fresh_thread(call: Callable[[], None]) -> None:
    """Run `call` in a thread of its own, with a stack that begins anew, and wait for it."""
    context = contextvars.copy_context()
    from concurrent.futures import ThreadPoolExecutor  # rarely needed, and slow to import

    with ThreadPoolExecutor(1) as pool:
        pool.submit(context.run, call).result()


def scope(resolve: Callable) -> tuple:
    """What a function's free names mean: functions of one text differ in it."""
    return getattr(resolve, "scope", ())


def structure(value: Value) -> Any:
    """What of a value decides how a helper is translated: types and constants."""
    match value:
        case Runtime():
            return ("runtime", plain(value.type))
        case Constant():
            return ("constant", type(value.value).__name__, repr(value.value) if value.is_number or isinstance(value.value, str) else id(value.value))
        case ArrayValue():
            return ("array", value.expr.type)
        case ListValue():
            return ("list", value.expr.type)
        case ViewValue():
            return ("view", value.expr.type, value.expr.padding)
        case Composite():
            return (value.kind(), tuple(structure(v) for v in value.parts()))
        case Closure():
            values, siblings = captures(value)
            return ("closure", id(value.syntax.node), scope(value.frame.resolve), tuple((n, structure(v)) for n, v in values.items()), tuple((n, id(c.syntax.node)) for n, c in siblings.items()))
    return id(value)


def runtime_leaves(value: Value):
    """The expressions that are passed for a value, in the order of `_parameter`."""
    match value:
        case Runtime() | ArrayValue() | ListValue():
            yield value.expr
        case ViewValue():
            yield value.expr.array
        case Composite():
            for part in value.parts():
                yield from runtime_leaves(part)
        case Closure():
            for captured in captures(value)[0].values():
                yield from runtime_leaves(captured)


def syntax_for(function: types.FunctionType, frame, node) -> FunctionSyntax:
    """The syntax of a helper; one without source is the author's mistake at the call."""
    try:
        return function_syntax(function)
    except Exception as error:
        diagnostics = getattr(error, "diagnostics", None)
        if not diagnostics:
            raise
        first: Diagnostic = diagnostics[0]
        if first.label is not None:
            raise Fault(first) from None
        raise frame.fault(node.func, first.message, hint=first.hints[0] if first.hints else "", kind=first.kind) from None
