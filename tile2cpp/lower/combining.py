"""`ct.reduce` and `ct.scan`: the author's combining function, written once for parts of any shape.

The function is translated with operands of `ANY_SHAPE`, which the emitted file calls
`Shape`. What canonical Tile C++ folds by itself (sums, extremes, bits) is recognised.
"""

from __future__ import annotations

import ast
import inspect
import operator
import types
from contextlib import contextmanager
from dataclasses import replace

from tile2cpp import ir
from tile2cpp.errors import Reject, TileSyntaxError
from tile2cpp.lower.values import Binding, Closure, Constant, Runtime, TupleValue, Value, describe
from tile2cpp.ops import REGISTRY, Op, result_of
from tile2cpp.ops.combine import BIT_FOLDS, reduced_shape, scanned_shape
from tile2cpp.ops.rules import implicit
from tile2cpp.ops.shape import reshape
from tile2cpp.parse import FunctionSyntax
from tile2cpp.types import ANY_SHAPE, Tile, Weak

# Functions of the operator module, and the expression that each of them is.
SYMBOLS = {
    operator.add: "a + b", operator.mul: "a * b", operator.sub: "a - b", operator.and_: "a & b", operator.or_: "a | b",
    operator.xor: "a ^ b", operator.truediv: "a / b", operator.floordiv: "a // b", operator.mod: "a % b", operator.pow: "a ** b",
}  # fmt: skip

# What C++ folds by itself, by the op that the function consists of.
KNOWN = {
    "reduce": {"add": "sum", "mul": "prod", "maximum": "max", "minimum": "min", **{n: o.name for n, o in BIT_FOLDS.items()}},
    "scan": {"add": "cumsum", "mul": "cumprod"},
}


def call(frame, op: Op, node: ast.Call, callee: str) -> Value:
    """A call of `reduce` or `scan`."""
    given, places = frame._evaluate_arguments(node)
    bound, where = frame._bind(op, callee, node, given, places)
    described = {p: describe(v) for p, v in bound.items() if isinstance(v, Value)}
    check(frame, op, node)
    with frame.rejecting(node, where, callee, described):
        seen = {p: None if op.kind(p) == "Combiner" else frame._seen(op, p, v, where.get(p, node)) for p, v in bound.items()}
        named = {p: v for p, v in seen.items() if op.signature.parameters[p].kind is inspect.Parameter.KEYWORD_ONLY}
        typed = result_of(op.rule(*(v for p, v in seen.items() if p not in named), **named))
    tiles = frame._argument_of(op, "x", bound["x"], seen["x"], typed)
    axis = typed.constants["axis"]
    results = _combined(frame, op, node, where.get("func", node), bound["func"], tiles, axis, seen, typed.result)
    return results[0] if not isinstance(bound["x"], TupleValue) else TupleValue(tuple(results))


def _combined(frame, op: Op, node, place, func: Value, tiles: tuple, axis: int, seen: dict, results: tuple) -> list[Value]:
    shape = tuple(tiles[0].type.shape)
    if shape[axis] == 1:
        return [_shaped(frame, tile, result) for tile, result in zip(tiles, results)]
    helper, captured = _combiner(frame, op, place, func, [t.type.dtype for t in tiles])
    known = _recognised(helper.function, op) if len(tiles) == 1 else None
    if known is not None and (tiles[0].type.dtype.kind != "bool" or known.startswith("reduce_bit")):
        options = {"keepdims": Constant(seen["keepdims"])} if op.name == "reduce" else {"reverse": Constant(seen["reverse"])}
        return [frame.apply(REGISTRY[known], {"x": Runtime(tiles[0]), "axis": Constant(axis), **options}, node, {})]
    invoke = ir.Invoke(helper.function.name, captured, None, frame.span(place))
    made = (reduced_shape if op.name == "reduce" else scanned_shape)(shape, axis)
    arguments = (("x", tiles), ("axis", axis), ("func", invoke), *((p, seen[p]) for p in ("keepdims", "reverse") if p in seen))
    if len(tiles) == 1:
        return [Runtime(ir.Call(op, arguments, results[0], frame.span(node)))]
    whole = tuple(Tile(t.type.dtype, made) for t in tiles)
    variable = frame.names.fresh("reduced" if op.name == "reduce" else "scanned")
    frame.emit(ir.Let(variable, ir.Call(op, arguments, whole, frame.span(node)), frame.take_note()))
    fields = [n for n, _ in helper.leaves] if op.name == "reduce" else [f"item{i}" for i in range(len(tiles))]
    name = ir.Name(variable, whole)
    return [_shaped(frame, ir.Field(name, field, tile), result) for field, tile, result in zip(fields, whole, results)]


def _shaped(frame, expr, result: Tile) -> Value:
    if tuple(expr.type.shape) == tuple(result.shape):
        return Runtime(expr)
    return Runtime(frame._call_of(reshape, result, x=expr, shape=tuple(result.shape)))


# --- the combining function ---------------------------------------------------------


def _combiner(frame, op: Op, place: ast.AST, func: Value, dtypes: list):
    """The translated function, and the expressions for what it captures."""
    from tile2cpp.lower.functions import captures, runtime_leaves, scope, structure

    closure, identity = _closure(frame, place, func)
    if isinstance(closure, Closure):
        syntax, resolve, defaults = closure.syntax, closure.frame.resolve, closure.defaults
        captured, siblings = captures(closure)
    else:
        syntax, resolve = frame.shared.syntax_of(closure, frame, ast.Call(place, [], [])), frame.shared.resolver(closure)
        defaults, captured, siblings = {n: frame.python_value(v) for n, v in frame.shared.defaults_of(closure).items()}, {}, {}
    for name, value in captured.items():
        if isinstance(value, Runtime) and value.type.shape:
            _no_reduction(frame, op, syntax)
            raise frame.fault(place, f"the function of ct.{op.name} reads `{name}`, {describe(value)}", hint="it may use scalars only; give the tile to the reduction: a tuple of tiles")
    arguments = _arguments(frame, syntax, defaults, place, dtypes)
    wanted = {n: v for n, v in captured.items() if n not in arguments}
    key = ("combiner", identity or id(syntax.node), scope(resolve), tuple((n, structure(v)) for n, v in {**captured, **arguments}.items()))
    helper = frame.shared.helpers.get(key)
    if helper is None:
        with _inside(frame.shared, op):
            helper = frame._specialise(key, syntax, resolve, arguments, captured, _called(place, dtypes), siblings)
        helper = frame.shared.helpers[key] = _typed(frame, op, place, syntax, helper, dtypes)
    return helper, tuple(e for v in wanted.values() for e in runtime_leaves(v))


def _closure(frame, place: ast.AST, func: Value):
    """The function to translate; for ops and built-ins, a lambda that calls them."""
    if isinstance(func, Closure):
        return func, None
    callee = func.value if isinstance(func, Constant) else None
    function = getattr(callee, "__wrapped__", callee)
    if isinstance(function, types.FunctionType):
        return function, None
    if isinstance(func, Constant) and not callable(callee):
        raise frame.fault(place, f"`func` must be a function of two elements, but this is {describe(func)}")
    text = SYMBOLS.get(callee, "") if callee.__hash__ is not None else ""
    made = ast.parse(f"lambda a, b: {text or 'f(a, b)'}", mode="eval").body
    if not text:
        made.body.func = place
    for inner in ast.walk(made):
        if not text and inner is place:
            continue
        for key in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if hasattr(inner, "lineno") or isinstance(inner, (ast.expr, ast.arg)):
                setattr(inner, key, getattr(place, key))
    name = getattr(callee, "__name__", "combine").strip("_")
    return Closure(FunctionSyntax(made, frame.syntax.module, f"combine_{name}"), frame, {}), ast.dump(made)


def _called(place: ast.AST, dtypes: list) -> ast.Call:
    """A call of the function on two elements of each tile, for its place in messages."""
    names = [f".{side}{i}" for side in ("left", "right") for i in range(len(dtypes))]
    arguments = [ast.copy_location(ast.Name(name, ast.Load()), place) for name in names]
    return ast.copy_location(ast.Call(place, arguments, []), place)


def _arguments(frame, syntax: FunctionSyntax, defaults: dict, place: ast.AST, dtypes: list) -> dict[str, Value]:
    """The function's parameters, bound as Python binds them, to elements of the tiles."""
    node = _called(place, dtypes)
    outer = dict(frame.env)
    for argument, dtype in zip(node.args, dtypes * 2):
        frame.env[argument.id] = Binding(Runtime(ir.Name(argument.id, Tile(dtype, ANY_SHAPE))))
    try:
        return frame.parameters_for(syntax, defaults, node)
    finally:
        frame.env.clear()
        frame.env.update(outer)


def _typed(frame, op: Op, place, syntax: FunctionSyntax, helper, dtypes: list):
    """The function with results in the tiles' dtypes, one for each tile."""
    from tile2cpp.lower.functions import Helper, Leaf

    items = helper.template.items if isinstance(helper.template, TupleValue) else (helper.template,)
    if len(items) != len(dtypes):
        wanted = "one value" if len(dtypes) == 1 else f"{len(dtypes)} values"
        hint = f"{len(dtypes)} tiles go in, so the function takes {2 * len(dtypes)} values and returns {len(dtypes)}"
        raise frame.fault(_result_place(syntax, place), f"ct.{op.name}: `{syntax.name}` must return {wanted}, but it returns {len(items)}", hint=hint)
    names: list[str] = []
    for i, item in enumerate(items):
        name = helper.leaves[item.number][0] if isinstance(item, Leaf) and len(dtypes) > 1 else ""
        names.append(name if name and name not in names else f"item{i}")
    targets = tuple(Tile(dtype, ANY_SHAPE) for dtype in dtypes)

    def finished(stmt):
        if not isinstance(stmt, ir.Return):
            return stmt
        made = []
        for item, target in zip(items, targets):
            value = Runtime(stmt.values[item.number]) if isinstance(item, Leaf) else item
            made.append(_converted(frame, op, place, syntax, value, target))
        return ir.Return(tuple(made), stmt.note)

    leaves = tuple(zip(names, targets))
    result = targets[0] if len(targets) == 1 else leaves
    function = replace(helper.function, body=ir.rebuild(helper.function.body, finished), result=result)
    template = Leaf(0) if len(targets) == 1 else TupleValue(tuple(map(Leaf, range(len(targets)))))
    return Helper(function, template, leaves, False)


def _result_place(syntax: FunctionSyntax, place: ast.AST) -> ast.AST:
    """What a lambda returns; other functions are marked where they are handed over."""
    body = getattr(syntax.node, "body", None)
    return body if isinstance(syntax.node, ast.Lambda) and hasattr(body, "lineno") else place


def _converted(frame, op: Op, place, syntax: FunctionSyntax, value: Value, target: Tile):
    number = isinstance(value, Constant) and value.is_number
    if not isinstance(value, Runtime) and not number:
        raise frame.fault(_result_place(syntax, place), f"ct.{op.name}: `{syntax.name}` must return numbers, but this is {describe(value)}")
    try:
        implicit("func", Weak(value.value) if number else value.type, target.dtype)
    except Reject:
        kind = f"the constant {value.value!r}" if number else value.type.dtype
        message = f"ct.{op.name}: `{syntax.name}` turns {target.dtype} into {kind}; results keep the dtype of the tile"
        raise frame.fault(_result_place(syntax, place), message, hint=f"convert it: .astype(ct.{target.dtype.name})") from None
    return frame.convert(value, target)


def _recognised(function: ir.Function, op: Op) -> str | None:
    """The name of the op that folds like this function: it must be one elementwise op of its two operands."""
    body = [s for s in function.body if not isinstance(s, ir.Comment)]
    if len(body) != 1 or not isinstance(body[0], ir.Return) or len(function.params) != 2:
        return None
    expr = body[0].values[0]
    if not isinstance(expr, ir.Call):
        return None
    operands = [v for p, v in expr.arguments if expr.op.kind(p) == "Tile"]
    plain = all(v in (None, False) for p, v in expr.arguments if expr.op.kind(p) == "Const")
    names = [v.name for v in operands if isinstance(v, ir.Name)]
    if not plain or sorted(names) != sorted(p.name for p in function.params) or len(operands) != 2:
        return None
    return KNOWN[op.name].get(expr.op.name)


# --- what a combining function may do -----------------------------------------------


@contextmanager
def _inside(shared, op: Op):
    outer = shared.combining
    shared.combining = op.name
    try:
        yield
    finally:
        shared.combining = outer


NESTED = "Nested scan/reduction is not supported"  # cuTile's words


def _body(name: str) -> str:
    """cuTile's word for the function that an operation applies."""
    return "reduction" if name == "reduce" else name


def check(frame, op: Op, node: ast.AST) -> None:
    """Inside a combining function: only elementwise operations."""
    name = frame.shared.combining
    if not name:
        return
    if op.effect or op.family in ("memory", "atomics", "debug"):
        no_output(frame, node)
    if op.family in ("reduce", "scan", "combine", "mma") or "Combiner" in op.kinds:
        raise frame.fault(node, f"there is no reduction inside the function of ct.{name}", hint="compute it before, and use the result", kind=TileSyntaxError, known_as=NESTED)


def no_output(frame, node: ast.AST) -> None:
    if frame.shared.combining:
        raise frame.fault(node, f"the function of ct.{frame.shared.combining} must not access memory or print", hint="it only combines two elements", kind=TileSyntaxError, known_as=f"Operations with memory effects are not supported inside {_body(frame.shared.combining)} body")


def _no_reduction(frame, op: Op, syntax: FunctionSyntax) -> None:
    """A reduction of a captured tile is named as such, not as the use of the tile."""
    for inner in ast.walk(syntax.node):
        called = REGISTRY.get(getattr(inner.func, "attr", getattr(inner.func, "id", ""))) if isinstance(inner, ast.Call) else None
        if called is not None and called.public and called.family in ("reduce", "scan", "combine", "mma"):
            raise frame.fault(syntax.span(inner), f"there is no reduction inside the function of ct.{op.name}", hint="compute it before, and use the result", kind=TileSyntaxError, known_as=NESTED)


def is_element(value: Value) -> bool:
    """Whether a value follows the elements that are combined; others are the same for all of them."""
    return isinstance(value, Runtime) and bool(value.type.shape)


def combined_in_loop(frame, name: str, place) -> Exception:
    """A loop turns what is one number for all elements into a value of each."""
    body = _body(frame.shared.combining)
    hint = f"start `{name}` from an element, such as `0 * a`"
    return frame.fault(place, f"`{name}` enters the loop as one number and leaves it as one for each element", hint=hint, kind=TileSyntaxError, code="loop-type", known_as=f"Loops inside {body} body are not supported")


def no_branch(frame, node: ast.AST) -> None:
    """A condition on an element: the function is applied to whole parts of a tile."""
    if frame.shared.combining:
        name = frame.shared.combining
        raise frame.fault(node, f"the function of ct.{name} cannot branch on its elements", hint="choose with ct.where", kind=TileSyntaxError, known_as=f"Branching inside {_body(name)} body is not supported")

