"""What a parameter's annotation asks for, as a `Rule`."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

from tile2cpp import dtypes
from tile2cpp.annotations import ArrayAnnotation

CONSTANT = ("tile2cpp.lang", "Constant")


@dataclass(frozen=True)
class Rule:
    """How an argument is read: `constant` ones are embedded, `int64` ints are wide.

    `array` is for an array or, with `of_list`, for the arrays of a list; `items` are the
    rules of a tuple's items, `rest` the rule of all items of a tuple of any length.
    `conflict` says what the annotation asks for in vain.
    """

    constant: bool = False
    int64: bool = False
    array: ArrayAnnotation | None = None
    of_list: bool = False
    items: tuple["Rule", ...] | None = None
    rest: "Rule | None" = None
    conflict: str = ""

    def item(self, position: int) -> "Rule":
        """The rule of a tuple's item."""
        if self.constant:
            return self
        if self.items is not None:
            return self.items[position]
        return self.rest or FREE


FREE = Rule()
WHOLE_CONSTANT = Rule(constant=True)
WIDE_CONSTANT = "Constant annotation cannot be combined with ScalarAnnotation/ScalarInt64: a constant has no width"


def is_constant(annotation: Any) -> bool:
    """Whether an annotation is `Constant` or `Constant[...]`, of tile2cpp or of `cuda.tile`."""
    return rule_of(annotation).constant


def rule_of(annotation: Any) -> Rule:
    """The rule of an annotation; plain types and texts ask for nothing."""
    if isinstance(annotation, types.UnionType) or annotation is None:
        return FREE
    origin = get_origin(annotation)
    if origin is Annotated:
        return _marked(annotation)
    named = origin or annotation
    if isinstance(named, type) and (named.__module__, named.__qualname__) == CONSTANT:
        inner = map(rule_of, get_args(annotation))
        return Rule(constant=True, conflict=WIDE_CONSTANT) if any(map(_is_wide, inner)) else WHOLE_CONSTANT
    if origin is tuple:
        return _of_tuple(get_args(annotation))
    return FREE


def _is_wide(rule: Rule) -> bool:
    """Whether a rule, or that of an item, asks for a 64-bit scalar."""
    return rule.int64 or any(map(_is_wide, (*(rule.items or ()), *((rule.rest,) if rule.rest else ()))))


def _of_tuple(arguments: tuple) -> Rule:
    if len(arguments) == 2 and arguments[1] is ...:
        rest = rule_of(arguments[0])
        return FREE if rest == FREE else Rule(rest=rest)
    if arguments in ((), ((),)):
        return Rule(items=())
    return Rule(items=tuple(map(rule_of, arguments)))


def _marked(annotation: Any) -> Rule:
    """`Annotated[what, marks...]`; marks of NVIDIA's own package are told by their names."""
    inner, *marks = get_args(annotation)
    rule = rule_of(inner)
    for mark in marks:
        kind = type(mark).__name__
        if kind == "ConstantAnnotation":
            rule = _joined(rule, constant=True)
        elif kind == "ScalarAnnotation":
            rule = _joined(rule, int64=_dtype_of(getattr(mark, "dtype", None)) == dtypes.int64)
        elif kind == "ArrayAnnotation":
            rule = _joined(rule, array=_own(mark))
        elif kind == "ListAnnotation":
            rule = _joined(rule, array=_own(mark.element), of_list=True)
    return rule


def _joined(rule: Rule, **changes) -> Rule:
    from dataclasses import replace

    changed = replace(rule, **changes)
    if changed.constant and (changed.int64 or changed.array is not None):
        raise TypeError("a parameter is annotated as a constant and as a run-time value: choose one of Constant, ScalarInt64 and ArrayAnnotation")
    return changed


def _own(mark: Any) -> ArrayAnnotation:
    if isinstance(mark, ArrayAnnotation):
        return mark
    return ArrayAnnotation(_dtype_of(mark.index_dtype), tuple(mark.static_shape_dims), tuple(mark.static_stride_dims))


def _dtype_of(value: Any) -> dtypes.DType:
    """A dtype of tile2cpp, or of another package by its name."""
    return dtypes.as_dtype(value) or dtypes.BY_NAME.get(str(value).rpartition(".")[2], dtypes.int32)
