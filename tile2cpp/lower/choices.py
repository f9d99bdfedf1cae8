"""Lists that differ by path: a number says which of some list parameters is meant."""

from __future__ import annotations

from typing import Sequence

from tile2cpp.lower.values import Constant, ListChoice, ListValue, Value


def is_list(value: Value) -> bool:
    return isinstance(value, (ListValue, ListChoice))


def chosen(values: Sequence[Value]) -> list[ListChoice] | None:
    """The values as choices among the same lists; None where these hold arrays of other dtypes or ranks."""
    # A number in a variable stays what it is, so the lists that it counts come first.
    counted = sorted(values, key=lambda value: not _is_counted_in_a_variable(value))
    lists = tuple(dict.fromkeys(item for value in counted for item in lists_of(value)))
    if len({(item.expr.type.element.dtype, item.expr.type.element.ndim) for item in lists}) > 1:
        return None
    made = [among(value, lists) for value in values]
    return None if None in made else made


def _is_counted_in_a_variable(value: Value) -> bool:
    return isinstance(value, ListChoice) and not isinstance(value.which, Constant)


def lists_of(value: ListValue | ListChoice) -> tuple[ListValue, ...]:
    return value.lists if isinstance(value, ListChoice) else (value,)


def among(value: ListValue | ListChoice, lists: tuple[ListValue, ...]) -> ListChoice | None:
    """The value as a choice among `lists`; None where its number counts them in another order."""
    if isinstance(value, ListValue):
        return ListChoice(Constant(lists.index(value)), lists)
    if isinstance(value.which, Constant):
        return ListChoice(Constant(lists.index(value.lists[value.which.value])), lists)
    return ListChoice(value.which, lists) if lists[: len(value.lists)] == value.lists else None
