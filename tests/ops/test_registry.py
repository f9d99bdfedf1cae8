"""What every registered op must have, whatever it does."""

import inspect

import pytest

import tile2cpp.lang as ct
from tile2cpp.interpret.evaluate import parameters_of
from tile2cpp.ops import METHODS, OPERATORS, REGISTRY

OPS = pytest.mark.parametrize("op", REGISTRY.values(), ids=lambda op: op.name)
KINDS = {"Tile", "Array", "View", "Shape", "Index", "Indices", "Tiles", "Const", "Combiner", "Picks", "Printed", "Nested", "Pointer"}


@OPS
def test_has_a_one_line_summary(op):
    assert op.summary.endswith((".", "!", "?")), f"{op!r} needs a docstring whose first line is a sentence"
    assert len(op.summary) < 160


@OPS
def test_has_a_meaning_for_its_parameters(op):
    known = {*op.signature.parameters, "result", "block", "types"}
    assert set(parameters_of(op)) <= known, f"the meaning of {op!r} asks for something that nobody knows"


@OPS
def test_has_a_spelling(op):
    # Declared at the top of the file, made of other ops, or without meaning in canonical Tile C++.
    elsewhere = {"tiled_view", "slice", "Array.from_foreign", "get_raw_memory", "divmod", "print", "grid_dependency_control_wait", "grid_dependency_control_launch_dependents"}
    assert op.cpp or op.name in elsewhere
    if isinstance(op.cpp, str) and op.cpp:
        named = {part.partition("}")[0] for part in op.cpp.split("{")[1:]}
        assert named <= set(op.signature.parameters)


@OPS
def test_annotations_are_known(op):
    assert {p.annotation for p in op.signature.parameters.values()} <= KINDS


@OPS
def test_is_refused_outside_a_kernel(op):
    if op.name == "cdiv":
        assert ct.cdiv(7, 2) == 4
        return
    with pytest.raises(RuntimeError, match=f"ct.{op.name} is only available inside a kernel"):
        op()


def test_public_ops_are_in_the_language():
    for op in REGISTRY.values():
        assert op.public == (op.name in ct.__all__)
        if op.public:
            assert getattr(ct, op.name) is op


def test_operators_and_methods_are_ops():
    assert set(OPERATORS.values()) <= set(REGISTRY.values())
    assert set(METHODS.values()) <= set(REGISTRY.values())
    assert {owner for owner, _ in METHODS} == {"tile", "array", "view"}


@OPS
def test_has_documented_parameters(op):
    """`help(ct.load)` shows the signature."""
    assert inspect.signature(op) is op.signature
    assert op.__doc__ == op.doc
