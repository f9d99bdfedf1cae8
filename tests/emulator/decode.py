"""Instructions as functions of a warp and a mask.

The registers of a warp are rows of 32 lanes in one array for each width. An operand is decoded to the number of a row
seen as a type, an index into `warp.rows`; literals and special registers have rows, too. A mask is True for
all lanes, else an array of 32 booleans, so that it fits the `where` of NumPy's functions.

An instruction returns None to go on, the number of the next instruction, or one of the objects of `warp`.
"""

from __future__ import annotations

from typing import Callable

import numpy as np

from .errors import EmulationError
from .flow import meeting_points
from .ptx import SIZES, Instruction, Module, number

LANES = 32
# How rows of each width are seen.
VIEWS = {
    "pred": "pred", "b8": "u16", "u8": "u16", "s8": "s16", "b16": "u16", "u16": "u16", "s16": "s16", "f16": "f16", "bf16": "u16",
    "b32": "u32", "u32": "u32", "s32": "s32", "f32": "f32", "f16x2": "u32", "u16x2": "u32", "bf16x2": "u32", "tf32": "f32",
    "b64": "u64", "u64": "u64", "s64": "s64", "f64": "f64",
}  # fmt: skip
DTYPES = {"pred": np.bool_, "u16": np.uint16, "s16": np.int16, "f16": np.float16, "u32": np.uint32, "s32": np.int32, "f32": np.float32,
          "u64": np.uint64, "s64": np.int64, "f64": np.float64}  # fmt: skip
FILES = {1: np.bool_, 16: np.uint16, 32: np.uint32, 64: np.uint64}
SPECIAL = ("%tid", "%ntid", "%ctaid", "%nctaid")
EVERY, NOBODY = b"\1" * LANES, b"\0" * LANES

handlers: dict[str, Callable] = {}


def instruction(*names: str) -> Callable:
    """Registers what decodes instructions that begin with these names: from decoder and instruction to a function."""

    def register(function: Callable) -> Callable:
        for name in names:
            handlers[name] = function
        return function

    return register


class Decoder:
    """Decodes a module; afterwards it knows which rows a warp needs and what lies in them."""

    def __init__(self, module: Module, symbols: dict[str, int]):
        self.module, self.symbols = module, symbols
        self.counts = {size: 0 for size in FILES}
        self.constants: dict[tuple[int, int], int] = {}  # (width, bits) -> row
        self.specials: dict[str, int] = {}  # name -> row of 32 bits
        self.table: list[tuple[str, int, int]] = []  # view, width and row of each number
        self._numbers: dict[tuple[str, int], int] = {}
        self._rows: dict[int, tuple[int, int]] = {}  # register -> width, row
        self.reads: set[int] = set()
        self.writes: set[int] = set()
        self.operations, self.touched, self.written = [], [], []
        self.meeting, self.leaders = meeting_points(module.instructions)
        for self.at, each in enumerate(module.instructions):
            self.reads, self.writes = set(), set()
            self.operations.append(self._decode(each))
            self.touched.append(frozenset(self.reads | self.writes))
            self.written.append(frozenset(self.writes))

    def _decode(self, i: Instruction) -> Callable:
        handler = handlers.get(i.parts[0])
        if handler is None:
            raise EmulationError(f"unknown instruction: {i.text}")
        try:
            operation = handler(self, i)
        except (KeyError, IndexError, ValueError) as error:
            raise EmulationError(f"not understood: {i.text} ({error!r})") from error
        if i.guard and i.parts[0] != "bra":
            return guarded(operation, self.source(i.guard[1], "pred", i), i.guard[0])
        return operation

    # --- operands ---

    def source(self, text: str, kind: str, i: Instruction) -> int:
        """The row of an operand that is read as this type."""
        return self._number(*self._place(text, kind, i, self.reads), VIEWS[kind])

    def target(self, text: str, kind: str, i: Instruction) -> int:
        if text == "_":
            return self._number(SIZES[kind] if SIZES[kind] > 8 else 16, self._fresh(SIZES[kind] if SIZES[kind] > 8 else 16), VIEWS[kind])
        return self._number(*self._place(text, kind, i, self.writes), VIEWS[kind])

    def width(self, text: str, i: Instruction, default: int) -> int:
        """Bits of a register, which may be wider than what is converted, loaded or stored."""
        declared = i.scope.register(text)
        return SIZES[declared[0]] if declared else default

    def literal(self, text: str) -> int:
        return number(text, "s64")

    def vector(self, text: str) -> list[str]:
        return [t.strip() for t in text.strip("{}").split(",")] if text.startswith("{") else [text]

    def address(self, text: str, i: Instruction) -> tuple[int, int, str]:
        """`[base + offset]`: the row of the base, the offset, and the view of the row."""
        inner = text.strip()[1:-1].strip()
        base, offset = inner, 0
        for sign in "+-":
            at = inner.rfind(sign)
            if at > 0:
                base, offset = inner[:at].strip(), int(inner[at:].replace(" ", "").replace("+-", "-"), 0)
                break
        kind = "u32" if self.width(base, i, 64) == 32 else "u64"
        return self.source(base, kind, i), offset, kind

    def _place(self, text: str, kind: str, i: Instruction, touched: set[int]) -> tuple[int, int]:
        size = SIZES[kind] if SIZES[kind] != 8 else 16
        declared = i.scope.register(text)
        if declared:
            kind_of, key = declared
            if key not in self._rows:
                self._rows[key] = SIZES[kind_of], self._fresh(SIZES[kind_of])
            width, row = self._rows[key]
            if width != size:
                raise EmulationError(f"{text} has {width} bits, not {size}: {i.text}")
            touched.add(width << 20 | row)
            return width, row
        if text.startswith(SPECIAL) or text == "%laneid":
            if text not in self.specials:
                self.specials[text] = self._fresh(32)
            if size != 32:
                raise EmulationError(f"{text} has 32 bits: {i.text}")
            return 32, self.specials[text]
        bits = self.symbols[text] if text in self.symbols else number(text, kind)
        return size, self._constant(size, bits & (1 << size) - 1)

    def _constant(self, size: int, bits: int) -> int:
        if (size, bits) not in self.constants:
            self.constants[size, bits] = self._fresh(size)
        return self.constants[size, bits]

    def _fresh(self, size: int) -> int:
        self.counts[size] += 1
        return self.counts[size] - 1

    def _number(self, width: int, row: int, view: str) -> int:
        if np.dtype(DTYPES[view]).itemsize * 8 != width and width != 1:
            raise EmulationError(f"a register of {width} bits as {view}")
        if (view, row) not in self._numbers:
            self._numbers[view, row] = len(self.table)
            self.table.append((view, width, row))
        return self._numbers[view, row]

    def row_of(self, number: int) -> int:
        """The row in its file of a numbered one."""
        return self.table[number][2]

    def names(self, touched: frozenset) -> list[str]:
        """The names of some registers."""
        named = {width << 20 | row: key for key, (width, row) in self._rows.items()}
        wanted = {named[t] for t in touched if t in named}
        scopes = {id(i.scope): i.scope for i in self.module.instructions}.values()
        return sorted(name for scope in scopes for name, (_, key) in scope.registers.items() if key in wanted)

    # --- registers of a warp ---

    def files(self) -> dict[int, np.ndarray]:
        """Registers before the first instruction: literals, and bits that no program should use."""
        made = {size: np.full((max(1, count), LANES), True if size == 1 else (1 << size) - 1, FILES[size]) for size, count in self.counts.items()}
        for (size, bits), row in self.constants.items():
            made[size][row] = bits
        return made

    def rows(self, files: dict[int, np.ndarray]) -> list[np.ndarray]:
        views = {view: files[1 if view == "pred" else int(view[1:])].view(DTYPES[view]) for view in DTYPES}
        return [views[view][row] for view, _, row in self.table]


def guarded(operation: Callable, predicate: int, negated: bool) -> Callable:
    """Only for lanes where the predicate holds."""
    every, nobody = (NOBODY, EVERY) if negated else (EVERY, NOBODY)

    def run(w, m):
        p = w.rows[predicate]
        if m is True:
            bits = p.tobytes()
            if bits == every:
                return operation(w, True)
            if bits == nobody:
                return None
            return operation(w, ~p if negated else p.copy())
        mask = m & ~p if negated else m & p
        return operation(w, mask) if mask.any() else None

    return run
