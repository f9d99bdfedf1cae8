"""Statements: assignments, branches, loops and returns."""

from __future__ import annotations

import ast

from tile2cpp import ir
from tile2cpp.errors import Label, Reject, TileSyntaxError, TileValueError
from tile2cpp.lower import wording
from tile2cpp.lower.analysis import assigned
from tile2cpp.lower.closures import freeze, is_frozen
from tile2cpp.lower.loops import Loops
from tile2cpp.lower.operators import BINARY
from tile2cpp.lower.values import Binding, Closure, Composite, Constant, Fault, Instance, Runtime, TupleValue, Value


class Statements(Loops):
    """Adds `lower(nodes)`: a list of statements into `self.out`."""

    _note = ir.Note()

    def take_note(self) -> ir.Note:
        """The note of the current statement; its comments go to the first of the statements made of it."""
        note, self._note = self._note, ir.Note(self._note.span)
        return note

    def comments_first(self) -> None:
        """The current statement's comments by themselves."""
        if above := self.take_note().above:
            self.emit(ir.Comment(above))

    def lower(self, nodes: list[ast.stmt]) -> None:
        for node in nodes:
            if self.ended:
                return
            self._lower_one(node)
        if nodes and (footer := self.syntax.module.comments.footer.get(nodes[-1].lineno)):
            self.emit(ir.Comment(footer))

    def _lower_one(self, node: ast.stmt) -> None:
        previous, self._note = self._note, self.note(node)
        try:
            getattr(self, f"_do_{type(node).__name__.lower()}", self._do_other)(node)
            if not isinstance(node, ast.Pass):
                self.comments_first()  # where no statement took them
        except (Fault, Reject) as fault:
            self.shared.report(fault if isinstance(fault, Fault) else self.fault(node, fault.why, hint=fault.hint, code=fault.code, kind=fault.kind, known_as=fault.known_as))
            for name in assigned([node]):
                self.poison(name, None)
        finally:
            self._note = previous

    def _do_other(self, node: ast.stmt) -> None:
        raise self.fault(node, "this statement is not part of the tile language", kind=TileSyntaxError, code="syntax")

    def _do_pass(self, node: ast.Pass) -> None:
        """Nothing to do; its comments go with the block."""

    def _do_expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        value = self.rooted(lambda: self.value(node.value))
        for expr in self.parts_of(value):
            if self.shared.has_effect(expr):
                self.emit(ir.Do(expr, self.take_note()))

    # --- assignment -----------------------------------------------------------------

    def _do_assign(self, node: ast.Assign) -> None:
        if isinstance(node.value, ast.Lambda) and isinstance(node.targets[0], ast.Name):
            value = self.closure(node.value, node.targets[0].id)
        else:
            value = self.rooted(lambda: self.value(node.value))
        if len(node.targets) > 1 and isinstance(value, Runtime):
            value = Runtime(self.stable(value.expr, "value"))
        note = self.take_note()
        for target in node.targets:
            self._assign_target(target, value, node.value, note)
            note = ir.Note(note.span)

    def _do_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign_target(node.target, self.rooted(lambda: self.value(node.value)), node.value, self.take_note())

    def _assign_target(self, target: ast.expr, value: Value, source: ast.expr, note: ir.Note) -> None:
        if isinstance(target, ast.Name):
            self.assign(target.id, value, self.span(target), note)
        elif isinstance(target, ast.Tuple):
            self._unpack(target, value, source, note)
        elif isinstance(target, ast.Subscript):
            self._set_item(target, self.value(target.value), value, source)
        else:
            raise self.fault(target, "attributes cannot be assigned in tile code", hint="assign to a name", kind=TileSyntaxError)

    def _set_item(self, target: ast.Subscript, base: Value, value: Value, source: ast.AST) -> None:
        """`base[...] = value`, which only an author's own `__setitem__` can mean."""
        if isinstance(base, Instance) and hasattr(base.cls, "__setitem__"):
            self.call_bound(base.cls.__setitem__, base, [self.value(target.slice), value], target)
            return
        message, hint, known_as = wording.no_item_assignment(base, target, source)
        raise self.fault(target, message, hint=hint, known_as=known_as)

    def _unpack(self, target: ast.Tuple, value: Value, source: ast.expr, note: ir.Note) -> None:
        items = self.items_of(source, value)
        if len(items) != len(target.elts):
            message = f"{len(items)} value{'s' * (len(items) != 1)} for {len(target.elts)} names"
            raise self.fault(target, message, others=[Label(self.span(source), f"{len(items)} value{'s' * (len(items) != 1)}")], kind=TileValueError)
        # Python evaluates the whole right side first: `a, b = b, a` must not read the new `a`.
        items = self._evaluated_before(target, items)
        for element, item in zip(target.elts, items):
            self._assign_target(element, item, source, note)
            note = ir.Note(note.span)

    def _evaluated_before(self, target: ast.Tuple, items: tuple[Value, ...]) -> tuple[Value, ...]:
        variables: set[str] = set()
        safe = []
        for element, item in zip(target.elts, items):
            if isinstance(item, Runtime) and any(isinstance(e, ir.Name) and e.name in variables for e in ir.walk(item.expr)):
                hint = element.id if isinstance(element, ast.Name) else "value"
                item = ("later", hint, item)
            safe.append(item)
            for name in assigned([element]):
                variables |= {cname for (n, _), cname in self.cnames.items() if n == name}
        return tuple(Runtime(self.temporary(f"{i[1]}_next", i[2].expr)) if isinstance(i, tuple) else i for i in safe)

    def _do_augassign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Subscript):
            self._change_item(node, node.target)
            return
        if not isinstance(node.target, ast.Name):
            raise self.fault(node.target, "attributes cannot be assigned in tile code", hint="assign to a name", kind=TileSyntaxError)
        symbol, fold = BINARY[type(node.op)]
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        value = self.rooted(lambda: self.binary(symbol, fold, node, read, self.value(read), node.value, self.value(node.value)))
        self.assign(node.target.id, value, self.span(node.target), self.take_note())

    def _change_item(self, node: ast.AugAssign, target: ast.Subscript) -> None:
        """`base[...] += value`: reads and sets an item."""
        symbol, fold = BINARY[type(node.op)]
        read = ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
        old = self.value(read)
        new = self.rooted(lambda: self.binary(symbol, fold, node, read, old, node.value, self.value(node.value)))
        self._set_item(target, self.value(target.value), new, node.value)

    def _do_functiondef(self, node: ast.FunctionDef) -> None:
        self.env[node.name] = Binding(self.closure(node), self.span(node))

    # --- branches -------------------------------------------------------------------

    def _do_if(self, node: ast.If) -> None:
        test = self.rooted(lambda: self.condition(node.test))
        if isinstance(test, Constant):
            self.comments_first()
            self.lower(node.body if test.value else node.orelse)
            return
        note = self.take_note()
        with self.block() as then:
            self.lower(node.body)
        with self.block() as otherwise:
            self.lower(node.orelse)
        declared, after = self.join(node, then, otherwise)
        self.out += declared
        self.emit(ir.If(test.expr, tuple(then.out), tuple(otherwise.out), note))
        self.out += after
        self.ended = then.ended and otherwise.ended

    # --- return ---------------------------------------------------------------------

    def _do_return(self, node: ast.Return) -> None:
        value: Value = self.rooted(lambda: self.value(node.value)) if node.value is not None else Constant(None)
        if self.is_kernel:
            if not (isinstance(value, Constant) and value.value is None):
                raise self.fault(node.value, "a kernel returns nothing", hint="results go out through ct.store")
            self.unwind(0)
            self.emit(ir.Return((), self.take_note()))
        else:
            settles = isinstance(value, TupleValue) and self.loops or self.managers
            value = self._settled("result", value) if settles else value
            value = self.unwind(0, lambda: as_it_is(value))
            self.emit(ir.Return((len(self.returns),), self.take_note()))
            self.returns.append((value, self.span(node)))
        self.ended = True


def as_it_is(value: Value) -> Value:
    """A returned value whose functions keep what they read, as it is now."""
    if isinstance(value, Closure):
        return value if is_frozen(value) else freeze(value).closure()
    return value.rebuilt(tuple(map(as_it_is, value.parts()))) if isinstance(value, Composite) else value
