"""Expressions of which a part may not be evaluated: `and`, `or`, chained comparisons, `x if c else y`.

C++ has the same ones. Where a part needs statements of its own that must not run in
vain (an atomic, a call, a division), the expression becomes an `if`.
"""

from __future__ import annotations

import ast

from tile2cpp import ir
from tile2cpp.lower import slices
from tile2cpp.lower.calls import Calls
from tile2cpp.lower.merging import Meeting
from tile2cpp.lower.values import Constant, Runtime, TupleValue, Value, plain
from tile2cpp.ops.compare import choose, logical_and, logical_not, logical_or
from tile2cpp.types import Tile

RISKY = {"floordiv", "mod", "divmod", "cdiv"}  # a condition may say that a divisor is not 0


def harmless(stmts: list[ir.Stmt]) -> bool:
    """Whether statements may run although Python would not evaluate what they are for."""
    return all(isinstance(stmt, ir.Let) and not any(map(_hazardous, ir.walk(stmt.value))) for stmt in stmts)


def _hazardous(expr) -> bool:
    return isinstance(expr, ir.Invoke) or isinstance(expr, ir.Call) and (expr.op.name in RISKY or expr.op.effect in ("store", "atomic"))


class Circuits(Calls):
    """Part of `Expressions`."""

    def _boolop(self, node: ast.BoolOp) -> Value:
        is_and = isinstance(node.op, ast.And)
        result = self.value(node.values[0])
        for left_node, right_node in zip(node.values, node.values[1:]):
            if isinstance(result, (Constant, TupleValue)):
                if bool(self.python(result)) != is_and:
                    return result
                result = self.value(right_node)
                continue
            with self.block() as part:
                right = self.value(right_node)
            if isinstance(right, Constant) and not right.is_number:
                right = Constant(bool(right.value))
            result = self._circuit(logical_and if is_and else logical_or, node, left_node, result, right_node, right, part.out)
        return result

    def _circuit(self, op, node, left_node, left: Value, right_node, right: Value, needed: list[ir.Stmt]) -> Value:
        """`and` or `or`; `needed` are the statements of the right side, which run only where the left side does not decide."""
        joined = self.apply(op, {"x": left, "y": right}, node, {"x": left_node, "y": right_node})
        if harmless(needed):
            self.out.extend(needed)
            return joined
        truth = lambda value: self.apply(op, {"x": value, "y": Constant(op is logical_and)}, node, {}).expr  # noqa: E731
        decided = self.temporary("condition", truth(left))
        test = decided if op is logical_and else self.apply(logical_not, {"x": Runtime(decided)}, node, {}).expr
        self.emit(ir.If(test, (*needed, ir.Set(decided.name, truth(right))), ()))
        return Runtime(decided)

    def _compare(self, node: ast.Compare) -> Value:
        return self._compare_from(0, node, node.left, self.value(node.left))

    def _compare_from(self, position: int, node: ast.Compare, left_node, left: Value) -> Value:
        """The comparisons from `position` on: `a < b < c` is `a < b and b < c` with b evaluated once."""
        right_node, last = node.comparators[position], position + 1 == len(node.ops)
        right = self.value(right_node)
        if not last and isinstance(right, Runtime):
            right = Runtime(self.stable(right.expr, "middle"))
        one = self._compare_one(node, node.ops[position], left_node, left, right_node, right)
        if len(node.ops) > 1 and isinstance(one, Runtime) and one.type.shape:
            hint = "write (a < b) & (b < c), with parentheses"
            raise self.fault(node, "a chained comparison is an `and` of two, which works on scalars only", hint=hint)
        if last or isinstance(one, Constant) and not one.value:
            return one
        if isinstance(one, Constant):
            return self._compare_from(position + 1, node, right_node, right)
        with self.block() as part:
            rest = self._compare_from(position + 1, node, right_node, right)
        if isinstance(rest, Constant):
            return one if rest.value else rest
        return self._circuit(logical_and, node, node, one, node, rest, part.out)

    def _ifexp(self, node: ast.IfExp) -> Value:
        test = self.condition(node.test)
        if isinstance(test, Constant):
            return self.value(node.body if test.value else node.orelse)
        with self.block() as then:
            x = self.value(node.body)
        with self.block() as otherwise:
            y = self.value(node.orelse)
        if all(isinstance(v, Runtime) and v.is_pointer for v in (x, y)) and x.type == y.type:
            return self._either_way(test, x.type, (x, then.out), (y, otherwise.out))
        if not all(isinstance(v, Runtime) or isinstance(v, Constant) and v.is_number for v in (x, y)):
            meeting = Meeting(self, [then.out, otherwise.out])
            if (made := meeting.merged(slices.wanted_name(self, node) or "choice", [x, y])) is not None:
                self.out += meeting.declared
                if then.out or otherwise.out:
                    self.emit(ir.If(test.expr, tuple(then.out), tuple(otherwise.out)))
                self.out += meeting.after
                return made
        chosen = self.apply(choose, {"cond": test, "x": x, "y": y}, node, {"cond": node.test, "x": node.body, "y": node.orelse})
        if harmless(then.out + otherwise.out):
            self.out += then.out + otherwise.out
            return chosen
        return self._either_way(test, plain(chosen.type), (x, then.out), (y, otherwise.out))

    def _either_way(self, test: Runtime, kind: Tile, *branches: tuple[Value, list[ir.Stmt]]) -> Value:
        """A variable that one of two branches sets."""
        name = self.names.fresh("choice")
        self.emit(ir.Declare(name, kind))
        self.emit(ir.If(test.expr, *((*needed, ir.Set(name, self.convert(value, kind))) for value, needed in branches)))
        return Runtime(ir.Name(name, kind))
