"""Expressions: names, literals, operators; attributes and subscripts are in `subscripts`."""

from __future__ import annotations

import ast
import builtins
import difflib
import enum
import operator

from tile2cpp import dtypes, ir
from tile2cpp.errors import TileSyntaxError, TileTypeError, TileValueError
from tile2cpp.lower import combining, wording
from tile2cpp.lower.circuits import Circuits
from tile2cpp.lower.objects import is_frozen_dataclass
from tile2cpp.lower.operators import BINARY, COMPARE, UNARY
from tile2cpp.lower.subscripts import Subscripts
from tile2cpp.lower.values import Binding, Closure, Constant, DictValue, Instance, Poison, Runtime, TupleValue, Value, describe
from tile2cpp.ops import OPERATORS
from tile2cpp.ops.compare import logical_and, logical_not, logical_or
from tile2cpp.types import Tile


class Expressions(Subscripts, Circuits):
    """Adds `value(node)`: the value of an expression."""

    def value(self, node: ast.expr) -> Value:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise self.fault(node, "this expression is not part of the tile language", kind=TileSyntaxError, code="syntax")
        return method(node)

    # --- names ----------------------------------------------------------------------

    def _name(self, node: ast.Name) -> Value:
        binding = self.lookup(node.id)
        if binding is not None:
            if isinstance(binding.value, Poison):
                why = binding.value.why
                raise why(self, node) if why else self.silent()
            return binding.value
        try:
            found = self.resolve(node.id)
        except KeyError:
            raise self._undefined(node) from None
        return self.python_value(found, node.id)

    def lookup(self, name: str) -> Binding | None:
        """A name of this function, or of the functions around it."""
        if name in self.env:
            return self.env[name]
        if name in self.assigned:
            return Binding(Poison(lambda frame, node: frame.fault(node, f"`{name}` is used before it is assigned", hint=f"assign `{name}` first", kind=TileSyntaxError)))
        return self.captured.get(name)

    def _undefined(self, node: ast.Name):
        known = [*self.env, *self.shared.global_names(self), *dir(builtins)]
        near = difflib.get_close_matches(node.id, known, 1)
        hint = f"did you mean `{near[0]}`?" if near else "define it in the kernel, or at the top level of the file"
        return self.fault(node, f"`{node.id}` is not defined", hint=hint, code="name", kind=TileSyntaxError)

    def python_value(self, found, name: str = "") -> Value:
        """A Python object met in the kernel as a value."""
        if type(found).__module__ == "numpy" and hasattr(found, "dtype") and getattr(found, "shape", None) == ():
            dtype = dtypes.as_dtype(found.dtype)
            return Runtime(ir.Literal(found.item(), Tile(dtype)))
        if isinstance(found, tuple) and not isinstance(found, enum.Enum):
            return TupleValue(tuple(self.python_value(item) for item in found))
        if is_frozen_dataclass(found):
            return self.instance_of(found)
        if name and isinstance(found, (bool, int, float)) and not isinstance(found, enum.Enum):
            return Constant(found, self.name_of_global(name, found))
        return Constant(found)

    def name_of_global(self, name: str, value) -> str:
        if name not in self.global_names:
            self.global_names[name] = self.names.fresh(name)
            self.constants[self.global_names[name]] = value
        return self.global_names[name]

    def _constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, (complex, bytes)):
            raise self.fault(node, f"{type(node.value).__name__} values are not part of the tile language", kind=TileSyntaxError, code="syntax")
        return Constant(node.value)

    def _tuple(self, node: ast.Tuple) -> Value:
        items: list[Value] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                items.extend(self.items_of(element.value, self.value(element.value), True))
            else:
                items.append(self.value(element))
        return TupleValue(tuple(items))

    def items_of(self, node: ast.AST, value: Value, starred: bool = False) -> tuple[Value, ...]:
        if isinstance(value, TupleValue):
            return value.items
        hint = "a tile does not unpack: take its parts with ct.extract" if isinstance(value, Runtime) else ""
        raise self.fault(node, f"only tuples unpack, but this is {describe(value)}", hint=hint, known_as=f"Expected a tuple after *, got {wording.type_name(value)}" if starred else "")

    def _generatorexp(self, node: ast.GeneratorExp) -> Value:
        raise self.fault(node, "a generator expression stands only inside tuple(...)", hint="write tuple(... for v in ct.static_iter(...))", kind=TileSyntaxError, code="syntax")

    def _lambda(self, node: ast.Lambda) -> Value:
        return self.closure(node)

    # --- operators ------------------------------------------------------------------

    def _binop(self, node: ast.BinOp) -> Value:
        symbol, fold = BINARY[type(node.op)]
        return self.binary(symbol, fold, node, node.left, self.value(node.left), node.right, self.value(node.right))

    def binary(self, symbol: str, fold, node, left_node, left: Value, right_node, right: Value) -> Value:
        """An operator: folded for constants, tuple concatenation, or the op it means."""
        if isinstance(left, Instance) or isinstance(right, Instance):
            return self.instance_operator(symbol, node, left, right)
        if isinstance(left, Constant) and isinstance(right, Constant):
            return self.fold(node, fold, left.value, right.value)
        if symbol == "+" and isinstance(left, TupleValue) and isinstance(right, TupleValue):
            return TupleValue(left.items + right.items)
        if symbol in ("==", "!=") and isinstance(left, TupleValue) and isinstance(right, TupleValue):
            return self.compared(symbol, node, left.items, right.items)
        if symbol in ("==", "!=") and not any(isinstance(v, Runtime) for v in (left, right)):
            return Constant(fold(self.python(left), self.python(right)))
        for operand_node, operand in ((left_node, left), (right_node, right)):
            if not (isinstance(operand, Runtime) and not operand.is_pointer) and not (isinstance(operand, Constant) and operand.is_number):
                known_as = self._known_refusal(symbol, left, right)
                raise self.fault(operand_node, f"`{symbol}` works on tiles and numbers, not on {describe(operand)}", known_as=known_as)
        places = {"x": left_node, "y": right_node}
        types_ = {"x": describe(left), "y": describe(right)}
        return self.apply(OPERATORS[symbol], {"x": left, "y": right}, node, places, "", types_)

    def _known_refusal(self, symbol: str, left: Value, right: Value) -> str:
        """What cuTile says of operands that an operator does not take."""
        pointers = [isinstance(v, Runtime) and v.is_pointer for v in (left, right)]
        if not any(pointers):
            return f"Unsupported operand types for {symbol}: {wording.type_name(left)} and {wording.type_name(right)}"
        side, value = ("Left", left) if pointers[0] else ("Right", right)
        if symbol in [compared for compared, _ in COMPARE.values()]:
            return f"Expected tensor-like dtype to satisfy constraint is_numeric, but got {wording.type_name(value)}"
        return f"{side}-hand side has non-arithmetic dtype {value.type.dtype}"

    def fold(self, node: ast.AST, function, *operands) -> Value:
        """Python's own result for constants."""
        try:
            return Constant(function(*operands))
        except Exception as error:
            raise self.fault(node, f"{type(error).__name__} at compile time: {error}", kind=TileTypeError if isinstance(error, TypeError) else TileValueError) from None

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        symbol, fold = UNARY[type(node.op)]
        return self.unary(symbol, fold, node, node.operand, self.value(node.operand))

    def unary(self, symbol: str, fold, node: ast.AST, place: ast.AST, operand: Value) -> Value:
        if isinstance(operand, (Constant, TupleValue)) and symbol == "not":
            return Constant(not self.python(operand))
        if isinstance(operand, Constant) and symbol == "~" and isinstance(operand.value, bool):
            known_as = "`~` on boolean constant is not supported, please use ct.bitwise_not"
            raise self.fault(place, "`~` of a constant bool is ambiguous", hint="write `not`", known_as=known_as)
        if isinstance(operand, Constant):
            return self.fold(node, fold, operand.value)
        if isinstance(operand, Runtime) and operand.is_pointer or not isinstance(operand, (Runtime, Constant)):
            known_as = f"Unsupported operand type for {symbol.split()[-1]}: {wording.type_name(operand)}"
            if isinstance(operand, Runtime):
                known_as = f"Expected tensor-like dtype to satisfy constraint is_numeric, but got {wording.type_name(operand)}"
            raise self.fault(place, f"`{symbol.split()[-1]}` works on tiles and numbers, not on {describe(operand)}", known_as=known_as)
        return self.apply(OPERATORS[symbol], {"x": operand}, node, {"x": place})

    def _compare_one(self, node, comparator, left_node, left: Value, right_node, right: Value) -> Value:
        if isinstance(comparator, (ast.Is, ast.IsNot)):
            return self._identity(node, isinstance(comparator, ast.Is), left, right)
        if isinstance(comparator, (ast.In, ast.NotIn)):
            return self._membership(node, isinstance(comparator, ast.In), left, right_node, right)
        symbol, fold = COMPARE[type(comparator)]
        return self.binary(symbol, fold, node, left_node, left, right_node, right)

    def _identity(self, node, positive: bool, left: Value, right: Value) -> Value:
        values = [v.value if isinstance(v, Constant) else v for v in (left, right)]
        if None not in values and not all(isinstance(v, (bool, dtypes.DType, enum.Enum, str, type(...))) for v in values):
            known_as = f"Operator '{'is' if positive else 'is not'}' expects one of the operands to be None"
            raise self.fault(node, "`is` compares with None only", hint="write `==`", known_as=known_as)
        return Constant((values[0] is values[1]) == positive)

    def _membership(self, node, positive: bool, left: Value, right_node, right: Value) -> Value:
        if isinstance(right, Constant) and isinstance(left, Constant):
            return self.fold(node, (lambda a, b: (a in b) == positive), left.value, right.value)
        result: Value = Constant(not positive)
        if isinstance(right, DictValue):
            return Constant((self.python(left) in dict(right.items)) == positive)
        for item in self.items_of(right_node, right):
            one = self.binary("==", operator.eq, node, node.left, left, right_node, item)
            if isinstance(one, Constant):
                if one.value:
                    return Constant(positive)
                continue
            if not positive:
                one = self.apply(logical_not, {"x": one}, node, {})
            if isinstance(result, Constant):
                result = one
            else:
                result = self.apply(logical_or if positive else logical_and, {"x": result, "y": one}, node, {})
        return result

    def condition(self, node: ast.expr) -> Value:
        """The value of a test: a constant truth value, or a run-time scalar."""
        value = self.value(node)
        if isinstance(value, Runtime):
            self.needs_number(node, value, "a condition")
            if value.type.shape:
                combining.no_branch(self, node)
                hint = "use ct.where for a choice per element, or reduce it first; take the element of a one-element tile with .item()"
                raise self.fault(node, f"a condition needs one truth value, but this is {describe(value)}", hint=hint)
            return value
        if isinstance(value, (Constant, TupleValue)):
            return Constant(bool(self.python(value)))
        return Constant(True)

    # --- compile-time views of values -----------------------------------------------

    def constant(self, node: ast.expr, what: str):
        """The Python value of an expression that must be known at compile time."""
        value = self.known(self.value(node))
        if not isinstance(value, Constant):
            raise wording.not_constant(self, f"{what} must be known at compile time, but this is {describe(value)}", value, node)
        return value.value

    def python(self, value: Value):
        """A compile-time value as a Python object; opaque values compare by identity."""
        match value:
            case Constant():
                return value.value
            case TupleValue():
                return tuple(self.python(item) for item in value.items)
        return value

    def closure(self, node: ast.Lambda | ast.FunctionDef, alias: str = "") -> Value:
        """A function defined in this function."""
        from tile2cpp.parse import FunctionSyntax

        a = node.args
        positional = (*a.posonlyargs, *a.args)
        given = [*zip(positional[len(positional) - len(a.defaults) :], a.defaults), *zip(a.kwonlyargs, a.kw_defaults)]
        # A default is evaluated here and now, whatever happens to its names later.
        defaults = {p.arg: self._settled(p.arg, self.value(d)) for p, d in given if d is not None}
        return Closure(FunctionSyntax(node, self.syntax.module, alias), self, defaults)

    def stable(self, expr, wanted: str):
        """`expr`, or a variable holding it where it must not be written twice."""
        return expr if self.is_stable(expr) else self.temporary(wanted, expr)
