"""A kernel function's parameters: their names, and what their annotations ask for."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

from tile2cpp.signature import ArgumentTypeError, Rule, fail, rule_of


def parameter_names(function: FunctionType) -> tuple[str, ...]:
    code = function.__code__
    variadic = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)  # refused by the language, with their place
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + variadic]


def parameter_rules(function: FunctionType) -> tuple[Rule, ...]:
    """How the argument of each parameter is read."""
    annotations = _annotations(function)
    return tuple(_rule(function, name, annotations.get(name)) for name in parameter_names(function))


def _rule(function: FunctionType, name: str, annotation: Any) -> Rule:
    try:
        return rule_of(annotation)
    except (TypeError, ValueError) as error:
        raise fail(ArgumentTypeError, f"parameter `{name}` of `{function.__name__}`: {error}") from None


def _annotations(function: FunctionType) -> dict[str, Any]:
    """The annotations as objects; a text that means nothing in Python stays a text."""
    try:
        found = dict(function.__annotations__)
    except NameError:  # Python 3.14 evaluates them only now; one names something that is not there yet
        import annotationlib

        found = annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF)
    return {name: _resolved(value, function) if isinstance(value, str) else value for name, value in found.items()}


def _resolved(text: str, function: FunctionType) -> Any:
    """What a text means, also when it is a text of a text: `"ct.Constant[int]"` below `from __future__ import annotations`."""
    try:
        closure = inspect.getclosurevars(function).nonlocals if function.__closure__ else {}
        found = eval(text, function.__globals__, closure)  # what Python itself does with annotations
    except Exception:  # such as "f32[?,?]", which is a type for `translate`
        return text
    return _resolved(found, function) if isinstance(found, str) and found != text else found
