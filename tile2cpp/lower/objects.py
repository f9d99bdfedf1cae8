"""Python objects that a kernel may hold: frozen dataclasses, enums, strings, `**kwargs` and context managers."""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import types
from typing import Any

from tile2cpp.errors import TileSyntaxError
from tile2cpp.lower import wording
from tile2cpp.lower.values import Composite, Constant, DictValue, Instance, Method, Runtime, TextValue, TupleValue, Value, describe

DUNDERS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul", "&": "and", "|": "or",
    "^": "xor", "<<": "lshift", ">>": "rshift", "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}  # fmt: skip
REFLECTED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


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
        if not dataclasses.is_dataclass(cls):
            raise self.fault(node.func, f"`{cls.__name__}` cannot be made in tile code", hint="only frozen dataclasses can be values in a kernel")
        if not cls.__dataclass_params__.frozen:
            raise self.fault(node.func, f"`{cls.__name__}` is a dataclass that can change; only frozen ones are values in a kernel", hint="write @dataclasses.dataclass(frozen=True)", others=wording.definition(self, cls.__name__))
        given = self._bound(inspect.signature(cls), cls.__name__, node)
        items = []
        for field in dataclasses.fields(cls):
            if field.name in given:
                items.append((field.name, given[field.name]))
            elif field.default is not dataclasses.MISSING:
                items.append((field.name, self.python_value(field.default)))
            elif field.default_factory is not dataclasses.MISSING:
                items.append((field.name, self.python_value(field.default_factory())))
        made = Instance(cls, tuple(items))
        if hasattr(cls, "__post_init__"):
            self.call_bound(cls.__post_init__, made, [], node)
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
            raise self.fault(node, f"{values[0].cls.__name__} has no field `{unknown[0]}`")
        return Instance(values[0].cls, tuple((n, keywords.get(n, v)) for n, v in values[0].items))

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
        syntax = self.shared.syntax_of(function, self, node)
        names = [p.arg for p in syntax.parameters]
        arguments = dict(zip(names, [receiver, *values]))
        for name, default in self.shared.defaults_of(function).items():
            arguments.setdefault(name, self.python_value(default))
        if set(arguments) != set(names):
            raise self.fault(node, f"`{function.__name__}` takes {len(names) - 1} argument{'s' * (len(names) != 2)}, not {len(values)}")
        return self._invoke(syntax, self.shared.resolver(function), arguments, {}, node)

    def instance_operator(self, symbol: str, node: ast.AST, left: Value, right: Value) -> Value:
        name = DUNDERS[symbol]
        for value, other, method in ((left, right, f"__{name}__"), (right, left, f"__{REFLECTED.get(name, 'r' + name)}__")):
            if isinstance(value, Instance):
                function = inspect.getattr_static(value.cls, method, None)
                if isinstance(function, types.FunctionType) and not function.__code__.co_filename.startswith("<"):
                    return self.call_bound(function, value, [other], node)
        if symbol in ("==", "!=") and all(not isinstance(e, Runtime) for v in (left, right) for e in _leaves(v)):
            return Constant((left == right) == (symbol == "=="))
        raise self.fault(node, f"`{symbol}` does not work on {describe(left)} and {describe(right)}")

    # --- dicts ----------------------------------------------------------------------

    def dict_method(self, base: DictValue, name: str) -> Value | None:
        return Method(_DICT_METHODS[name], base) if name in _DICT_METHODS else None

    def dict_item(self, base: DictValue, key: Any, node: ast.AST) -> Value:
        found = dict(base.items)
        if key not in found:
            raise self.fault(node, f"there is no argument `{key}`; there are {', '.join(found) or 'none'}")
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
            if isinstance(value, (Runtime, Composite)) and not _is_known(value):
                texts.append((text, spec))
                values.append(value)
                text = ""
            else:
                text += format(self.python(value), spec) if not isinstance(value, TupleValue) else str(self.python(value))
        return TextValue(tuple(texts), tuple(values), text) if values else Constant(text)

    def _format_spec(self, part: ast.FormattedValue, whole: ast.JoinedStr) -> str:
        """The literal format spec of a part. Faults mark the whole f-string: before 3.12 Python knows no places inside."""
        if part.conversion not in (-1, None):
            raise self.fault(whole, f"`!{chr(part.conversion)}` has no meaning in tile code", hint="a format spec such as :.3f does", kind=TileSyntaxError, code="syntax")
        if part.format_spec is None:
            return ""
        pieces = part.format_spec.values
        if not all(isinstance(p, ast.Constant) for p in pieces):
            raise self.fault(whole, "a format spec must be a literal", hint="write it out, as in {x:.3f}", kind=TileSyntaxError, code="syntax")
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
