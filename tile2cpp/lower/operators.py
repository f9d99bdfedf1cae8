"""Python's operators: the symbol of the op each means, and the function that folds constants."""

from __future__ import annotations

import ast
import operator

BINARY = {
    ast.Add: ("+", operator.add), ast.Sub: ("-", operator.sub), ast.Mult: ("*", operator.mul), ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv), ast.Mod: ("%", operator.mod), ast.Pow: ("**", operator.pow), ast.MatMult: ("@", operator.matmul),
    ast.BitAnd: ("&", operator.and_), ast.BitOr: ("|", operator.or_), ast.BitXor: ("^", operator.xor),
    ast.LShift: ("<<", operator.lshift), ast.RShift: (">>", operator.rshift),
}  # fmt: skip
COMPARE = {
    ast.Eq: ("==", operator.eq), ast.NotEq: ("!=", operator.ne), ast.Lt: ("<", operator.lt), ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt), ast.GtE: (">=", operator.ge),
}  # fmt: skip
UNARY = {ast.USub: ("unary -", operator.neg), ast.UAdd: ("unary +", operator.pos), ast.Invert: ("~", operator.invert), ast.Not: ("not", operator.not_)}

# The same by their functions, which are called like ops: `operator.add(x, y)`. With the number of operands.
FUNCTIONS = {function: (symbol, 2) for symbol, function in (*BINARY.values(), *COMPARE.values())}
FUNCTIONS |= {function: (symbol, 1) for symbol, function in UNARY.values()}
