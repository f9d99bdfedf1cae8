"""`print`, `ct.printf` and their parts: lines of scalars, and loops over the elements of tiles."""

from __future__ import annotations

import ast
import dataclasses
import enum
import re

from tile2cpp import dtypes, ir
from tile2cpp.errors import TileTypeError
from tile2cpp.lower import combining, wording
from tile2cpp.lower.objects import written_method
from tile2cpp.lower.values import Constant, Instance, Runtime, TextValue, TupleValue, Value, describe
from tile2cpp.ops.debug import Piece, check_piece, check_pieces, pieces_of, print_line
from tile2cpp.ops.shape import extract, item, reshape
from tile2cpp.types import Tile, Weak

MOST_IN_LINE = 16  # larger tiles are printed by a loop
SPEC = re.compile(r"([<>])?([+ ])?(#)?(0)?(\d*)(\.\d+)?([dxXobeEfFgG])?")


def printf(frame, node: ast.Call, callee: str) -> Value:
    """`ct.printf(format, *args)`: a line; tiles stand in it as nested lists, each element in the specifier's format."""
    combining.no_output(frame, node)
    (values, keywords), (nodes, _) = frame._evaluate_arguments(node)
    if not values or keywords or not isinstance(values[0], Constant) or not isinstance(values[0].value, str):
        known_as = 'Invalid argument "format" of printf(): Expected a string constant, but given value is not constant'
        raise frame.fault(nodes[0] if nodes else node, f"{callee} takes a constant format, then what it prints", known_as=known_as)
    for value, place in zip(values[1:], nodes[1:]):
        if not isinstance(value, Runtime) and not (isinstance(value, Constant) and value.is_number):
            raise frame.fault(place, f"{callee} prints tiles and numbers, but this is {describe(value)}")
    with frame.rejecting(node, {"format": nodes[0]}, callee):
        pieces = pieces_of(values[0].value)
        check_pieces(pieces, tuple(v.type if isinstance(v, Runtime) else Weak(v.value) for v in values[1:]))
    line = Line(frame)
    for piece, value in zip(pieces, values[1:]):
        line.text(piece.text)
        line.shown(_expression(frame, value), piece)
    line.text(pieces[-1].text)
    line.finish()
    return Constant(None)


def print_(frame, node: ast.Call) -> Value:
    """`print(...)`: what Python would show, in one line where it is short."""
    combining.no_output(frame, node)
    (values, keywords), (nodes, keyword_nodes) = frame._evaluate_arguments(node)
    words = {"sep": " ", "end": "\n"}
    for name, value in keywords.items():
        if name not in words:
            written = next((k for k in node.keywords if k.arg == name), None)
            place = wording.keyword_span(frame.span(written), name) if written else keyword_nodes[name]
            raise frame.fault(place, f"print on the device takes `sep` and `end` only, not `{name}`", kind=TileTypeError)
        if not isinstance(value, Constant) or not isinstance(value.value, (str, type(None))):
            raise frame.fault(keyword_nodes[name], f"`{name}` must be a constant string, but this is {describe(value)}")
        words[name] = value.value if value.value is not None else words[name]
    line = Line(frame)
    for position, (value, place) in enumerate(zip(values, nodes)):
        line.text(words["sep"] if position else "")
        line.value(value, place)
    line.text(words["end"])
    line.finish()
    return Constant(None)


class Line:
    """Gathers text and numbers, and prints them when a loop must come between, or at the end."""

    def __init__(self, frame):
        self.frame = frame
        self.pieces: list[Piece] = []
        self.numbers: list = []
        self.pending = ""

    def text(self, text: str) -> None:
        self.pending += text

    def number(self, expr, piece: Piece) -> None:
        self.pieces.append(Piece(self.pending, piece.style, piece.conversion))
        self.numbers.append(expr)
        self.pending = ""
        if len(self.numbers) >= 2 * MOST_IN_LINE:
            self.finish()

    def finish(self) -> None:
        if self.pieces or self.pending:
            _line(self.frame, [*self.pieces, Piece(self.pending)], self.numbers)
        self.pieces, self.numbers, self.pending = [], [], ""

    def value(self, value: Value, place: ast.AST, spec: str = "", quoted: bool = False) -> None:
        """A value as Python prints it; `quoted` inside of a tuple or an object, where strings show their quotes."""
        match value:
            case TextValue():
                self._formatted(value, place, quoted)
            case TupleValue():
                if spec:
                    raise self.frame.fault(place, f"the format `{spec}` does not fit a tuple", hint="format its items", known_as="cannot apply format spec to a tuple value")
                self.text("(")
                for position, inner in enumerate(value.items):
                    self.text(", " if position else "")
                    self.value(inner, place, quoted=True)
                self.text(",)" if len(value.items) == 1 else ")")
            case Instance():
                self._object(value, place, quoted)
            case Runtime():
                self.tile(value.expr, place, spec)
            case Constant() if quoted and isinstance(value.value, (str, enum.Enum)):
                self.text(repr(value.value))
            case Constant():
                self.text(format(value.value, spec) if spec else str(value.value))
            case _:
                raise self.frame.fault(place, f"{describe(value)} cannot be printed")

    def _formatted(self, value: TextValue, place: ast.AST, quoted: bool) -> None:
        """A formatted string; its quotes follow from the parts that are known."""
        texts = [text for text, _ in value.texts] + [value.end]
        quote = repr("".join(texts) or " ")[0] if quoted else ""
        shown = [repr(text + ("'" if quote == '"' else '"'))[1:-2].replace("\\'", "'").replace("'", "\\'" if quote == "'" else "'") if quoted else text for text in texts]
        self.text(quote)
        for text, (_, spec), inner in zip(shown, value.texts, value.values):
            self.text(text)
            self.value(inner, place, spec)
        self.text(shown[-1] + quote)

    def _object(self, value: Instance, place: ast.AST, quoted: bool) -> None:
        """A dataclass: by its own `__str__` or `__repr__`, or as `dataclass` shows it."""
        cls, frame = value.cls, self.frame
        if written_method(cls, "__format__"):
            raise frame.fault(place, f"`{cls.__name__}` has a `__format__` of its own, which does not run on the device", hint="write `__str__`", known_as="Printing dataclasses with custom __format__() is not supported")
        own = None if quoted else written_method(cls, "__str__")
        own = own or written_method(cls, "__repr__")
        if own is not None:
            self.value(frame.call_bound(own, value, [], place), place)
        elif not cls.__dataclass_params__.repr:
            self.text(f"<{cls.__qualname__} object>")
        else:
            self.text(f"{cls.__qualname__}(")
            shown = [f.name for f in dataclasses.fields(cls) if f.repr]
            for position, name in enumerate(shown):
                self.text(f"{', ' if position else ''}{name}=")
                self.value(dict(value.items)[name], place, quoted=True)
            self.text(")")

    def tile(self, expr, place: ast.AST, spec: str) -> None:
        self.shown(expr, _piece(self.frame, expr.type, place, spec))

    def shown(self, expr, piece: Piece) -> None:
        """A scalar, or a tile as nested lists."""
        if not expr.type.shape:
            self.number(_printable(self.frame, expr), piece)
            return
        frame = self.frame
        flat = frame.stable(_flat(frame, expr), "printed")
        if expr.type.size <= MOST_IN_LINE:
            self._nested(flat, expr.type.shape, piece, 0)
            return
        self.text("[" * len(expr.type.shape))
        self.finish()
        _for_each(frame, expr.type.size, lambda i: self._in_loop(flat, expr.type, piece, i))
        self.text("]" * len(expr.type.shape))

    def _nested(self, flat, shape: tuple, piece: Piece, start: int) -> None:
        """The elements in nested brackets, all in one line."""
        if not shape:
            self.number(_printable(self.frame, _element(self.frame, flat, ir.Literal(start, Tile(dtypes.int32)))), piece)
            return
        step = flat.type.size if not shape else 1
        for extent in shape[1:]:
            step *= int(extent)
        self.text("[")
        for i in range(int(shape[0])):
            self.text(", " if i else "")
            self._nested(flat, shape[1:], piece, start + i * step)
        self.text("]")

    def _in_loop(self, flat, tile: Tile, piece: Piece, i) -> None:
        """One element of a large tile, with what stands before it: brackets where a row ends, a comma."""
        frame, zero = self.frame, ir.Literal(0, Tile(dtypes.int32))
        _when(frame, ">", i, zero, lambda: self._before(tile.shape, i))
        _line(frame, [Piece("", piece.style, piece.conversion), Piece("")], [_element(frame, flat, i)])

    def _before(self, shape: tuple, i) -> None:
        frame, size = self.frame, 1
        zero = ir.Literal(0, Tile(dtypes.int32))
        for extent in reversed(shape[1:]):
            size *= int(extent)
            rest = _operation(frame, "%", i, ir.Literal(size, Tile(dtypes.int32)))
            _when(frame, "==", rest, zero, lambda: _line(frame, [Piece("]")], []))
        _line(frame, [Piece(", ")], [])
        size = 1
        for extent in reversed(shape[1:]):
            size *= int(extent)
            rest = _operation(frame, "%", i, ir.Literal(size, Tile(dtypes.int32)))
            _when(frame, "==", rest, zero, lambda: _line(frame, [Piece("[")], []))


def _piece(frame, tile: Tile, place: ast.AST, spec: str) -> Piece:
    """Python's format spec as C's."""
    if tile.dtype.kind == "pointer":
        raise frame.fault(place, f"only numbers are printed, not {tile}")
    floating = tile.dtype.is_float or tile.dtype.kind == "restricted"
    found = SPEC.fullmatch(spec)
    if found is None:
        raise frame.fault(place, f"the format `{spec}` cannot be printed on the device", hint="use specs such as :.3f, :d, :#x, :>5", kind=TileTypeError)
    align, sign, sharp, zero, width, precision, kind = (g or "" for g in found.groups())
    kind = kind or ("f" if floating and not precision else "g" if floating else "d")
    piece = Piece("", f"{'-' * (align == '<' or (not align and False))}{sign}{sharp}{zero}{width}{precision}", kind)
    if kind == "b" or (kind in "dxXo") == floating:
        raise frame.fault(place, f"`{spec}` does not fit {tile.dtype}", hint="use d for integers, f for floats", kind=TileTypeError)
    check_piece("", piece, tile)
    return piece


# --- expressions and statements -----------------------------------------------------


def _expression(frame, value: Value):
    if isinstance(value, Runtime):
        return value.expr
    return frame.convert(value, frame._own_type(Weak(value.value)))


def _flat(frame, expr):
    if len(expr.type.shape) == 1:
        return expr
    return frame._call_of(reshape, Tile(expr.type.dtype, (expr.type.size,)), x=expr, shape=(expr.type.size,))


def _element(frame, expr, i):
    """Element `i` of a flat tile; a scalar is the same for all."""
    if not expr.type.shape:
        return expr
    if expr.type.size == 1:
        return frame._call_of(item, Tile(expr.type.dtype), x=expr)
    part = frame._call_of(extract, Tile(expr.type.dtype, (1,)), x=expr, index=(i,), shape=(1,))
    return frame._call_of(item, Tile(expr.type.dtype), x=part)


def _printable(frame, expr):
    """What printf takes: int or larger, float or double."""
    dtype = expr.type.dtype
    wanted = dtype
    if dtype.kind in ("bool", "int", "uint") and dtype.bits < 32:
        wanted = dtypes.uint32 if dtype.kind == "uint" else dtypes.int32
    elif dtype not in (dtypes.float32, dtypes.float64) and not dtype.is_integral:
        wanted = dtypes.float32
    return frame.convert(Runtime(expr), Tile(wanted))


def _line(frame, pieces: list[Piece], exprs: list) -> None:
    values = tuple(_printable(frame, e) for e in exprs)
    frame.emit(ir.Do(ir.Call(print_line, (("pieces", tuple(pieces)), ("values", values)), None), frame.take_note()))


def _for_each(frame, size: int, body) -> None:
    name = frame.names.fresh("element")
    with frame.block() as inner:
        body(ir.Name(name, Tile(dtypes.int32), True))
    counted = Tile(dtypes.int32)
    frame.emit(ir.For(name, ir.Literal(0, counted), ir.Literal(size, counted), None, tuple(inner.out)))


def _when(frame, symbol: str, x, y, body) -> None:
    with frame.block() as inner:
        body()
    frame.emit(ir.If(_operation(frame, symbol, x, y), tuple(inner.out), ()))


def _operation(frame, symbol: str, x, y):
    from tile2cpp.ops import OPERATORS

    return frame.apply(OPERATORS[symbol], {"x": Runtime(x), "y": Runtime(y)}, ast.Constant(0, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0), {}).expr
