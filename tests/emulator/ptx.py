"""PTX text as statements: what is declared, and instructions with the scope that their names belong to.

Only what NVRTC writes for a module with one entry is known: no functions besides it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .errors import EmulationError

SIZES = {"pred": 1, "b8": 8, "u8": 8, "s8": 8, "b16": 16, "u16": 16, "s16": 16, "f16": 16, "bf16": 16, "b32": 32, "u32": 32, "s32": 32, "f32": 32,
         "f16x2": 32, "u16x2": 32, "bf16x2": 32, "tf32": 32, "b64": 64, "u64": 64, "s64": 64, "f64": 64}  # fmt: skip
LABEL = re.compile(r"([A-Za-z_$%][\w$]*)\s*:(?!:)")
GUARD = re.compile(r"@(!?)([\w$%]+)\s+")
VARIABLE = re.compile(r"\.(\w+)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d*)\])?\s*(?:=\s*(.+))?$", re.S)
PARAMETER = re.compile(r"\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d+)\])?")


@dataclass
class Scope:
    """Names between two braces: registers (with their type) and labels (with the number of an instruction)."""

    parent: "Scope | None" = None
    registers: dict[str, tuple] = field(default_factory=dict)  # name -> (type, key)
    labels: dict[str, int] = field(default_factory=dict)

    def register(self, name: str) -> tuple | None:
        scope = self
        while scope is not None:
            if name in scope.registers:
                return scope.registers[name]
            scope = scope.parent
        return None

    def label(self, name: str) -> int:
        scope = self
        while scope is not None:
            if name in scope.labels:
                return scope.labels[name]
            scope = scope.parent
        raise EmulationError(f"no label {name}")


@dataclass
class Instruction:
    opcode: str
    operands: list[str]
    guard: tuple[bool, str] | None  # whether it is negated, and the name of a predicate
    scope: Scope
    text: str

    @property
    def parts(self) -> list[str]:
        return self.opcode.split(".")


@dataclass
class Variable:
    space: str
    align: int
    bytes: int
    contents: bytes = b""


@dataclass
class Module:
    entry: str
    parameters: list[tuple[str, int, int]]  # name, bytes, alignment
    variables: dict[str, Variable]
    instructions: list[Instruction]
    threads: int
    blocks: int  # that have to fit a multiprocessor


def parse(text: str) -> Module:
    text = re.sub(r"//[^\n]*", "", text)
    found = re.search(r"\.visible\s+\.entry\s+([\w$]+)\s*\(", text)
    if not found:
        raise EmulationError("the module has no entry")
    head, close = text[: found.start()], text.index(")", found.end())
    open_body = text.index("{", close)
    directives = text[close:open_body]
    parameters = [_parameter(p) for p in text[found.end() : close].split(",") if p.strip()]
    variables: dict[str, Variable] = {}
    for line in head.split(";"):
        line = re.sub(r"\.(version|target|address_size)[^\n]*", "", line).strip()
        if line:
            _declare(line.replace(".visible", "").replace(".extern", "").replace(".weak", "").strip(), variables)
    body = _Body(text, open_body, variables)
    threads = re.search(r"\.maxntid\s+(\d+)", directives)
    blocks = re.search(r"\.minnctapersm\s+(\d+)", directives)
    return Module(found[1], parameters, variables, body.instructions, int(threads[1]) if threads else 0, int(blocks[1]) if blocks else 1)


def _parameter(text: str) -> tuple[str, int, int]:
    found = PARAMETER.search(text)
    size = SIZES[found[2]] // 8
    return found[3], size * int(found[4] or 1), int(found[1] or size)


def _declare(text: str, variables: dict[str, Variable]) -> None:
    found = VARIABLE.match(text)
    if not found:
        raise EmulationError(f"not understood: {text[:80]}")
    space, align, kind, name, count, value = found.groups()
    size = SIZES[kind] // 8
    length = size * (1 if count is None else int(count or 0))
    contents = b""
    if value is not None:
        items = value.strip().strip("{}").split(",")
        if all(re.fullmatch(r"\s*-?\w+\s*", item) and not re.match(r"\s*[A-Za-z_]", item) for item in items):
            contents = b"".join((number(item.strip(), kind) & (1 << 8 * size) - 1).to_bytes(size, "little") for item in items)
    variables[name] = Variable(space, int(align or size), length, contents)


def number(text: str, kind: str) -> int:
    """The bits of a literal as an integer, which may be negative."""
    if text[:2] in ("0f", "0F"):
        return int(text[2:], 16)
    if text[:2] in ("0d", "0D"):
        return int(text[2:], 16)
    if kind in ("f32", "f64"):
        import struct

        return int.from_bytes(struct.pack("<f" if kind == "f32" else "<d", float(text)), "little")
    return int(text.rstrip("U"), 0)


class _Body:
    """The statements of the entry, scope by scope."""

    def __init__(self, text: str, start: int, variables: dict[str, Variable]):
        self.instructions: list[Instruction] = []
        self.variables = variables
        self._registers = 0
        scope, at = None, start
        while True:
            while at < len(text) and text[at].isspace():
                at += 1
            if at >= len(text):
                return
            label = LABEL.match(text, at)
            if text[at] == "{":
                scope, at = Scope(scope), at + 1
            elif text[at] == "}":
                scope, at = scope.parent, at + 1
                if scope is None:
                    return
            elif label:
                scope.labels[label[1]] = len(self.instructions)
                at = label.end()
            else:
                end = text.index(";", at)
                self._statement(" ".join(text[at:end].split()), scope)
                at = end + 1

    def _statement(self, text: str, scope: Scope) -> None:
        if text.startswith(".reg"):
            _, kind, names = text.split(None, 2)
            for name in names.split(","):
                self._register(name.strip(), kind[1:], scope)
        elif text.startswith(".pragma"):
            pass
        elif text.startswith("."):
            _declare(text, self.variables)
        elif text:
            guard = GUARD.match(text)
            rest = text[guard.end() :] if guard else text
            opcode, _, operands = rest.partition(" ")
            condition = (guard[1] == "!", guard[2]) if guard else None
            self.instructions.append(Instruction(opcode, split(operands), condition, scope, text))

    def _register(self, name: str, kind: str, scope: Scope) -> None:
        many = re.fullmatch(r"([\w$%]+)<(\d+)>", name)
        for each in [f"{many[1]}{i}" for i in range(int(many[2]))] if many else [name]:
            scope.registers[each] = (kind, self._registers)
            self._registers += 1


def split(text: str) -> list[str]:
    """Operands between commas; those in braces and brackets stay together."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        if sign in "{[(":
            depth += 1
        elif sign in "}])":
            depth -= 1
        elif sign == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return parts + [last] if last else parts
