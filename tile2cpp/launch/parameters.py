"""A kernel function's parameters: their names, and which of them are `Constant`."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any, get_origin

CONSTANT = ("tile2cpp.lang", "Constant")
REAL_MARK = "ConstantAnnotation"  # how NVIDIA's package marks them, inside typing.Annotated


def parameter_names(function: FunctionType) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def constant_positions(function: FunctionType) -> frozenset[int]:
    """Positions of the parameters that are known at compile time."""
    annotations = _annotations(function)
    return frozenset(i for i, name in enumerate(parameter_names(function)) if is_constant(annotations.get(name)))


def is_constant(annotation: Any) -> bool:
    """Whether an annotation is `Constant` or `Constant[...]`, of tile2cpp or of `cuda.tile`."""
    origin = get_origin(annotation) or annotation
    if isinstance(origin, type) and (origin.__module__, origin.__qualname__) == CONSTANT:
        return True
    return any(type(mark).__name__ == REAL_MARK for mark in getattr(annotation, "__metadata__", ()))


def _annotations(function: FunctionType) -> dict[str, Any]:
    """The annotations as objects; a text that means nothing in Python stays a text."""
    try:
        found = dict(function.__annotations__)
    except NameError:  # Python 3.14 evaluates them only now; one names something that is not there yet
        import annotationlib

        found = annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF)
    return {name: _resolved(value, function) if isinstance(value, str) else value for name, value in found.items()}


def _resolved(text: str, function: FunctionType) -> Any:
    try:
        closure = inspect.getclosurevars(function).nonlocals if function.__closure__ else {}
        return eval(text, function.__globals__, closure)  # what Python itself does with annotations
    except Exception:  # such as "f32[?,?]", which is a type for `translate`
        return text
