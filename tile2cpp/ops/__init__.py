"""The op registry: everything tile2cpp knows about an operation is stated in one place.

An op is a decorated function in one of this folder's modules. Its name, parameters and
docstring are the public API, its body is the typing rule, `cpp` its spelling in the
emitted file and `numpy` its meaning. Every other stage asks the `Op` object and knows
no op by name.

What a rule gets for a parameter follows from its annotation:

| annotation | what the rule gets |
|---|---|
| `Tile` | a `types.Tile`, or a `types.Weak` constant |
| `Array`, `View` | a `types.Array`, a `types.View` |
| `Shape` | a tuple of extents (an int becomes a tuple of one) |
| `Index` | a tuple of scalars, each a `Tile` of shape `()` or a `Weak` (one becomes a tuple) |
| `Indices` | a tuple of integer tiles or `Weak`s (one becomes a tuple) |
| `Tiles` | a tuple of tiles |
| `Picks` | a tuple of integer tiles and of `Part`s, which stand for `ct.Slice` |
| `Nested` | nested tuples of scalars |
| `Printed` | nothing: what `print` shows is put together where it is translated |
| `Combiner` | nothing: a function of the author's, checked where it is translated |
| `Pointer` | a `types.Tile` whose dtype is a foreign pointer |
| `Const` | the Python value itself |

A rule returns the type of the result (None for an op that is a statement), or a
`Typed` that also says to which types the operands are converted first.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import Any, Callable

from tile2cpp.types import Tile


@dataclass(frozen=True)
class Typed:
    """A rule's answer: the result's type, and the types its operands are converted to.

    `operands` maps a parameter to a `Tile` (convert dtype, then broadcast to that
    shape) or to a tuple of such for `Index`, `Indices` and `Tiles` parameters.
    `constants` replaces constant arguments by their normal form, an axis of -1 by 2.
    """

    result: Any
    operands: dict[str, Any] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Op:
    """One operation of the tile language."""

    name: str
    rule: Callable
    signature: inspect.Signature
    family: str
    cpp: str | Callable
    numpy: Callable
    effect: str = ""  # "", "load", "store", "atomic", "address" (its array's, for accesses that are not seen) or "print"
    operator: str = ""  # the Python operator that means this op, such as "+" or "unary -"
    method: str = ""  # the method of a tile, array or view that means it, such as "astype"
    owner: str = ""  # whose method: "tile", "array" or "view"
    builtin: Callable | None = None  # the Python built-in that means it, such as max
    nonnegative: str = ""  # "always", or "operands": never negative when no operand is
    public: bool = True  # part of ct.*
    addresses: bool = False  # takes tiles of foreign pointers, too: it moves elements, and computes nothing of them

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.rule) or ""

    @property
    def __doc__(self) -> str:
        return self.doc

    @property
    def __name__(self) -> str:
        return self.name

    @property
    def __signature__(self) -> inspect.Signature:
        return self.signature

    @property
    def summary(self) -> str:
        return self.doc.partition("\n")[0]

    def kind(self, parameter: str) -> str:
        """The annotation of a parameter: one of the table above."""
        return self.signature.parameters[parameter].annotation

    @property
    def kinds(self) -> set[str]:
        """All annotations of its parameters."""
        return {p.annotation for p in self.signature.parameters.values()}

    def __call__(self, *args, **kwargs):
        """Evaluate inside the interpreter; everywhere else say that this is tile code."""
        evaluate = ACTIVE_INTERPRETER.get()
        if evaluate is None:
            return call_on_host(self, args, kwargs)
        return evaluate(self, args, kwargs)

    def __repr__(self) -> str:
        return f"ct.{self.name}"

    def __reduce__(self):
        return find, (self.name,)


def call_on_host(op: Op, args: tuple, kwargs: dict):
    """Ops with a host meaning compute it; the others belong into a kernel."""
    host = HOST_MEANINGS.get(op.name)
    if host is None:
        raise RuntimeError(f"ct.{op.name} is only available inside a kernel")
    return host(*args, **kwargs)


REGISTRY: dict[str, Op] = {}
OPERATORS: dict[str, Op] = {}
METHODS: dict[tuple[str, str], Op] = {}
BUILTINS: dict[Callable, Op] = {}
HOST_MEANINGS: dict[str, Callable] = {}


def op(*, cpp: str | Callable, numpy: Callable, name: str = "", host: Callable | None = None, **facts) -> Callable[[Callable], Op]:
    """Register the decorated function as an op; see the module's docstring."""

    def register(rule: Callable) -> Op:
        made = Op(
            name=name or rule.__name__.rstrip("_"),
            rule=rule,
            signature=inspect.signature(rule),
            family=rule.__module__.rpartition(".")[2],
            cpp=cpp,
            numpy=numpy,
            **facts,
        )
        REGISTRY[made.name] = made
        if made.operator:
            OPERATORS[made.operator] = made
        if made.method:
            METHODS[made.owner or "tile", made.method] = made
        if made.builtin is not None:
            BUILTINS[made.builtin] = made
        if host is not None:
            HOST_MEANINGS[made.name] = host
        return made

    return register


def find(name: str) -> Op:
    """The op of that name (used by pickle)."""
    return REGISTRY[name]


class _Active:
    """The interpreter that evaluates ops in the current thread, if one is running."""

    def __init__(self):
        import contextvars

        self._variable = contextvars.ContextVar("tile2cpp_interpreter", default=None)
        self.get, self.set, self.reset = self._variable.get, self._variable.set, self._variable.reset


ACTIVE_INTERPRETER = _Active()


def result_of(answer: Any) -> Typed:
    """A rule's answer in full form."""
    return answer if isinstance(answer, Typed) else Typed(answer)


# Importing the families fills the registry; the order is that of the documentation.
from tile2cpp.ops import grid, create, memory, math, compare, bits, cast, bytes, shape, reduce, scan, combine, mma, atomics, arrays, advanced, debug  # noqa: E402, F401
