"""Which arrays a kernel writes, and of which it takes the address: that decides how their pointers are declared."""

from __future__ import annotations

from typing import Any

from tile2cpp import ir


def written_arrays(kernel: ir.Kernel) -> dict[str, set[str]]:
    """For each function, its arrays that are stored to, there or in what it calls; through an address they may be."""
    return _arrays_with(kernel, ("store", "atomic", "address"))


def written_anywhere(kernel: ir.Kernel) -> dict[str, set[str]]:
    """For each function, its arrays that anybody stores to: those of its callers, and parts of them, too."""
    found = written_arrays(kernel)
    for caller in reversed(kernel.functions):  # callees come first
        taken = ir.sources(caller.body)
        found[caller.name] |= {name for name in taken if not found[caller.name].isdisjoint(ir.steps_to(name, taken))}
        for call in (e for e in ir.expressions(caller.body) if isinstance(e, ir.Invoke)):
            params = next(h for h in kernel.helpers if h.name == call.helper).params
            given = ((p.name, a.array if isinstance(a, ir.ViewName) else a) for p, a in zip(params, call.arguments))
            found[call.helper] |= {name for name, a in given if isinstance(a, (ir.ArrayName, ir.ListName)) and a.name in found[caller.name]}
    return found


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
