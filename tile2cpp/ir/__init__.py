"""The typed tile IR: a tree that is read back as C++.

Lowering makes it, passes rewrite it, emission prints it. Operands are explicit: every
conversion that Python makes silently stands here as a call.
"""

from tile2cpp.ir.changing import changed, with_blocks, with_roots
from tile2cpp.ir.nodes import (
    ArrayName, Break, Call, Comment, Constant, Continue, Declare, Do, Expr, Extent, Feed, Field, For, Foreign, Function, If, Invoke, Kernel,
    Length, Let, ListName, Literal, Name, Note, Param, Pick, Pointer, Return, Set, Slice, Stmt, Unpack, ViewName, While,
)  # fmt: skip
from tile2cpp.ir.walking import blocks, calls, children, expand, expressions, rebuild, roots, sources, statements, steps_to, walk

__all__ = [
    "ArrayName", "Break", "Call", "Comment", "Constant", "Continue", "Declare", "Do", "Expr", "Extent", "Feed", "Field", "For", "Foreign", "Function", "If", "Invoke", "Kernel",
    "Length", "Let", "ListName", "Literal", "Name", "Note", "Param", "Pick", "Pointer", "Return", "Set", "Slice", "Stmt", "Unpack", "ViewName", "While",
    "blocks", "calls", "changed", "children", "expand", "expressions", "rebuild", "roots", "sources", "statements", "steps_to", "walk", "with_blocks", "with_roots",
]  # fmt: skip
