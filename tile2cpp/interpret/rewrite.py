"""Turns a function's syntax tree into one that means in Python what the tile language means.

Plain Python would take `not t`, `range(n)` or a literal carried through a loop its own
way. The rewritten tree asks the runtime (`.run`, the module `interpret.runtime`) at
these places and keeps everything else: names, statements, and every line and column, so
that a debugger, `print` and tracebacks show the author's own file.

Names that begin with a dot cannot be written by an author; they hold what the rewritten
tree must remember between two statements.
"""

from __future__ import annotations

import ast

from tile2cpp.directives import DIRECTIVES, ensure_constant
from tile2cpp.ops import METHODS

RUN = ".run"
OF_SCALARS = {"dtype", "shape", "ndim", *(name for owner, name in METHODS if owner == "tile")}
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def rewrite(function: ast.FunctionDef | ast.Lambda) -> ast.FunctionDef | ast.Lambda:
    """A rewritten copy of a function without decorators, defaults and annotations; the original keeps those."""
    made = _Rewriter().function(function)
    made.args.defaults = []
    made.args.kw_defaults = [None] * len(made.args.kwonlyargs)
    if isinstance(made, ast.FunctionDef):
        made.decorator_list = []
    return made


def is_directive(node: ast.AST) -> bool:
    """Whether this is a call of a word such as `ct.static_iter`, whose argument Python evaluates as it stands."""
    called = node.func if isinstance(node, ast.Call) else None
    name = getattr(called, "attr", getattr(called, "id", ""))
    return name in DIRECTIVES and name != ensure_constant.name


class _Rewriter(ast.NodeTransformer):
    """Rewrites one function; nested functions get a rewriter of their own."""

    def __init__(self, body: list[ast.AST] = ()):
        self.reads = reads(body)
        self.loops: list[ast.stmt] = []
        self.hidden = 0
        self.returning: list[str] = []  # the conditions that decide which `return` is reached

    def function(self, node):
        """`node` rewritten as a function of its own."""
        args = self._arguments(node.args)
        if isinstance(node, ast.Lambda):
            return at(ast.Lambda(args=args, body=_Rewriter([node.body]).visit(node.body)), node)
        inner = _Rewriter(node.body)
        inner.returning = [f".if{n.lineno}.{n.col_offset}" for n in _own(node.body) if isinstance(n, ast.If) and _has_return(n)]
        body = inner.block(node.body)
        prologue = [placed(assign(name, constant(None)), node.body[0]) for name in inner.returning]
        made = ast.FunctionDef(
            name=node.name, args=args, body=[*prologue, *body], decorator_list=node.decorator_list, returns=None, type_comment=None,
            **({"type_params": []} if "type_params" in node._fields else {}),
        )  # fmt: skip
        return at(made, node)

    def _arguments(self, node: ast.arguments) -> ast.arguments:
        def bare(argument):
            return argument and at(ast.arg(arg=argument.arg, annotation=None), argument)

        return ast.arguments(
            posonlyargs=[bare(a) for a in node.posonlyargs], args=[bare(a) for a in node.args], vararg=bare(node.vararg),
            kwonlyargs=[bare(a) for a in node.kwonlyargs], kwarg=bare(node.kwarg),
            defaults=[self.visit(d) for d in node.defaults], kw_defaults=[d and self.visit(d) for d in node.kw_defaults],
        )  # fmt: skip

    def visit_FunctionDef(self, node):
        return self.function(node)

    def visit_Lambda(self, node):
        return self.function(node)

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Rewrites statements; what is added after one stands at the line of the next, where a debugger stops anyway."""
        out: list[ast.stmt] = []
        for statement, following in zip(statements, [*statements[1:], None]):
            made = self.visit(statement)
            for one in made if isinstance(made, list) else [made]:
                out.append(placed(one, following) if one.lineno < 0 and following is not None else one)
        return out

    def fresh(self, what: str) -> str:
        self.hidden += 1
        return f".{what}{self.hidden}"

    # --- expressions ----------------------------------------------------------------

    def visit_Call(self, node):
        """`f(x)` becomes `.run.callee(f)(x)`: what is called may mean something else in tile code."""
        if is_directive(node):
            return node  # Python's own business: a range in ct.static_iter counts in plain integers
        self.generic_visit(node)
        node.func = run("callee", node.func, node.func)
        return node

    def visit_Attribute(self, node):
        """A constant has the attributes of the scalar that it is on its own: `(8).astype(ct.float32)`."""
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and node.attr in OF_SCALARS:
            node.value = run("with_attributes", node.value, node.value)
        return node

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return run("negation", node, node.operand) if isinstance(node.op, ast.Not) else node

    def visit_BoolOp(self, node):
        """`a and b` becomes `.run.both(.a, b) if .run.holds(.a := a) else .run.alone(.a)`; the right side only when needed."""
        result, *rest = (self.visit(value) for value in node.values)
        for value in rest:
            kept = self.fresh("bool")
            test = run("holds", node, walrus(kept, result))
            if isinstance(node.op, ast.And):
                result = at(ast.IfExp(test, run("both", node, name(kept), value), run("alone", node, name(kept))), node)
            else:
                result = at(ast.IfExp(test, run("alone", node, name(kept)), run("either", node, name(kept), value)), node)
        return result

    def visit_IfExp(self, node):
        kept = self.fresh("choice")
        test = run("holds", node.test, walrus(kept, self.visit(node.test)))
        branches = (run("chosen", branch, name(kept), self.visit(branch)) for branch in (node.body, node.orelse))
        return at(ast.IfExp(test, *branches), node)

    def visit_Compare(self, node):
        self.generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            return run("contained", node, node.left, node.comparators[0], constant(isinstance(node.ops[0], ast.In)))
        return node

    # --- statements -----------------------------------------------------------------

    def visit_Return(self, node):
        """Constants returned from one of several places, chosen at run time, get their own dtype."""
        self.generic_visit(node)
        if node.value is not None and self.returning:
            node.value = run("returned", node.value, node.value, ast.Tuple([name(kept) for kept in self.returning], ast.Load()))
        return node

    def visit_If(self, node):
        """After a run-time `if`, a name assigned in it holds no weak constant any more."""
        kept = f".if{node.lineno}.{node.col_offset}"
        test = run("holds", node.test, walrus(kept, self.visit(node.test)))
        joined = [] if _leaves(node.body) or _leaves(node.orelse) else assigned([*node.body, *node.orelse])
        joined = [n for n in joined if not _same_constant(n, node)]
        made = at(ast.If(test, self.block(node.body), self.block(node.orelse)), node)
        return [made, *(when_bound(n, run("joined", None, name(kept), name(n))) for n in joined)]

    def visit_For(self, node):
        """A loop counts in typed scalars; what it carries keeps the type it had before. An unrolled loop is Python's."""
        if is_directive(node.iter):
            return at(ast.For(target=node.target, iter=node.iter, body=self.looped(node), orelse=[], type_comment=None), node)
        state, carried = self.fresh("loop"), self.carried(node)
        body = [*(placed(n, node.body[0]) for n in self._keep(state, carried)), *self.looped(node)]
        made = ast.For(target=node.target, iter=run("iterate", node.iter, self.visit(node.iter)), body=body, orelse=self.block(node.orelse), type_comment=None)
        return [*self._enter(state, carried, node), at(made, node), *self._keep(state, carried)]

    def visit_While(self, node):
        """The test comes after the carried names have their types again: `while True: keep; if test: body, else: break`."""
        state, carried = self.fresh("loop"), self.carried(node)
        test = run("holds", node.test, self.visit(node.test))
        body = at(ast.If(test, self.looped(node), [at(ast.Break(), node.test)]), node.test)
        kept = [placed(n, node.test) for n in self._keep(state, carried)]
        made = at(ast.While(at(ast.Constant(True), node.test), [*kept, body], []), node)
        return [*self._enter(state, carried, node), made, *self._keep(state, carried), *self.block(node.orelse)]

    def looped(self, node: ast.For | ast.While) -> list[ast.stmt]:
        self.loops.append(node)
        try:
            return self.block(node.body)
        finally:
            self.loops.pop()

    def carried(self, node: ast.For | ast.While) -> list[str]:
        """The names that the loop assigns and whose values somebody reads in the next round, or afterwards."""
        return [name for name in assigned(node.body) if self._is_carried(name, node)]

    def _is_carried(self, name: str, loop: ast.For | ast.While) -> bool:
        start, end = (loop.lineno, loop.col_offset), (loop.end_lineno, loop.end_col_offset)
        places = self.reads.get(name, ())
        inside_outer = [(o.lineno, o.col_offset) for o in self.loops]
        if None in places or any(p >= end or any(o <= p < start for o in inside_outer) for p in places):
            return True
        return (isinstance(loop, ast.While) and name in reads([loop.test])) or _is_exposed(name, loop.body)

    def _enter(self, state: str, carried: list[str], node: ast.stmt) -> list[ast.stmt]:
        made = assign(state, run("Loop", None, constant(node.lineno), constant(node.col_offset)))
        return [placed(n, node) for n in (made, *(when_bound(n, method(state, "carry", constant(n), name(n))) for n in carried))]

    @staticmethod
    def _keep(state: str, carried: list[str]) -> list[ast.stmt]:
        return [when_bound(n, method(state, "keep", constant(n), name(n))) for n in carried]


# --- facts about statements ---------------------------------------------------------


def _own(statements):
    """The nodes of these statements, without those of nested functions."""
    pending = list(statements)
    while pending:
        node = pending.pop(0)
        yield node
        pending += [child for child in ast.iter_child_nodes(node) if not isinstance(child, SCOPES)]


def _same_constant(name: str, node: ast.If) -> bool:
    """Whether both branches do nothing with `name` but assign it one literal: then it stays a constant."""
    found = []
    for body in (node.body, node.orelse):
        stores = [n for n in _own(body) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
        values = [s.value for s in body if isinstance(s, ast.Assign) and s.targets == stores and isinstance(s.value, ast.Constant)]
        found += [(type(v.value), v.value) for v in values]
    return len(found) == 2 and found[0] == found[1]


def assigned(statements: list[ast.stmt]) -> list[str]:
    """The variables that these statements assign, without those that a `for` counts in."""
    nodes = [node for statement in statements if not isinstance(statement, SCOPES) for node in _own([statement])]
    counted = {id(n) for node in nodes if isinstance(node, ast.For) for n in ast.walk(node.target)}
    names = (n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and id(n) not in counted)
    return list(dict.fromkeys(names))


def reads(body: list[ast.AST]) -> dict[str, set]:
    """Where names are read; None stands for a nested function, which reads whenever it is called."""
    places: dict[str, set] = {}
    for node in _own(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            places.setdefault(node.id, set()).add((node.lineno, node.col_offset))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            places.setdefault(node.target.id, set()).add((node.lineno, node.col_offset))
        for nested in (child for child in (node, *ast.iter_child_nodes(node)) if isinstance(child, SCOPES)):
            for inner in ast.walk(nested):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                    places.setdefault(inner.id, set()).add(None)
    return places


def _is_exposed(name: str, body: list[ast.stmt]) -> bool:
    """Whether a round of the loop may read `name` before it assigns it."""
    for statement in body:
        if name in reads([statement]):
            return True
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and name in assigned([statement]):
            return False
    return False


def _has_return(node: ast.stmt) -> bool:
    return any(isinstance(n, ast.Return) for n in _own([node]))


def _leaves(block: list[ast.stmt]) -> bool:
    """Whether control never reaches the end of this block."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.If):
        return _leaves(last.body) and _leaves(last.orelse)
    return isinstance(last, (ast.Return, ast.Break, ast.Continue, ast.Raise))


# --- building trees -----------------------------------------------------------------

# A made-up node has no place until it is known which statement it stands beside.
NOWHERE = {"lineno": -1, "col_offset": -1, "end_lineno": -1, "end_col_offset": -1}


def at(node: ast.AST, place: ast.AST | None) -> ast.AST:
    """`node` with the position of `place`, or with none."""
    positions = NOWHERE if place is None else {key: getattr(place, key) for key in NOWHERE}
    for key, value in positions.items():
        setattr(node, key, value)
    return node


def placed(made: ast.stmt, beside: ast.AST) -> ast.stmt:
    """A made-up statement at the beginning of another one."""
    start = {"lineno": beside.lineno, "col_offset": beside.col_offset, "end_lineno": beside.lineno, "end_col_offset": beside.col_offset}
    for node in ast.walk(made):
        if getattr(node, "lineno", 0) < 0:
            vars(node).update(start)
    return made


def name(identifier: str) -> ast.Name:
    return at(ast.Name(identifier, ast.Load()), None)


def constant(value) -> ast.Constant:
    return at(ast.Constant(value), None)


def walrus(identifier: str, value: ast.expr) -> ast.NamedExpr:
    return at(ast.NamedExpr(at(ast.Name(identifier, ast.Store()), value), value), value)


def run(function: str, place: ast.AST | None, *args: ast.expr) -> ast.Call:
    """`.run.function(*args)` at `place`."""
    callee = at(ast.Attribute(at(ast.Name(RUN, ast.Load()), place), function, ast.Load()), place)
    return at(ast.Call(callee, [arg if hasattr(arg, "lineno") else at(arg, place) for arg in args], []), place)


def method(state: str, function: str, *args: ast.expr) -> ast.Call:
    return at(ast.Call(at(ast.Attribute(name(state), function, ast.Load()), None), list(args), []), None)


def assign(identifier: str, value: ast.expr) -> ast.Assign:
    return at(ast.Assign([at(ast.Name(identifier, ast.Store()), None)], value), None)


def when_bound(identifier: str, value: ast.expr) -> ast.If:
    """`if .run.bound(name): name = value`: a name of one path only may have no value yet."""
    return at(ast.If(run("bound", None, constant(identifier)), [assign(identifier, value)], []), None)
