"""One function being lowered: its names, variables, scopes and statements."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Iterator

from tile2cpp import ir
from tile2cpp.errors import Diagnostic, Label, Reject, TileTypeError
from tile2cpp.lower import wording
from tile2cpp.lower.analysis import Reads, assigned, assigned_in_loops
from tile2cpp.lower.names import LIBRARY, Names, type_suffix
from tile2cpp.lower.values import Binding, Composite, Constant, Fault, Poison, Runtime, Value, plain
from tile2cpp.parse import FunctionSyntax
from tile2cpp.source import Span
from tile2cpp.types import Tile, own_dtype


@dataclass
class Loop:
    """A loop being lowered: the variables it carries, its arrays that change, and the ways out of an endless one."""

    node: ast.For | ast.While
    carried: dict[str, Binding] = field(default_factory=dict)
    arrays: dict[str, Any] = field(default_factory=dict)  # by their C++ names: a `CarriedArray`
    endless: bool = False
    exits: list[tuple[int, dict[str, Binding | None]]] = field(default_factory=list)


class PartChanges(Exception):
    """What looked the same throughout a loop changes in it and needs variables: a constant part of a tuple, or an array."""

    def __init__(self, name: str, array: Any = None):
        super().__init__(name)
        self.name, self.array = name, array


@dataclass
class Branch:
    """What a block of statements left behind."""

    out: list
    env: dict[str, Binding]
    ended: bool


class Frame:
    """State and bookkeeping; the mixins in this folder add statements and expressions."""

    def __init__(self, shared, syntax: FunctionSyntax, resolve, is_kernel: bool, parent: "Frame | None" = None):
        self.shared = shared
        self.syntax = syntax
        self.resolve = resolve  # a global or closed-over name -> Python object, or raises KeyError
        self.is_kernel = is_kernel
        self.parent = parent  # the lexically enclosing frame of a nested function
        self.env: dict[str, Binding] = {}
        self.names = Names()
        self.out: list[ir.Stmt] = []
        self.scopes: list[dict[Any, Any]] = [{}]
        self.cnames: dict[tuple[str, Tile], str] = {}
        self.first_types: dict[str, Tile] = {}
        self.constants: dict[str, Any] = {}
        self.literals: dict[str, Any] = {}  # variables that hold a constant of a dtype
        self.global_names: dict[str, str] = {}
        self.loops: list[Loop] = []
        self.returns: list[tuple[Value, Span]] = []
        self.ended = False
        self.changing_parts: set[str] = set()  # constant parts of carried tuples that a loop changes
        self.changing_arrays: dict[tuple[int, str], Any] = {}  # of a loop: what is known of an array that changes in it
        self.managers: list = []  # the `with` blocks that control is in
        body = syntax.body
        self.assigned = assigned(body)
        self.reassigned_in_loops = assigned_in_loops(body)
        self.reads = Reads(body)

    # --- diagnostics ----------------------------------------------------------------

    def span(self, node: ast.AST | Span) -> Span:
        return node if isinstance(node, Span) else self.syntax.span(node)

    def fault(self, node, message: str, *, hint: str | tuple[str, ...] = "", code: str = "", text: str = "", others=(), kind=TileTypeError, known_as: str = "") -> Fault:
        """A mistake at `node`, with the calls that led here."""
        return Fault(
            Diagnostic(
                message,
                code=code,
                label=Label(self.span(node), text),
                others=tuple(others),
                hints=tuple(hint) if not isinstance(hint, str) else (hint,) if hint else (),
                calls=tuple(self.shared.calls),
                kind=kind,
                known_as=known_as,
            )
        )

    @contextmanager
    def rejecting(self, node: ast.AST, places: dict[str, ast.AST] | None = None, callee: str = "", types: dict[str, str] | None = None, related=None, op=None):
        """Turn a rule's `Reject` into a diagnostic at the argument it names; `related` finds labels for the others."""
        try:
            yield
        except Reject as reject:
            place = self._argument(reject.parameter, places or {}) or node
            message = f"{callee}: {reject.why}" if callee else reject.why
            text = (types or {}).get(reject.parameter, "")
            others = related(reject.parameter, reject.why) if related else ()
            known_as = wording.invalid(op, reject.parameter, reject.known_as) if op else reject.known_as
            raise self.fault(place, message, hint=reject.hint, code=reject.code, text=text, others=others, kind=reject.kind, known_as=known_as) from None

    @staticmethod
    def _argument(parameter: str, places: dict[str, ast.AST]) -> ast.AST | None:
        name, _, rest = parameter.partition("[")
        place = places.get(name)
        if rest and isinstance(place, ast.Tuple) and int(rest[:-1]) < len(place.elts):
            return place.elts[int(rest[:-1])]
        return place

    # --- statements and scopes ------------------------------------------------------

    def emit(self, stmt: ir.Stmt) -> None:
        self.out.append(stmt)

    def note(self, node: ast.stmt) -> ir.Note:
        comments = self.syntax.module.comments
        beside = comments.beside.get(node.lineno) or ("" if hasattr(node, "body") else comments.beside.get(node.end_lineno, ""))
        return ir.Note(self.span(node), comments.above.get(node.lineno, ()), beside)

    @contextmanager
    def block(self) -> Iterator[Branch]:
        """Lower into a block of its own; the environment afterwards is the one before."""
        outer_out, outer_env, outer_ended = self.out, self.env, self.ended
        self.out, self.env, self.ended = [], dict(outer_env), False
        self.scopes.append({})
        branch = Branch(self.out, self.env, False)
        try:
            yield branch
        finally:
            branch.out, branch.env, branch.ended = self.out, self.env, self.ended
            self.scopes.pop()
            self.out, self.env, self.ended = outer_out, outer_env, outer_ended

    # --- variables ------------------------------------------------------------------

    def visible(self, name: str, tile: Tile) -> str | None:
        for scope in reversed(self.scopes):
            if (name, plain(tile)) in scope:
                return scope[name, plain(tile)]
        return None

    def cname(self, name: str, tile: Tile) -> str:
        """The C++ variable for `name` while it has this type: the plain name for its first type."""
        key = (name, plain(tile))
        if key not in self.cnames:
            first = self.first_types.setdefault(name, plain(tile))
            wanted = name if first == plain(tile) else f"{name}_{type_suffix(tile, first)}"
            if wanted in self.names.taken and first == plain(tile):
                wanted = f"{name}_tile" if tile.shape else f"{name}_value"
            self.cnames[key] = self.names.fresh(wanted)
        return self.cnames[key]

    def declare(self, name: str, tile: Tile) -> str:
        """Make the variable visible in the current scope."""
        cname = self.cname(name, tile)
        self.scopes[-1][name, plain(tile)] = cname
        return cname

    def temporary(self, wanted: str, expr: Any, note: ir.Note = ir.Note()) -> ir.Name:
        """A variable of our own, where an expression would be evaluated twice."""
        name = self.names.fresh(wanted)
        self.emit(ir.Let(name, expr, note))
        return ir.Name(name, expr.type, self.shared.nonnegative(expr))

    def shared_temporary(self, wanted: str, expr: Any) -> Any:
        """Like `temporary`, but one variable serves equal expressions as long as nothing in them changes."""
        for scope in reversed(self.scopes):
            if expr in scope:
                return scope[expr]
        made = self.temporary(wanted, expr)
        if all(self.is_stable(e) or not isinstance(e, (ir.Name, ir.Invoke)) for e in ir.walk(expr)) and not self._reads_memory(expr):
            self.scopes[-1][expr] = made
        return made

    @staticmethod
    def _reads_memory(expr: Any) -> bool:
        return any(isinstance(e, ir.Call) and e.op.effect for e in ir.walk(expr))

    def assign(self, name: str, value: Value, span: Span, note: ir.Note = ir.Note()) -> None:
        """Python's `name = value`."""
        match value:
            case Runtime():
                self._assign_runtime(name, value.expr, span, note)
            case Constant() if value.is_number:
                self._assign_constant(name, value, span, note)
            case _:
                if note.above:  # no statement of C++ holds them
                    self.emit(ir.Comment(note.above))
                self.env[name] = Binding(self._settled(name, value), span)

    def _assign_runtime(self, name: str, expr, span: Span, note: ir.Note) -> None:
        cname = self.visible(name, expr.type)
        if cname is None:
            cname = self.declare(name, expr.type)
            self.emit(ir.Let(cname, expr, note))
            stays = self.assigned[name] <= 1 and name not in self.reassigned_in_loops
            nonnegative = stays and self.shared.nonnegative(expr)
            if stays and isinstance(expr, ir.Literal):
                self.literals[cname] = expr.value
        else:
            self.emit(ir.Set(cname, expr, note))
            nonnegative = False
        self.env[name] = Binding(Runtime(ir.Name(cname, expr.type, nonnegative)), span, cname)

    def _assign_constant(self, name: str, value: Constant, span: Span, note: ir.Note) -> None:
        if isinstance(value.value, int) and not -(2**63) <= value.value < 2**64:
            self.env[name] = Binding(Constant(value.value), span)  # no C++ variable holds it, but what is computed from it may fit
            return
        tile = Tile(own_dtype(value.value))
        literal = ir.Literal(value.value, tile, value.name)
        if self.assigned[name] == 1 and name not in self.reassigned_in_loops and self.visible(name, tile) is None:
            cname = self.declare(name, tile)
            self.emit(ir.Let(cname, literal, note, constant=True))
            self.constants[cname] = value.value
            self.env[name] = Binding(Constant(value.value, cname), span, cname)
            return
        cname = self.visible(name, tile)
        if cname is None:
            cname = self.declare(name, tile)
            self.emit(ir.Let(cname, literal, note))
        else:
            self.emit(ir.Set(cname, literal, note))
        self.env[name] = Binding(Constant(value.value), span, cname)

    def known(self, value: Value) -> Value:
        """A constant of a dtype, such as `ct.int32(16)`, as the number that it is; every other value as it is."""
        expr = value.expr if isinstance(value, Runtime) and not value.type.shape else None
        if isinstance(expr, ir.Literal):
            return Constant(expr.value)
        return Constant(self.literals[expr.name]) if isinstance(expr, ir.Name) and expr.name in self.literals else value

    def _settled(self, wanted: str, value: Value) -> Value:
        """A part of a composite value that later assignments cannot change."""
        if isinstance(value, Composite):
            return value.rebuilt(tuple(self._settled(f"{wanted}_{n}", v) for n, v in zip(value.part_names(), value.parts())))
        if isinstance(value, Runtime) and not self.is_stable(value.expr):
            return Runtime(self.temporary(wanted, value.expr))
        return value

    def is_stable(self, expr: Any) -> bool:
        """Whether an expression can be written twice and means the same both times."""
        if isinstance(expr, ir.Name):
            sources = [name for (name, _), cname in self.cnames.items() if cname == expr.name]
            given = {p.arg for p in self.syntax.parameters}  # a parameter has a value already
            return all(self.assigned[n] + (n in given) <= 1 and n not in self.reassigned_in_loops for n in sources)
        if isinstance(expr, ir.Field):
            return True
        return isinstance(expr, (ir.Literal, ir.Extent))

    def poison(self, name: str, why) -> None:
        self.env[name] = Binding(Poison(why))

    def taken_for_function(self, name: str) -> str:
        """A function's name in the emitted file."""
        return self.shared.function_name(f"{name}_" if name in LIBRARY else name)
