"""`print`, `ct.printf` and their parts: lines of scalars, and loops over the elements of tiles."""

from __future__ import annotations

import ast
import re

from tile2cpp import dtypes, ir
from tile2cpp.errors import TileTypeError
from tile2cpp.lower import combining, wording
from tile2cpp.lower.values import Constant, Runtime, TextValue, TupleValue, Value, describe
from tile2cpp.ops.debug import Piece, check_piece, check_pieces, pieces_of, print_line
from tile2cpp.ops.shape import extract, item, reshape
from tile2cpp.types import Tile, Weak

MOST_IN_LINE = 16  # larger tiles are printed by a loop
SPEC = re.compile(r"([<>])?([+ ])?(#)?(0)?(\d*)(\.\d+)?([dxXobeEfFgG])?")


def printf(frame, node: ast.Call, callee: str) -> Value:
    """`ct.printf(format, *args)`: a line; with tiles, one for each element."""
    combining.no_output(frame, node)
    (values, keywords), (nodes, _) = frame._evaluate_arguments(node)
    if not values or keywords or not isinstance(values[0], Constant) or not isinstance(values[0].value, str):
        raise frame.fault(nodes[0] if nodes else node, f"{callee} takes a constant format, then what it prints")
    for value, place in zip(values[1:], nodes[1:]):
        if not isinstance(value, Runtime) and not (isinstance(value, Constant) and value.is_number):
            raise frame.fault(place, f"{callee} prints tiles and numbers, but this is {describe(value)}")
    with frame.rejecting(node, {"format": nodes[0]}, callee):
        pieces = pieces_of(values[0].value)
        check_pieces(pieces, tuple(v.type if isinstance(v, Runtime) else Weak(v.value) for v in values[1:]))
    exprs = [_expression(frame, v) for v in values[1:]]
    shapes = {tuple(e.type.shape) for e in exprs if e.type.shape}
    if len(shapes) > 1:
        raise frame.fault(node, f"{callee}: all tiles must have one shape, but they have {' and '.join(map(str, sorted(shapes)))}")
    if not shapes:
        _line(frame, pieces, exprs)
        return Constant(None)
    size = max(e.type.size for e in exprs)
    flat = [frame.stable(_flat(frame, e), "printed") if e.type.shape else frame.stable(e, "printed") for e in exprs]
    _for_each(frame, size, lambda i: _line(frame, pieces, [_element(frame, e, i) for e in flat]))
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

    def value(self, value: Value, place: ast.AST, spec: str = "") -> None:
        match value:
            case TextValue():
                for (text, inner_spec), inner in zip(value.texts, value.values):
                    self.text(text)
                    self.value(inner, place, inner_spec)
                self.text(value.end)
            case TupleValue():
                self.text("(")
                for position, inner in enumerate(value.items):
                    self.text(", " if position else "")
                    self.value(inner, place)
                self.text(",)" if len(value.items) == 1 else ")")
            case Runtime():
                self.tile(value.expr, place, spec)
            case Constant():
                self.text(format(value.value, spec) if spec else str(value.value))
            case _:
                raise self.frame.fault(place, f"{describe(value)} cannot be printed")

    def tile(self, expr, place: ast.AST, spec: str) -> None:
        piece = _piece(self.frame, expr.type, place, spec)
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
