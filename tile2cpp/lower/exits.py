"""What a loop leaves behind: arrays that change in it, and the values at the ways out of an endless one."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from tile2cpp import ir
from tile2cpp.lower.frame import Loop, PartChanges
from tile2cpp.lower.joins import Joins
from tile2cpp.lower.merging import Meeting, Parts, is_like, joint_type, view_of
from tile2cpp.lower.values import ArrayValue, Binding, Constant, Poison, Runtime, Value, ViewValue


@dataclass
class CarriedArray:
    """An array that a loop changes: its variables, the arrays that it may be, and the name that holds it."""

    parts: Parts
    origins: set[str]
    holder: str


class Exits(Joins):
    """Part of `Loops`."""

    # --- arrays that change ---------------------------------------------------------

    def _carried_array(self, name: str, value: ArrayValue | ViewValue, loop: Loop) -> Value:
        """An array with variables that the loop may set, where it turned out to change in it."""
        kind = self.changing_arrays.get((id(loop.node), name))
        if kind is None:
            return value
        array = value.expr.array if isinstance(value, ViewValue) else value.expr
        parts = Parts.declared(self, name, kind)
        for variable, first in parts.values_of(self, array):
            self.emit(ir.Let(variable.name, first))
        loop.arrays[parts.name.name] = CarriedArray(parts, {array.name}, name)
        return view_of(value.expr, parts.name) if isinstance(value, ViewValue) else ArrayValue(parts.name)

    def _array_to_set(self, name: str, before: Value, now: Value, sets: list) -> bool:
        """Note what makes the carried array the one that the iteration ends with."""
        views = [v.expr for v in (before, now) if isinstance(v, ViewValue)]
        if not isinstance(now, (ArrayValue, ViewValue)) or len(views) == 1 or views and not is_like(*views):
            return False
        held, new = (v.expr.array if isinstance(v, ViewValue) else v.expr for v in (before, now))
        kind = joint_type([held.type, new.type])
        if kind is None:
            return False
        carried = self.loops[-1].arrays.get(held.name)
        if carried is None or kind != held.type:
            raise PartChanges(name, kind)
        carried.origins.add(new.name)
        sets += [(variable.name, value) for variable, value in carried.parts.values_of(self, new)]
        return True

    def _begin(self, loop: Loop) -> None:
        """The arrays as an iteration finds them."""
        for carried in loop.arrays.values():
            self.emit(carried.parts.array_of(set()))

    def _with_origins(self, loop: Loop, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        """The loop's body, now that is known which arrays the carried ones may be."""

        def change(stmt: ir.Stmt) -> ir.Stmt:
            known = isinstance(stmt, ir.Foreign) and stmt.name in loop.arrays
            return replace(stmt, origins=tuple(sorted(loop.arrays[stmt.name].origins))) if known else stmt

        return ir.rebuild(body, change) if loop.arrays else body

    def _arrays_after(self, node: ast.stmt, loop: Loop) -> None:
        """The arrays as the loop leaves them."""
        for carried in loop.arrays.values():
            if any(self._lives_on(name, node) for name in loop.carried if carried.holder == name or carried.holder.startswith(f"{name}_")):
                self.emit(carried.parts.array_of(carried.origins))

    # --- endless loops --------------------------------------------------------------

    def _leave_by_exits(self, node: ast.While, loop: Loop, body: tuple[ir.Stmt, ...]) -> tuple[tuple[ir.Stmt, ...], list[ir.Stmt]]:
        """`while True` is left by `break` only: names have the values that they have there. Returns the body that sets them, and what follows it."""
        inner = frozenset(s.name for s in ir.statements(body) if hasattr(s, "name") and not isinstance(s, ir.Set))
        meeting = Meeting(self, [[] for _ in loop.exits], inner=inner)
        moved: set[str] = set()
        for name in loop.exits[0][1]:
            bindings = [found.get(name) for _, found in loop.exits]
            if any(b is None or isinstance(b.value, Poison) for b in bindings) or not self._lives_on(name, node):
                continue
            if name in loop.carried:
                self._keep_constant(name, loop.carried[name], bindings)
            else:
                self._bind_at_exit(name, bindings, meeting, moved)
        self.out += meeting.declared
        ends = dict(zip((number for number, _ in loop.exits), meeting.paths))

        def change(stmt: ir.Stmt) -> list[ir.Stmt]:
            if isinstance(stmt, ir.Break):
                return [*ends.get(stmt.number, ()), replace(stmt, number=-1) if stmt.number in ends else stmt]
            changed = self._as_set(stmt, stmt.name) if getattr(stmt, "name", "") in moved else stmt
            return [changed]

        return ir.expand(body, change), meeting.after

    def _keep_constant(self, name: str, before: Binding, bindings: list[Binding]) -> None:
        """A carried name that holds one constant on all ways out is that constant."""
        first = bindings[0].value
        if isinstance(first, Constant) and first.is_number and all(self._same(first, b.value) for b in bindings):
            self.env[name] = Binding(Constant(first.value), bindings[0].span, before.variable)

    def _bind_at_exit(self, name: str, bindings: list[Binding], meeting: Meeting, moved: set[str]) -> None:
        """A name that only the loop assigns."""
        values = [b.value for b in bindings]
        target = self._common_type(values)
        if target is None or meeting.agreed(values) is not None:
            made = meeting.merged(name, values)
            if made is None:
                self.poison(name, self._conflict(name, bindings))
            else:
                self.env[name] = Binding(made, bindings[0].span)
            return
        cname = self.visible(name, target)
        if cname is None:
            cname = self.declare(name, target)
            meeting.declared.append(ir.Declare(cname, target))
        moved.add(cname)
        for path, binding in zip(meeting.paths, bindings):
            if binding.variable != cname:
                path.append(ir.Set(cname, self.convert(binding.value, target)))
        self.env[name] = Binding(Runtime(ir.Name(cname, target)), bindings[-1].span, cname)
