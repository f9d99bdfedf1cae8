"""What is computed while translating: `static_eval` and its kind, unrolled loops, comprehensions.

The expression of a directive is evaluated by Python itself, as the language defines it:
its syntax tree is compiled with the file's own positions, and names mean what they mean
in the kernel. Constants are plain objects there, tiles and arrays are proxies.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import enum
import itertools
import types
from dataclasses import replace
from typing import Any, Callable

from tile2cpp import dtypes, ir
from tile2cpp.directives import DIRECTIVES, MOST_ITERATIONS, Directive, ensure_constant, static_assert, static_eval, static_exception, static_iter
from tile2cpp.errors import StaticException, TileStaticAssertionError, TileStaticEvalError, TileSyntaxError
from tile2cpp.lower import wording
from tile2cpp.lower.analysis import local_nodes
from tile2cpp.lower.objects import Objects, is_frozen_dataclass
from tile2cpp.lower.proxies import DeviceOperation, Proxy, Symbolic
from tile2cpp.lower.values import Closure, Composite, Constant, DictValue, Fault, Instance, Poison, Runtime, TupleValue, Value, describe
from tile2cpp.ops import ACTIVE_INTERPRETER, REGISTRY

PURE_FAMILIES = ("math", "compare", "bits")
PLAIN = (bool, int, float, str, type(None), type(...), types.FunctionType, types.BuiltinFunctionType, types.ModuleType, enum.Enum, dtypes.DType, Directive, type, slice)


class Static(Objects):
    """Adds directives to a frame."""

    # --- evaluation by Python -------------------------------------------------------

    def python_of(self, node: ast.expr, where: str = "static_eval()") -> Any:
        """The Python object that an expression gives at compile time; `where` it stands, in cuTile's words."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.NamedExpr):
                known_as = f"{where} expression attempted to modify a local variable '{inner.target.id}'"
                raise self.fault(inner, "a compile-time expression cannot assign", hint="assign in a statement of its own", kind=TileSyntaxError, code="syntax", known_as=known_as)
            if isinstance(inner, ast.Call) and (word := self._directive_called(inner.func)):
                known_as = f"{word}() cannot be used inside {where}."
                raise self.fault(inner, f"ct.{word} stands inside an expression that is evaluated at compile time anyway", hint="remove it, and leave its argument", kind=TileStaticEvalError, known_as=known_as)
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        namespace = {"__builtins__": builtins}
        for name in sorted(names):
            binding = self.lookup(name)
            if binding is None:
                try:
                    namespace[name] = self.resolve(name)
                except KeyError:
                    continue  # a name that the expression itself defines, or Python's own NameError
            elif isinstance(binding.value, Poison):
                if binding.value.why is None:
                    raise self.silent()
            else:
                namespace[name] = self.to_python(binding.value, node)
        return self._evaluated(node, namespace, where)

    def _directive_called(self, node: ast.expr) -> str:
        """The name of the directive that a call in a compile-time expression means."""
        return next((d.name for d in DIRECTIVES.values() if d is not ensure_constant and self.is_directive(node, d)), "")

    def _evaluated(self, node: ast.expr, namespace: dict[str, Any], where: str) -> Any:
        code = compile(ast.Expression(node), self.syntax.module.file.path, "eval")
        return self._by_python(lambda: eval(code, namespace), node, where)  # the language asks for Python's own evaluation here

    def call_static(self, function: Callable, values: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
        """What a function marked by `static_def`, or a class that such a one initialises, gives for these arguments."""
        given = [self.to_python(v, node) for v in values]
        named = {name: self.to_python(v, node) for name, v in keywords.items()}
        return self.from_python(self._by_python(lambda: function(*given, **named), node, "@static_def function"), node)

    def _by_python(self, compute: Callable, node: ast.AST, where: str) -> Any:
        """What Python computes while the kernel is translated; what it raises is a mistake of the author at `node`."""
        token = ACTIVE_INTERPRETER.set(lambda op, args, kwargs: self._pure(op, args, kwargs, node))
        try:
            return compute()
        except Fault:
            raise
        except DeviceOperation as error:
            hint = "compute it before, and use its .shape and .dtype here; ct.assert_ checks values while the kernel runs"
            known_as = f"{error}() cannot be called inside {where}"
            raise self.fault(self._failing(node, error), f"{_public(error)} is a device operation: it has no value at compile time", hint=hint, kind=TileStaticEvalError, known_as=known_as) from None
        except Symbolic as error:
            text = f"a run-time value has no value at compile time, so it cannot become {error}"
            known_as = f"Symbolic tile has no concrete value and thus cannot be converted to {error}"
            raise self.fault(self._failing(node, error), text, kind=TileStaticEvalError, known_as=known_as) from None
        except Exception as error:
            text = f"{type(error).__name__} at compile time: {error}"
            known_as = f"Exception was raised inside {where} ({type(error).__name__}: {error})"
            raise self.fault(self._failing(node, error), text, kind=StaticException, known_as=known_as) from None
        finally:
            ACTIVE_INTERPRETER.reset(token)

    def _pure(self, op: Any, args: tuple, kwargs: dict, node: ast.AST) -> Any:
        """An operation in a compile-time expression: of elementwise ones the result is as symbolic as their operands."""
        if op.family not in PURE_FAMILIES or not op.kinds <= {"Tile", "Const"}:
            raise DeviceOperation(op.name)
        values = ([self.from_python(a, node) for a in args], {k: self.from_python(v, node) for k, v in kwargs.items()})
        bound, _ = self._bind(op, f"ct.{op.name}", node, values, ([node] * len(args), dict.fromkeys(kwargs, node)))
        return self.to_python(self.apply(op, bound, node, {}), node)

    def _failing(self, node: ast.expr, error: Exception) -> ast.AST:
        """The innermost sub-expression that was being evaluated, where Python says it."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != self.syntax.module.file.path:
            trace = trace.tb_next
        positions = getattr(trace.tb_frame.f_code, "co_positions", None) if trace is not None else None
        if positions is None:
            return node
        place = next(itertools.islice(positions(), trace.tb_lasti // 2, None), None)
        found = [n for n in ast.walk(node) if isinstance(n, ast.expr) and (n.lineno, n.end_lineno, n.col_offset, n.end_col_offset) == place]
        return found[0] if found else node

    def to_python(self, value: Value, node: ast.AST) -> Any:
        """A value as Python sees it at compile time: a plain object where it is known, else a proxy."""
        match value:
            case Constant():
                return value.value
            case TupleValue():
                return tuple(self.to_python(v, node) for v in value.items)
            case DictValue():
                return {k: self.to_python(v, node) for k, v in value.items}
            case Instance():
                made = object.__new__(value.cls)
                for name, part in value.items:
                    object.__setattr__(made, name, self.to_python(part, node))
                return made
        return Proxy(value, self, node)

    def from_python(self, found: Any, node: ast.AST) -> Value:
        """A compile-time result as a value; an object that no kernel can hold is refused."""
        if isinstance(found, Proxy):
            return found._value
        if isinstance(found, tuple):
            return TupleValue(tuple(self.from_python(v, node) for v in found))
        numpy_scalar = type(found).__module__ == "numpy" and getattr(found, "shape", None) == ()
        if is_frozen_dataclass(found):
            return Instance(type(found), tuple((f.name, self.from_python(getattr(found, f.name), node)) for f in dataclasses.fields(found)))
        if isinstance(found, PLAIN) or numpy_scalar or callable(found) or dtypes.as_dtype(found):
            return self.python_value(found)
        if dataclasses.is_dataclass(found):
            name = type(found).__name__
            raise self.fault(node, f"`{name}` is a dataclass that can change; only frozen ones are values in a kernel", hint="write @dataclasses.dataclass(frozen=True)", known_as="Only frozen dataclasses are supported")
        hint = "make it a tuple" if isinstance(found, list) else ""
        known_as = f"Cannot create constant from value of type {type(found).__name__}."
        raise self.fault(node, f"{_a(type(found).__name__)} cannot be a value in a kernel", hint=hint, known_as=known_as)

    # --- directives -----------------------------------------------------------------

    def directive(self, directive: Directive, node: ast.Call) -> Value:
        if not (isinstance(node.func, (ast.Name, ast.Attribute)) and _last(node.func) == directive.name):
            raise self.fault(node, f"`{directive.name}` is a word of the language and must be called by its name", hint=f"write ct.{directive.name}(...)", kind=TileSyntaxError, code="syntax", known_as=f"{directive.name}() must be used directly by name, e.g. cuda.tile.{directive.name}() or ct.{directive.name}().")
        if directive in (static_iter, static_exception):
            where = "after `in` of a `for` loop or of a tuple comprehension" if directive is static_iter else "after `raise`"
            hint = "write `for v in ct.static_iter(...)`, or `tuple(... for v in ct.static_iter(...))`" if directive is static_iter else "write `raise ct.static_exception(...)`"
            known_as = f"{directive.name}() is only allowed " + ("as iterable in a `for` loop" if directive is static_iter else "after `raise`")
            raise self.fault(node, f"ct.{directive.name} stands only {where}", hint=hint, kind=TileSyntaxError, code="syntax", known_as=known_as)
        if node.keywords or not 1 <= len(node.args) <= (2 if directive is static_assert else 1):
            asserts = directive is static_assert
            known_as = "static_assert(cond, msg=None, /) expects one or two positional arguments" if asserts else f"{directive.name}() expects a single expression"
            raise self.fault(node, f"ct.{directive.name} takes one value" + (" and a message" if asserts else ""), kind=TileSyntaxError, code="syntax", known_as=known_as)
        if directive is static_eval:
            return self.from_python(self.python_of(node.args[0]), node)
        if directive is static_assert:
            return self._static_assert(node)
        value = self.value(node.args[0])
        if isinstance(self.known(value), Runtime):
            fault = wording.not_constant(self, f"the value must be known at compile time, but this is {describe(value)}", value, node.args[0], "The value is not a compile-time constant")
            raise Fault(replace(fault.diagnostic, kind=TileStaticAssertionError))
        return value

    def _static_assert(self, node: ast.Call) -> Value:
        holds = self.python_of(node.args[0], "static_assert() condition")
        if isinstance(holds, Proxy):
            names = [n for n in ast.walk(node.args[0]) if isinstance(n, ast.Name)]
            others = [label for n in names for label in wording.origin(self, n)]
            raise self.fault(node.args[0], "the condition is known at run time only", hint="ct.assert_ checks while the kernel runs", others=others, known_as="static_assert() condition must be a compile-time constant")
        if not isinstance(holds, bool):
            what = f"the condition must be True or False, but it is {holds!r}"
            raise self.fault(node.args[0], what, hint="compare it, such as with != 0", known_as=f"static_assert() condition must be a boolean, not {wording.type_name(self.from_python(holds, node))}")
        if not holds:
            said = str(self.python_of(node.args[1], "static_assert() message")) if len(node.args) > 1 else ""
            known_as = f"Static assertion failed: {said}" if said else "Static assertion failed"
            raise self.fault(node, said or f"`{ast.unparse(node.args[0])}` is false", kind=TileStaticAssertionError, code="static-assert", known_as=known_as)
        return Constant(None)

    def _do_raise(self, node: ast.Raise) -> None:
        call = node.exc
        if not (isinstance(call, ast.Call) and self.is_directive(call.func, static_exception) and len(call.args) == 1):
            known_as = "Raised exception must be wrapped in static_exception()"
            raise self.fault(node, "device code has no exceptions", hint="raise ct.static_exception(...) stops the translation; ct.static_assert tests a condition", kind=TileSyntaxError, code="syntax", known_as=known_as)
        error = self.python_of(call.args[0], "static_exception() expression")
        self.ended = True  # nothing after it counts
        if not isinstance(error, BaseException):
            what = f"'{type(error).__name__}' is not derived from 'BaseException'"
            known_as = f"Exception was raised inside static_exception() expression (TypeError: {what})"
            raise self.fault(call.args[0], f"ct.static_exception takes an exception, but this is {error!r}", hint=f"write ValueError({ast.unparse(call.args[0])})", kind=StaticException, known_as=known_as)
        known_as = f"Exception was raised at compile time ({type(error).__name__}: {error})"
        raise self.fault(node, f"{type(error).__name__}: {error}", kind=StaticException, known_as=known_as)

    def is_directive(self, node: ast.expr, directive: Directive) -> bool:
        if not isinstance(node, (ast.Name, ast.Attribute)) or _last(node) != directive.name:
            return False
        value = self.value(node)
        return isinstance(value, Constant) and value.value is directive

    # --- unrolled loops -------------------------------------------------------------

    def static_items(self, node: ast.expr) -> list[Value] | None:
        """The items of `ct.static_iter(...)`; None for any other expression."""
        if not (isinstance(node, ast.Call) and self.is_directive(node.func, static_iter)):
            return None
        if len(node.args) != 1 or node.keywords:
            raise self.fault(node, "ct.static_iter takes one iterable")
        iterable = self.python_of(node.args[0], "static_iter() iterable")
        if not hasattr(iterable, "__iter__") or isinstance(iterable, Proxy):
            hint = "write range(...)" if isinstance(iterable, int) else ""
            raise self.fault(node.args[0], f"{_a(type(iterable).__name__)} cannot be iterated at compile time" if not isinstance(iterable, Proxy) else f"{describe(iterable._value)} cannot be iterated at compile time", hint=hint, known_as=f"Invalid static_iter() iterable: '{type(iterable).__name__}' object is not iterable")
        items = list(itertools.islice(iter(iterable), MOST_ITERATIONS + 1))
        if len(items) > MOST_ITERATIONS:
            count = f"{len(iterable)}" if hasattr(iterable, "__len__") else f"more than {MOST_ITERATIONS}"
            raise self.fault(node.args[0], f"{count} iterations are too many to unroll: the limit is {MOST_ITERATIONS}", hint="write a plain `for ... in range(...)`", kind=TileStaticEvalError, known_as=f"Maximum number of iterations ({MOST_ITERATIONS}) has been reached while unpacking the static_iter() iterable")
        return [self._static_item(number, item, node.args[0]) for number, item in enumerate(items)]

    def _static_item(self, number: int, item: Any, node: ast.expr) -> Value:
        try:
            return self.from_python(item, node)
        except Fault as fault:
            known_as = f"Invalid item #{number} of static_iter() iterable: {fault.diagnostic.known_as}"
            raise Fault(replace(fault.diagnostic, kind=TileStaticEvalError, known_as=known_as)) from None

    def unroll(self, node: ast.For, items: list[Value]) -> None:
        """The body once for every item."""
        for inner in _jumps(node.body):
            word = type(inner).__name__.lower()
            raise self.fault(inner, f"`{word}` cannot leave the unrolled loop at line {node.lineno}", hint="decide by a condition on constants, or write a plain `for ... in range(...)`", kind=TileSyntaxError, code="syntax", known_as=f"{'Returning from' if word == 'return' else word.capitalize() + ' in'} a for loop with static_iter() is not supported")
        note = self.take_note()
        for line in note.above:
            self.emit(ir.Comment((line,)))
        for item in items:
            if self.ended:
                return
            self._bind_static(node.target, item, node)
            self.lower(node.body)

    def _bind_static(self, target: ast.expr, item: Value, node: ast.For) -> None:
        """A loop variable of an unrolled loop: a constant stays one, and needs no C++ variable."""
        from tile2cpp.lower.values import Binding

        if isinstance(target, ast.Name) and isinstance(item, (Constant, Composite, Closure)):
            self.env[target.id] = Binding(item, self.span(target))
        elif isinstance(target, ast.Tuple):
            items = self.items_of(node.iter, item)
            if len(items) != len(target.elts):
                raise self.fault(target, f"{len(items)} values for {len(target.elts)} names")
            for element, part in zip(target.elts, items):
                self._bind_static(element, part, node)
        else:
            self._assign_target(target, item, node.iter, ir.Note())

    def comprehension(self, node: ast.GeneratorExp) -> Value:
        """`tuple(f(v) for v in ct.static_iter(...) if c)`."""
        results: list[Value] = []
        before = dict(self.env)
        try:
            self._generate(node, node.generators, results)
        finally:
            for name in {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}:
                self.env.pop(name, None)
                if name in before:
                    self.env[name] = before[name]
        return TupleValue(tuple(results))

    def _generate(self, node: ast.GeneratorExp, generators: list[ast.comprehension], results: list[Value]) -> None:
        if not generators:
            results.append(self._settled("item", self.value(node.elt)))
            return
        first, *rest = generators
        items = self.static_items(first.iter)
        if items is None:
            raise self.fault(first.iter, "the iterable of a tuple comprehension must be known at compile time", hint=f"wrap it: ct.static_iter({ast.unparse(first.iter)})", kind=TileSyntaxError, code="syntax")
        for item in items:
            loop = ast.copy_location(ast.For(target=first.target, iter=first.iter, body=[], orelse=[]), node)
            self._bind_static(first.target, item, loop)
            tests = [self.condition(test) for test in first.ifs]
            for test, place in zip(tests, first.ifs):
                if isinstance(test, Runtime):
                    raise self.fault(place, "the condition of a comprehension must be known at compile time", hint="use ct.where")
            if all(test.value for test in tests):
                self._generate(node, rest, results)


def _public(error: DeviceOperation) -> str:
    return f"ct.{error}" if str(error) in REGISTRY and REGISTRY[str(error)].public else f"`{error}`"


def _jumps(body: list[ast.stmt]):
    """`return` anywhere, `break` and `continue` outside inner loops."""
    for node in body:
        if isinstance(node, (ast.Return, ast.Break, ast.Continue)):
            yield node
        elif isinstance(node, (ast.For, ast.While)):
            yield from (n for n in local_nodes(node.body) if isinstance(n, ast.Return))
        elif isinstance(node, ast.If):
            yield from _jumps(node.body)
            yield from _jumps(node.orelse)
        elif isinstance(node, ast.With):
            yield from _jumps(node.body)


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _a(name: str) -> str:
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
