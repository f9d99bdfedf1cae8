"""Python objects that a kernel may hold: frozen dataclasses, enums, strings, `**kwargs` and context managers."""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import operator
import types
from typing import Any

from tile2cpp.directives import is_static_def
from tile2cpp.errors import TileSyntaxError
from tile2cpp.lower import wording
from tile2cpp.lower.values import Composite, Constant, DictValue, Instance, Method, Runtime, TextValue, TupleValue, Value, describe
from tile2cpp.ops.compare import logical_and, logical_not, logical_or

DUNDERS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul", "&": "and", "|": "or",
    "^": "xor", "<<": "lshift", ">>": "rshift", "divmod": "divmod", "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}  # fmt: skip
REFLECTED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


INIT = "Dataclass instance creation is only supported for dataclasses with a default generated __init__() method"
OPERATORS_OF = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def why_not_made(cls: type) -> tuple[str, str, str] | None:
    """Why tile code cannot make instances of a class: the sentence, a way out, and cuTile's name for it."""
    name = cls.__name__
    if not dataclasses.is_dataclass(cls):
        return f"`{name}` cannot be made in tile code", "only frozen dataclasses can be values in a kernel", "Only frozen dataclasses are supported"
    if "__dataclass_fields__" not in vars(cls):
        return f"`{name}` is no dataclass itself, although it is derived from one", "decorate it: @dataclasses.dataclass(frozen=True)", "Non-dataclass subclasses of a dataclass are not supported"
    if not cls.__dataclass_params__.frozen:
        return f"`{name}` is a dataclass that can change; only frozen ones are values in a kernel", "write @dataclasses.dataclass(frozen=True)", "Only frozen dataclasses are supported"
    if any("__new__" in vars(base) for base in cls.__mro__[:-1]):
        return f"`{name}` has a `__new__` of its own, which tile code does not run", "leave it out; `__post_init__` can check the fields", "Dataclasses with custom __new__ are not supported"
    if getattr(getattr(cls.__init__, "__code__", None), "co_filename", "") != "<string>":
        return f"`{name}` has no `__init__` made by `dataclass`", "leave out `__init__` and init=False; `__post_init__` can check the fields", INIT
    for field in dataclasses.fields(cls):
        if not field.init:
            return f"field `{field.name}` of `{name}` has init=False, so it never gets a value in tile code", "give it a value when the object is made", "Dataclasses with init=False fields are not supported"
        if field.default_factory is not dataclasses.MISSING:
            return f"field `{field.name}` of `{name}` has a default_factory, which tile code does not call", "write the default itself", "Dataclasses with default_factory fields are not supported"
    return None


def written_method(cls: type | None, name: str) -> types.FunctionType | None:
    """A method that the author wrote for a dataclass; not what `dataclass` makes."""
    found = inspect.getattr_static(cls, name, None)
    made = not isinstance(found, types.FunctionType) or found.__code__.co_filename.startswith("<") or found.__globals__ is vars(dataclasses)
    return None if made else found


def is_frozen_dataclass(found: Any) -> bool:
    """Whether an object is an instance of an author's frozen dataclass (ops and dtypes of ours are no such)."""
    if type(found).__module__.partition(".")[0] == "tile2cpp":
        return False
    return dataclasses.is_dataclass(found) and not isinstance(found, type) and type(found).__dataclass_params__.frozen


class Objects:
    """Adds objects to a frame."""

    # --- dataclasses ----------------------------------------------------------------

    def instance_of(self, found: Any) -> Instance:
        """A dataclass object from a global as a value."""
        fields = dataclasses.fields(found)
        return Instance(type(found), tuple((f.name, self.python_value(getattr(found, f.name))) for f in fields))

    def call_class(self, cls: type, node: ast.Call) -> Value:
        if issubclass(cls, enum.Enum):
            (values, _), _ = self._evaluate_arguments(node)
            return self.fold(node, cls, *(self.python(v) for v in values))
        if is_static_def(cls.__init__):
            (values, keywords), _ = self._evaluate_arguments(node)
            return self.call_static(cls, values, keywords, node)
        refused = why_not_made(cls)
        if refused is not None:
            message, hint, known_as = refused
            raise self.fault(node.func, message, hint=hint, others=wording.definition(self, cls.__name__), known_as=known_as)
        given = self._bound(inspect.signature(cls), cls.__name__, node)
        items = [(f.name, given[f.name] if f.name in given else self.python_value(f.default)) for f in dataclasses.fields(cls)]
        return self._initialised(Instance(cls, tuple(items)), node)

    def _initialised(self, made: Instance, node: ast.AST) -> Instance:
        if hasattr(made.cls, "__post_init__"):
            self.call_bound(made.cls.__post_init__, made, [], node)
        return made

    def _bound(self, signature: inspect.Signature, name: str, node: ast.Call) -> dict[str, Value]:
        (values, keywords), _ = self._evaluate_arguments(node)
        try:
            return dict(signature.bind(*values, **keywords).arguments)
        except TypeError as error:
            raise self.fault(node, f"{name}: {error}") from None

    def replaced(self, node: ast.Call) -> Value:
        """`dataclasses.replace(x, field=value)`."""
        (values, keywords), _ = self._evaluate_arguments(node)
        if len(values) != 1 or not isinstance(values[0], Instance):
            raise self.fault(node, "dataclasses.replace takes an instance of a frozen dataclass")
        unknown = [k for k in keywords if k not in dict(values[0].items)]
        if unknown:
            name = values[0].cls.__name__
            raise self.fault(node, f"{name} has no field `{unknown[0]}`", hint=f"the fields are {', '.join(n for n, _ in values[0].items)}", known_as=f"Dataclass '{name}' has no such field '{unknown[0]}'")
        return self._initialised(Instance(values[0].cls, tuple((n, keywords.get(n, v)) for n, v in values[0].items)), node)

    def instance_attribute(self, base: Instance, name: str, node: ast.AST) -> Value | None:
        fields = dict(base.items)
        if name in fields:
            return fields[name]
        found = inspect.getattr_static(base.cls, name, None)
        if isinstance(found, property):
            return self.call_bound(found.fget, base, [], node)
        if isinstance(found, staticmethod):
            return Constant(found.__func__)
        if isinstance(found, classmethod):
            return Method(found.__func__, Constant(base.cls))
        if isinstance(found, types.FunctionType):
            return Method(found, base)
        return self.python_value(found) if found is not None else None

    def call_bound(self, function: types.FunctionType, receiver: Value, values: list[Value], node: ast.AST) -> Value:
        """A method of a dataclass, called with these values."""
        if is_static_def(function):
            return self.call_static(function, [receiver, *values], {}, node)
        syntax = self.shared.syntax_of(function, self, node)
        names = [p.arg for p in syntax.parameters]
        arguments = dict(zip(names, [receiver, *values]))
        for name, default in self.shared.defaults_of(function).items():
            arguments.setdefault(name, self.python_value(default))
        if set(arguments) != set(names):
            raise self.fault(node, f"`{function.__name__}` takes {len(names) - 1} argument{'s' * (len(names) != 2)}, not {len(values)}")
        return self._invoke(syntax, self.shared.resolver(function), arguments, {}, node)

    def instance_operator(self, symbol: str, node: ast.AST, left: Value, right: Value) -> Value:
        """An operator of a dataclass, of its right operand where the left one has none, or what `dataclass` makes of its fields."""
        name = DUNDERS[symbol]
        for value, other, method in ((left, right, f"__{name}__"), (right, left, f"__{REFLECTED.get(name, 'r' + name)}__")):
            written = written_method(getattr(value, "cls", None), method)
            if written is not None:
                found = self.call_bound(written, value, [other], node)
                if not (isinstance(found, Constant) and found.value is NotImplemented):
                    return found
        if symbol == "!=" and any(written_method(getattr(v, "cls", None), "__eq__") for v in (left, right)):
            return self.negated(self.instance_operator("==", node, left, right), node)
        alike = isinstance(left, Instance) and isinstance(right, Instance) and left.cls is right.cls
        if alike and (symbol in ("==", "!=") or f"__{name}__" in vars(left.cls)):  # made by `dataclass`
            return self.compared(symbol, node, left.parts(), right.parts())
        if symbol in ("==", "!="):
            return Constant(symbol == "!=")
        known_as = f"Unsupported operand types for {symbol}: {wording.type_name(left)} and {wording.type_name(right)}"
        raise self.fault(node, f"`{symbol}` does not work on {describe(left)} and {describe(right)}", known_as=known_as)

    def negated(self, value: Value, node: ast.AST) -> Value:
        """`not value`."""
        return self.apply(logical_not, {"x": value}, node, {}) if isinstance(value, Runtime) else Constant(not self.python(value))

    def compared(self, symbol: str, node: ast.AST, left: tuple[Value, ...], right: tuple[Value, ...]) -> Value:
        """Tuples and fields compare as in Python: by the first items that differ."""
        if symbol == "!=":
            return self.negated(self.compared("==", node, left, right), node)
        if symbol == "==":
            if len(left) != len(right):
                return Constant(False)
            return self._all_of([self._item_by_item("==", node, x, y) for x, y in zip(left, right)], node)
        if not left or not right:
            return Constant(OPERATORS_OF[symbol](len(left), len(right)))
        (x, *rest), (y, *others) = left, right
        sooner = self._item_by_item(symbol[0], node, x, y)
        same = self._item_by_item("==", node, x, y)
        later = self.compared(symbol, node, tuple(rest), tuple(others)) if not (isinstance(same, Constant) and not same.value) else Constant(False)
        return self._any_of([sooner, self._all_of([same, later], node)], node)

    def _item_by_item(self, symbol: str, node: ast.AST, x: Value, y: Value) -> Value:
        return self.binary(symbol, OPERATORS_OF[symbol], node, node, x, node, y)

    def _all_of(self, values: list[Value], node: ast.AST) -> Value:
        return self._folded_by(logical_and, values, node, True)

    def _any_of(self, values: list[Value], node: ast.AST) -> Value:
        return self._folded_by(logical_or, values, node, False)

    def _folded_by(self, op: Any, values: list[Value], node: ast.AST, neutral: bool) -> Value:
        """Truth values joined; constants that decide alone, or not at all, need no operation."""
        result: Value = Constant(neutral)
        for value in values:
            if isinstance(value, Constant):
                if bool(value.value) != neutral:
                    return Constant(not neutral)
            else:
                result = value if isinstance(result, Constant) else self.apply(op, {"x": result, "y": value}, node, {})
        return result

    # --- dicts ----------------------------------------------------------------------

    def dict_method(self, base: DictValue, name: str) -> Value | None:
        return Method(_DICT_METHODS[name], base) if name in _DICT_METHODS else None

    def dict_item(self, base: DictValue, key: Any, node: ast.AST) -> Value:
        found = dict(base.items)
        if key not in found:
            raise self.fault(node, f"there is no argument `{key}`; there are {', '.join(found) or 'none'}", known_as=f"Key {key!r} not found in dictionary")
        return found[key]

    def call_dict_method(self, method: Method, node: ast.Call) -> Value:
        (values, _), _ = self._evaluate_arguments(node)
        items = method.receiver.items
        if method.op is dict.get:
            default = values[1] if len(values) > 1 else Constant(None)
            return dict(items).get(self.python(values[0]), default)
        if method.op is dict.keys:
            return TupleValue(tuple(Constant(k) for k, _ in items))
        if method.op is dict.values:
            return TupleValue(tuple(v for _, v in items))
        return TupleValue(tuple(TupleValue((Constant(k), v)) for k, v in items))

    # --- strings --------------------------------------------------------------------

    def _joinedstr(self, node: ast.JoinedStr) -> Value:
        """An f-string: text when all parts are constants, else a `TextValue` for print."""
        texts, values, text = [], [], ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += part.value
                continue
            spec = self._format_spec(part, node)
            value = self.value(part.value)
            if isinstance(value, Instance) or isinstance(value, (Runtime, Composite)) and not _is_known(value):
                texts.append((text, spec))
                values.append(value)
                text = ""
            else:
                if spec and isinstance(value, TupleValue):
                    raise self.fault(node, f"the format `{spec}` does not fit a tuple", hint="format its items", known_as="cannot apply format spec to a tuple value")
                text += format(self.python(value), spec) if not isinstance(value, TupleValue) else str(self.python(value))
        return TextValue(tuple(texts), tuple(values), text) if values else Constant(text)

    def _format_spec(self, part: ast.FormattedValue, whole: ast.JoinedStr) -> str:
        """The literal format spec of a part. Faults mark the whole f-string: before 3.12 Python knows no places inside."""
        if part.conversion not in (-1, None):
            raise self.fault(whole, f"`!{chr(part.conversion)}` has no meaning in tile code", hint="a format spec such as :.3f does", kind=TileSyntaxError, code="syntax", known_as="Conversions !r, !s, !a are not supported in f-strings")
        if part.format_spec is None:
            return ""
        pieces = part.format_spec.values
        if not all(isinstance(p, ast.Constant) for p in pieces):
            raise self.fault(whole, "a format spec must be a literal", hint="write it out, as in {x:.3f}", kind=TileSyntaxError, code="syntax", known_as="f-string format spec must be a literal string")
        return "".join(p.value for p in pieces)


def _is_known(value: Value) -> bool:
    return all(isinstance(leaf, Constant) for leaf in _leaves(value))


def _leaves(value: Value):
    if isinstance(value, Composite):
        for part in value.parts():
            yield from _leaves(part)
    else:
        yield value


_DICT_METHODS = {"get": dict.get, "keys": dict.keys, "values": dict.values, "items": dict.items}
