"""A signature for a kernel that nobody calls: from what is given, annotations, and use.

What is given wins; then annotations that say a type (`x: "f32[?,?]"`, `n: int`) and the
defaults of constants; the rest follows from how the kernel uses its parameters, and
what even that leaves open is assumed: float32 elements, tile sizes, 1.0.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from itertools import product
from types import FunctionType
from typing import Any, Iterator, get_args

from tile2cpp import dtypes
from tile2cpp.errors import Tile2cppError
from tile2cpp.signature import Fixed, Rule, Signature
from tile2cpp.types import Array, ArrayList, Extent, Tile
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
    unranked = [leaf for name in open_names if names.index(name) not in constants for leaf in arrays_in(uses[name]) if not leaf.rank]
    ranks_to_try = [range(max(1, leaf.least_rank), MAX_RANK + 1) for leaf in unranked]
    for element, *ranks in product((dtypes.float32, dtypes.int32), *ranks_to_try):
        types, assumption = dict(known), Assumption(element, dict(zip(map(id, unranked), ranks)))
        for name in open_names:
            types[name] = assumption.kind(uses[name], rules[names.index(name)], parameters[name].annotation)
        signature = Signature(names, tuple(types[name] for name in names))
        yield signature, tuple(str(Signature((name,), (types[name],))) for name in open_names)


def arrays_in(use: Use) -> list[Use]:
    """The arrays of a parameter: itself, those of a list, or the items of a tuple that are arrays."""
    inner = [use.element] if use.element is not None and not use.parts else use.items()
    found = [leaf for part in inner for leaf in arrays_in(part)] if inner else [use] if use.is_array else []
    return list({id(leaf): leaf for leaf in found}.values())


@dataclass(frozen=True)
class Assumption:
    """What one attempt takes for granted: the elements of arrays, and ranks that show nowhere."""

    element: dtypes.DType
    ranks: dict[int, int]

    def kind(self, use: Use, rule: Rule, annotation: Any) -> Any:
        """The assumed type of a parameter, or of an item of one."""
        if rule.constant:
            return assumed_constant(annotation, use)
        if rule.of_list or rule.items is None and not use.parts and (use.element is not None or use.measured):
            one = use.element or next(iter(use.parts.values()), Use(use.name))
            return ArrayList(as_annotated(self.array(one), replace(rule, of_list=False)))
        parts = use.items()
        if parts or rule.items is not None:
            hints = get_args(annotation)
            count = len(parts) if rule.items is None else len(rule.items)
            parts += [Use(f"{use.name}[{i}]") for i in range(len(parts), count)]
            return tuple(self.kind(part, rule.item(i), hints[i] if i < len(hints) else None) for i, part in enumerate(parts[:count]))
        if getattr(annotation, "__name__", "") in PLAIN:
            return as_annotated(PLAIN[annotation.__name__], rule)
        return as_annotated(self.array(use) if use.is_array else assumed_scalar(use), rule)

    def array(self, use: Use) -> Array:
        """Arrays hold the assumed elements unless these serve as indices."""
        rank = use.rank or self.ranks.get(id(use), 1)
        return Array(dtypes.int32 if use.needs_integer else self.element, (Extent(),) * rank)


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
    if use.parts:
        hints = get_args(next(iter(get_args(annotation)), None))
        return Fixed(tuple(assumed_constant(hints[i] if i < len(hints) else None, part).value for i, part in enumerate(use.items())))
    text = str(annotation)
    if "bool" in text:
        return Fixed(True)
    if "float" in text:
        return Fixed(1.0)
    if use.tile_axes:
        return Fixed(TILE_EXTENTS.get(use.tile_axes, 4))
    return Fixed(LOOP_COUNT if use.counts else OTHER_INTEGER)


def assumed_scalar(use: Use) -> Tile:
    """Scalars go by the company they keep."""
    is_integer = use.needs_integer or (use.seems_integer and not use.seems_float)
    return Tile(dtypes.int32 if is_integer else dtypes.float32)


def as_annotated(kind: Array | Tile, rule: Rule) -> Array | Tile:
    """The type with the 64-bit numbers that `ct.ScalarInt64` and `ct.IndexedWithInt64` ask for."""
    if isinstance(kind, Tile):
        return Tile(dtypes.int64) if rule.int64 and kind.dtype == dtypes.int32 else kind
    is_wide = rule.array is not None and rule.array.index_dtype == dtypes.int64
    return replace(kind, wide=True, wide_extents=True) if is_wide else kind
