"""Memory orders and scopes: which of them an operation takes, and which go together."""

from __future__ import annotations

from typing import Any

from tile2cpp.errors import Reject
from tile2cpp.ops.rules import member

ATOMIC = ("RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL")
SCOPES = ("NONE", "BLOCK", "DEVICE", "SYS")


def check_orders(opcode: str, memory_order: Any, memory_scope: Any, allowed: tuple[str, ...]) -> None:
    """Reject an order that is not `allowed`, and one without its scope. `opcode` is what cuTile's messages call the operation."""
    order = member("memory_order", memory_order, allowed, f"Invalid memory order for {opcode}. Got {memory_order}")
    scope = member("memory_scope", memory_scope, SCOPES, f"Invalid memory scope for {opcode}. Got {memory_scope}")
    if (order == "WEAK") == (scope == "NONE"):
        return
    known_as = f"{opcode} with {order} memory ordering " + ("cannot specify a memory scope" if order == "WEAK" else "requires a memory scope")
    hint = "give both, such as ct.MemoryOrder.ACQUIRE with ct.MemoryScope.DEVICE" + (", or neither" if "WEAK" in allowed else "")
    raise Reject("memory_order", f"memory order {order} does not go with scope {scope}", hint=hint, known_as=known_as)
