"""The IR's own rules, checked after every pass: a failure here is a bug of tile2cpp."""

from __future__ import annotations

from tile2cpp import ir
from tile2cpp.errors import TileInternalError


def verify(function: ir.Function) -> ir.Function:
    """Every name is defined where it is read, and `Set` keeps its variable's type."""
    known = {p.name: p.type for p in function.params}
    _block(function.body, known, function.name)
    return function


def _block(body: tuple[ir.Stmt, ...], known: dict, where: str) -> None:
    for stmt in body:
        for root in ir.roots(stmt):
            for expr in ir.walk(root):
                if isinstance(expr, (ir.Name, ir.ArrayName, ir.ListName)) and expr.name not in known:
                    raise TileInternalError(f"internal: `{expr.name}` is read in {where} before it is defined; this is a bug of tile2cpp")
        match stmt:
            case ir.Let():
                known[stmt.name] = stmt.value.type
            case ir.Declare() | ir.Slice() | ir.Pick() | ir.Foreign():
                known[stmt.name] = stmt.type
            case ir.Unpack():
                known.update(zip(stmt.names, stmt.value.type))
            case ir.Set() if stmt.name not in known or known[stmt.name] != stmt.value.type:
                raise TileInternalError(f"internal: `{stmt.name}` changes its type in {where}; this is a bug of tile2cpp")
            case ir.For():
                _block(stmt.body, {**known, stmt.name: stmt.start.type}, where)
            case ir.While():
                _block(stmt.body, dict(known), where)
            case ir.If():
                _block(stmt.then, dict(known), where)
                _block(stmt.otherwise, dict(known), where)
