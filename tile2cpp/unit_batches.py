"""Products of batches of one, as products of matrices: only these have whole warpgroups.

    acc = ct.zeros((1, TM, TN), ct.float32)                 acc = zeros((TM, TN))
    acc = ct.mma(a, b, acc)                            ->   acc = mma(reshape(a), reshape(b), acc)
    ct.store(C, (n, i, j), acc)                             store(C, (n, i, j), reshape(acc))

A reshape that adds or drops an axis of one element moves nothing. Such a file is written only where it brings products onto a faster
path (`pipeline.py`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tile2cpp import ir
from tile2cpp.factors import PRODUCTS, as_written
from tile2cpp.masks import call
from tile2cpp.types import Tile

CREATED = ("zeros", "ones", "full")


def with_matrices(kernel: ir.Kernel) -> ir.Kernel:
    """`kernel` with its products of batches of one written like that; itself, where there are none."""
    if not any(_is_unit_product(e) for f in kernel.functions for e in ir.expressions(f.body)):
        return kernel
    return replace(kernel, main=_flattened(kernel.main), helpers=tuple(map(_flattened, kernel.helpers)))


def _flattened(function: ir.Function) -> ir.Function:
    flat = _Flattener(_sums_of(function))
    return replace(function, body=ir.rebuild(function.body, flat.statement))


def _is_unit_product(expr: Any) -> bool:
    if not isinstance(expr, ir.Call) or expr.op.name not in PRODUCTS or len(expr.type.shape) != 3:
        return False
    return all(len(t.shape) == 3 and t.shape[0] == 1 for t in (expr.type, expr["x"].type, expr["y"].type))


def _sums_of(function: ir.Function) -> set[str]:
    """The function's own variables that such products add to."""
    statements = list(ir.statements(function.body))
    begun = [as_written(e["acc"]) for e in ir.expressions(function.body) if _is_unit_product(e) and "acc" in dict(e.arguments)]
    given = {p.name for p in function.params} | {n for s in statements if isinstance(s, ir.Unpack) for n in s.names}
    return {e.name for e in begun if isinstance(e, ir.Name)} - given


class _Flattener:
    """Writes products, and the variables `sums`, as matrices; whoever else reads these gets them with their old shape."""

    def __init__(self, sums: set[str]):
        self.sums = sums

    def statement(self, stmt: ir.Stmt) -> ir.Stmt:
        if isinstance(stmt, ir.Declare) and stmt.name in self.sums:
            return replace(stmt, type=_matrix_of(stmt.type))
        if isinstance(stmt, (ir.Let, ir.Set)) and stmt.name in self.sums:
            return replace(stmt, value=self.matrix(stmt.value))
        return ir.with_roots(stmt, self.change)

    def change(self, expr: Any) -> Any:
        """What stands for an expression of three axes; None where it stays."""
        if _is_unit_product(expr) or (isinstance(expr, ir.Name) and expr.name in self.sums):
            return call("reshape", expr.type, x=self.matrix(expr), shape=expr.type.shape)
        return None

    def matrix(self, value: Any) -> Any:
        """The same elements without the axis of one element."""
        kind = _matrix_of(value.type)
        if isinstance(value, ir.Name) and value.name in self.sums:
            return replace(value, type=kind)
        if _is_unit_product(value):
            return replace(value, type=kind, arguments=tuple((n, self.matrix(v) if n in ("x", "y", "acc") else v) for n, v in value.arguments))
        if isinstance(value, ir.Call) and value.op.name in CREATED:
            return replace(value, type=kind, arguments=tuple((n, kind.shape if n == "shape" else v) for n, v in value.arguments))
        if isinstance(value, ir.Call) and value.op.name in ("reshape", "expand_dims") and value["x"].type == kind:
            return ir.changed(value["x"], self.change)
        return call("reshape", kind, x=ir.changed(value, self.change), shape=kind.shape)


def _matrix_of(kind: Tile) -> Tile:
    return Tile(kind.dtype, kind.shape[1:])
