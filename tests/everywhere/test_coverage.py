"""Nothing of the language is left out: the batches and programs of this folder, which run on every backend, meet all of it.

What an operation takes is asked of its own rule, and what a kernel uses is read off its translation; so a new
operation, dtype or option is missed here until some batch or program has it.
"""

import ast
import sys
from functools import lru_cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from families import batch as batches  # noqa: E402  (the folder has to be on the path first)
from families.atomics import INTEGERS  # noqa: E402
from families.facts import demanded, facts  # noqa: E402
from families import BATCHES, PROGRAMS  # noqa: E402
from families.formats import EVERY, NATIVE  # noqa: E402
from families.formats import dtype_of as named  # noqa: E402
from families.memory import paddings  # noqa: E402

from tile2cpp.ops import METHODS, REGISTRY, atomics, cast, combine, mma, orders  # noqa: E402

DOCS = Path(__file__).parents[2] / "docs"
NAMES = [name for line in (DOCS / "language-names.txt").read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#") for name in line.partition(": ")[2].split()]
DTYPES = tuple(dict.fromkeys(named(name) for name in EVERY))
ARRAYS = tuple(named(name).name for name in NATIVE)
# Operations whose dtypes are told by tables below, and those that are not seen in a translation but in the text.
BY_TABLE = ("memory", "atomics", "arrays", "advanced", "mma", "grid", "debug")
IN_THE_TEXT = ("divmod", "tiled_view", "slice", "get_raw_memory", "Array.from_foreign", "grid_dependency_control_wait", "grid_dependency_control_launch_dependents", "print", "printf", "print_line")


@lru_cache(maxsize=1)
def met() -> set[tuple]:
    found = set()
    for batch in BATCHES.values():
        outputs = batches.wanted(batch)
        found |= facts(batches.kernel_of(batch, outputs), batches.arguments(batch, outputs))
    for program in PROGRAMS.values():
        found |= facts(program.kernel, program.args())
    return found


def missing(wanted: set[tuple]) -> list[str]:
    return sorted(" ".join(map(str, fact)) for fact in wanted - met())


FOLDS_OF_BITS = tuple(op.name for op in combine.BIT_FOLDS.values())


@pytest.mark.parametrize("op", [op for op in REGISTRY.values() if op.family not in BY_TABLE and op.name not in IN_THE_TEXT], ids=lambda op: op.name)
def test_every_dtype_and_option(op):
    wanted = demanded(op, [d for d in DTYPES if not d.is_floating] if op.name in FOLDS_OF_BITS else DTYPES)
    assert wanted or op.name in ("unpack_from_bytes", "transpose", "extract", "insert", "item", "cat", "astile", "choose", "logical_and", "logical_or", "permute")
    assert any(fact[0] == op.name for fact in met()), f"no batch and no program uses {op.name}"
    assert not missing(wanted)


def test_every_operation():
    seen = {fact[0] for fact in met()}
    assert sorted(set(REGISTRY) - seen - set(IN_THE_TEXT)) == []


def test_every_conversion():
    pairs = [(a, b) for a in DTYPES for b in DTYPES]
    wanted = {("astype", a.name, "dtype", b.name) for a, b in pairs if a != b}
    assert not missing(wanted)
    floats = [(a, b) for a, b in pairs if a.is_floating and b.is_floating]
    modes = {("astype", a.name, "rounding_mode", mode) for a, b in floats for mode in cast.allowed_modes(a, b)}
    assert not missing(modes)


def test_every_dtype_of_shapes():
    names = ("reshape", "broadcast_to", "permute", "transpose", "cat", "extract", "insert", "item", "where", "zeros", "ones", "full")
    assert not missing({(name, dtype.name) for name in names for dtype in DTYPES if name != "where"})


def test_memory_of_every_array():
    names = ("load", "store", "gather", "scatter", "load_advanced_indexing", "store_advanced_indexing", "view_load", "view_store", "load_offset", "store_offset", "num_tiles", "view_num_tiles")
    wanted = {(name, dtype) for name in names for dtype in ARRAYS}
    wanted |= {("load", named(name).name, "padding_mode", mode) for name in NATIVE for mode in paddings(name)}
    for dtype in ARRAYS:
        wanted |= {(name, dtype, "check_bounds", False) for name in ("load", "store", "gather", "scatter", "view_load", "view_store")}
        wanted |= {("load", dtype, "memory_order", order) for order in ("WEAK", "RELAXED", "ACQUIRE")}
        wanted |= {("store", dtype, "memory_order", order) for order in ("WEAK", "RELAXED", "RELEASE")}
        wanted |= {(name, dtype, "allow_tma", flag) for name in ("load", "store") for flag in (True, False)}
    wanted |= {("load", "float32", "memory_scope", scope) for scope in ("NONE", "BLOCK", "DEVICE")} | {("store", "float32", "memory_scope", "SYS")}
    assert not missing(wanted)


def test_atomics_of_every_array():
    taken = {name: allowed for name, (_, allowed, _, _) in atomics.CHANGES.items()} | {name: atomics.EXCHANGED for name in ("atomic_xchg", "atomic_cas")}
    wanted = {(name + at, dtype.name) for name, allowed in taken.items() for dtype in allowed for at in ("", "_offset")}
    wanted |= {(op.name, dtype) for (owner, method), op in METHODS.items() if owner == "view" and method.startswith("atomic_") for dtype in INTEGERS}
    wanted |= {("atomic_add", "int32", "memory_order", order) for order in orders.ATOMIC}
    wanted |= {("atomic_add", "int32", "memory_scope", scope) for scope in ("BLOCK", "DEVICE", "SYS")}
    assert not missing(wanted)


def test_products_of_every_dtype():
    wanted = {("mma", x.name) for x in mma.ACCUMULATORS} | {("matmul", x.name) for x in mma.ACCUMULATORS} | {("mma_scaled", x.name) for x, _ in mma.BLOCKS}
    wanted |= {("mma", name, "use_fast_acc", True) for name in ("float8_e4m3fn", "float8_e5m2")}
    assert not missing(wanted)
    summed = {(x.name, acc.name) for x, accs in mma.ACCUMULATORS.items() for acc in accs}
    assert {f"mma {x} {acc}" for x, acc in summed} <= set(BATCHES)
    assert {f"scaled {x.name} {s.name} {n}" for (x, s), blocks in mma.BLOCKS.items() for n in blocks} <= set(BATCHES)


# --- what is seen in the text only --------------------------------------------------

# Names with nothing to run on a backend, and where they are tested instead.
ELSEWHERE = {
    "compilation": "ahead of time and for GPUs only: tests/test_compilation.py",
    "TileCompilerExecutionError": "a compiler that fails: tests/build",
    "TileInternalError": "a fault of tile2cpp itself",
    "TileUnsupportedFeatureError": "what a GPU does not have: tests/diagnostics",
}
OPERATORS = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor,
    ast.Invert, ast.Not, ast.UAdd, ast.USub, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.And, ast.Or, ast.IfExp, ast.In, ast.NotIn, ast.Is, ast.IsNot,
)  # fmt: skip


def trees():
    return [ast.parse(path.read_text(encoding="utf-8")) for path in HERE.rglob("*.py") if path.name != Path(__file__).name]


def test_every_public_name():
    """As `ct.name` in what runs on every backend."""
    used = {node.attr for tree in trees() for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ct"}
    assert sorted(set(NAMES) - used - set(ELSEWHERE)) == []
    assert not set(ELSEWHERE) & used, "it is tested here after all"


def test_every_method_and_attribute():
    used = {node.attr for tree in trees() for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    methods = {method for _, method in METHODS} | {"dtype", "shape", "ndim", "strides", "foreign_pointer", "from_foreign", "tile_shape", "traversal_steps"}
    assert sorted(methods - used) == []


def test_every_operator():
    used = {type(node) for tree in trees() for node in ast.walk(tree)}
    assert [operator.__name__ for operator in OPERATORS if operator not in used] == []


def test_every_test_runs_on_every_backend():
    """But for this file and the one that compiles for GPUs."""
    for path in sorted(HERE.glob("test_*.py")):
        if path.name in (Path(__file__).name, "test_compiled.py"):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                marks = {ast.unparse(mark) for mark in node.decorator_list}
                assert "pytest.mark.parametrize('backend', BACKENDS)" in marks, f"{path.name}: {node.name}"
