"""Rewrites of the IR, in order. Each takes a function and returns a function."""

from __future__ import annotations

from dataclasses import replace

from tile2cpp import ir
from tile2cpp.passes.bounds import prove_in_bounds
from tile2cpp.passes.tidy import drop_unread, unpack_results
from tile2cpp.passes.verify import verify

PASSES = (
    prove_in_bounds,  # first: it looks at loops and indices as the author wrote them
    unpack_results,  # before unread names are dropped: it makes some of them unread
    drop_unread,
)


def optimise(kernel: ir.Kernel) -> ir.Kernel:
    """All passes over all functions, verified after each."""

    def run(function: ir.Function) -> ir.Function:
        for step in PASSES:
            function = verify(step(function))
        return function

    return reachable(replace(kernel, main=run(kernel.main), helpers=tuple(run(h) for h in kernel.helpers)))


def reachable(kernel: ir.Kernel) -> ir.Kernel:
    """Only the helpers that are called: one whose result is all constants leaves no call behind."""
    functions = {h.name: h for h in kernel.helpers}
    called: set[str] = set()
    waiting = [kernel.main]
    while waiting:
        new = {e.helper for e in ir.expressions(waiting.pop().body) if isinstance(e, ir.Invoke)} - called
        called |= new
        waiting += [functions[name] for name in sorted(new)]
    return replace(kernel, helpers=tuple(h for h in kernel.helpers if h.name in called))
