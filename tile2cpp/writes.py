"""Which arrays a kernel writes, and of which it takes the address: that decides how their pointers are declared."""

from __future__ import annotations

from typing import Any

from tile2cpp import ir


def written_arrays(kernel: ir.Kernel) -> dict[str, set[str]]:
    """For each function, its arrays that are stored to, there or in what it calls; through an address they may be."""
    return _arrays_with(kernel, ("store", "atomic", "address"))


def addressed_arrays(kernel: ir.Kernel) -> dict[str, set[str]]:
    """For each function, its arrays whose address is taken, there or in what it calls."""
    return _arrays_with(kernel, ("address",))


def _arrays_with(kernel: ir.Kernel, effects: tuple[str, ...]) -> dict[str, set[str]]:
    functions = {f.name: f for f in kernel.functions}
    found: dict[str, set[str]] = {}
    for function in kernel.functions:  # callees come first
        names: set[str] = set()
        for expr in ir.expressions(function.body):
            names |= _touched_by(expr, effects, functions, found)
        taken = ir.sources(function.body)
        names |= {part for name in names for part in ir.steps_to(name, taken)}
        found[function.name] = names
    return found


def _touched_by(expr: Any, effects: tuple[str, ...], functions: dict, found: dict[str, set[str]]) -> set[str]:
    if isinstance(expr, ir.Call) and expr.op.effect in effects:
        target = dict(expr.arguments).get("array") or dict(expr.arguments)["view"].array
        return {target.name}
    if isinstance(expr, ir.Invoke):
        params = functions[expr.helper].params
        pairs = zip(params, expr.arguments)
        return {a.name for p, a in pairs if isinstance(a, (ir.ArrayName, ir.ListName)) and p.name in found[expr.helper]}
    return set()
