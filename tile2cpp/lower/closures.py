"""Functions that are values: what they read of the function that made them, and what of it travels with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tile2cpp.lower.analysis import free_names
from tile2cpp.lower.values import Binding, Closure, Composite, Poison, Value
from tile2cpp.parse import FunctionSyntax


class Snapshot:
    """What a closure sees once it has left the function that made it."""

    def __init__(self, resolve, names: dict[str, Value]):
        self.resolve = resolve
        self._names = names

    @classmethod
    def of(cls, resolve, values: dict[str, Value], siblings: dict[str, Closure]) -> "Snapshot":
        """The captured values, and the functions of the same frame, which see each other."""
        made = cls(resolve, dict(values))
        made._names.update({n: Closure(c.syntax, made, c.defaults) for n, c in siblings.items()})
        return made

    def lookup(self, name: str) -> Binding | None:
        return Binding(self._names[name]) if name in self._names else None

    def bindings(self) -> dict[str, Binding]:
        return {name: Binding(value) for name, value in self._names.items()}


@dataclass(frozen=True)
class Frozen(Composite):
    """A closure as a composite value: its parts are what it captured, and its defaults."""

    syntax: FunctionSyntax
    resolve: Any
    captured: tuple[tuple[str, Value], ...]
    siblings: tuple[tuple[str, Closure], ...]
    defaults: tuple[tuple[str, Value], ...]

    def parts(self):
        return tuple(value for _, value in (*self.captured, *self.defaults))

    def rebuilt(self, parts):
        captured = tuple(zip((n for n, _ in self.captured), parts))
        defaults = tuple(zip((n for n, _ in self.defaults), parts[len(captured) :]))
        return Frozen(self.syntax, self.resolve, captured, self.siblings, defaults)

    def kind(self):
        siblings = tuple((name, id(closure.syntax.node)) for name, closure in self.siblings)
        return ("function", id(self.syntax.node), getattr(self.resolve, "scope", ()), siblings, *((n for n, _ in self.captured)), "", *((n for n, _ in self.defaults)))

    def part_names(self):
        return tuple(name for name, _ in (*self.captured, *self.defaults))

    def closure(self) -> Closure:
        """The function again, to be called."""
        captured = {n: thaw(v) for n, v in self.captured}
        return Closure(self.syntax, Snapshot.of(self.resolve, captured, dict(self.siblings)), {n: thaw(v) for n, v in self.defaults})


def freeze(closure: Closure) -> Frozen:
    """A closure with what it reads as it is now."""
    values, siblings = captures(closure)
    captured = tuple((n, _frozen(v)) for n, v in values.items())
    return Frozen(closure.syntax, closure.frame.resolve, captured, tuple(siblings.items()), tuple((n, _frozen(v)) for n, v in closure.defaults.items()))


def _frozen(value: Value) -> Value:
    if isinstance(value, Closure):
        return freeze(value)
    return value.rebuilt(tuple(map(_frozen, value.parts()))) if isinstance(value, Composite) else value


def thaw(value: Value) -> Value:
    """A value with functions in place of what they were made to."""
    if isinstance(value, Frozen):
        return value.closure()
    return value.rebuilt(tuple(map(thaw, value.parts()))) if isinstance(value, Composite) else value


def is_frozen(closure: Closure) -> bool:
    """Whether the function that made a closure is over."""
    return isinstance(closure.frame, Snapshot)


def captures(closure: Closure) -> tuple[dict[str, Value], dict[str, Closure]]:
    """What a closure reads of its frame: values, and functions of the same frame (itself, too)."""
    values: dict[str, Value] = {}
    siblings: dict[str, Closure] = {}
    waiting = sorted(free_names(closure.syntax.node))
    while waiting:
        name = waiting.pop(0)
        if name in values or name in siblings:
            continue
        binding = closure.frame.lookup(name)
        if binding is None or isinstance(binding.value, Poison):
            continue
        if isinstance(binding.value, Closure) and binding.value.frame is closure.frame:
            siblings[name] = binding.value
            waiting += sorted(free_names(binding.value.syntax.node))
        else:
            values[name] = binding.value
    return values, siblings
