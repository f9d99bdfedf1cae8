"""What messages say about arguments: signatures as a reader knows them, labels that add something, ways out."""

from __future__ import annotations

import ast
import difflib
import inspect
from typing import Any

from tile2cpp import ir
from tile2cpp.errors import Label
from tile2cpp.lower.values import ArrayValue, Constant, DictValue, Instance, Runtime, TupleValue, Value, describe
from tile2cpp.ops import REGISTRY, Op
from tile2cpp.source import Span
from tile2cpp.types import Extent, own_dtype

# What to write instead of functions that other libraries have.
COMPOSED = {
    "sigmoid": "compose it: 1.0 / (1.0 + ct.exp(-x))", "silu": "compose it: x / (1.0 + ct.exp(-x))", "relu": "write ct.maximum(x, 0)",
    "softmax": "compose it: e = ct.exp(x - ct.max(x, axis, keepdims=True)), then e / ct.sum(e, axis, keepdims=True)",
    "clamp": "write ct.minimum(ct.maximum(x, low), high)", "clip": "write ct.minimum(ct.maximum(x, low), high)",
    "round": "write ct.floor(x + 0.5)", "square": "write x * x", "log1p": "write ct.log(1.0 + x)", "expm1": "write ct.exp(x) - 1.0",
    "mean": "write ct.sum(x, axis) / n", "dot": "write x @ y, or ct.mma with an accumulator", "concatenate": "write ct.cat((x, y), axis)",
    "concat": "write ct.cat((x, y), axis)", "stack": "add an axis to both, then ct.cat", "program_id": "write ct.bid(axis)",
    "num_programs": "write ct.num_blocks(axis)", "full_like": "write ct.full(x.shape, value, x.dtype)", "zeros_like": "write ct.zeros(x.shape, x.dtype)",
    "ones_like": "write ct.ones(x.shape, x.dtype)", "T": "write ct.transpose(x)", "size": "multiply the extents in .shape", "any": "write ct.max(x != 0)",
    "all": "write ct.min(x != 0)", "fma": "write x * y + z", "isinf": "write abs(x) == math.inf",
}  # fmt: skip
LACKING = {("mma", "acc"): "x @ y needs none", ("arange", "dtype"): "write dtype=ct.int32"}


def parameters_of(callee: str, signature: inspect.Signature) -> str:
    """`ct.load(array, /, index, shape, *, order="C", ...)`."""
    plain = [p.replace(annotation=p.empty, default=p.empty) for p in signature.parameters.values()]
    text = str(inspect.Signature(plain))
    for p in signature.parameters.values():
        if p.default is not p.empty:
            default = f'"{p.default}"' if p.name == "order" else p.default
            text = _after_name(text, p.name, f"={default}")
    return callee + text


def _after_name(text: str, name: str, addition: str) -> str:
    """`addition` behind the parameter `name` in `(a, b, *, c)`."""
    items = text[1:-1].split(", ")
    return f"({', '.join(i + addition if i == name else i for i in items)})"


def nearest(name: str, known) -> str:
    """The known name that is most like `name`: by spelling, or because one contains the other."""
    known = [k for k in known if not k.startswith("_")]
    close = difflib.get_close_matches(name, known, 1, 0.7)
    if close:
        return close[0]
    parts = [k for k in known if len(k) > 2 and (k in name or name in k)]
    return max(parts, key=len, default="")


def wrong_arguments(callee: str, signature: inspect.Signature, node: ast.Call, values: list, keywords: dict) -> tuple[ast.AST | ast.keyword, str, tuple[str, ...]]:
    """Why `values` and `keywords` do not fit a signature: the place, the sentence, and ways out."""
    parameters = signature.parameters
    by_place = [p for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    shown = f"the parameters are {parameters_of(callee, signature)}"
    written = {k.arg: k for k in node.keywords}
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    free = [n for n, p in parameters.items() if n not in keywords and p not in by_place[: len(values)]]
    for name in keywords:
        if name not in parameters and not takes_any:
            near = nearest(name, free) or nearest(name, parameters)
            hints = (f"did you mean `{near}`?", shown) if near else (shown,)
            return written.get(name, node), f"`{name}` is not a parameter of {callee}", hints
        if name in parameters and parameters[name].kind is inspect.Parameter.POSITIONAL_ONLY:
            return written.get(name, node), f"`{name}` of {callee} is given by position only", (f"write it without `{name}=`, at its place", shown)
    if len(values) > len(by_place) and not any(p.kind is p.VAR_POSITIONAL for p in parameters.values()):
        extra = node.args[min(len(by_place), len(node.args) - 1)] if node.args else node
        count = f"{len(by_place)} argument{'s' * (len(by_place) != 1)}"
        return extra, f"{callee} takes {count} by position, not {len(values)}", (shown,)
    for p in by_place[: len(values)]:
        if p.name in keywords:
            return written.get(p.name, node), f"{callee} gets `{p.name}` twice: by position and by name", (shown,)
    lacking = [n for n in free if parameters[n].default is inspect.Parameter.empty and parameters[n].kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)]
    names = " and ".join(f"`{n}`" for n in lacking)
    extra = tuple(LACKING[key] for n in lacking if (key := (callee.removeprefix("ct."), n)) in LACKING)
    return node, f"{callee} lacks {names}", (*extra, shown)


def name_in(syntax) -> Span:
    """A function's name in its `def`."""
    span = syntax.span(syntax.node)
    column = span.column + len("def ")
    return span if isinstance(syntax.node, ast.Lambda) else Span(span.file, span.line, column, span.line, column + len(syntax.name))


def heading(syntax) -> Label:
    """The line that begins a helper."""
    span = syntax.span(syntax.node)
    return Label(Span(span.file, span.line, span.column, span.line, len(span.file.line(span.line).rstrip()) + 1), f"`{syntax.name}` is defined here")


BUILTIN_WAYS = {
    "enumerate": "write `for i in range(n)` and use i, or wrap it: ct.static_iter(enumerate(...)) unrolls the loop",
    "zip": "write `for i in range(n)` and use i, or wrap it: ct.static_iter(zip(...)) unrolls the loop",
    "isinstance": "compare x.dtype or x.ndim, or ask inside ct.static_eval(...)", "type": "compare x.dtype, or ask inside ct.static_eval(...)",
    "hasattr": "ask inside ct.static_eval(...)", "sorted": "there is no sorting of tiles", "pow": "write x ** y", "partial": "write a lambda or a nested function",
}  # fmt: skip


def not_callable(callee: Any, node: ast.Call) -> tuple[str, str]:
    """A Python object that means nothing in device code, and what does."""
    written, name = ast.unparse(node.func), getattr(callee, "__name__", "")
    library = (getattr(callee, "__module__", "") or type(callee).__module__ or "").partition(".")[0]
    hint = BUILTIN_WAYS.get(name) or COMPOSED.get(name, "")
    if not hint and name in REGISTRY and REGISTRY[name].public:
        arguments = ", ".join(map(ast.unparse, node.args))
        hint = f"write ct.{name}({arguments})" if len(arguments) <= 30 else f"write ct.{name}(...)"
    if not callable(callee):
        return f"`{written}` is {callee!r}, not a function", ""
    if library == "builtins":
        return f"the built-in `{written}` is not available in tile code", hint or "only ct operations and functions written in this language are"
    if library == "math":
        return f"`{written}` works on Python numbers, not in tile code", hint or "compute it inside ct.static_eval(...), or at the top level of the file"
    if library in ("numpy", "torch", "cupy", "jax"):
        return f"functions of {library} such as `{written}` do not run on tiles", hint or "only ct operations and functions written in this language do"
    return f"`{written}` cannot be called in tile code", hint or "only ct operations and functions written in this language can"


def keyword_span(span: Span, name: str) -> Span:
    """The name in `name=value`."""
    return Span(span.file, span.line, span.column, span.line, span.column + len(name))


def missing_name(owner: str, name: str, known) -> str:
    """A way out for `owner.name` that does not exist."""
    if name in COMPOSED and owner == "ct":
        return COMPOSED[name]
    near = nearest(name, known)
    return f"did you mean `{owner}.{near}`?" if near else ""


def missing_attribute(source: str, name: str, known: list[str]) -> str:
    """A way out for an attribute that a tile, array or view does not have."""
    if name in REGISTRY and REGISTRY[name].public:
        return f"write ct.{name}({source})"
    if name in COMPOSED:
        return COMPOSED[name].replace("(x", f"({source}")
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean `.{near[0]}`?" if near else f"there are {', '.join('.' + k for k in sorted(known))}"


def no_item_assignment(base: Value, target: ast.Subscript, source: ast.AST) -> tuple[str, Any, str]:
    """The sentence for `base[...] = source`, what to write, and cuTile's sentence."""
    name, index, new = (ast.unparse(n) for n in (target.value, target.slice, source))
    if isinstance(base, ArrayValue):
        known_as = "Arrays do not support item assignment. Use store() or scatter() instead."
        return f"the array `{name}` is not written by `[]`", f"write ct.scatter({name}, {index}, {new}), or ct.store for a whole tile", known_as
    if isinstance(base, Runtime):
        hint = f"make a new one: ct.where(ct.arange(n, dtype=ct.int32) == {index}, {new}, {name}), or {name}.insert(index, part)"
        return f"`{name}` is a tile, and tiles never change", hint, "Tiles are immutable: item assignment is not supported"
    known_as = "Tuples are immutable: item assignment is not supported." if isinstance(base, TupleValue) else ""
    return f"the items of {describe(base)} cannot be assigned", "make a new tuple", known_as


# --- labels ---------------------------------------------------------------------------


def speaks_for_itself(node: ast.AST) -> bool:
    """Whether the source shows all there is to say: literals, and tuples of them."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(map(speaks_for_itself, node.elts))
    return isinstance(node, ast.Constant) or isinstance(node, ast.UnaryOp) and speaks_for_itself(node.operand)


def argument_labels(bound: dict[str, Any], places: dict[str, ast.AST]) -> dict[str, str]:
    """What a label says about each argument, and about the items of tuples (`index[0]`); nothing where the source says it."""
    texts: dict[str, str] = {}
    for parameter, value in bound.items():
        if isinstance(value, TupleValue) and parameter in places:
            place = places[parameter]
            nodes = place.elts if isinstance(place, ast.Tuple) and len(place.elts) == len(value.items) else [place] * len(value.items)
            texts.update({f"{parameter}[{i}]": _label(item, node) for i, (item, node) in enumerate(zip(value.items, nodes))})
        if isinstance(value, Value):
            texts[parameter] = _label(value, places.get(parameter))
    return texts


def _label(value: Value, node: ast.AST | None) -> str:
    is_opaque = isinstance(value, Constant) and not value.is_number
    if is_opaque or node is None or speaks_for_itself(node) or isinstance(node, ast.Tuple):
        return ""
    return describe(value)


def related(frame, op: Op, bound: dict[str, Any], places: dict[str, ast.AST], parameter: str, why: str) -> list[Label]:
    """The other operands and the array that a refusal of `parameter` speaks of."""
    base = parameter.partition("[")[0]
    if base not in op.signature.parameters:
        return []
    kind, mine = op.kind(base), bound.get(base)
    labels = []
    for name, value in bound.items():
        if name == base or name not in places:
            continue
        if kind == "Tile" and op.kind(name) == "Tile" and isinstance(value, Runtime) and isinstance(mine, Runtime) and describe(value) != describe(mine):
            labels.append(Label(frame.span(places[name]), describe(value)))
        if isinstance(value, ArrayValue) and ("array" in why or "convert" in why):
            labels.append(Label(frame.span(places[name]), describe_array(value)))
    return labels


def describe_array(value: ArrayValue) -> str:
    array = value.expr.type
    return f"an array of {array.dtype} with {array.ndim} dimension{'s' * (array.ndim != 1)}"


def origin(frame, node: ast.AST) -> list[Label]:
    """Where a name got its value."""
    binding = frame.lookup(node.id) if isinstance(node, ast.Name) else None
    if binding is None or binding.span is None or binding.span == frame.span(node):
        return []
    return [Label(binding.span, f"`{node.id}` gets its value here")]


def definition(frame, name: str) -> list[Label]:
    """Where a global of the frame's own file is defined, at its top level."""
    for node in frame.syntax.module.tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
            span = frame.span(node.decorator_list[0] if node.decorator_list else node)
            return [Label(Span(span.file, span.line, span.column, span.line, len(span.file.line(span.line)) + 1), f"`{name}` is defined here")]
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            return [Label(frame.span(node), f"`{name}` is defined here")]
    return []


# --- values that must be constants ----------------------------------------------------


def not_constant(frame, message: str, value: Value, node: ast.AST, known_as: str = ""):
    """A fault for a run-time value where a constant is needed: it names the parameter to annotate, or where the value comes from."""
    expr = value.expr if isinstance(value, Runtime) else None
    parameter = _parameter_of(frame, expr)
    if parameter is not None and frame.is_kernel:
        kind = {"float": "float", "bool": "bool"}.get(expr.type.dtype.kind, "int")
        hint = f"declare it as a constant: `{parameter.arg}: ct.Constant[{kind}]`"
        others = [Label(frame.span(parameter), f"`{parameter.arg}` is known at run time only")]
    elif parameter is not None:
        hint, others = f"pass a constant for `{parameter.arg}`", [Label(frame.span(parameter), "it comes from the caller")]
    else:
        hint, others = "literals, Constant parameters, globals and what is computed from them are constants", origin(frame, node)
        if isinstance(expr, ir.Extent):
            hint = "extents of arrays are run-time values: pass the number as a ct.Constant[int] parameter, or make it part of the array's type with ct.ArrayAnnotation(static_shape_dims=...)"
    return frame.fault(node, message, hint=hint, others=others, known_as=known_as)


def type_name(value: Value) -> str:
    """A value's type as cuTile spells it."""
    match value:
        case Constant() if value.is_number:
            return f"Tile[{own_dtype(value.value)},()]"
        case Constant(None):
            return "None"
        case Runtime():
            extents = ",".join(str(int(e)) for e in value.type.shape)
            return f"Tile[{value.type.dtype},({extents})]"
        case ArrayValue():
            array = value.expr.type
            steps = array.strides or tuple(Extent(1 if axis == array.ndim - 1 else None) for axis in range(array.ndim))
            extents, strides = (",".join("?" if e.value is None else str(e.value) for e in numbers) for numbers in (array.extents, steps))
            return f"Array[{array.dtype},({extents}):({strides})]"
        case TupleValue():
            return f"Tuple[{','.join(map(type_name, value.items))}]"
        case Instance():
            return f"{value.cls.__name__}[{_named_types(value.items)}]"
        case DictValue():
            return f"dict[{_named_types(value.items)}]"
    return describe(value)


def _named_types(items: tuple[tuple[str, Value], ...]) -> str:
    return ", ".join(f"{name}: {type_name(value)}" for name, value in items)


def invalid(op: Op, parameter: str, detail: str) -> str:
    """cuTile's words for an argument that an operation does not take."""
    name = parameter.partition("[")[0]
    spec, detail = op.signature.parameters.get(name), detail.replace("{op}", op.name)
    if spec is None or not detail.startswith(ARGUMENT_DETAILS):
        return detail
    positional = spec.kind is spec.POSITIONAL_ONLY
    where = f"#{list(op.signature.parameters).index(name) + 1}" if positional else f'"{name}"'
    return f"Invalid argument {where} of {op.name}(): {detail}"


ARGUMENT_DETAILS = ("Expected ", "Dimension #", "Axis ")


def _parameter_of(frame, expr: Any) -> ast.arg | None:
    if isinstance(expr, ir.Name):
        for parameter in frame.syntax.parameters:
            if parameter.arg == expr.name.rstrip("_") and not frame.assigned[parameter.arg]:
                return parameter
    return None
