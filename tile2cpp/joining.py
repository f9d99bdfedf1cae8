"""A variable that is given a tile as it lies in memory, and right after it the same tile by other axes, is one tile from the start.

    b = load(...)                          b = transpose(load(...))
    b = transpose(b)          ->           acc = mma(a, b, acc)
    b = astype(b, b.dtype)
    acc = mma(a, b, acc)

Products take such factors from where they lie, and others fetch them ahead, only if no variable that may hold a loaded tile takes another
value (`warpgroups.keeps_loads`). Values that are the same are not given at all. Where a factor is loaded and then changed (`q = q * scale`), each
value that follows the one before in the same block has a variable of its own. And what is loaded to be changed in a loop, such as sums that
begin with what memory holds, is read at once where a kernel multiplies: its variable is declared as a tile, and then given the load.
"""

from __future__ import annotations

from dataclasses import replace

from tile2cpp import ir
from tile2cpp.factors import as_written, is_product
from tile2cpp.inlining import made_by
from tile2cpp.warpgroups import loaded_variables, may_be_placed
from tile2cpp.writing_out import reading


def joined(kernel: ir.Kernel) -> ir.Kernel:
    """`kernel` with such variables given their value once, in all of its functions."""
    products = [e for f in kernel.functions for e in ir.expressions(f.body) if is_product(e)]
    functions = [_joined(f) for f in kernel.functions]
    *helpers, main = [_read_at_once(divided(f)) for f in functions] if products else functions
    return replace(kernel, main=main, helpers=tuple(helpers))


def _joined(function: ir.Function) -> ir.Function:
    function = replace(function, body=ir.rebuild(function.body, _without_itself))
    return replace(function, body=_block(function.body, loaded_variables(function)))


def _read_at_once(function: ir.Function) -> ir.Function:
    """`function` with variables for tiles, where these are loaded and then take other values without being factors."""
    read = _changed_loads(function) - _factors(function)

    def change(stmt: ir.Stmt) -> list[ir.Stmt]:
        if not isinstance(stmt, ir.Let) or stmt.name not in read:
            return [stmt]
        return [ir.Declare(stmt.name, stmt.value.type, ir.Note(above=stmt.note.above)), ir.Set(stmt.name, stmt.value, replace(stmt.note, above=()))]

    return replace(function, body=ir.expand(function.body, change))


def divided(function: ir.Function) -> ir.Function:
    """`function` with a variable of its own for each value of a loaded factor, where these follow one after the other in a block."""
    names = _changed_loads(function) & _factors(function)
    taken = {p.name for p in function.params} | {c.name for c in function.constants} | {n for s in ir.statements(function.body) for n in made_by(s)}
    return replace(function, body=_apart(function.body, names, taken)) if names else function


def _apart(body: tuple[ir.Stmt, ...], names: set[str], taken: set[str]) -> tuple[ir.Stmt, ...]:
    """A block with new variables in place of other values of `names`; those that take one in a branch or a loop inside stay."""
    inside = {s.name for stmt in body for block in ir.blocks(stmt) for s in ir.statements(block) if isinstance(s, ir.Set)}
    now: dict[str, ir.Name] = {}  # of the variables that are made in this block
    out = []
    for stmt in body:
        read = reading(stmt, now)
        if isinstance(stmt, ir.Let) and stmt.name in names - inside:
            now[stmt.name] = ir.Name(stmt.name, stmt.value.type)
        elif isinstance(stmt, ir.Set) and stmt.name in now:
            name = next(n for k in range(2, len(taken) + 3) if (n := f"{stmt.name}_{k}") not in taken)
            taken.add(name)
            now[stmt.name] = ir.Name(name, stmt.value.type)
            read = ir.Let(name, read.value, stmt.note)
        out.append(ir.with_blocks(read, [_apart(block, names, taken) for block in ir.blocks(read)]))
    return tuple(out)


def _changed_loads(function: ir.Function) -> set[str]:
    """The variables that may hold what was loaded, and take another value."""
    return {s.name for s in ir.statements(function.body) if isinstance(s, ir.Set)} & loaded_variables(function)


def _factors(function: ir.Function) -> set[str]:
    return {e.name for call in ir.expressions(function.body) if is_product(call) for role in ("x", "y") for e in ir.walk(call[role]) if isinstance(e, ir.Name)}


def _without_itself(stmt: ir.Stmt) -> ir.Stmt | None:
    """None for a variable that is given its own value; what the author says of it stays."""
    if not isinstance(stmt, ir.Set) or not _is_name(as_written(stmt.value), stmt.name):
        return stmt
    lines = _lines(stmt.note)
    return ir.Comment(lines) if lines else None


def _block(body: tuple[ir.Stmt, ...], loaded: set[str]) -> tuple[ir.Stmt, ...]:
    out: list[ir.Stmt] = [ir.with_blocks(stmt, [_block(block, loaded) for block in ir.blocks(stmt)]) for stmt in body]
    position = 0
    while position < len(out):
        later = _next_value(out, position, loaded)
        if later is None:
            position += 1
            continue
        first, second = out[position], out[later]
        value = ir.changed(second.value, lambda e: first.value if _is_name(e, first.name) else None)
        note = replace(first.note, above=(*first.note.above, *_lines(second.note)))
        out[position] = replace(first, value=value, note=note)
        del out[later]
    return tuple(out)


def _next_value(body: list[ir.Stmt], position: int, loaded: set[str]) -> int | None:
    """Where the loaded tile at `position` is given to its own variable by other axes, if nobody reads it before or beside."""
    first = body[position]
    if not isinstance(first, ir.Let) or first.name not in loaded:
        return None
    for later in range(position + 1, len(body)):
        stmt = body[later]
        if isinstance(stmt, ir.Set) and stmt.name == first.name:
            return later if may_be_placed(stmt.value, {first.name}) and _reads(stmt, first.name) == 1 else None
        if any(_reads(s, first.name) or getattr(s, "name", None) == first.name for s in ir.statements((stmt,))):
            return None
    return None


def _reads(stmt: ir.Stmt, name: str) -> int:
    return sum(_is_name(e, name) for root in ir.roots(stmt) for e in ir.walk(root))


def _is_name(expr: object, name: str) -> bool:
    return isinstance(expr, ir.Name) and expr.name == name


def _lines(note: ir.Note) -> tuple[str, ...]:
    return (*note.above, *((note.beside,) if note.beside else ()))
