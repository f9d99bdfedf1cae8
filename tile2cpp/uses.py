"""How a kernel uses its parameters, read from its text alone.

A small abstract interpreter walks the kernel and the helpers it calls and notes on
each parameter what its uses tell: that it is an array and of which rank, that its
values must be integers, that a constant is the extent of a tile. `infer` makes a
signature of it where nobody gave one.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any

from tile2cpp import ops
from tile2cpp.directives import static_iter
from tile2cpp.dtypes import as_dtype

MAX_DEPTH = 20  # of helpers that call helpers


@dataclass(eq=False)
class Use:
    """What is known of one parameter: exact and least rank, kind of its values, role as a constant."""

    name: str
    is_array: bool = False
    rank: int = 0
    least_rank: int = 0
    needs_integer: bool = False
    seems_integer: bool = False
    seems_float: bool = False
    tile_axes: int = 0  # extents of the same tile shape that are constants too
    counts: bool = False  # bounds a loop
    parts: dict[int, "Use"] = field(default_factory=dict)  # of a tuple, by position
    element: "Use | None" = None  # of a list, which is picked at run time
    measured: bool = False  # `len` of it is taken

    def part(self, position: int) -> "Use":
        """The use of an item of a tuple parameter."""
        return self.parts.setdefault(position, Use(f"{self.name}[{position}]"))

    def any_part(self) -> "Use":
        """The use of all items alike: two of them, as far as anybody can tell."""
        first = self.part(0)
        self.parts.setdefault(1, first)
        return first

    def picked(self) -> "Use":
        """The use of the arrays of a list."""
        self.element = self.element or Use(f"{self.name}[...]")
        return self.element

    def items(self) -> list["Use"]:
        """The uses of a tuple's items, in order; those of which nothing is known have one of their own."""
        length = max([position + 1 if position >= 0 else -position for position in self.parts], default=0)
        return [self.parts.get(i) or self.parts.get(i - length) or Use(f"{self.name}[{i}]") for i in range(length)]


@dataclass(frozen=True)
class Value:
    """What an expression is: a parameter, a view or shape of one, items of a tuple, a Python object, or a number.

    `number` is "integer", "floating" or "" when it is not known; `sources` are the
    parameters whose dtype decides it.
    """

    kind: str = ""
    number: str = ""
    use: Use | None = None
    items: tuple["Value", ...] | None = None
    object: Any = None
    sources: tuple[Use, ...] = ()


INTEGER = Value(number="integer")


def _parameter(use: Use) -> Value:
    return Value("parameter", use=use, sources=(use,))


MISSING = object()


def uses_of(function: FunctionType) -> dict[str, Use]:
    """A `Use` for each parameter of `function`, by name."""
    uses = {name: Use(name) for name in inspect.signature(function).parameters}
    arguments = {name: _parameter(use) for name, use in uses.items()}
    _Reader().call(function, arguments, 0)
    return uses


def _syntax_of(function: FunctionType) -> ast.FunctionDef | None:
    """The function's definition in its file, found by its line."""
    code = function.__code__
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if code.co_firstlineno in (first, node.lineno):
                return node
    return None


@dataclass
class _Frame:
    """One function being read: the values of its names and what it returns."""

    function: FunctionType
    depth: int
    names: dict[str, Value]
    result: Value = field(default_factory=Value)

    def find(self, name: str) -> Value:
        if name in self.names:
            return self.names[name]
        code = self.function.__code__
        if name in code.co_freevars:
            try:
                return _known(self.function.__closure__[code.co_freevars.index(name)].cell_contents)
            except ValueError:  # the cell is still empty
                return Value()
        found = self.function.__globals__.get(name, getattr(builtins, name, MISSING))
        return Value() if found is MISSING else _known(found)


def _known(thing: Any) -> Value:
    number = "floating" if isinstance(thing, float) else ""
    items = tuple(_known(t) for t in thing) if isinstance(thing, tuple) else None
    return Value("object", number, items=items, object=thing)


def _mixed(*values: Value) -> Value:
    """The number that comes of several: floating wins, and all their sources stay."""
    numbers = {v.number for v in values}
    number = "floating" if "floating" in numbers else "integer" if "integer" in numbers else ""
    return Value(number=number, sources=tuple(dict.fromkeys(u for v in values for u in v.sources)))


class _Reader:
    """Walks functions and leaves notes on the `Use`s that reach an operation."""

    def call(self, function: FunctionType, arguments: dict[str, Value], depth: int) -> Value:
        syntax = _syntax_of(function)
        if syntax is None or depth > MAX_DEPTH:
            return Value()
        frame = _Frame(function, depth, dict(arguments))
        self.block(syntax.body, frame)
        return frame.result

    # --- statements -----------------------------------------------------------------

    def block(self, statements: list, frame: _Frame) -> None:
        for statement in statements:
            self.statement(statement, frame)

    def statement(self, node: ast.stmt, frame: _Frame) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                found = self.value(value, frame)
                for target in targets:
                    self.bind(target, found, frame)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self.bind(target, self.value(value, frame), frame)
            case ast.AugAssign(target=target, op=operator, value=value):
                found = self.operation(operator, self.value(target, frame), self.value(value, frame))
                self.bind(target, found, frame)
            case ast.For(target=target, iter=iterable, body=body, orelse=orelse):
                found = self.value(iterable, frame)
                self.bind(target, found.items[0] if found.kind == "items" else INTEGER, frame)
                self.block(body + orelse, frame)
            case ast.Return(value=value) if value is not None:
                frame.result = self.value(value, frame)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.stmt):
                        self.statement(child, frame)
                    elif isinstance(child, ast.expr):
                        self.value(child, frame)

    def bind(self, target: ast.expr, value: Value, frame: _Frame) -> None:
        match target:
            case ast.Name(id=name):
                frame.names[name] = value
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                starred = any(isinstance(e, ast.Starred) for e in elts)
                items = value.items if value.items is not None and len(value.items) == len(elts) else None
                if value.kind == "shape":
                    value.use.least_rank = max(value.use.least_rank, len(elts) - starred)
                    value.use.rank = value.use.rank if starred else len(elts)
                    items = None if starred else (INTEGER,) * len(elts)
                if value.kind == "parameter" and not starred:
                    items = tuple(_parameter(value.use.part(i)) for i in range(len(elts)))
                for target, item in zip(elts, items or (Value(),) * len(elts)):
                    self.bind(target, item, frame)
            case ast.Starred(value=inner):
                self.bind(inner, Value(), frame)

    # --- expressions ----------------------------------------------------------------

    def value(self, node: ast.expr, frame: _Frame) -> Value:
        match node:
            case ast.Name(id=name):
                return frame.find(name)
            case ast.Constant(value=constant):
                return _known(constant)
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                if any(isinstance(e, ast.Starred) for e in elts):
                    return Value()
                return Value(items=tuple(self.value(e, frame) for e in elts))
            case ast.Attribute(value=base, attr=name):
                return self.attribute(self.value(base, frame), name)
            case ast.Subscript(value=base, slice=index):
                return self.item(self.value(base, frame), self.value(index, frame))
            case ast.BinOp(left=left, op=operator, right=right):
                return self.operation(operator, self.value(left, frame), self.value(right, frame))
            case ast.Compare(left=left, comparators=others):
                self.mix(*(self.value(e, frame) for e in [left, *others]))
                return Value()
            case ast.Call(func=callee, args=args, keywords=keywords):
                positional = [self.value(a, frame) for a in args]
                named = {k.arg: self.value(k.value, frame) for k in keywords}
                if None in named or any(isinstance(a, ast.Starred) for a in args):
                    return Value()
                return self.called(self.value(callee, frame), positional, named, frame)
            case ast.NamedExpr(target=target, value=inner):
                found = self.value(inner, frame)
                self.bind(target, found, frame)
                return found
            case ast.Lambda():
                return Value()
            case _:
                parts = [self.value(c, frame) for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
                return _mixed(*parts)

    def attribute(self, base: Value, name: str) -> Value:
        if base.kind == "object":
            found = getattr(base.object, name, MISSING)
            return Value() if found is MISSING else _known(found)
        owner = {"parameter": "array", "view": "view"}.get(base.kind, "tile")
        method = ops.METHODS.get((owner, name))
        if method is None and owner == "array":
            method = ops.METHODS.get(("tile", name))
            if name == "foreign_pointer":
                base.use.is_array = True
                return Value()
            if name in ("shape", "strides", "dtype", "ndim"):
                base.use.is_array = True
                return Value(name if name != "strides" else "shape", use=base.use)
        if method is None:
            return Value()
        return Value("method", object=method, items=(base,))

    def item(self, base: Value, index: Value) -> Value:
        position = index.object if index.kind == "object" and isinstance(index.object, int) else None
        if base.kind == "shape":
            least = 1 if position is None else position + 1 if position >= 0 else -position
            base.use.least_rank = max(base.use.least_rank, least)
            return INTEGER
        if base.kind == "parameter" and position is not None:
            return _parameter(base.use.part(position))
        if base.kind == "parameter" and index.object is None and (index.number == "integer" or index.sources):
            self.need_integer(index)
            return _parameter(base.use.picked())
        if base.items is not None and position is not None and -len(base.items) <= position < len(base.items):
            return base.items[position]
        return replace(base, kind="", items=None) if base.number else Value(sources=base.sources)

    def operation(self, operator: ast.operator, left: Value, right: Value) -> Value:
        if isinstance(operator, ast.Add) and left.items is not None and right.items is not None:
            return Value(items=left.items + right.items)
        if isinstance(operator, (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)):
            for side in (left, right):
                if side.kind in ("parameter", "tile"):
                    self.need_integer(side)
        result = self.mix(left, right)
        return replace(result, number="floating") if isinstance(operator, ast.Div) else result

    def mix(self, *values: Value) -> Value:
        """Numbers that meet tell something of scalar parameters among them."""
        result = _mixed(*values)
        for value in values:
            if value.kind == "parameter":
                value.use.seems_integer |= any(v.number == "integer" for v in values)
                value.use.seems_float |= any(v.number == "floating" for v in values)
        return result

    def need_integer(self, value: Value) -> None:
        for use in value.sources:
            use.needs_integer = True

    # --- calls ----------------------------------------------------------------------

    def called(self, callee: Value, positional: list[Value], named: dict[str, Value], frame: _Frame) -> Value:
        target = callee.object
        if callee.kind == "method":
            positional = [*callee.items, *positional]
        elif not isinstance(target, ops.Op):
            target = _builtin_op(target)
        if isinstance(target, ops.Op):
            return self.op(target, positional, named)
        if target is len and positional and positional[0].kind == "parameter":
            positional[0].use.measured = True
            return INTEGER
        if target in (static_iter, enumerate) and positional and positional[0].kind in ("parameter", "items"):
            one = positional[0].items[0] if positional[0].kind == "items" else _parameter(positional[0].use.any_part())
            return Value("items", items=(one if target is static_iter else Value(items=(INTEGER, one)),))
        if target is range:
            for bound in positional:
                self.need_integer(bound)
                for use in bound.sources:
                    use.counts = True
            return INTEGER
        function = getattr(target, "__wrapped__", target)
        if isinstance(function, FunctionType):
            bound = _bound(inspect.signature(function), positional, named)
            return self.call(function, bound, frame.depth + 1) if bound is not None else Value()
        return self.mix(*positional, *named.values())

    def op(self, op: ops.Op, positional: list[Value], named: dict[str, Value]) -> Value:
        bound = _bound(op.signature, positional, named)
        if bound is None:
            return Value()
        kinds = {name: op.kind(name) for name in bound}
        by_kind = {kind: bound[name] for name, kind in kinds.items()}
        for name, kind in kinds.items():
            if kind == "Shape":
                self.size(bound[name])
            elif kind in ("Index", "Indices"):
                for part in bound[name].items or (bound[name],):
                    self.need_integer(part)
        array = by_kind.get("Array")
        if array is not None and array.use is not None:
            self.rank(array.use, by_kind)
        return self.result(op, bound, kinds)

    def size(self, shape: Value) -> None:
        extents = [e for e in (shape.items if shape.items is not None else (shape,)) if e.sources]
        for extent in extents:
            for use in extent.sources:
                use.tile_axes = max(use.tile_axes, len(extents))

    def rank(self, use: Use, by_kind: dict[str, Value]) -> None:
        use.is_array = True
        for kind in ("Shape", "Indices", "Index"):
            value = by_kind.get(kind)
            if value is None:
                continue
            length = len(value.items) if value.items is not None else 1 if value.number == "integer" or value.sources else 0
            if length:
                use.rank = max(use.rank, length)
                return

    def result(self, op: ops.Op, bound: dict[str, Value], kinds: dict[str, str]) -> Value:
        source = next((bound[n] for n, k in kinds.items() if k in ("Array", "View")), None)
        if op.nonnegative == "always":
            return INTEGER
        if source is not None:
            kind = "tile" if op.effect else "view"
            return Value(kind, "floating" if op.effect else "", use=source.use, sources=(source.use,) if source.use else ())
        dtype = next((as_dtype(v.object) for n, v in bound.items() if n == "dtype"), None)
        if dtype is not None:
            return Value("tile", "integer" if dtype.is_integral else "floating")
        operands = [bound[n] for n, k in kinds.items() if k == "Tile"]
        result = self.mix(*operands)
        return result if op.nonnegative or op.family == "shape" else replace(result, number=result.number or "floating")


def _builtin_op(target: Any) -> Any:
    try:
        return ops.BUILTINS.get(target, target)
    except TypeError:  # not hashable
        return target


def _bound(signature: inspect.Signature, positional: list[Value], named: dict[str, Value]) -> dict[str, Value] | None:
    """Arguments by parameter name, defaults as known objects; None when they do not fit (lowering says so)."""
    try:
        bound = signature.bind(*positional, **named)
    except TypeError:
        return None
    defaults = {n: _known(p.default) for n, p in signature.parameters.items() if p.default is not p.empty}
    return {**defaults, **{name: _packed(value) for name, value in bound.arguments.items()}}


def _packed(value: Any) -> Value:
    """What a `*args` parameter collects is a tuple; of `**kwargs` nothing is known."""
    return value if isinstance(value, Value) else Value(items=value) if isinstance(value, tuple) else Value()
