"""Typed tile IR -> the reviewed CUDA Tile C++ file.

Expressions are printed by `Speller`, statements and functions by `FunctionPrinter`;
the template arranges what they made.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

from tile2cpp import ir
from tile2cpp.emitted import Parameter
from tile2cpp.factors import sums_of
from tile2cpp.lower.names import Names
from tile2cpp.lower.values import NamedInt
from tile2cpp.parameters import array_parameters, guarantees, list_parameters
from tile2cpp.rendering import render
from tile2cpp.speller import Speller
from tile2cpp.types import Array, ArrayList, Tile, is_any_shape
from tile2cpp.writes import addressed_arrays, written_arrays

HINTS = {"num_ctas": "num_cta_in_cga", "occupancy": "occupancy", "num_worker_warps": "num_worker_warps_per_cta"}


CONSTANT = re.compile(r"\s*constexpr \w+ (\w+) = ")

# Stands, with an array's name behind it, for the declarations of that array's views.
VIEWS_OF = "\0views of "


class FunctionPrinter:
    """Prints one function; knows which arrays are stored to, which decides constness and how loads are spelled."""

    def __init__(self, function: ir.Function, is_kernel: bool, written: set[str], addressed: set[str], snippets: dict[str, str], functions: dict[str, str]):
        self.function = function
        self.is_kernel = is_kernel
        self.written = written
        self.addressed = addressed
        used = {p.name for p in function.params} | variables_of(function.body) | set(functions.values())
        self.name = functions[function.name]
        self.names = Names(used | {c.name for c in function.constants})
        self.speller = Speller(self.names, is_kernel, extents_in_shapes(function), {c.name: c.value for c in function.constants}, snippets, functions)
        self.speller.written = written
        self.constant_pointers = constant_pointers(function.body, written)

    # --- statements -----------------------------------------------------------------

    def block(self, body: tuple[ir.Stmt, ...], depth: int) -> list[str]:
        lines: list[str] = []
        for stmt in body:
            lines += self.statement(stmt, depth)
        return lines

    def statement(self, stmt: ir.Stmt, depth: int) -> list[str]:
        if isinstance(stmt, ir.Comment):
            return [indent(comment(line), depth) for line in stmt.lines]
        above = [indent(comment(line), depth) for line in stmt.note.above]
        lines = self._code(stmt, depth)
        if stmt.note.beside and lines:
            lines[0] += f"  {comment(stmt.note.beside)}"
        return above + lines

    def _code(self, stmt: ir.Stmt, depth: int) -> list[str]:
        match stmt:
            case ir.For():
                return self._loop(self._range(stmt), stmt.body, depth)
            case ir.While():
                return self._loop(f"while ({self.speller.converting(stmt.test)})", stmt.body, depth)
            case ir.If():
                return self._if(stmt, depth)
        return [indent(line, depth) for line in self._simple(stmt)]

    def _simple(self, stmt: ir.Stmt) -> list[str]:
        c = self.speller
        match stmt:
            case ir.Let(constant=True) if c.stands_in_shapes(stmt.name):
                return [c.constant_declaration(stmt.name)]
            case ir.Let():
                keyword = "constexpr " if stmt.constant else ""
                return [f"{self._hints(stmt.value)}{keyword}{self._declared(stmt)} {stmt.name} = {c.converting(stmt.value)};"]
            case ir.Slice():
                c.local_arrays.add(stmt.name)
                return [f"auto {stmt.name} = {c.slice_text(stmt)};", VIEWS_OF + stmt.name]
            case ir.Pick():
                c.local_arrays.add(stmt.name)
                return [f"auto {stmt.name} = {c.item_text(stmt)};", VIEWS_OF + stmt.name]
            case ir.Foreign():
                c.local_arrays.add(stmt.name)
                return [f"auto {stmt.name} = {c.foreign_text(stmt)};", VIEWS_OF + stmt.name]
            case ir.Declare():
                return [f"{self._const(stmt.name, c.tile_type(stmt.type))} {stmt.name};"]
            case ir.Unpack():
                return [f"auto [{', '.join(stmt.names)}] = {c(stmt.value)};"]
            case ir.Set():
                return [f"{self._hints(stmt.value)}{stmt.name} = {c.converting(stmt.value)};"]
            case ir.Do():
                return [f"{self._hints(stmt.call)}{c(stmt.call)};"]
            case ir.Break():
                return ["break;"]
            case ir.Continue():
                return ["continue;"]
            case ir.Return():
                return [self._return(stmt)]
            case ir.Feed():
                return [self._feed(stmt)]
        raise TypeError(stmt)

    def _feed(self, stmt: ir.Feed) -> str:
        c, product = self.speller, stmt.product
        left = c(stmt.left) if stmt.left is not None else f"{c.tile_type(product['x'].type)}{{}}"
        return f"feeder__.give<{c.tile_type(sums_of(product))}>({left}, {c(stmt.right)}, {', '.join(m or 'nullptr' for m in stmt.maps)});"

    def _declared(self, let: ir.Let) -> str:
        """`auto` for tiles; a scalar's type is written, and so is that of a load whose array changes later."""
        tile = let.value.type
        if not isinstance(tile, Tile):
            return "auto"
        if not tile.shape:
            return self._const(let.name, tile.dtype.cpp)
        is_load = isinstance(let.value, ir.Call) and let.value.op.effect == "load"
        if is_load and any(isinstance(e, ir.ArrayName) and e.name in self.written for e in ir.walk(let.value)):
            return self.speller.tile_type(tile)
        return "auto"

    def _const(self, name: str, pointer: str) -> str:
        """The type of a variable; one for where an array begins that nobody writes points to constants."""
        return pointer.replace("*", " const*") if name in self.constant_pointers else pointer

    def _return(self, stmt: ir.Return) -> str:
        values = [self.speller(v) for v in stmt.values]
        if not values:
            return "return;"
        return f"return {values[0]};" if len(values) == 1 else f"return {{{', '.join(values)}}};"

    def _range(self, loop: ir.For) -> str:
        c = self.speller
        parts = [c(loop.start), c(loop.stop)] + ([c(loop.step)] if loop.step is not None else [])
        return f"for (auto {loop.name} : ct::irange({', '.join(parts)}))"

    def _loop(self, head: str, body: tuple[ir.Stmt, ...], depth: int) -> list[str]:
        return [indent(head + " {", depth), *self.block(body, depth + 1), indent("}", depth)]

    def _if(self, stmt: ir.If, depth: int) -> list[str]:
        lines = [indent(f"if ({self.speller.converting(stmt.test)}) {{", depth), *self.block(stmt.then, depth + 1)]
        rest = tuple(s for s in stmt.otherwise if not (isinstance(s, ir.Comment) and not s.lines))
        if not rest:
            return [*lines, indent("}", depth)]
        if len(rest) == 1 and isinstance(rest[0], ir.If) and not rest[0].note.above:
            chained = self._if(rest[0], depth)
            return [*lines, indent("} else " + chained[0].lstrip(), depth), *chained[1:]]
        return [*lines, indent("} else {", depth), *self.block(rest, depth + 1), indent("}", depth)]

    @staticmethod
    def _hints(expr: Any) -> str:
        """The attribute of a load or store that the author gave hints."""
        hints = {}
        for inner in ir.walk(expr):
            if isinstance(inner, ir.Call):
                for name, value in inner.arguments:
                    if name in ("latency", "allow_tma") and value is not None:
                        hints[name] = str(value).lower()
        return f"[[cutile::hint(0, {', '.join(f'{k}={v}' for k, v in hints.items())})]] " if hints else ""

    # --- functions ------------------------------------------------------------------

    def text(self, hints: tuple = ()) -> str:
        """The whole function."""
        body = self._with_views(self.block(self.function.body, 1))
        if body and body[-1] == indent("return;", 1) and not (len(body) > 1 and body[-2].lstrip().startswith("//")):
            body.pop()
        heading = [comment_line(line) for line in (self.function.doc or "").splitlines()] or [comment(c) for c in self.function.comments]
        struct, head = self._kernel_head(hints) if self.is_kernel else self._helper_head()
        prologue, body = self._constants_before_views([indent(line, 1) for line in self._prologue()], body)
        gap = [""] if prologue and body else []
        return "\n".join([*struct, *heading, *head, *prologue, *gap, *body, "}"])

    def feeder_text(self, maps: int) -> str:
        """The function that feeds the kernel's products; it takes the kernel's parameters, and the descriptors."""
        body = self._with_views(self.block(self.function.body, 1))
        prologue, body = self._constants_before_views([indent(line, 1) for line in self._prologue()], body)
        params = ["tile2cpp::backend::feeder& feeder__", *(f"{p.cpp} {p.name}" for group in self.parameter_groups() for p in group)]
        params += [f"tile2cpp::backend::tensor_map const& map__{number}" for number in range(maps)]
        head = f"static __device__ __forceinline__ void {self.name}__feed({', '.join(params)}) {{"
        return "\n".join([head, *prologue, *body, "}"])

    def _with_views(self, lines: list[str]) -> list[str]:
        """The lines with the views of slices, and of arrays of lists, declared where these are taken."""
        out: list[str] = []
        for line in lines:
            before, marked, array = line.partition(VIEWS_OF)
            c = self.speller
            out += [before + declared for declared in (*c.span_declarations(array), *c.view_declarations(array))] if marked else [line]
        return out

    def _constants_before_views(self, prologue: list[str], body: list[str]) -> tuple[list[str], list[str]]:
        """Constants of the body that a view at the top names are declared above it."""
        named = set(re.findall(r"\w+", " ".join(prologue))) & self._local_constants()
        early = [line for line in body if (found := CONSTANT.match(line)) and found[1] in named]
        return [indent(line.strip(), 1) for line in early] + prologue, [line for line in body if line not in early]

    def _kernel_head(self, hints: tuple) -> tuple[list[str], list[str]]:
        # Memory whose address is taken has two names: that of the parameter, and that of the array made of the address.
        groups = [", ".join(f"{p.cpp} {'__restrict__ ' if p.is_memory and a.name not in self.addressed else ''}{p.name}" for p in group) for a, group in zip(self.function.params, self.parameter_groups())]
        attribute = kernel_attribute(hints)
        name = f'extern "C" {attribute}__tile_global__ void {self.function.name}('
        return [], [name, *(f"    {g}," for g in groups[:-1]), f"    {groups[-1]}) {{"] if groups else [name + ") {"]

    def _helper_head(self) -> tuple[list[str], list[str]]:
        function, c = self.function, self.speller
        # A combining function is applied to parts of tiles, whatever their shape.
        template = ["template <class Shape>"] if any(isinstance(p.type, Tile) and is_any_shape(p.type.shape) for p in function.params) else []
        struct: list[str] = []
        if function.result is None:
            result = "void"
        elif function.running:
            result = "auto"
        elif isinstance(function.result, Tile):
            result = c.tile_type(function.result)
        else:
            result = f"{self.name}_result"
            fields = " ".join(f"{c.tile_type(t)} {n};" for n, t in function.result)
            struct = [*template, f"struct {result} {{ {fields} }};", ""]
            result += "<Shape>" if template else ""
        params = [text for p in function.params for text in self._helper_params(p)]
        one_line = f"__tile__ {result} {self.name}({', '.join(params)}) {{"
        if len(one_line) <= 100:
            return struct, [*template, one_line]
        return struct, [*template, f"__tile__ {result} {self.name}(", *(f"    {p}," for p in params[:-1]), f"    {params[-1]}) {{"]

    def _helper_params(self, param: ir.Param) -> list[str]:
        if isinstance(param.type, Array) or param.name in self.function.unread:
            return [f"auto {param.name}"]
        if isinstance(param.type, ArrayList):
            return [f"{p.cpp} {p.name}" for p in list_parameters(param.name, param.type, 0, param.name in self.written)]
        return [f"{self.speller.tile_type(param.type)} {param.name}"]

    def parameter_groups(self) -> list[list[Parameter]]:
        """The kernel's C++ parameters, one group for each Python parameter."""
        groups = []
        for position, param in enumerate(self.function.params):
            if isinstance(param.type, Array):
                groups.append(array_parameters(param.name, param.type, position, param.name in self.written))
            elif isinstance(param.type, ArrayList):
                groups.append(list_parameters(param.name, param.type, position, param.name in self.written))
            else:
                groups.append([Parameter(param.name, param.type.dtype.cpp, "scalar", position, param.type.dtype)])
        return groups

    def _prologue(self) -> list[str]:
        """Constants, guarantees, spans and views: only what the body uses."""
        c = self.speller
        views = c.view_declarations()
        spans = c.span_declarations()
        local = self._local_constants()
        constants = [c.constant_declaration(k.name) for k in self.function.constants if k.name in c.used_constants and k.name not in local]
        return constants + (self._guarantees() if self.is_kernel else []) + spans + views

    def _local_constants(self) -> set[str]:
        return {s.name for s in ir.statements(self.function.body) if isinstance(s, ir.Let) and s.constant}

    def _guarantees(self) -> list[str]:
        lines = []
        for param in self.function.params:
            if isinstance(param.type, Array) and param.name in self.speller.used_arrays:
                lines += guarantees(param.name, param.type)
        return lines


def kernel_attribute(hints: tuple) -> str:
    """The author's hints, for all targets or for the named ones."""
    by_target: dict[int, list[str]] = {}
    for name, value in hints:
        if name not in HINTS or value is None:
            continue
        for target, chosen in hint_choices(value).items():
            by_target.setdefault(target, []).append(f"{HINTS[name]}={chosen}")
    if not by_target:
        return ""
    texts = ", ".join(f"hint({target}, {', '.join(parts)})" for target, parts in sorted(by_target.items()))
    return f"[[using cutile : {texts}]] "


def hint_choices(value: Any) -> dict[int, Any]:
    """A hint's values by `__CUDA_ARCH__`; 0 stands for every other target."""
    if not hasattr(value, "targets"):
        return {0: value}
    choices = {int(name.removeprefix("sm_")) * 10: chosen for name, chosen in value.targets.items()}
    return choices if value.default is None else {0: value.default, **choices}


def indent(line: str, depth: int) -> str:
    return "  " * depth + line


def comment(line: str) -> str:
    """A Python comment as a C++ comment."""
    text = line.lstrip("#")
    return ("//" + text).rstrip("\\ \t")


def comment_line(line: str) -> str:
    return f"// {line}".rstrip("\\ \t")


def variables_of(body: tuple[ir.Stmt, ...]) -> set[str]:
    names: set[str] = set()
    for stmt in ir.statements(body):
        if isinstance(stmt, (ir.Let, ir.Declare, ir.Set, ir.For, ir.Slice, ir.Pick, ir.Foreign)):
            names.add(stmt.name)
        elif isinstance(stmt, ir.Unpack):
            names.update(stmt.names)
    return names


def constant_pointers(body: tuple[ir.Stmt, ...], written: set[str]) -> set[str]:
    """The variables for where arrays begin none of which is written."""
    made = [s for s in ir.statements(body) if isinstance(s, ir.Foreign) and s.origins and isinstance(s.pointer, ir.Name)]
    return {s.pointer.name for s in made} - {s.pointer.name for s in made if s.name in written}


def extents_in_shapes(function: ir.Function) -> set[str]:
    """Names of constants that stand in a shape, and are integral constants (`_ic`) therefore."""
    found: set[str] = set()
    for stmt in ir.statements(function.body):
        for root in ir.roots(stmt):
            for expr in ir.walk(root):
                shapes = [expr.shape] if isinstance(expr, ir.ViewName) else []
                if isinstance(expr, ir.Call):
                    shapes += [v for p, v in expr.arguments if expr.op.kind(p) == "Shape"]
                    if "Picks" in expr.op.kinds:  # its view has the extents of the tile
                        shapes.append((expr["tile"] if expr.type is None else expr).type.shape)
                found.update(e.name for shape in shapes for e in shape if isinstance(e, NamedInt))
    return found


def emit(kernel: ir.Kernel, assumed: tuple[str, ...] = ()) -> tuple[str, tuple[Parameter, ...]]:
    """The reviewed file's text, and the parameters of its kernel."""
    written, addressed = written_arrays(kernel), addressed_arrays(kernel)
    functions = function_names(kernel)
    snippets: dict[str, str] = {}
    printers = {f.name: FunctionPrinter(f, f is kernel.main, written[f.name], addressed[f.name], snippets, functions) for f in kernel.functions}
    helpers = [printers[f.name].text() for f in kernel.helpers]
    main = printers[kernel.main.name].text(kernel.hints)
    parameters = tuple(p for group in printers[kernel.main.name].parameter_groups() for p in group)
    facts = {
        "file_name": f"{kernel.main.name}.cu",
        "origin": Path(kernel.file).name,
        "signature": textwrap.shorten(f"{kernel.name}({kernel.signature})", 10_000),
        "assumed": assumed,
        "headers": ["cuda_tile.h", *headers(kernel)],
        "snippets": list(snippets.values()),
        "helpers": helpers,
        "kernel": main,
    }
    return render("kernel.cu.jinja", facts, strip=True), parameters


def emit_feeder(kernel: ir.Kernel, feeder: ir.Function, maps: int) -> str:
    """The text of the function that feeds the products of `kernel`, for its entry."""
    written, addressed = written_arrays(kernel)[kernel.main.name], addressed_arrays(kernel)[kernel.main.name]
    return FunctionPrinter(feeder, True, written, addressed, {}, function_names(kernel)).feeder_text(maps)


def function_names(kernel: ir.Kernel) -> dict[str, str]:
    """What each function is called in the file: a helper gives way to variables, which would hide it (`mean = mean(x)`)."""
    variables = {n for f in kernel.functions for n in variables_of(f.body) | {p.name for p in f.params} | {c.name for c in f.constants}}
    names = Names(variables | {kernel.main.name})
    return {h.name: names.fresh(h.name if h.name not in variables else f"{h.name}_of") for h in kernel.helpers} | {kernel.main.name: kernel.main.name}


def headers(kernel: ir.Kernel) -> list[str]:
    """CUDA's headers for the extended element types that occur."""
    found: set[str] = set()
    for function in kernel.functions:
        for param in function.params:
            found.add((param.type.element if isinstance(param.type, ArrayList) else param.type).dtype.header)
        for stmt in ir.statements(function.body):
            if isinstance(stmt, ir.Declare):
                found.add(stmt.type.dtype.header)
            for root in ir.roots(stmt):
                for expr in ir.walk(root):
                    if isinstance(getattr(expr, "type", None), Tile):
                        found.add(expr.type.dtype.header)
    return sorted(found - {""})
