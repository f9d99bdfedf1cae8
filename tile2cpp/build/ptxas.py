"""What the assembler's log says of a kernel: registers, stack, spills, and warnings that cost speed."""

from __future__ import annotations

import re
from typing import Any

NUMBERS = {
    "registers": re.compile(r"Used (\d+) registers"),
    "shared_bytes": re.compile(r"(\d+) bytes smem"),
    "stack_bytes": re.compile(r"(\d+) bytes stack frame"),
    "spill_stores": re.compile(r"(\d+) bytes spill stores"),
    "spill_loads": re.compile(r"(\d+) bytes spill loads"),
}
SERIALISED = re.compile(r"\bC75(?!17)\d\d\b")  # matrix instructions that wait for each other, and why; C7517 only says where a wait was added


def read_log(log: str) -> dict[str, Any]:
    """The largest of each number, and the C75xx codes."""
    facts: dict[str, Any] = {name: max(map(int, pattern.findall(log)), default=0) for name, pattern in NUMBERS.items()}
    return {**facts, "serialised": sorted(set(SERIALISED.findall(log)))}
