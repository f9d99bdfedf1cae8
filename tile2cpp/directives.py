"""Compile-time directives of the language: `static_eval`, `static_iter` and their kind.

They are words of the language that look like functions. Translation handles them by
their syntax; the interpreter runs the plain Python meaning given here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

from tile2cpp.errors import Diagnostic, StaticException, TileStaticAssertionError

MOST_ITERATIONS = 1000


@dataclass(frozen=True, eq=False)
class Directive:
    """A compile-time word; outside a kernel a call says so."""

    name: str
    doc: str
    meaning: Callable

    @property
    def __doc__(self) -> str:
        return self.doc

    @property
    def __name__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"ct.{self.name}"

    def __reduce__(self):
        return _find, (self.name,)

    def __call__(self, *args, **kwargs) -> Any:
        from tile2cpp.ops import ACTIVE_INTERPRETER

        if ACTIVE_INTERPRETER.get() is None:
            raise RuntimeError(f"ct.{self.name} is only available inside a kernel")
        return self.meaning(*args, **kwargs)


def _assert(condition: Any, message: Any = None, /) -> None:
    if not condition:
        raise TileStaticAssertionError(Diagnostic(str(message) if message is not None else "the static assertion is false", kind=TileStaticAssertionError))


def _exception(exception: Any, /) -> StaticException:
    return StaticException(Diagnostic(f"{type(exception).__name__}: {exception}", kind=StaticException))


static_eval = Directive("static_eval", "Evaluate an expression by Python itself, while the kernel is translated.", lambda value, /: value)
static_iter = Directive("static_iter", "In a `for` or a tuple comprehension: unroll over an iterable known at compile time.", lambda iterable, /: iterable)
static_assert = Directive("static_assert", "Stop the translation with a message unless a compile-time condition holds.", _assert)
static_exception = Directive("static_exception", "`raise ct.static_exception(exception)` stops the translation when it is reached.", _exception)
ensure_constant = Directive("ensure_constant", "The value, which must be known at compile time.", lambda value, /: value)

DIRECTIVES = {d.name: d for d in (static_eval, static_iter, static_assert, static_exception, ensure_constant)}


def static_def(function: Callable, /) -> Callable:
    """Mark a function whose calls in tile code Python itself evaluates, as `static_eval` does its expression."""
    function._evaluated_by_python = True
    return function


def is_static_def(function: Any) -> bool:
    return getattr(function, "_evaluated_by_python", False) is True


def _find(name: str) -> Directive:
    return DIRECTIVES[name]
