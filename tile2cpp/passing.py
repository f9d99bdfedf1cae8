"""What helpers that multiply are given and give back: tiles that nobody has read yet, because a product fetches them, and sums that the
tensor cores still work on. In C++ such parameters and results are `auto`, as variables are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tile2cpp import ir
from tile2cpp.factors import as_written, is_product
from tile2cpp.types import Tile

Found = dict[str, frozenset[str]]  # parameters by function


def with_unread(kernel: ir.Kernel) -> ir.Kernel:
    """`kernel` with helpers that say which of their parameters and results need not be complete."""
    factors, sums = unread_factors(kernel), running_sums(kernel)
    running = _running_results(kernel, sums)
    return replace(kernel, helpers=tuple(replace(h, unread=factors[h.name] | sums[h.name], running=h.name in running) for h in kernel.helpers))


def is_tile(kind: Any) -> bool:
    """Whether a type is that of a tile with elements of its own in each thread, not of a scalar or an array."""
    return isinstance(kind, Tile) and bool(kind.shape)


def multiplying(kernel: ir.Kernel) -> set[str]:
    """The functions with products, their own or those of what they call."""
    found: set[str] = set()
    for function in kernel.functions:  # callees come first
        if any(is_product(e) or (isinstance(e, ir.Invoke) and e.helper in found) for e in ir.expressions(function.body)):
            found.add(function.name)
    return found


def unread_factors(kernel: ir.Kernel) -> Found:
    """For each helper, its parameters that are factors of products: what is given for them may be read by the product."""
    found: Found = {}
    for helper in kernel.helpers:  # callees come first
        lets = {s.name: s.value for s in ir.statements(helper.body) if isinstance(s, ir.Let)}
        waiting = [f for e in ir.expressions(helper.body) for f in ([e["x"], e["y"]] if is_product(e) else _given(e, kernel, found))]
        names: set[str] = set()
        while waiting:
            new = {e.name for e in ir.walk(waiting.pop()) if isinstance(e, ir.Name)} - names
            names |= new
            waiting += [lets[name] for name in new & lets.keys()]
        changed = {s.name for s in ir.statements(helper.body) if isinstance(s, ir.Set)}
        found[helper.name] = frozenset(p.name for p in helper.params if is_tile(p.type) and p.name in names - changed)
    return found


def running_sums(kernel: ir.Kernel) -> Found:
    """For each helper, its parameters with which products begin. They may take other values, so none is given what nobody has read."""
    found: Found = {}
    for helper in kernel.helpers:
        begun = [s for e in ir.expressions(helper.body) for s in ([e["acc"]] if is_product(e) and "acc" in dict(e.arguments) else _given(e, kernel, found))]
        names = {s.name for s in map(as_written, begun) if isinstance(s, ir.Name)}
        found[helper.name] = frozenset(p.name for p in helper.params if is_tile(p.type) and p.name in names)
    while True:
        kept = {name: sums - _given_loads(name, kernel, found) for name, sums in found.items()}
        if kept == found:
            return found
        found = kept


def _given(call: Any, kernel: ir.Kernel, found: Found) -> list[Any]:
    """What a call gives for the parameters in `found`."""
    if not isinstance(call, ir.Invoke) or call.helper not in found:
        return []
    helper = next(h for h in kernel.helpers if h.name == call.helper)
    return [given for p, given in zip(helper.params, call.arguments) if p.name in found[helper.name]]


def _given_loads(name: str, kernel: ir.Kernel, found: Found) -> set[str]:
    """The parameters for which some call may give a tile that has not been read."""
    helper = next(h for h in kernel.helpers if h.name == name)
    calls = [(f, e) for f in kernel.functions for e in ir.expressions(f.body) if isinstance(e, ir.Invoke) and e.helper == name]
    return {p.name for f, call in calls for p, given in zip(helper.params, call.arguments) if not _is_made(given, f, found)}


def _is_made(value: Any, function: ir.Function, found: Found, asked: frozenset[str] = frozenset()) -> bool:
    """Whether it is computed, or comes from a helper. `asked`: variables that are being looked at, which may take each other's values."""
    if isinstance(value, ir.Name):
        if value.name in asked:
            return True
        values = [s.value for s in ir.statements(function.body) if isinstance(s, (ir.Let, ir.Set)) and s.name == value.name]
        given = any(p.name == value.name for p in function.params) and value.name not in found.get(function.name, ())
        return not given and all(_is_made(v, function, found, asked | {value.name}) for v in values)
    if isinstance(value, ir.Call):
        return not value.op.effect and value.op.family not in ("shape", "cast")
    return isinstance(value, (ir.Invoke, ir.Field))


def _running_results(kernel: ir.Kernel, sums: Found) -> set[str]:
    """The helpers that give back sums which they were given, and have added to. Their own they complete: the caller would
    only have more variables that may be complete or not."""
    found: set[str] = set()
    for helper in kernel.helpers:
        last = helper.body[-1] if helper.body else None
        if not is_tile(helper.result) or not isinstance(last, ir.Return) or sum(isinstance(s, ir.Return) for s in ir.statements(helper.body)) > 1:
            continue  # or its ends would give different things
        value = as_written(last.values[0])
        if isinstance(value, ir.Invoke) and value.helper in found:
            found.add(helper.name)
        begun = as_written(value["acc"]) if is_product(value) and "acc" in dict(value.arguments) else value
        if isinstance(begun, ir.Name) and begun.name in sums[helper.name]:
            found.add(helper.name)
    return found
