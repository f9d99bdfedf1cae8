"""All works, by name and by family."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any, Sequence

from benchmarks.works import attention, calls, memory, others, products, simt

FAMILIES = (products, attention, memory, others, simt)


@lru_cache(maxsize=1)
def works() -> dict[str, Any]:
    """Every work by its name, in the order of the tables."""
    found = [work for family in FAMILIES for work in family.all_works()]
    return {work.name: work for work in (*found, *calls.all_calls())}


def groups() -> tuple[str, ...]:
    return tuple(dict.fromkeys(work.group for work in works().values()))


def small() -> list[Any]:
    """Works of the same kernels at sizes for tests."""
    return [work for family in FAMILIES for work in family.small()]


def chosen(names: Sequence[str], quick: bool) -> list[Any]:
    """The works that are asked for: by name, by the beginning of a name, or by group; all without names."""
    everything = list(works().values())
    found = [w for w in everything if not names or any(w.group == n or w.name == n or w.name.startswith(n.removesuffix("*")) for n in names)]
    unknown = [n for n in names if not any(w.group == n or w.name.startswith(n.removesuffix("*")) for w in everything)]
    if unknown:
        sys.exit(f"no benchmark is called {', '.join(unknown)}; the groups are {', '.join(groups())}, and --list shows all names")
    return [w for w in found if w.quick] if quick else found
