"""Where two branches meet: which value a name has afterwards, and in which variable."""

from __future__ import annotations

import ast

from tile2cpp import ir
from tile2cpp.errors import Label, TileTypeError
from tile2cpp.lower.frame import Branch, Frame
from tile2cpp.lower.merging import Meeting
from tile2cpp.lower.values import ArrayValue, Binding, Closure, Composite, Constant, Poison, Runtime, Value, ViewValue, describe, plain
from tile2cpp.types import Tile, own_dtype


class Joins(Frame):
    """Adds the join of an `if`."""

    def join(self, node: ast.If, then: Branch, otherwise: Branch) -> tuple[list[ir.Stmt], list[ir.Stmt]]:
        """Bind every name that a branch changed; returns what to put before the `if`, and behind it."""
        live = [b for b in (then, otherwise) if not b.ended]
        meeting = Meeting(self, [b.out for b in live])
        changed = [n for n in dict.fromkeys([*then.env, *otherwise.env]) if any(b.env.get(n) is not self.env.get(n) for b in live)]
        for name in changed:
            self._join_name(node, name, live, meeting)
        return meeting.declared, meeting.after

    def _join_name(self, node: ast.If, name: str, live: list[Branch], meeting: Meeting) -> None:
        bindings = [b.env.get(name) for b in live]
        if any(b is None or isinstance(b.value, Poison) for b in bindings):
            poisoned = [b for b in bindings if b is not None and isinstance(b.value, Poison)]
            # What went wrong in a branch says more than that a branch is to blame.
            inside = [b.value.why for b in poisoned if b is not self.env.get(name)]
            silent = any(b.value.why is None for b in poisoned)
            self.poison(name, None if silent else inside[0] if inside else self._maybe_undefined(name, node, bindings))
            return
        values = [b.value for b in bindings]
        if all(self._same(values[0], v) for v in values[1:]) and not isinstance(values[0], Runtime):
            self.env[name] = self._agreed(bindings)
            return
        target = self._common_type(values)
        if target is not None:
            self._join_variable(node, name, target, live, bindings, meeting.declared)
        elif all(isinstance(v, Composite) and v.kind() == values[0].kind() for v in values if isinstance(values[0], Composite)) and isinstance(values[0], Composite):
            self._join_parts(node, name, live, bindings, meeting)
        elif isinstance(values[0], (ArrayValue, ViewValue, Closure)) and not self._lives_on(name, node):
            self.poison(name, None)
        elif (made := meeting.merged(name, values)) is not None:
            self.env[name] = Binding(made, bindings[-1].span)
        else:
            self.poison(name, self._conflict(name, bindings))

    def _lives_on(self, name: str, node: ast.stmt) -> bool:
        """Whether a name may be read once `node` is over."""
        return self.reads.after(name, node) or any(name in loop.carried for loop in self.loops)

    def _agreed(self, bindings: list[Binding]) -> Binding:
        """One constant (or function, array, ...) on all paths."""
        value, variables = bindings[0].value, {b.variable for b in bindings}
        if isinstance(value, Constant) and value.is_number:
            variable = variables.pop() if len(variables) == 1 else ""
            if variable and self.visible_cname(variable):
                return Binding(value, bindings[0].span, variable)
            return Binding(Constant(value.value), bindings[0].span)
        return bindings[0]

    def visible_cname(self, cname: str) -> bool:
        return any(cname == v for scope in self.scopes for v in scope.values())

    def _common_type(self, values: list[Value]) -> Tile | None:
        """The one type of all values; constants of one category take their own dtype."""
        types = set()
        for value in values:
            if isinstance(value, Runtime):
                types.add(plain(value.type))
            elif isinstance(value, Constant) and value.is_number:
                types.add(Tile(own_dtype(value.value)))
            else:
                return None
        return types.pop() if len(types) == 1 else None

    def _join_variable(self, node, name: str, target: Tile, live: list[Branch], bindings, declared) -> None:
        cname = self.visible(name, target)
        if cname is None:
            if not self._lives_on(name, node):
                self.poison(name, None)
                return
            cname = self.declare(name, target)
            declared.append(ir.Declare(cname, target))
        for branch, binding in zip(live, bindings):
            if binding.variable == cname:
                branch.out[:] = [self._as_set(stmt, cname) for stmt in branch.out]
            else:
                branch.out.append(ir.Set(cname, self.convert(binding.value, target)))
        self.env[name] = Binding(Runtime(ir.Name(cname, target)), bindings[-1].span, cname)

    @staticmethod
    def _as_set(stmt: ir.Stmt, cname: str) -> ir.Stmt:
        """A branch's own `Let` of a variable that is now declared before the `if`."""
        if isinstance(stmt, ir.Let) and stmt.name == cname:
            return ir.Set(cname, stmt.value, stmt.note)
        if isinstance(stmt, ir.Declare) and stmt.name == cname:
            return ir.Comment(())
        return stmt

    def _join_parts(self, node, name: str, live, bindings, meeting: Meeting) -> None:
        """A tuple, dataclass or the like is joined part by part."""
        first, items = bindings[0].value, []
        for part_name, values in zip(first.part_names(), zip(*(b.value.parts() for b in bindings))):
            part = f"{name}_{part_name}"
            for branch, value, binding in zip(live, values, bindings):
                variable = value.expr.name if isinstance(value, Runtime) and isinstance(value.expr, ir.Name) else ""
                branch.env[part] = Binding(value, binding.span, variable)
            self.reads.places.setdefault(part, []).append((10**9, 0))
            self._join_name(node, part, live, meeting)
            items.append(self.env.pop(part).value)
        self.env[name] = Binding(first.rebuilt(tuple(items)), bindings[-1].span)

    @staticmethod
    def _same(x: Value, y: Value) -> bool:
        if isinstance(x, Constant) and isinstance(y, Constant):
            return x.same(y)
        if isinstance(x, Closure) and isinstance(y, Closure):
            return x.syntax.node is y.syntax.node and x.frame is y.frame
        return x == y

    def _maybe_undefined(self, name: str, node: ast.If, bindings):
        places = [b.span for b in bindings if b is not None and b.span is not None]
        condition = self.syntax.module.file.line(node.test.lineno).strip()

        def why(frame, use):
            others = [Label(places[0], "assigned only here")] if places else []
            return frame.fault(use, f"`{name}` is assigned on one path only: see `{condition}`", hint=f"assign `{name}` before the `if`, or in both branches", code="undefined", others=others)

        return why

    def _conflict(self, name: str, bindings: list[Binding]):
        def why(frame, use):
            others = [Label(b.span, describe(b.value)) for b in bindings if b.span is not None]
            kinds = " and ".join(describe(b.value) for b in bindings)
            addresses = any(isinstance(b.value, Runtime) and b.value.is_pointer for b in bindings)
            hint = "use another name" if addresses or any(isinstance(b.value, (ArrayValue, ViewValue)) for b in bindings) else "convert one of them with .astype(...), or use another name"
            return frame.fault(use, f"the branches give `{name}` different types: {kinds}", hint=hint, code="branch-type", others=others, kind=TileTypeError, known_as=f"Type of `{name}` depends on path taken")

        return why
