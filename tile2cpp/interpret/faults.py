"""From a refusal to a diagnostic: finds the author's expression, and the calls that led to it."""

from __future__ import annotations

import ast
import difflib
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Iterator

import tile2cpp
from tile2cpp.errors import Diagnostic, Label, Reject, TileError, TileRecursionError, TileSyntaxError, TileTypeError
from tile2cpp.interpret.copies import MODULE_OF, Module, place_of
from tile2cpp.interpret.runtime import TypeChanged
from tile2cpp.types import Tile

OURS = str(Path(tile2cpp.__file__).parent)


def refused(reject: Reject) -> TileError:
    """The error for a rule's refusal."""
    op = getattr(reject, "op", None)
    frames = list(_frames(reject.__traceback__))
    if not frames:
        return reject.kind(reject.why)
    module, place = frames[-1]
    node = _node(module, place, op)
    callee = f"ct.{op.name}: " if isinstance(node, ast.Call) and op is not None and op.public else ""
    wrong = _argument(node, op, reject.parameter) if node is not None else None
    span = module.span_of(wrong) if wrong is not None else module.span(*place)
    return reject.kind(
        Diagnostic(
            callee + reject.why, code=reject.code, label=Label(span), hints=(reject.hint,) if reject.hint else (),
            calls=tuple(Label(m.span(*p)) for m, p in frames[:-1]), kind=reject.kind,
        )
    )  # fmt: skip


# What Python raises for mistakes that the tile language refuses by a type of its own.
MISTAKES = {NameError: TileSyntaxError, AttributeError: TileSyntaxError, TypeError: TileTypeError}


def mistaken(problem: Exception) -> TileError | None:
    """The error for a Python exception that the author's own line raised: a misspelt name, a call that does not fit."""
    kind = next((ours for theirs, ours in MISTAKES.items() if isinstance(problem, theirs)), None)
    frames = list(_frames(problem.__traceback__)) if kind is not None else []
    if not frames or not _raised_by_author(problem.__traceback__):
        return None
    module, place = frames[-1]
    calls = tuple(Label(m.span(*p)) for m, p in frames[:-1])
    return kind(Diagnostic(_wording(problem, module, place), label=Label(module.span(*place)), hints=_nearest(problem), calls=calls, kind=kind))


def _wording(problem: Exception, module: Module, place: tuple) -> str:
    """Python's sentence, but a module is called what the author calls it."""
    found = next((n for n in module.nodes_at(place) if isinstance(n, ast.Attribute)), None)
    if isinstance(problem, AttributeError) and isinstance(problem.obj, ModuleType) and found is not None:
        return f"`{ast.unparse(found.value)}` has no `{found.attr}`"
    return str(problem)


def _raised_by_author(traceback: TracebackType) -> bool:
    """Whether all frames below the author's last one are ours: no library that the author called failed by itself."""
    below: list[bool] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        below = [] if MODULE_OF.get(code) is not None else [*below, code.co_filename.startswith(OURS)]
        traceback = traceback.tb_next
    return all(below)


def _nearest(problem: Exception) -> tuple[str, ...]:
    name, owner = getattr(problem, "name", None), getattr(problem, "obj", None)
    near = difflib.get_close_matches(name, dir(owner), 1) if name and owner is not None else []
    return (f"did you mean `{near[0]}`?",) if near else ()


def _frames(traceback: TracebackType | None) -> Iterator[tuple[Module, tuple]]:
    """The places in the author's functions, outermost first."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if (module := MODULE_OF.get(code)) is not None:
            yield module, place_of(code, traceback.tb_lasti, traceback.tb_lineno)
        traceback = traceback.tb_next


def _node(module: Module, place: tuple, op: Any) -> ast.AST | None:
    """The operation at this place; where several begin and end together, the one that calls or computes."""
    found = module.nodes_at(place)
    kinds = (ast.Call, ast.BinOp, ast.Compare, ast.UnaryOp, ast.AugAssign)
    return next((n for n in found if isinstance(n, kinds)), found[0] if found else None)


def _argument(node: ast.AST, op: Any, parameter: str) -> ast.AST | None:
    """The expression given for a parameter such as `shape` or `index[1]`."""
    name, _, item = parameter.partition("[")
    found = _arguments(node, op).get(name)
    if item and isinstance(found, ast.Tuple):
        return found.elts[int(item[:-1])]
    return found


def _arguments(node: ast.AST, op: Any) -> dict[str, ast.AST]:
    if isinstance(node, ast.BinOp):
        return {"x": node.left, "y": node.right}
    if isinstance(node, ast.Compare):
        return {"x": node.left, "y": node.comparators[0]}
    if isinstance(node, ast.UnaryOp):
        return {"x": node.operand}
    if not isinstance(node, ast.Call):
        return {}
    given = list(node.args)
    if op is None or any(isinstance(a, ast.Starred) for a in given):
        return {k.arg: k.value for k in node.keywords if k.arg}
    if op.method and isinstance(node.func, ast.Attribute) and node.func.attr == op.method and not op.public or _is_method(node, op):
        given.insert(0, node.func.value)
    return dict(zip(op.signature.parameters, given)) | {k.arg: k.value for k in node.keywords if k.arg}


def _is_method(node: ast.Call, op: Any) -> bool:
    """Whether `x.astype(d)` was written rather than `ct.astype(x, d)`: then an argument is missing."""
    required = [p for p in op.signature.parameters.values() if p.default is p.empty]
    given = len(node.args) + len(node.keywords)
    return bool(op.method) and isinstance(node.func, ast.Attribute) and given < len(required)


def changed(change: TypeChanged) -> TileTypeError:
    """The error for a variable whose type a loop changes: shows both assignments."""
    module, _ = list(_frames(change.__traceback__))[-1]
    loop = next(n for n in ast.walk(module.tree) if isinstance(n, (ast.For, ast.While)) and (n.lineno, n.col_offset) == change.loop)
    before, after = _describe(change.before), _describe(change.after)
    inside = _assignments(loop, change.name)
    outside = [n for n in _assignments(_function_around(module, loop), change.name) if n.lineno < loop.lineno]
    return TileTypeError(
        Diagnostic(
            f"`{change.name}` is {before} before the loop, but {after} after a round of it",
            code="loop-type",
            label=Label(module.span_of(inside[-1] if inside else loop), after),
            others=(Label(module.span_of(outside[-1]), before),) if outside else (),
            hints=(_advice(change),),
        )
    )


def _advice(change: TypeChanged) -> str:
    if isinstance(change.after, Tile) and not change.after.shape:
        return f"start with ct.{change.after.dtype}(...), or convert in the loop with .astype(...)"
    return f"give `{change.name}` its type before the loop, or use another name in it"


def _describe(kind: Any) -> str:
    if isinstance(kind, Tile):
        return f"{kind.dtype} of shape {tuple(kind.shape)}" if kind.shape else str(kind.dtype)
    return str(kind) if not isinstance(kind, type) else f"a {kind.__name__}"


def _assignments(node: ast.AST, name: str) -> list[ast.stmt]:
    stored = [n for n in ast.walk(node) if isinstance(n, (ast.Assign, ast.AugAssign, ast.AnnAssign))]
    return [n for n in stored if any(isinstance(t, ast.Name) and isinstance(t.ctx, ast.Store) and t.id == name for t in ast.walk(n))]


def _function_around(module: Module, node: ast.AST) -> ast.AST:
    around = [f for f in ast.walk(module.tree) if isinstance(f, ast.FunctionDef) and any(n is node for n in ast.walk(f))]
    return around[-1] if around else module.tree


def endless(problem: RecursionError) -> TileRecursionError:
    """The error for helpers that call each other without end: shows one of the calls."""
    module, place = list(_frames(problem.__traceback__))[-1]
    return TileRecursionError(
        Diagnostic(
            "helper functions call each other without end",
            label=Label(module.span(*place)),
            hints=("a recursion must end by a constant condition within about 1000 calls",),
            kind=TileRecursionError,
        )
    )


def without_our_frames(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback that shows the author's frames only."""
    frames = []
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(OURS):
            frames.append(traceback)
        traceback = traceback.tb_next
    made = None
    for frame in reversed(frames):
        made = TracebackType(made, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return made
