"""Whether a product reads the first fragments of the next one while it computes (mma.sync, factors fetched ahead).

They stay in registers from one product to the next, with what is expected of it, so whatever is computed in between has fewer. Hence
only loops that multiply and do nothing else with tiles: there, these registers are free. Not those within another loop, which computes
something between the last product of one turn and the first of the next. And only kernels with one product: a second one would follow
the first, and find the wrong fragments each time.
"""

from __future__ import annotations

from typing import Any, Iterator

from tile2cpp import factors, ir
from tile2cpp.types import Tile


def reads_ahead(kernel: ir.Kernel) -> bool:
    """Whether `kernel` has one product, in a loop of its own body that does nothing else with tiles."""
    products = [e for f in kernel.functions for e in _calls(f.body) if factors.is_product(e)]
    loops = [s for s in ir.statements(kernel.main.body) if isinstance(s, (ir.For, ir.While)) and any(map(factors.is_product, _calls_of(s)))]
    return len(products) == len(loops) == 1 and all(map(_only_multiplies, _calls_of(loops[0])))


def _calls_of(loop: ir.Stmt) -> Iterator[ir.Expr]:
    yield from (e for block in ir.blocks(loop) for e in _calls(block))


def _calls(body: tuple) -> Iterator[ir.Expr]:
    return (e for e in ir.expressions(body) if isinstance(e, (ir.Call, ir.Invoke)))


def _only_multiplies(expr: Any) -> bool:
    """A product, or how it comes by its factors; or no tile at all."""
    if isinstance(expr, ir.Invoke) or expr.op.effect not in ("", "load"):
        return False
    known = factors.is_product(expr) or expr.op.effect == "load" or factors.unchanged(expr) is not None or factors.rounds(expr)
    return known or not (isinstance(expr.type, Tile) and expr.type.shape)
