"""Printing and checking while a kernel runs.

C++ prints formatted lines and asserts conditions; what the author writes is put together
from these when a kernel is translated (`lower/printing.py`).
"""

from __future__ import annotations

import builtins
import re
from dataclasses import dataclass

import numpy as np

from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.rules import dtype_of, is_restricted
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile, Weak

SPECIFIER = re.compile(r"%(?:%|([-+ #0]*)(\d*)(\.\d+)?(hh|h|ll|l|j|z|t|L)?([a-zA-Z]))")
INTEGER, FLOATING = "diuoxX", "eEfFgGaA"


@dataclass(frozen=True)
class Piece:
    """Text, then a number in the C format `%{style}{conversion}`; no conversion at the end."""

    text: str
    style: str = ""
    conversion: str = ""


def pieces_of(format: str) -> list[Piece]:
    """A C format taken apart; its length modifiers follow from the dtypes, so they are dropped."""
    pieces, text, position = [], "", 0
    while position < len(format):
        found = SPECIFIER.match(format, position)
        if found is None and format[position] == "%":
            raise Reject("format", f"`{format[position : position + 2]}` is no format specifier", hint="write %% for a percent sign", known_as="Invalid format string")
        if found is None or found[0] == "%%":
            text += format[position]
            position += len(found[0]) if found else 1
            continue
        flags, width, precision, _, conversion = (g or "" for g in found.groups())
        if conversion not in INTEGER + FLOATING:
            raise Reject("format", f"%{conversion} is not among the specifiers {' '.join(INTEGER + FLOATING)}", known_as=f"Specifier {conversion} in {found[0]} is not supported")
        pieces.append(Piece(text, flags + width + precision, conversion))
        text, position = "", found.end()
    return [*pieces, Piece(text)]


def check_pieces(pieces: list[Piece], values: tuple) -> None:
    """The specifiers must fit the arguments, in number and kind."""
    wanted = [p for p in pieces if p.conversion]
    if len(wanted) != len(values):
        raise Reject("format", f"{len(wanted)} specifier{'s' * (len(wanted) != 1)}, but {len(values)} argument{'s' * (len(values) != 1)}", known_as=f"{'Not enough' if len(values) < len(wanted) else 'Too many'} arguments for format string")
    for position, (piece, value) in enumerate(zip(wanted, values)):
        check_piece("format", piece, value, position)


def check_piece(parameter: str, piece: Piece, value: Tile | Weak, position: int = 0) -> None:
    dtype = dtype_of(value)
    floating = dtype.is_float or is_restricted(value)
    known_as = f"Format %{piece.conversion} for arg #{position} got unexpected type of {dtype}"
    if piece.conversion in INTEGER and floating:
        raise Reject(parameter, f"%{piece.conversion} prints integers, but this is {dtype}", hint="use %f", known_as=known_as)
    if piece.conversion in FLOATING and not floating:
        raise Reject(parameter, f"%{piece.conversion} prints floats, but this is {dtype}", hint="use %d", known_as=known_as)


def printed_as(piece: Piece, dtype) -> str:
    """The specifier for C's printf, with the length that the dtype has."""
    conversion = "u" if piece.conversion in "di" and dtype.kind == "uint" else piece.conversion
    length = "ll" if dtype.is_integral and dtype.bits == 64 else ""
    return f"%{piece.style}{length}{conversion}"


def text_as_format(text: str) -> str:
    """Text inside a C string literal that printf takes for a format."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return "".join({"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(ch, ch) for ch in escaped)


# --- what is printed in C++ ---------------------------------------------------------


def _spell_line(call, c) -> Spelled:
    pieces, values = call["pieces"], list(call["values"])
    text, arguments = "", []
    for piece in pieces:
        text += text_as_format(piece.text)
        if piece.conversion:
            value = values.pop(0)
            text += printed_as(piece, value.type.dtype)
            arguments.append(c(value))
    return Spelled(f'printf({", ".join([chr(34) + text + chr(34), *arguments])})')


@op(name="print_line", public=False, effect="print", cpp=_spell_line, numpy=lambda pieces, values: None)
def print_line(pieces: Const, values: Tiles) -> None:
    """Print one line, or a part of it, of scalars."""
    return None


def _spell_assertion(call, c) -> Spelled:
    cond, message = call["cond"], call["message"]
    text = c(cond)
    for axis in reversed(range(len(cond.type.shape))):
        text = f"ct::all_of({text}, {axis}_ic)"
    text = f"bool({text})" if cond.type.shape else text
    if message is None:
        return Spelled(f"assert({text})")
    words = text_as_format(message).replace("%%", "%")
    return Spelled(f'assert(({text}) && "{words}")')


def _assert_numpy(cond, message, block):
    if not np.all(cond):
        raise AssertionError(f"{message or 'assertion failed'} (block {block.index})")


@op(name="assert_", effect="print", cpp=_spell_assertion, numpy=_assert_numpy)
def assert_(cond: Tile, /, message: Const = None) -> None:
    """Stop the kernel with `message` unless every element of `cond` is true."""
    if dtype_of(cond).kind != "bool":
        raise Reject("cond", f"an assertion needs a bool, but this is {cond}", hint="compare, for example with != 0")
    if message is not None and not isinstance(message, str):
        raise Reject("message", f"`message` must be a constant string, not {message!r}")
    return Typed(None, {"cond": Tile(dtype_of(cond), cond.shape)})


# --- what the author writes ---------------------------------------------------------


def _printf_numpy(format, args):
    pieces = pieces_of(format)
    shown = (_as_lists(piece, np.asarray(value)) for piece, value in zip(pieces, args))
    builtins.print("".join(p.text + (next(shown) if p.conversion else "") for p in pieces), end="")


def _as_lists(piece: Piece, value: np.ndarray) -> str:
    """A number in the piece's format, a tile as nested lists of such."""
    if value.shape:
        return f"[{', '.join(_as_lists(piece, item) for item in value)}]"
    if piece.conversion in "aA":
        return float.hex(float(value))
    return f"%{piece.style}{piece.conversion}" % value.item()


@op(cpp='printf("")', numpy=_printf_numpy, effect="print")
def printf(format: Const, *args: Tiles) -> None:
    """Print with a C format (d i u o x X e E f F g G a A); tiles are shown as nested lists."""
    if not isinstance(format, str):
        raise Reject("format", f"`format` must be a constant string, not {format!r}")
    check_pieces(pieces_of(format), args)
    return Typed(None, {"args": tuple(Tile(dtype_of(a), a.shape) for a in args)})


@op(name="print", cpp="", numpy=lambda: None, effect="print")
def print_(*args: Printed, sep: Const = " ", end: Const = "\n") -> None:
    """Print strings, numbers, tiles and tuples of them as Python does."""
    return None
