"""Statements: assignments, branches, loops and returns."""

from __future__ import annotations

import ast

from tile2cpp import dtypes, ir
from tile2cpp.errors import Label, Reject, TileSyntaxError, TileValueError
from tile2cpp.lower import wording
from tile2cpp.lower.analysis import assigned
from tile2cpp.lower.expressions import BINARY, Expressions
from tile2cpp.lower.frame import Loop, PartChanges
from tile2cpp.lower.joins import Joins
from tile2cpp.lower.order import Order
from tile2cpp.lower.values import Binding, Composite, Constant, Fault, ListValue, Poison, RangeValue, Runtime, TupleValue, Value, describe, plain
from tile2cpp.ops.compare import logical_not
from tile2cpp.types import Tile, own_dtype, promote_dtypes


class Statements(Order, Joins, Expressions):
    """Adds `lower(nodes)`: a list of statements into `self.out`."""

    _note = ir.Note()

    def take_note(self) -> ir.Note:
        """The note of the current statement; its comments go to the first of the statements made of it."""
        note, self._note = self._note, ir.Note(self._note.span)
        return note

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
        except (Fault, Reject) as fault:
            self.shared.report(fault if isinstance(fault, Fault) else self.fault(node, fault.why, hint=fault.hint, code=fault.code, kind=fault.kind))
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
            message, hint = wording.no_item_assignment(self.value(target.value), target, source)
            raise self.fault(target, message, hint=hint)
        else:
            raise self.fault(target, "attributes cannot be assigned in tile code", hint="assign to a name", kind=TileSyntaxError)

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
        if not isinstance(node.target, ast.Name):
            raise self.fault(node.target, "items cannot be assigned in tile code", hint="store to an array with ct.store")
        symbol, fold = BINARY[type(node.op)]
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        value = self.rooted(lambda: self.binary(symbol, fold, node, read, self.value(read), node.value, self.value(node.value)))
        self.assign(node.target.id, value, self.span(node.target), self.take_note())

    def _do_functiondef(self, node: ast.FunctionDef) -> None:
        self.env[node.name] = Binding(self.closure(node), self.span(node))

    # --- branches -------------------------------------------------------------------

    def _do_if(self, node: ast.If) -> None:
        test = self.rooted(lambda: self.condition(node.test))
        if isinstance(test, Constant):
            self.lower(node.body if test.value else node.orelse)
            return
        note = self.take_note()
        with self.block() as then:
            self.lower(node.body)
        with self.block() as otherwise:
            self.lower(node.orelse)
        declared = self.join(node, then, otherwise)
        for stmt in declared:
            self.emit(stmt)
        self.emit(ir.If(test.expr, tuple(then.out), tuple(otherwise.out), note))
        self.ended = then.ended and otherwise.ended

    # --- loops ----------------------------------------------------------------------

    def _do_for(self, node: ast.For) -> None:
        items = self.static_items(node.iter)
        if items is not None:
            self.unroll(node, items)
            return
        self._retrying(self._lower_for, node)

    def _retrying(self, lower, node: ast.For | ast.While) -> None:
        """Lower a loop; again where a constant part of a carried tuple turns out to change in it."""
        while True:
            state = (list(self.out), dict(self.env), dict(self.scopes[-1]), set(self.names.taken), dict(self.cnames), dict(self.first_types))
            findings, loops = len(self.shared.diagnostics), len(self.loops)
            try:
                lower(node)
                return
            except PartChanges as change:
                self.changing_parts.add(change.name)
                self.out[:], self.env, self.scopes[-1], self.names.taken, self.cnames, self.first_types = state
                del self.shared.diagnostics[findings:], self.loops[loops:]

    def _lower_for(self, node: ast.For) -> None:
        iterable = self.rooted(lambda: self.value(node.iter))
        if not isinstance(iterable, RangeValue):
            hint = "write `for i in range(...)`, or ct.static_iter(...) around what is known at compile time, to unroll the loop"
            if isinstance(iterable, Runtime):
                hint = "a tile is worked on as a whole; take parts with ct.extract"
            elif isinstance(iterable, ListValue):
                hint = f"write `for i in range(len({iterable.expr.name}))`, and {iterable.expr.name}[i] in the loop"
            elif len(written := ast.unparse(node.iter)) <= 40:
                hint = f"to unroll the loop, write `for {ast.unparse(node.target)} in ct.static_iter({written})`"
            raise self.fault(node.iter, f"a `for` loop goes over range(...), but this is {describe(iterable)}", hint=hint)
        if not isinstance(node.target, ast.Name):
            raise self.fault(node.target, "a loop over a range has one variable")
        note = self.take_note()
        name = node.target.id
        tile = Tile(self._range_dtype(iterable))
        start, stop = self.convert(iterable.start, tile), self.convert(iterable.stop, tile)
        step = None if isinstance(iterable.step, Constant) and iterable.step.value == 1 else self.convert(iterable.step, tile)
        keeps = name in self.env and not isinstance(self.env[name].value, Poison) and (self.reads.after(name, node) or self._carried(name))
        loop = self._enter_loop(node, extra={name} if keeps else set())
        with self.block() as body:
            self.loops.append(loop)
            nonnegative = self.shared.nonnegative(start) and assigned(node.body)[name] == 0
            if keeps:
                index = self.names.fresh(f"{name}_index")
                self.assign(name, Runtime(ir.Name(index, tile, nonnegative)), self.span(node.target))
            else:
                self.env.pop(name, None)
                index = self.declare(name, tile)
                self.env[name] = Binding(Runtime(ir.Name(index, tile, nonnegative)), self.span(node.target), index)
            self._loop_body(node, loop)
        self.emit(ir.For(index, start, stop, step, tuple(body.out), note))
        self._leave_loop(node, loop, body, {name} - set(loop.carried))

    @staticmethod
    def _range_dtype(iterable: RangeValue):
        dtype = dtypes.int32
        for bound in (iterable.start, iterable.stop, iterable.step):
            dtype = promote_dtypes(dtype, bound.type.dtype if isinstance(bound, Runtime) else own_dtype(bound.value))
        return dtype

    def _do_while(self, node: ast.While) -> None:
        self._retrying(self._lower_while, node)

    def _lower_while(self, node: ast.While) -> None:
        note = self.take_note()
        loop = self._enter_loop(node)
        with self.block() as body:
            test = self.rooted(lambda: self.condition(node.test))
            self.loops.append(loop)
            tested = test.expr if isinstance(test, Runtime) else ir.Literal(bool(test.value), Tile(dtypes.bool_))
            if self.out and isinstance(test, Runtime):
                # The test needs statements of its own, so it moves into the body.
                stop = self.apply(logical_not, {"x": test}, node.test, {}).expr
                self.emit(ir.If(stop, (ir.Break(),), ()))
                tested = ir.Literal(True, Tile(dtypes.bool_))
            self._loop_body(node, loop)
        self.emit(ir.While(tested, tuple(body.out), note))
        self._leave_loop(node, loop, body, set())
        endless = isinstance(test, Constant) and test.value
        self.ended = bool(endless and not any(isinstance(s, ir.Break) for s in _own_statements(body.out)))

    def _enter_loop(self, node: ast.For | ast.While, extra: set[str] = frozenset()) -> Loop:
        """Variables that exist before the loop and are assigned in it keep one type throughout."""
        names = sorted(set(assigned(node.body)) | extra)
        carried = {}
        for name in names:
            binding = self.env.get(name)
            if binding is None or isinstance(binding.value, Poison):
                continue
            carried[name] = self._make_carried(name, binding)
        self.env.update(carried)
        return Loop(node, carried)

    def _make_carried(self, name: str, binding: Binding) -> Binding:
        value = binding.value
        if isinstance(value, Constant) and value.is_number:
            tile = Tile(own_dtype(value.value))
            if not binding.variable or self.visible(name, tile) != binding.variable:
                self._assign_runtime(name, self.literal(Constant(value.value), tile.dtype), binding.span, ir.Note())
            cname = self.visible(name, tile)
            return Binding(Runtime(ir.Name(cname, tile)), binding.span, cname)
        if isinstance(value, Runtime) and binding.variable:
            return Binding(Runtime(ir.Name(binding.variable, value.type)), binding.span, binding.variable)
        if isinstance(value, Composite):
            return Binding(self._carried_parts(name, value, binding), binding.span)
        return binding

    def _carried_parts(self, name: str, value: Value, binding: Binding) -> Value:
        """A composite value with a variable for each run-time part, which the loop may set."""
        if isinstance(value, Composite):
            return value.rebuilt(tuple(self._carried_parts(f"{name}_{n}", v, binding) for n, v in zip(value.part_names(), value.parts())))
        if isinstance(value, Constant) and value.is_number and name in self.changing_parts:
            value = Runtime(self.literal(Constant(value.value), own_dtype(value.value)))
        if not isinstance(value, Runtime):
            return value
        self.assigned[name] += 2
        self.reassigned_in_loops.add(name)
        self._assign_runtime(name, value.expr, binding.span, ir.Note())
        return Runtime(ir.Name(self.env.pop(name).variable, value.type))

    def _set_parts(self, name: str, before: Value, now: Value) -> bool:
        """Store the parts of a composite back into their variables; False where a part has changed its type."""
        if isinstance(before, Composite):
            if not isinstance(now, Composite) or now.kind() != before.kind():
                return False
            parts = zip(before.part_names(), before.parts(), now.parts())
            return all([self._set_parts(f"{name}_{n}", b, new) for n, b, new in parts])
        if not isinstance(before, Runtime):
            if not self._same(before, now) and self._type_of(now) is not None and self._type_of(before) is not None:
                raise PartChanges(name)
            return self._same(before, now)
        if self._type_of(now) is None or plain(self._type_of(now)) != plain(before.type):
            return False
        expr = self.convert(now, before.type)
        if expr != before.expr:
            self.emit(ir.Set(before.expr.name, expr))
        return True

    def _loop_body(self, node: ast.For | ast.While, loop: Loop) -> None:
        try:
            self.lower(node.body)
            if not self.ended:
                self._check_carried(loop)
        finally:
            self.loops.pop()

    def _check_carried(self, loop: Loop, node: ast.stmt | None = None) -> None:
        """At the end of an iteration, each carried name must be in its variable again."""
        for name, before in loop.carried.items():
            now = self.env[name]
            if now is before or isinstance(now.value, Poison) and now.value.why is None:
                continue
            if before.variable and now.variable == before.variable:
                continue
            if before.variable and isinstance(now.value, (Constant, Runtime)) and plain(self._type_of(now.value)) == plain(before.value.type):
                self.emit(ir.Set(before.variable, self.convert(now.value, before.value.type)))
                self.env[name] = before
                continue
            if not before.variable and self._same(before.value, now.value):
                continue
            if isinstance(before.value, Composite) and self._set_parts(name, before.value, now.value):
                self.env[name] = before
                continue
            self.shared.report(self._carried_fault(name, before, now))

    def _type_of(self, value: Value) -> Tile | None:
        if isinstance(value, Runtime):
            return value.type
        if isinstance(value, Constant) and value.is_number:
            return Tile(own_dtype(value.value))
        return None

    def _carried_fault(self, name: str, before: Binding, now: Binding) -> Fault:
        if isinstance(now.value, Poison) and now.value.why is not None and now.span is None:
            return now.value.why(self, self.loops[-1].node)
        hint = f"give `{name}` its final type before the loop" if isinstance(now.value, Runtime) else ""
        if isinstance(now.value, Runtime) and isinstance(before.value, Runtime) and not (now.value.is_pointer or before.value.is_pointer):
            wanted = now.value.type
            start = f"ct.zeros({tuple(int(e) for e in wanted.shape)}, ct.{wanted.dtype})" if wanted.shape else ("0.0" if wanted.dtype.is_float else f"ct.{wanted.dtype}(0)")
            hint = f"start it as {start}, or convert the new value with .astype(ct.{before.value.type.dtype})"
        others = [Label(before.span, f"{describe(before.value)} here")] if before.span else []
        return self.fault(
            now.span or self.loops[-1].node,
            f"`{name}` enters the loop as {describe(before.value)} and leaves its body as {describe(now.value)}; a variable keeps its type in a loop",
            hint=hint,
            code="loop-type",
            text=describe(now.value),
            others=others,
        )

    def _leave_loop(self, node, loop: Loop, body, local: set[str]) -> None:
        for name, before in loop.carried.items():
            self.env[name] = before
        for name in (set(assigned(node.body)) | local) - set(loop.carried):
            known = self.env.get(name)
            if not (known and isinstance(known.value, Poison) and known.value.why is None):
                self.poison(name, self._zero_trips(name, node))

    def _zero_trips(self, name: str, loop: ast.For | ast.While):
        def why(frame, use):
            word = "for" if isinstance(loop, ast.For) else "while"
            return frame.fault(
                use, f"`{name}` has no value if the `{word}` loop runs zero times", hint=f"assign `{name}` before the loop", code="undefined",
                others=[Label(self._keyword(loop, len(word)), "assigned in this loop only")],
            )  # fmt: skip

        return why

    def _keyword(self, node: ast.stmt, length: int):
        span = self.span(node)
        return type(span)(span.file, span.line, span.column, span.line, span.column + length)

    def _do_break(self, node: ast.Break) -> None:
        self._jump(node, ir.Break(self.take_note()))

    def _do_continue(self, node: ast.Continue) -> None:
        self._jump(node, ir.Continue(self.take_note()))

    def _jump(self, node: ast.stmt, stmt: ir.Stmt) -> None:
        if not self.loops:
            raise self.fault(node, f"`{node.__class__.__name__.lower()}` stands outside a loop", kind=TileSyntaxError)
        self._check_carried(self.loops[-1], node)
        self.emit(stmt)
        self.ended = True

    # --- return ---------------------------------------------------------------------

    def _do_return(self, node: ast.Return) -> None:
        value: Value = self.rooted(lambda: self.value(node.value)) if node.value is not None else Constant(None)
        if self.is_kernel:
            if not (isinstance(value, Constant) and value.value is None):
                raise self.fault(node.value, "a kernel returns nothing", hint="results go out through ct.store")
            self.emit(ir.Return((), self.take_note()))
        else:
            value = self._settled("result", value) if isinstance(value, TupleValue) and self.loops else value
            self.emit(ir.Return((len(self.returns),), self.take_note()))
            self.returns.append((value, self.span(node)))
        self.ended = True


def _own_statements(body):
    """The statements of a loop's body, without those of inner loops (whose `break` is their own)."""
    for stmt in body:
        yield stmt
        if isinstance(stmt, ir.If):
            yield from _own_statements(stmt.then)
            yield from _own_statements(stmt.otherwise)


