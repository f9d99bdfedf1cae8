"""A signature for a kernel that nobody calls: from what is given, annotations, and use.

What is given wins; then annotations that say a type (`x: "f32[?,?]"`, `n: int`) and the
defaults of constants; the rest follows from how the kernel uses its parameters, and
what even that leaves open is assumed: float32 elements, tile sizes, 1.0.
"""

from __future__ import annotations

import inspect
from dataclasses import replace
from itertools import product
from types import FunctionType
from typing import Any, Iterator

from tile2cpp import dtypes
from tile2cpp.errors import Tile2cppError
from tile2cpp.signature import Fixed, Rule, Signature
from tile2cpp.types import Array, Extent, Tile
from tile2cpp.uses import Use, uses_of

TILE_EXTENTS = {1: 128, 2: 64, 3: 16}  # by how many of a tile's extents are constants
LOOP_COUNT = 4
OTHER_INTEGER = 8
MAX_RANK = 4
PLAIN = {"int": Tile(dtypes.int32), "float": Tile(dtypes.float32), "bool": Tile(dtypes.bool_)}


def infer(function: FunctionType, given: dict[str, Any], rules: tuple[Rule, ...]) -> Iterator[tuple[Signature, tuple[str, ...]]]:
    """Signatures to try, the likeliest first, each with what was assumed in it.

    More than one comes where the rank of an array shows nowhere, and with int32
    elements in place of float32 for kernels that only integers fit.
    """
    parameters = inspect.signature(function).parameters
    names = tuple(parameters)
    constants = frozenset(position for position, rule in enumerate(rules) if rule.constant)
    uses = uses_of(function)
    known = dict(given)
    for position, (name, parameter) in enumerate(parameters.items()):
        if name not in known:
            stated = stated_type(parameter, position in constants)
            if stated is not None:
                known[name] = stated
    open_names = [name for name in names if name not in known]
    unranked = [n for n in open_names if names.index(n) not in constants and uses[n].is_array and not uses[n].rank]
    ranks_to_try = [range(max(1, uses[n].least_rank), MAX_RANK + 1) for n in unranked]
    for element, *ranks in product((dtypes.float32, dtypes.int32), *ranks_to_try):
        types = dict(known)
        for name in open_names:
            rank = dict(zip(unranked, ranks)).get(name, uses[name].rank)
            is_constant = names.index(name) in constants
            types[name] = assumed_constant(parameters[name].annotation, uses[name]) if is_constant else as_annotated(assumed_type(uses[name], rank, element), rules[names.index(name)])
        signature = Signature(names, tuple(types[name] for name in names))
        yield signature, tuple(str(Signature((name,), (types[name],))) for name in open_names)


def stated_type(parameter: inspect.Parameter, is_constant: bool) -> Any:
    """What a parameter's own declaration says: a default, a type in a text, a plain Python type."""
    if is_constant:
        return None if parameter.default is parameter.empty else Fixed(parameter.default)
    annotation = parameter.annotation
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    text = text.strip("'\"")
    if text in PLAIN:
        return PLAIN[text]
    if not isinstance(annotation, str):
        return None
    try:
        return Signature.parse(f"{parameter.name}: {text}").types[0]
    except Tile2cppError:
        return None  # an annotation for other tools, such as "torch.Tensor"


def assumed_constant(annotation: Any, use: Use) -> Fixed:
    """A value for a constant that has none: tile extents are powers of two, floats 1.0."""
    text = str(annotation)
    if "bool" in text:
        return Fixed(True)
    if "float" in text:
        return Fixed(1.0)
    if use.tile_axes:
        return Fixed(TILE_EXTENTS.get(use.tile_axes, 4))
    return Fixed(LOOP_COUNT if use.counts else OTHER_INTEGER)


def assumed_type(use: Use, rank: int, element: dtypes.DType) -> Array | Tile:
    """Arrays hold `element`s unless these serve as indices; scalars go by the company they keep."""
    if use.is_array:
        return Array(dtypes.int32 if use.needs_integer else element, (Extent(),) * rank)
    is_integer = use.needs_integer or (use.seems_integer and not use.seems_float)
    return Tile(dtypes.int32 if is_integer else dtypes.float32)


def as_annotated(kind: Array | Tile, rule: Rule) -> Array | Tile:
    """The type with the 64-bit numbers that `ct.ScalarInt64` and `ct.IndexedWithInt64` ask for."""
    if isinstance(kind, Tile):
        return Tile(dtypes.int64) if rule.int64 and kind.dtype == dtypes.int32 else kind
    is_wide = rule.array is not None and rule.array.index_dtype == dtypes.int64
    return replace(kind, wide=True, wide_extents=True) if is_wide else kind
