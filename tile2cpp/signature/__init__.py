"""The typed argument list that a kernel is translated for: from a text, or from real arguments.

    x: f32[?,64], y: f16[?%16,?]:(?,1)@4, pair: (f32[?], i32, =3), xs: [f32[?]], n: i32, TILE=256, EPS=1e-05

One signature means one emitted file. From real arguments only classes are taken (an
extent is a multiple of 16, of 8 or of neither), so that few signatures serve many calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Collection, Sequence

from tile2cpp.signature.parts import ArgumentOverflowError, ArgumentTypeError, ArgumentValueError, Fixed, Kind, at, fail, leaves, named, text_of
from tile2cpp.signature.reading import alignment, array_type, constant, describe, kind_of, run_time
from tile2cpp.signature.rules import FREE, WHOLE_CONSTANT, Rule, rule_of

__all__ = [
    "ArgumentOverflowError", "ArgumentTypeError", "ArgumentValueError", "Fixed", "Kind", "Rule", "Signature", "alignment", "array_type", "at",
    "constant", "describe", "fail", "kind_of", "leaves", "named", "rule_of", "run_time", "text_of",
]  # fmt: skip


@dataclass(frozen=True)
class Signature:
    """Parameter names and what is known of each.

    That is an `Array`, a scalar `Tile`, an `ArrayList`, a `Fixed` constant, or for a
    tuple the tuple of these.
    """

    names: tuple[str, ...]
    types: tuple[Kind, ...]

    def __str__(self) -> str:
        return ", ".join(_item(name, kind) for name, kind in zip(self.names, self.types))

    @classmethod
    def parse(cls, text: str, parameter_names: tuple[str, ...] | None = None) -> "Signature":
        """Read a signature text; with `parameter_names` it must name exactly these, in any order."""
        from tile2cpp.signature.text import parse

        items = parse(text, None if parameter_names is None else tuple(parameter_names))
        return cls(tuple(items), tuple(items.values()))

    @classmethod
    def of(cls, names: tuple[str, ...], rules: Sequence[Rule] | Collection[int], arguments: tuple) -> "Signature":
        """The signature of a call; `rules` says how each parameter is annotated, or is the positions of the constants."""
        if not isinstance(rules, (tuple, list)):
            rules = [WHOLE_CONSTANT if position in rules else FREE for position in range(len(names))]
        kinds = (kind_of(f"parameter {i} (`{name}`)", value, rule) for i, (name, value, rule) in enumerate(zip(names, arguments, rules)))
        return cls(tuple(names), tuple(kinds))


def _item(name: str, kind: Kind) -> str:
    return f"{name}={kind}" if isinstance(kind, Fixed) else f"{name}: {text_of(kind)}"
