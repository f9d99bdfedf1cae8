"""IR expressions -> C++ text, with the views, spans and constants that they need."""

from __future__ import annotations

import math
from typing import Any

from tile2cpp import ir
from tile2cpp.dtypes import DType
from tile2cpp.literals import spell_literal
from tile2cpp.lower import nonnegative
from tile2cpp.lower.names import Names, extent_name, length_name, pointer_name, stride_name
from tile2cpp.lower.values import NamedInt
from tile2cpp.ops.spelling import ADD, AND, MULTIPLY, PRIMARY, UNARY, Spelled
from tile2cpp.types import Array, Tile, is_any_shape
from tile2cpp.types import Extent as ExtentOf


class Speller:
    """Spells the expressions of one function. Ops' `cpp` functions get it as `c`."""

    def __init__(self, names: Names, is_kernel: bool, in_shapes: set[str], constants: dict[str, Any], snippets: dict[str, str], functions: dict[str, str] | None = None):
        self._names = names
        self._is_kernel = is_kernel
        self._in_shapes = in_shapes
        self._constants = constants
        self._snippets = snippets
        self._functions = functions or {}
        self._spans: dict[tuple[str, tuple[int, ...]], tuple[str, ir.ArrayName]] = {}
        self._views: dict[tuple, tuple[str, str, str]] = {}  # name, declaration, array
        self.local_arrays: set[str] = set()  # slices, which are spans with a name of their own
        self.used_constants: set[str] = set()
        self.used_arrays: set[str] = set()
        self.written: set[str] = set()  # arrays that are stored to; pointers of others are to constants

    nonnegative = staticmethod(nonnegative)

    # --- expressions ----------------------------------------------------------------

    def __call__(self, expr: Any, level: int = 0, plain: bool = False) -> str:
        """The text of `expr` in Python's shape, in parentheses where it binds weaker than `level`.

        `plain`: the operand of a scalar operator, where an integral constant converts by itself.
        """
        spelled = self.spelled(expr, plain)
        text, own = spelled.text, spelled.level
        wanted = tuple(expr.type.shape) if isinstance(expr.type, Tile) else None
        if spelled.shape is not None and wanted is not None and tuple(spelled.shape) != wanted:
            if wanted:
                return f"ct::reshape({text}, {self.shape(wanted)})"
            return self._to_scalar(text, expr.type.dtype)
        return text if own >= level else f"({text})"

    def converting(self, expr: Any) -> str:
        """The text where its place converts to the expression's type by itself: `int i = ct::bid().x`."""
        spelled = self.spelled(expr)
        return spelled.bare or self(expr)

    @staticmethod
    def _to_scalar(text: str, dtype: DType) -> str:
        """The element of a one-element tile."""
        return f"({dtype.cpp})({text})" if " " in dtype.cpp or "*" in dtype.cpp else f"{dtype.cpp}({text})"

    def spelled(self, expr: Any, plain: bool = False) -> Spelled:
        match expr:
            case ir.Name():
                return Spelled(expr.name)
            case ir.Literal():
                return self._literal(expr, plain)
            case ir.Extent():
                return Spelled(self._stride(expr.array, expr.axis) if expr.stride else self.extent(expr.array, expr.axis), PRIMARY)
            case ir.Pointer():
                text = self.pointer(expr.array)
                return Spelled(text if not expr.leaves or expr.array.name in self.written else f"const_cast<{expr.type.dtype.cpp}>({text})")
            case ir.Field():
                return Spelled(f"{expr.value.name}.{expr.name}")
            case ir.ArrayName():
                return Spelled(self.span(expr))
            case ir.ListName():
                return Spelled(", ".join(self.list_names(expr)))
            case ir.Length():
                return Spelled(length_name(expr.list.name))
            case ir.Invoke():
                return Spelled(f"{self.function(expr.helper)}({', '.join(self.converting(a) for a in expr.arguments)})")
        if isinstance(expr.op.cpp, str):
            texts = {p: self(v) for p, v in expr.arguments if isinstance(v, ir.Expr.__args__)}
            return Spelled(expr.op.cpp.format(**texts))
        return expr.op.cpp(expr, self)

    def _literal(self, expr: ir.Literal, plain: bool) -> Spelled:
        name, dtype = expr.name, expr.type.dtype
        if name and name in self._constants and _declared_dtype(self._constants[name]) == dtype.short and self._constants[name] == expr.value:
            self.used_constants.add(name)
            needs_cast = name in self._in_shapes and not plain
            return Spelled(f"int({name})" if needs_cast else name)
        text = self.literal(expr.value, dtype)
        return Spelled(text, UNARY if text.startswith("-") or text.startswith("(") else PRIMARY)

    def literal(self, value: Any, dtype: DType) -> str:
        return spell_literal(value, dtype)

    @staticmethod
    def is_literal(expr: Any, value: Any) -> bool:
        return isinstance(expr, ir.Literal) and expr.value == value

    # --- shapes and constants -------------------------------------------------------

    def number(self, extent: int) -> str:
        """An extent as a plain int."""
        if isinstance(extent, NamedInt) and self._is_known(extent):
            self.used_constants.add(extent.name)
            return f"int({extent.name})" if extent.name in self._in_shapes else extent.name
        return str(int(extent))

    def _is_known(self, extent: NamedInt) -> bool:
        return self._constants.get(extent.name) == int(extent)

    def shape(self, shape: tuple[int, ...]) -> str:
        """A shape as a value: `ct::shape{1_ic, TILE}`."""
        if not shape:
            return "ct::shape<>{}"
        if is_any_shape(shape):
            return "Shape{}"
        return f"ct::shape{{{', '.join(self._ic(e) for e in shape)}}}"

    def _ic(self, extent: int) -> str:
        if isinstance(extent, NamedInt) and self._is_known(extent):
            self.used_constants.add(extent.name)
            return extent.name
        return f"{int(extent)}_ic"

    def tile_type(self, tile: Tile) -> str:
        """`ct::tile<float, ct::shape<1, TILE>>`, or the plain scalar type."""
        if not tile.shape:
            return tile.dtype.cpp
        if is_any_shape(tile.shape):
            return f"ct::tile<{tile.dtype.cpp}, Shape>"
        extents = []
        for extent in tile.shape:
            named = isinstance(extent, NamedInt) and self._is_known(extent) and extent.name in self._in_shapes
            if named:
                self.used_constants.add(extent.name)
            extents.append(extent.name if named else str(int(extent)))
        return f"ct::tile<{tile.dtype.cpp}, ct::shape<{', '.join(extents)}>>"

    def stands_in_shapes(self, name: str) -> bool:
        return name in self._in_shapes

    def constant_declaration(self, name: str) -> str:
        value = self._constants[name]
        if name in self._in_shapes:
            return f"constexpr auto {name} = {value}_ic;"
        kind = {"i32": "int", "f32": "float", "bool": "bool", "i64": "long long", "u64": "unsigned long long"}[_declared_dtype(value)]
        from tile2cpp.dtypes import BY_SHORT

        return f"constexpr {kind} {name} = {self.literal(value, BY_SHORT[_declared_dtype(value)])};"

    def unused(self, wanted: str) -> str:
        """A name, for a parameter of a lambda, that hides nothing of this function."""
        name, number = wanted, 2
        while name in self._names.taken:
            name, number = f"{wanted}_{number}", number + 1
        return name

    def snippet(self, name: str, text: str) -> str:
        """A small function written into the file where canonical Tile C++ has none; returns its name."""
        self._snippets.setdefault(name, text.format(name=name) if "{name}" in text else text)
        return name

    def function(self, helper: str) -> str:
        """The name of a helper in the file."""
        return self._functions.get(helper, helper)

    # --- arrays ---------------------------------------------------------------------

    def extent(self, array: ir.ArrayName, axis: int) -> str:
        self.used_arrays.add(array.name)
        known = array.type.extents[axis].value
        if known is not None:
            return str(known)
        if self._by_parameters(array):
            return extent_name(array.name, axis)
        return self._to_scalar(f"{array.name}.extent({axis})", array.type.index_dtype)

    def _by_parameters(self, array: ir.ArrayName) -> bool:
        """Whether pointer, extents and strides of an array are parameters here; elsewhere it is a span."""
        return self._is_kernel and array.name not in self.local_arrays

    def _stride(self, array: ir.ArrayName, axis: int) -> str:
        self.used_arrays.add(array.name)
        if array.type.strides is not None:
            known = array.type.strides[axis].value
            if known is not None:
                return str(known)
            if self._by_parameters(array):
                return stride_name(array.name, axis)
        elif self._by_parameters(array):
            later = [array.type.extents[a].value for a in range(axis + 1, array.type.ndim)]
            if all(v is not None for v in later):
                return str(math.prod(later))
            factors = [self.extent(array, a) for a in range(axis + 1, array.type.ndim)]
            if array.type.wide and not array.type.wide_extents:  # their product may not fit into an int
                factors[0] = self._to_scalar(factors[0], array.type.stride_dtype)
            return factors[0] if len(factors) == 1 else f"({' * '.join(factors)})"
        return self._to_scalar(f"{array.name}.mapping().stride({axis})", array.type.stride_dtype)

    def pointer(self, array: ir.ArrayName) -> str:
        self.used_arrays.add(array.name)
        return pointer_name(array.name) if self._by_parameters(array) else f"{array.name}.data_handle()"

    def pointers(self, array: ir.ArrayName, indices: tuple) -> str:
        """The addresses of elements: pointer plus offsets, in 64 bits where the array is that large."""
        terms = []
        for axis, index in enumerate(indices):
            stride = self._stride(array, axis) if array.type.strides is not None or axis < array.type.ndim - 1 else "1"
            wide = array.type.wide and index.type.dtype.bits < 64
            text = f"ct::element_cast<long long>({self(index)})" if wide else ""
            terms.append((text or self(index, MULTIPLY)) + f" * {stride}" if stride != "1" else text or self(index, ADD + 1 if len(indices) == 1 else ADD))
        if not terms:
            return self.pointer(array)
        offsets = " + ".join(terms)
        return f"{self.pointer(array)} + {offsets}" if len(terms) == 1 else f"{self.pointer(array)} + ({offsets})"

    def mask(self, array: ir.ArrayName, indices: tuple, mask: Any, check_bounds: bool) -> str:
        """Which lanes may touch memory: inside the array, and allowed by the author's mask."""
        terms = []
        for axis, index in enumerate(indices if check_bounds else ()):
            if not self.nonnegative(index):
                terms.append(f"{self(index, AND + 6)} >= 0")
            terms.append(f"{self(index, AND + 6)} < {self.extent(array, axis)}")
        if mask is not None:
            terms.append(self(mask, AND + 4))
        return " && ".join(terms)

    # --- spans and views ------------------------------------------------------------

    def span(self, array: ir.ArrayName, order: tuple[int, ...] | None = None) -> str:
        """The tensor_span of an array (its axes permuted by `order`), declared at the top."""
        order = order or tuple(range(array.type.ndim))
        natural = order == tuple(range(array.type.ndim))
        self.used_arrays.add(array.name)
        if natural and not self._by_parameters(array):
            return array.name
        key = (array.name, order)
        if key not in self._spans:
            wanted = array.name if natural else f"{array.name}_transposed" if order == (1, 0) else f"{array.name}_permuted"
            name = wanted if natural else self._names.fresh(wanted)
            self._spans[key] = (name, array)
        return self._spans[key][0]

    def view(self, array: ir.ArrayName, shape: tuple[int, ...], order: tuple[int, ...] | None, steps: tuple[int, ...] | None = None, gathered: int | None = None) -> str:
        """The view of an array with tiles of `shape`, declared at the top.

        The tiles lie side by side, or start every `steps` elements, or have an axis
        whose elements come from anywhere (`gathered`).
        """
        span = self.span(array, order)
        key = (span, tuple(int(e) for e in shape), steps, gathered)
        if key not in self._views:
            kind = "gathered" if gathered is not None else "strided" if steps else "elements" if math.prod(shape) == 1 else "tiles"
            base = f"{span}_{kind}"
            if base in {v[0] for v in self._views.values()}:
                base += "_" + "x".join(str(int(e)) for e in shape)
            self._views[key] = (self._names.fresh(base), self._view_text(span, array, shape, steps, gathered), array.name)
        return self._views[key][0]

    def _view_text(self, span: str, array: ir.ArrayName, shape, steps, gathered) -> str:
        if gathered is not None:
            return f"ct::gather_scatter_view{{{span}, {self.shape(shape)}, {gathered}_ic}}"
        if steps is None:
            return f"ct::partition_view{{{span}, {self.shape(shape)}}}"
        numbers = ", ".join(str(int(s)) for s in steps)
        strides = f"ct::strides<long long, {numbers}>{{}}" if array.type.wide else f"ct::strides{{{', '.join(f'{int(s)}_ic' for s in steps)}}}"
        return f"ct::strided_view{{{span}, {self.shape(shape)}, {strides}}}"

    def span_declarations(self, of: str = "") -> list[str]:
        """The spans of parameters, or of one slice."""
        chosen = [(name, array, order) for (_, order), (name, array) in self._spans.items() if self._is_of(array.name, of)]
        return [f"auto {name} = {self._span_text(array, order)};" for name, array, order in chosen]

    def _is_of(self, array: str, of: str) -> bool:
        return array == of if of else array not in self.local_arrays

    def slice_text(self, stmt: ir.Slice) -> str:
        """The span of a slice: the pointer moved, one extent changed, the strides kept."""
        array, kind = stmt.array, stmt.type
        stride = self._stride(array, stmt.axis) if array.type.strides is not None or stmt.axis < array.type.ndim - 1 else "1"
        wide = array.type.wide and stmt.start.type.dtype.bits < 64 and stride != "1"
        start = f"(long long)({self(stmt.start)})" if wide else self(stmt.start, MULTIPLY)
        offset = start if stride == "1" else f"{start} * {stride}"
        pointer = self.pointer(array) if self.is_literal(stmt.start, 0) else f"{self.pointer(array)} + {offset}"
        length = f"{self(stmt.stop, ADD)} - {self(stmt.start, ADD + 1)}" if not self.is_literal(stmt.start, 0) else self(stmt.stop)
        parts = [self._static(e.value, lambda a=a: length if a == stmt.axis else self.extent(array, a)) for a, e in enumerate(kind.extents)]
        if kind.strides is None:
            return f"ct::tensor_span{{{pointer}, {self._extents(parts, kind)}}}"
        strides = self._extents([self._static_stride(array, a) for a in range(kind.ndim)], kind)
        return f"ct::tensor_span{{{pointer}, ct::layout_strided_mapping{{{self._extents(parts, kind)}, {strides}}}}}"

    def foreign_text(self, stmt: ir.Foreign) -> str:
        """The span of an array that begins at an address; of one that the kernel was given, the signature's promises hold."""
        kind = stmt.type
        if stmt.origins:
            return self._promised(kind, self(stmt.pointer), [self(n) for n in stmt.shape], [self(n) for n in stmt.strides])
        extents = self._extents([self._static(e.value, lambda n=n: self(n)) for e, n in zip(kind.extents, stmt.shape)], kind)
        if kind.strides is None:
            return f"ct::tensor_span{{{self(stmt.pointer)}, {extents}}}"
        # A constant stride of 0 stays a run-time value, as for parameters.
        strides = self._extents([self._static(s.value or None, lambda n=n: self(n)) for s, n in zip(kind.strides, stmt.strides)], kind)
        return f"ct::tensor_span{{{self(stmt.pointer)}, ct::layout_strided_mapping{{{extents}, {strides}}}}}"

    @staticmethod
    def list_names(arrays: ir.ListName) -> list[str]:
        """The parameters of a list: its tables and their length."""
        name, kind = arrays.name, arrays.type.element
        extents = [extent_name(name, a) for a, e in enumerate(kind.extents) if e.value is None]
        strides = [stride_name(name, a) for a, e in enumerate(kind.strides or ()) if e.value is None]
        return [pointer_name(name), *extents, *strides, length_name(name)]

    def item_text(self, stmt: ir.Pick) -> str:
        """The span of one array of a list, with what the signature promises of it."""
        name, kind, index = stmt.list.name, stmt.type, self(stmt.index)
        extents = [f"{extent_name(name, a)}[{index}]" for a in range(kind.ndim)]
        return self._promised(kind, f"{pointer_name(name)}[{index}]", extents, [f"{stride_name(name, a)}[{index}]" for a in range(kind.ndim)])

    def _promised(self, kind: Array, pointer: str, extents: list[str], strides: list[str]) -> str:
        """A span of these parts, with what is known of them said to the compiler."""

        def known(value: ExtentOf, text: str) -> str:
            if value.value is not None:
                return f"{value.value}_ic" if value.value else "0"
            return f"ct::assume_bounded_below({f'ct::assume_divisible({text}, {value.divisor}_ic)' if value.divisor > 1 else text}, 0_ic)"

        if kind.alignment > kind.dtype.bytes:
            pointer = f"ct::assume_aligned({pointer}, {kind.alignment}_ic)"
        shape = self._extents([known(e, text) for e, text in zip(kind.extents, extents)], kind)
        if kind.strides is None:
            return f"ct::tensor_span{{{pointer}, {shape}}}"
        steps = self._extents([known(s, text) for s, text in zip(kind.strides, strides)], kind)
        return f"ct::tensor_span{{{pointer}, ct::layout_strided_mapping{{{shape}, {steps}}}}}"

    def _span_text(self, array: ir.ArrayName, order: tuple[int, ...]) -> str:
        kind: Array = array.type
        extents = self._extents([self._static(kind.extents[a].value, lambda a=a: self.extent(array, a)) for a in order], kind)
        pointer = self.pointer(array)
        if kind.strides is None and order == tuple(range(kind.ndim)):
            return f"ct::tensor_span{{{pointer}, {extents}}}"
        if kind.strides is None and order == (1, 0):
            return f"ct::tensor_span{{{pointer}, {extents}, ct::layout_left{{}}}}"
        strides = self._extents([self._static_stride(array, a) for a in order], kind)
        return f"ct::tensor_span{{{pointer}, ct::layout_strided_mapping{{{extents}, {strides}}}}}"

    @staticmethod
    def _static(value: int | None, text) -> str:
        return text() if value is None else f"{value}_ic"

    def _static_stride(self, array: ir.ArrayName, axis: int) -> str:
        if array.type.strides is None and axis == array.type.ndim - 1:
            return "1_ic"
        text = self._stride(array, axis)
        # A stride of 0 (a broadcast axis) must stay a run-time value: layouts want constant strides above 0.
        return f"{text}_ic" if text.isdigit() and text != "0" else text

    def _extents(self, parts: list[str], kind: Array) -> str:
        if not kind.wide:
            return f"ct::extents{{{', '.join(parts)}}}" if parts else "ct::extents<unsigned>{}"
        static = ", ".join(p.removesuffix("_ic") if p.endswith("_ic") else "ct::dynamic_extent" for p in parts)
        dynamic = ", ".join(p for p in parts if not p.endswith("_ic"))
        return f"ct::extents<long long, {static}>{{{dynamic}}}"

    def view_declarations(self, of: str = "") -> list[str]:
        """The views of parameters, or of one slice."""
        return [f"auto {name} = {text};" for name, text, array in self._views.values() if self._is_of(array, of)]


def _declared_dtype(value: Any) -> str:
    """The dtype that a named constant is declared with."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, float):
        return "f32"
    return "i32" if -(2**31) <= value < 2**31 else "i64" if -(2**63) <= value < 2**63 else "u64"
