"""What a launch runs and how, in lines for people: `kernel.explain(...)`."""

from __future__ import annotations

import re
from typing import Any, Iterator

from tile2cpp.build import Built
from tile2cpp.emitted import Emitted, Factor, Schedule
from tile2cpp.launch import hints
from tile2cpp.launch.prepare import prepare


def explain(kernel: Any, args: tuple, backend: str | None) -> str:
    """What a launch with these arguments would run, and how."""
    variant = prepare(kernel, args, backend).variant
    emitted, built = variant.emitted, variant.function.built
    rows = [("signature", f"{emitted.name}({emitted.signature})"), *_build_rows(emitted, built)]
    target = re.search(r"\d+", built.facts["target"]) if built is not None else None
    if said := hints.effects(kernel.hints, int(target[0]) if target else None, built.facts["kind"] if built is not None else "interpret"):
        rows.append(("hints", said))
    return "\n".join(f"{name:<10} {text}" for name, text in rows) + f"\n\n{emitted.text}"


def _build_rows(emitted: Emitted, built: Built | None) -> list[tuple[str, str]]:
    if built is None:
        return [("backend", "interpret: the Python body itself")]
    facts = built.facts
    rows = [("backend", f"{facts['kind']}: {facts['compiler']}, {facts['target']}, built in {facts['seconds']} s")]
    if facts["kind"] == "cuda":
        rows += [*schedule_rows(emitted.schedule), ("registers", _resources(facts, emitted.schedule.shared))]
        if facts["serialised"]:
            rows.append(("warning", f"matrix instructions are serialised ({', '.join(facts['serialised'])})"))
    return [*rows, ("files", str(built.folder))]


def _resources(facts: dict[str, Any], staged: int) -> str:
    shared = f"{facts['shared_bytes']} bytes of shared memory{f' and {staged} for factors' if staged else ''}"
    return f"{facts['registers']}, {shared}, {facts['stack_bytes']} of stack, {facts['spill_stores'] + facts['spill_loads']} spilled"


def schedule_rows(schedule: Schedule) -> Iterator[tuple[str, str]]:
    """How the threads of a block share the work, and where factors of products wait."""
    s = schedule
    blocks = f", {s.blocks} blocks per multiprocessor" if s.blocks else ""
    walks = ", which walk over the grid" if s.walks else f", one for each row of `{s.rows[0]}`" if s.rows else ""
    yield "schedule", f"{s.threads} threads, {s.column_threads} along the last axis, vectors of {s.vector}, {'ordered' if s.ordered else 'stores behind' if s.stores_meet else 'no'} barriers{blocks}{walks}"
    who = "single warps" if s.flat else "warpgroups"
    for ring in s.rings:
        factors = " and ".join(_form(role, f) for role, f in (("left", ring.left), ("right", ring.right)) if f is not None)
        yield "products", f"by {who}, {ring.stages} stages of {factors}, filled by {'the copy engine' if ring.mapped else 'threads'}{', led by a warp of its own' if s.feeder else ''}"
    for resident in s.residents:
        yield "products", f"by {who}, {_form('left' if resident.role == 'a' else 'right', resident.factor)}, which stays"


def _form(role: str, factor: Factor) -> str:
    """Lines by elements along the summed axis, as a factor lies in shared memory."""
    turned = ", turned" if factor.turned else ""
    return f"{role} {factor.lines}x{factor.depth} ({factor.size} byte{'s' if factor.size > 1 else ''}{turned})".strip()
