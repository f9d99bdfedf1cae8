"""The PTX of `backend/byte_shift.hpp`, run here statement by statement; the C++ beside it is tested by `core/byte_shift.cpp`."""

import re
from pathlib import Path

import pytest

HEADER = (Path(__file__).parents[2] / "include" / "tile2cpp" / "backend" / "byte_shift.hpp").read_text()
ASSEMBLY = re.search(r"asm\((.*?)\);\n", HEADER, re.S)[1]
TEXT, OPERANDS = "".join(re.findall(r'^\s*(?:asm\()?"(.*)"$', ASSEMBLY, re.M)), re.findall(r'"=?r"\((\S+?)\)', ASSEMBLY)
MASK = 0xFFFFFFFF


def value(registers: dict, operand: str):
    return registers[operand] if operand in registers else int(operand)


def run(text: str, registers: dict) -> None:
    """Executes the few instructions that are used."""
    for statement in filter(None, (part.strip() for part in text.strip("{}").split(";"))):
        if statement.startswith(".reg"):
            continue
        name, operands = statement.split(" ", 1)
        to, *given = (operand.strip() for operand in operands.split(","))
        x = [value(registers, operand) for operand in given]
        match name:
            case "and.b32":
                registers[to] = x[0] & x[1]
            case "shl.b32":
                registers[to] = x[0] << x[1] & MASK
            case "setp.ne.b32":
                registers[to] = x[0] != x[1]
            case "selp.b32":
                registers[to] = x[0] if x[2] else x[1]
            case "shf.r.wrap.b32":  # low word, high word, bits
                registers[to] = (x[1] << 32 | x[0]) >> (x[2] & 31) & MASK
            case _:
                raise AssertionError(f"unknown: {statement}")


@pytest.mark.parametrize("start", [*range(16), 0xFFFFFFF3])
def test_words_are_shifted(start):
    words = [0x03020100 + 0x04040404 * i for i in range(8)]  # bytes 0 to 31
    given = {f"{half}.{member}": words[4 * (half == "high") + i] for half in ("low", "high") for i, member in enumerate("xyzw")} | {"start": start}
    registers = {f"%{number}": given.get(operand, 0) for number, operand in enumerate(OPERANDS)}
    run(TEXT, registers)
    found = {operand: registers[f"%{number}"] for number, operand in enumerate(OPERANDS)}
    shifted = b"".join(found[f"found.{member}"].to_bytes(4, "little") for member in "xyzw")
    assert shifted == bytes(range(start % 16, start % 16 + 16))
