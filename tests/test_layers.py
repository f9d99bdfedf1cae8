"""Imports point one way: each layer may use the layers above it in this table, never those below."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "tile2cpp"

# The order of the layers, ground first; modules of one row may use each other.
LAYERS = (
    ("errors", "source", "settings", "resources", "rendering", "lambdas"),
    ("dtypes", "types", "annotations", "signature", "emitted"),
    ("ops", "directives"),
    ("ir", "lang", "install", "interpret"),
    ("comments", "parse", "lower"),
    ("passes",),
    ("acquiring", "literals", "parameters", "writes", "chains", "dealing", "speller", "emit", "schedule", "liveness", "factors", "feeding", "flat", "inlining", "joining", "masks", "moves", "ordering", "passing", "plain_loads", "sums", "turning", "warpgroups", "writing_out", "room", "parking", "reading_ahead", "spread"),
    ("pipeline",),
    ("build",),
    ("launch",),
    ("constraints",),
    ("mangling",),
    ("jit", "compilation", "uses", "infer", "translate", "tune", "experimental", "privates"),
    ("standins",),
    ("__init__", "doctor", "examples", "catalogue"),
    ("script", "cli", "__main__"),
)

# Packages from elsewhere, and the modules that may import them (also inside functions).
OUTSIDE = {
    "jinja2": (),  # the tests know it
    "cupy": ("launch", "build", "doctor"),
    "click": ("cli",),
    "filelock": ("build",),
    "platformdirs": ("settings",),
    "subprocess": ("build", "doctor"),
}


def module_of(path: Path) -> str:
    """`ops` for tile2cpp/ops/math.py, `jit` for tile2cpp/jit.py."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def layer_of(module: str) -> int:
    found = [number for number, names in enumerate(LAYERS) if module in names]
    assert found, f"tile2cpp/{module}: say in tests/test_layers.py in which layer it lies"
    return found[0]


def imports(path: Path):
    """Every imported module with its line; `from tile2cpp import x` counts as tile2cpp.x where that is a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = [inner for node in ast.walk(tree) if is_for_types(node) for inner in ast.walk(node)]
    for node in ast.walk(tree):
        if node in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            if node.module == "tile2cpp":
                yield from ((f"tile2cpp.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield node.module, node.lineno


def is_for_types(node) -> bool:
    """`if TYPE_CHECKING:` is read by type checkers only."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def sources():
    return sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_one_way(path):
    own = module_of(path)
    for name, line in imports(path):
        first, *rest = name.split(".")
        where = f"{path.relative_to(ROOT)}:{line} imports {name}"
        if first in OUTSIDE:
            assert own in OUTSIDE[first], f"{where}; only {', '.join(OUTSIDE[first])} may"
        if first != "tile2cpp":
            continue
        if not rest:
            continue  # the package itself, which imports nothing
        used = rest[0] if is_module(rest[0]) else "__init__"
        assert used == own or layer_of(used) <= layer_of(own), f"{where}, which lies in a later layer"


def is_module(name: str) -> bool:
    return (PACKAGE / f"{name}.py").exists() or (PACKAGE / name).is_dir()


def test_every_module_has_a_layer():
    for path in sources():
        layer_of(module_of(path))


def test_no_source_file_is_too_long():
    """A file is one idea; above 400 lines it holds two."""
    long = [f"{path.relative_to(ROOT)}: {lines}" for path in sources() if (lines := len(path.read_text().splitlines())) > 400]
    assert not long, long
