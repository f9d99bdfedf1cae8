"""Syntax and a signature -> the typed tile IR.

Lowering is specialisation: types are computed from the signature, conditions on
constants are decided, helpers become functions of their own, and a name whose type
changes becomes a new variable. All mistakes of a kernel are collected before one
exception reports them.
"""

from __future__ import annotations

import builtins
import inspect
import types
from typing import Any, Callable

from tile2cpp import ir
from tile2cpp.emitted import CellContents, Watched
from tile2cpp.errors import Diagnostic, Label, raise_all
from tile2cpp.lower import syntax as language
from tile2cpp.lower.analysis import scope_of
from tile2cpp.lower.functions import FunctionFrame, Helper, syntax_for
from tile2cpp.lower.names import Names
from tile2cpp.lower.values import ArrayValue, Constant, Fault, ListValue, Runtime, TupleValue, Value
from tile2cpp.parse import FunctionSyntax, function_syntax
from tile2cpp.signature import Fixed, Kind, Signature
from tile2cpp.types import Array, ArrayList, Tile


class Shared:
    """What all functions of one kernel share: helpers, findings, and what was read from Python."""

    def __init__(self):
        self.helpers: dict[Any, Helper] = {}
        self.diagnostics: list[Diagnostic] = []
        self.calls: list[Label] = []
        self.combining = ""  # "reduce" or "scan" while a function given to it is translated
        self.watched: dict[tuple[int, Any], Watched] = {}
        self.unwritten: set[str] = set()  # operations that are called, and have no text
        self.functions = Names()
        self._syntaxes: dict[types.CodeType, FunctionSyntax] = {}
        self._checked: set[int] = set()
        self._numbers = 0

    def new_number(self) -> int:
        """One that nothing else in the kernel has."""
        self._numbers += 1
        return self._numbers

    def report(self, fault: Fault) -> None:
        if fault.diagnostic is not None:
            self.diagnostics.append(fault.diagnostic)

    def function_name(self, wanted: str) -> str:
        return self.functions.fresh(wanted)

    def check_syntax(self, syntax: FunctionSyntax, is_kernel: bool = False) -> None:
        """Report what is not in the language, once per function; gives up on a function that has any."""
        if id(syntax.node) in self._checked:
            return
        self._checked.add(id(syntax.node))
        found = language.check(syntax, is_kernel)
        if found:
            self.diagnostics.extend(found)
            raise Fault(None)

    def syntax_of(self, function: types.FunctionType, frame, node) -> FunctionSyntax:
        """The same syntax object for the same code, so that helpers are specialised once."""
        code = function.__code__
        if code not in self._syntaxes:
            self._syntaxes[code] = syntax_for(function, frame, node)
        return self._syntaxes[code]

    @staticmethod
    def defaults_of(function: types.FunctionType) -> dict[str, Any]:
        """The default values of a function's parameters, by name."""
        code = function.__code__
        positional = code.co_varnames[: code.co_argcount]
        values = function.__defaults__ or ()
        return dict(zip(positional[len(positional) - len(values) :], values)) | (function.__kwdefaults__ or {})

    # --- Python's own names ---------------------------------------------------------

    def watch(self, mapping: Any, key: Any, value: Any) -> None:
        if str(mapping.get("__name__", "")).partition(".")[0] != "tile2cpp":
            self.watched[id(mapping), key] = Watched(mapping, key, value)

    def resolver(self, function: types.FunctionType) -> Callable[[str], Any]:
        """How `function` itself would look up a name that is not its own."""
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))

        def resolve(name: str) -> Any:
            if name in cells:
                contents = CellContents(cells[name])
                value = contents.get("cell_contents", CellContents)
                if value is CellContents:
                    raise KeyError(name)
                self.watched[id(cells[name]), name] = Watched(contents, "cell_contents", value)
                return value
            if name in function.__globals__:
                value = function.__globals__[name]
                self.watch(function.__globals__, name, value)
                return value
            return vars(builtins)[name]

        resolve.globals = function.__globals__
        resolve.scope = scope_of(function)
        return resolve

    @staticmethod
    def global_names(frame) -> list[str]:
        return list(getattr(frame.resolve, "globals", {}))

    # --- facts about expressions ----------------------------------------------------

    def has_effect(self, expr: Any) -> bool:
        for inner in ir.walk(expr):
            if isinstance(inner, ir.Call) and inner.op.effect in ("store", "atomic", "print"):
                return True
            if isinstance(inner, ir.Invoke) and any(h.effects for h in self.helpers.values() if h.function.name == inner.helper):
                return True
        return False

    def body_has_effect(self, body: tuple) -> bool:
        return any(self.has_effect(root) for stmt in ir.statements(body) for root in ir.roots(stmt))

    @staticmethod
    def nonnegative(expr: Any) -> bool:
        return nonnegative(expr)


def nonnegative(expr: Any) -> bool:
    """Whether an integer expression is known to be 0 or more (as long as nothing overflows)."""
    match expr:
        case ir.Literal():
            return expr.value >= 0
        case ir.Name():
            return expr.nonnegative or expr.type.dtype.kind in ("uint", "bool") if isinstance(expr.type, Tile) else False
        case ir.Length():
            return True
        case ir.Extent():
            return not expr.stride or expr.array.type.strides is None
        case ir.Call():
            if expr.type is not None and expr.type.dtype.kind in ("uint", "bool"):
                return True
            if expr.op.nonnegative == "always":
                return True
            if expr.op.name == "astype" and not _holds_all(expr.type.dtype, dict(expr.arguments)["x"].type.dtype):
                return False
            operands = [e for p, e in expr.arguments if expr.op.kind(p) in ("Tile", "Tiles") and e is not None]
            flat = [e for o in operands for e in (o if isinstance(o, tuple) else (o,))]
            if expr.op.nonnegative == "branches":
                flat = flat[1:]
            return bool(expr.op.nonnegative) and all(nonnegative(e) for e in flat)
    return False


def _holds_all(target, source) -> bool:
    """Whether no value of 0 or more becomes negative when it is converted."""
    if target.kind != "int" or source.kind not in ("int", "uint"):
        return True
    return target.bits > source.bits if source.kind == "uint" else target.bits >= source.bits


def lower(function: types.FunctionType, signature: Signature, hints: dict[str, Any]) -> tuple[ir.Kernel, tuple[Watched, ...]]:
    """Lower a kernel for a signature; raises with all findings in source order."""
    function = inspect.unwrap(function)
    syntax = function_syntax(function)
    shared = Shared()
    frame = FunctionFrame(shared, syntax, shared.resolver(function), True)
    name = frame.taken_for_function(syntax.name)
    params: tuple[ir.Param, ...] = ()
    try:
        shared.check_syntax(syntax, True)
        params = frame.bind_parameters(_values(signature))
        frame.lower(syntax.body)
    except Fault as fault:
        shared.report(fault)
    note = f"while translating {syntax.name}({signature})"
    raise_all([_with_note(d, note) for d in shared.diagnostics])
    doc = syntax.doc or ("" if syntax.comments else syntax.file_doc)
    main = ir.Function(name, params, tuple(frame.out), doc, syntax.comments, None, frame.constant_list())
    helpers = tuple(h.function for h in shared.helpers.values())
    kernel = ir.Kernel(main, helpers, tuple(sorted(hints.items(), key=lambda h: h[0])), str(signature), syntax.module.file.path, syntax.name, frozenset(shared.unwritten))
    return kernel, tuple(shared.watched.values())


def _with_note(diagnostic: Diagnostic, note: str) -> Diagnostic:
    from dataclasses import replace

    return replace(diagnostic, notes=(*diagnostic.notes, note))


def _values(signature: Signature) -> dict[str, Value]:
    return {name: _value(name, kind) for name, kind in zip(signature.names, signature.types)}


def _value(name: str, kind: Kind) -> Value:
    """What a parameter, or an item of a tuple parameter, stands for."""
    match kind:
        case Array():
            return ArrayValue(ir.ArrayName(name, kind))
        case ArrayList():
            return ListValue(ir.ListName(name, kind))
        case Tile():
            return Runtime(ir.Name(name, kind))
        case Fixed():
            return fixed(kind.value)
    return TupleValue(tuple(_value(f"{name}_{position}", item) for position, item in enumerate(kind)))


def fixed(value: Any) -> Value:
    return TupleValue(tuple(map(fixed, value))) if isinstance(value, tuple) else Constant(value)


