"""Loops: what they carry from one iteration to the next, and what they leave behind."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from tile2cpp import dtypes, ir
from tile2cpp.errors import Label, TileSyntaxError
from tile2cpp.lower.analysis import assigned
from tile2cpp.lower.choices import among, chosen, is_list
from tile2cpp.lower.closures import freeze, is_frozen
from tile2cpp.lower.combining import combined_in_loop, is_element
from tile2cpp.lower.exits import Exits
from tile2cpp.lower.expressions import Expressions
from tile2cpp.lower.frame import Loop, PartChanges
from tile2cpp.lower.managers import Managers
from tile2cpp.lower.order import Order
from tile2cpp.lower.values import ArrayValue, Binding, Closure, Composite, Constant, Fault, ListValue, Poison, RangeValue, Runtime, Value, ViewValue, describe, plain
from tile2cpp.ops.compare import logical_not
from tile2cpp.types import Tile, own_dtype, promote_dtypes


class Loops(Order, Exits, Managers, Expressions):
    """Adds `for` and `while`."""

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
                if change.array is None:
                    self.changing_parts.add(change.name)
                else:
                    self.changing_arrays[id(node), change.name] = change.array
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
        keeps = name in self.env and not isinstance(self.env[name].value, Poison) and self._lives_on(name, node)
        loop = self._enter_loop(node, extra={name} if keeps else set())
        with self.block() as body:
            self.loops.append(loop)
            self._begin(loop)
            nonnegative = self.shared.nonnegative(start) and assigned(node.body)[name] == 0
            if keeps:
                index = self.names.fresh(f"{name}_index")
                self.assign(name, Runtime(ir.Name(index, tile, nonnegative)), self.span(node.target))
            else:
                self.env.pop(name, None)
                index = self.declare(name, tile)
                self.env[name] = Binding(Runtime(ir.Name(index, tile, nonnegative)), self.span(node.target), index)
            self._loop_body(node, loop)
        self.emit(ir.For(index, start, stop, step, self._with_origins(loop, tuple(body.out)), note))
        self._leave_loop(node, loop, {name} - set(loop.carried))
        self._arrays_after(node, loop)

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
            self._begin(loop)
            test = self.rooted(lambda: self.condition(node.test))
            self.loops.append(loop)
            loop.endless = isinstance(test, Constant) and bool(test.value)
            tested = test.expr if isinstance(test, Runtime) else ir.Literal(bool(test.value), Tile(dtypes.bool_))
            if self.out and isinstance(test, Runtime):
                # The test needs statements of its own, so it moves into the body.
                stop = self.apply(logical_not, {"x": test}, node.test, {}).expr
                self.emit(ir.If(stop, (ir.Break(),), ()))
                tested = ir.Literal(True, Tile(dtypes.bool_))
            self._loop_body(node, loop)
        statements = self._with_origins(loop, tuple(body.out))
        self._leave_loop(node, loop, set())
        after: list[ir.Stmt] = []
        if loop.exits:
            statements, after = self._leave_by_exits(node, loop, statements)
        self.emit(ir.While(tested, statements, note))
        self.out += after
        self._arrays_after(node, loop)
        self.ended = loop.endless and not any(isinstance(s, ir.Break) for s in _own_statements(body.out))

    def _enter_loop(self, node: ast.For | ast.While, extra: set[str] = frozenset()) -> Loop:
        """Variables that exist before the loop and are assigned in it keep one type throughout."""
        names = sorted(set(assigned(node.body)) | extra)
        loop = Loop(node)
        for name in names:
            binding = self.env.get(name)
            if binding is None or isinstance(binding.value, Poison):
                continue
            loop.carried[name] = self._make_carried(name, binding, loop)
        self.env.update(loop.carried)
        return loop

    def _make_carried(self, name: str, binding: Binding, loop: Loop) -> Binding:
        value = binding.value
        if isinstance(value, Constant) and value.is_number:
            tile = Tile(own_dtype(value.value))
            if not binding.variable or self.visible(name, tile) != binding.variable:
                self._assign_runtime(name, self.literal(Constant(value.value), tile.dtype), binding.span, ir.Note())
            cname = self.visible(name, tile)
            return Binding(Runtime(ir.Name(cname, tile)), binding.span, cname)
        if isinstance(value, Runtime) and binding.variable:
            return Binding(Runtime(ir.Name(binding.variable, value.type)), binding.span, binding.variable)
        if is_list(value) and (lists := self.changing_arrays.get((id(loop.node), name))):
            value = among(value, lists)
            if isinstance(value.which, Constant):
                value = replace(value, which=Runtime(self.literal(value.which, dtypes.int32)))
        if isinstance(value, (Composite, ArrayValue, ViewValue)):
            return Binding(self._carried_parts(name, value, binding, loop), binding.span)
        if isinstance(value, Closure) and is_frozen(value):
            return Binding(self._carried_parts(name, freeze(value), binding, loop).closure(), binding.span)
        return binding

    def _carried_parts(self, name: str, value: Value, binding: Binding, loop: Loop) -> Value:
        """A composite value with a variable for each run-time part, which the loop may set."""
        if isinstance(value, Composite):
            return value.rebuilt(tuple(self._carried_parts(f"{name}_{n}", v, binding, loop) for n, v in zip(value.part_names(), value.parts())))
        if isinstance(value, (ArrayValue, ViewValue)):
            return self._carried_array(name, value, loop)
        if isinstance(value, Constant) and value.is_number and name in self.changing_parts:
            value = Runtime(self.literal(Constant(value.value), own_dtype(value.value)))
        if not isinstance(value, Runtime):
            return value
        self.assigned[name] += 2
        self.reassigned_in_loops.add(name)
        self._assign_runtime(name, value.expr, binding.span, ir.Note())
        return Runtime(ir.Name(self.env.pop(name).variable, value.type))

    def _parts_to_set(self, name: str, before: Value, now: Value, sets: list) -> bool:
        """Note what brings the parts of a value back into their variables; False where a part has changed its type."""
        if isinstance(before, Composite):
            if not isinstance(now, Composite) or now.kind() != before.kind():
                return False
            parts = zip(before.part_names(), before.parts(), now.parts())
            return all([self._parts_to_set(f"{name}_{n}", b, new, sets) for n, b, new in parts])
        if isinstance(before, (ArrayValue, ViewValue)):
            return self._same(before, now) or self._array_to_set(name, before, now, sets)
        if not isinstance(before, Runtime):
            if not self._same(before, now) and self._type_of(now) is not None and self._type_of(before) is not None:
                raise PartChanges(name)
            return self._same(before, now)
        if self._type_of(now) is None or plain(self._type_of(now)) != plain(before.type):
            return False
        expr = self.convert(now, before.type)
        if expr != before.expr:
            sets.append((before.expr.name, expr))
        return True

    def _loop_body(self, node: ast.For | ast.While, loop: Loop) -> None:
        try:
            self.lower(node.body)
            if not self.ended:
                self._check_carried(loop)
        finally:
            self.loops.pop()

    def _check_carried(self, loop: Loop) -> None:
        """At the end of an iteration, each carried name must be in its variable again."""
        sets: list[tuple[str, Any]] = []
        for name, before in loop.carried.items():
            now = self.env[name]
            if now is before or isinstance(now.value, Poison) and now.value.why is None:
                continue
            if before.variable and now.variable == before.variable:
                continue
            if before.variable and isinstance(now.value, (Constant, Runtime)) and plain(self._type_of(now.value)) == plain(before.value.type):
                sets.append((before.variable, self.convert(now.value, before.value.type)))
            elif not (not before.variable and (self._same(before.value, now.value) or self._come_back(name, before.value, now.value, sets))):
                self.shared.report(self._carried_fault(name, before, now))
                continue
            self.env[name] = before
        self._set_at_once(sets)

    def _come_back(self, name: str, before: Value, now: Value, sets: list) -> bool:
        """Whether a value without a variable of its own has the type it had before, part by part."""
        if all(isinstance(v, Closure) and is_frozen(v) for v in (before, now)):
            before, now = freeze(before), freeze(now)
        if is_list(before) and is_list(now):
            choices = chosen([before, now])
            if choices and choices[0] != before:
                raise PartChanges(name, choices[0].lists)
            now = choices[1] if choices else now
        return isinstance(before, (Composite, ArrayValue, ViewValue)) and self._parts_to_set(name, before, now, sets)

    def _set_at_once(self, sets: list[tuple[str, Any]]) -> None:
        """Set variables to values of before: one that reads a variable set earlier is computed first."""
        ready: list[ir.Set] = []
        for position, (name, expr) in enumerate(sets):
            earlier = {n for n, _ in sets[:position]}
            if any(isinstance(e, ir.Name) and e.name in earlier for e in ir.walk(expr)):
                expr = self.temporary(f"{name}_next", expr)
            ready.append(ir.Set(name, expr))
        self.out += ready

    def _type_of(self, value: Value) -> Tile | None:
        if isinstance(value, Runtime):
            return value.type
        if isinstance(value, Constant) and value.is_number:
            return Tile(own_dtype(value.value))
        return None

    def _carried_fault(self, name: str, before: Binding, now: Binding) -> Fault:
        if isinstance(now.value, Poison) and now.value.why is not None and now.span is None:
            return now.value.why(self, self.loops[-1].node)
        if self.shared.combining and is_element(before.value) != is_element(now.value):
            return combined_in_loop(self, name, now.span or self.loops[-1].node)
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
            known_as=f"Type of `{name}` depends on path taken",
        )

    def _leave_loop(self, node, loop: Loop, local: set[str]) -> None:
        for name, before in loop.carried.items():
            self.env[name] = before
        for name in (set(assigned(node.body)) | local) - set(loop.carried):
            known = self.env.get(name)
            if not (known and isinstance(known.value, Poison) and known.value.why is None):
                self.poison(name, self._zero_trips(name, node, loop))

    def _zero_trips(self, name: str, node: ast.For | ast.While, loop: Loop):
        def why(frame, use):
            word = "for" if isinstance(node, ast.For) else "while"
            when = "on every way out of the loop" if loop.endless else f"if the `{word}` loop runs zero times"
            return frame.fault(
                use, f"`{name}` has {'not a' if loop.endless else 'no'} value {when}", hint=f"assign `{name}` before the loop", code="undefined",
                others=[Label(self._keyword(node, len(word)), "assigned in this loop only")],
            )  # fmt: skip

        return why

    def _keyword(self, node: ast.stmt, length: int):
        span = self.span(node)
        return type(span)(span.file, span.line, span.column, span.line, span.column + length)

    def _do_break(self, node: ast.Break) -> None:
        self._jump(node, ir.Break(self.take_note()))

    def _do_continue(self, node: ast.Continue) -> None:
        self._jump(node, ir.Continue(self.take_note()))

    def _jump(self, node: ast.stmt, stmt: ir.Break | ir.Continue) -> None:
        if not self.loops:
            raise self.fault(node, f"`{node.__class__.__name__.lower()}` stands outside a loop", kind=TileSyntaxError)
        loop = self.loops[-1]
        self.unwind(len(self.loops))
        if loop.endless and isinstance(stmt, ir.Break):
            stmt = replace(stmt, number=self.shared.new_number())
            loop.exits.append((stmt.number, {name: self.env.get(name) for name in assigned(loop.node.body)}))
        self._check_carried(loop)
        self.emit(stmt)
        self.ended = True


def _own_statements(body):
    """The statements of a loop's body, without those of inner loops (whose `break` is their own)."""
    for stmt in body:
        yield stmt
        if isinstance(stmt, ir.If):
            yield from _own_statements(stmt.then)
            yield from _own_statements(stmt.otherwise)


