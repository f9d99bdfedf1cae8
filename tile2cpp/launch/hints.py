"""The hints of a kernel: which there are, and what they may be."""

from __future__ import annotations

from typing import Any

from tile2cpp.signature import ArgumentTypeError, ArgumentValueError, fail

ALLOWED = {
    "num_ctas": ((1, 2, 4, 8, 16), "a power of two from 1 to 16"),
    "occupancy": (range(1, 33), "from 1 to 32"),
    "opt_level": (range(4), "from 0 to 3"),
    "num_worker_warps": ((1, 2, 4, 8, 16, 32), "1, 2, 4, 8, 16 or 32"),
}


def check_hints(hints: dict[str, Any]) -> dict[str, Any]:
    """The hints that are set; every value is checked, those of a `ByTarget` too."""
    for name, hint in hints.items():
        if name not in ALLOWED:
            raise fail(ArgumentTypeError, f"there is no hint `{name}`", f"the hints are {', '.join(ALLOWED)}")
        values = [hint.default, *hint.targets.values()] if hasattr(hint, "value_for") else [hint]
        for value in values:
            _check(name, value)
    return {name: hint for name, hint in hints.items() if hint is not None}


def effects(hints: dict[str, Any], target: int | None, backend: str) -> str:
    """What the hints of a kernel do on a backend, in one line; nothing when it has none."""
    chosen = {name: hint.value_for(target) if hasattr(hint, "value_for") else hint for name, hint in hints.items()}
    return "; ".join(f"{name}={value}: {_effect(name, backend)}" for name, value in chosen.items() if value is not None)


def _effect(name: str, backend: str) -> str:
    if backend == "nvidia":
        return "no effect here" if name == "opt_level" else "in the reviewed file, for the tile compiler"
    if backend == "cuda" and name in ("occupancy", "opt_level"):
        return "registers are limited for it, where that spills none" if name == "occupancy" else "for the assembler of the machine code"
    return "no effect here" if name == "opt_level" else "no effect here (NVIDIA's tile compiler reads it in the reviewed file)"


def _check(name: str, value: Any) -> None:
    allowed, words = ALLOWED[name]
    if value is None:
        return
    if type(value) is not int:
        raise fail(ArgumentTypeError, f"`{name}` must be an int or a ct.ByTarget, not {value!r}")
    if value not in allowed:
        low, high = min(allowed), max(allowed)
        known_as = f"{name} should be {'a power of 2 ' if isinstance(allowed, tuple) else ''}in [{low}, {high}], got {value}"
        raise fail(ArgumentValueError, f"`{name}` must be {words}, not {value}", known_as=known_as)
