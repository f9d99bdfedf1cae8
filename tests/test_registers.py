"""No kernel leaves its registers: nothing spilled and no stack, at the schedule that is chosen by itself, on every generation of GPUs.

Golden files, samples and the kernels of `tests/kernels`, through NVRTC of CUDA 13 and 12. Only printing needs a stack:
its arguments are handed over there, and which kernels print is read from what they are translated to.
"""

import sys
import zlib
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / name) for name in ("kernels", "run") if str(HERE / name) not in sys.path]

from case import load_module  # noqa: E402

from benchmarks.kernels import rows  # noqa: E402
from tile2cpp import ir  # noqa: E402
from tile2cpp.build import nvrtc  # noqa: E402
from tile2cpp.emitted import Emitted  # noqa: E402
from tile2cpp.errors import TileUnsupportedFeatureError  # noqa: E402
from tile2cpp.launch import prepare  # noqa: E402
from tile2cpp.lower import lower  # noqa: E402
from tile2cpp.signature import Signature  # noqa: E402
from tile2cpp.translate import kernels_of, translate  # noqa: E402

FILES = sorted((HERE / "golden" / "cases").glob("*.py")) + sorted((HERE.parent / "samples").glob("*.py"))
PROGRAMS = sorted(path for path in (HERE / "kernels").glob("*.py") if path.stem not in ("tilekit", "test_kernels"))
TARGETS = {13: (75, 80, 86, 89, 90, 100, 120), 12: (75, 80, 86, 89, 90)}
EACH = [(release, target) for release, targets in TARGETS.items() for target in targets]


@lru_cache(maxsize=None)
def of_file(path: Path) -> list:
    """The kernels of a golden case or sample, with the signatures they are translated for."""
    made, found = translate(path), kernels_of(path)
    named = {next(iter(found)): made}.items() if isinstance(made, Emitted) else made.items()
    return [(found[name], Signature.parse(emitted.signature, found[name].names)) for name, emitted in named]


@lru_cache(maxsize=None)
def of_program(path: Path, target: int) -> list:
    """The kernels of one of the programs, with the signatures of their cases, where their tiles suit the target; and whether they do without descriptors, too."""
    found = []
    for case in load_module(path, "registers").CASES:
        if case.only_target not in (None, target):
            continue
        case.before()
        found.append((case.kernel, case.kernel.signature_of(case.make_args(np.random.default_rng(zlib.crc32(case.name.encode())))), case.only_target is None))
    return found


def prints(kernel, signature) -> bool:
    """Whether its IR has a line to print, or an assertion, which prints what failed."""
    program, _ = lower(kernel.__wrapped__, signature, kernel.hints)
    roots = (root for f in program.functions for stmt in ir.statements(f.body) for root in ir.roots(stmt))
    return any(isinstance(e, ir.Call) and e.op.family == "debug" for root in roots for e in ir.walk(root))


def faults(kernel, signature, release: int, target: int, plain: bool = True) -> list[str]:
    """Of a launch, and (`plain`) of programs that cannot pass descriptors of arrays, where their schedules differ."""
    try:
        builds = [prepare.for_gpu(kernel, signature, target, release)]
    except TileUnsupportedFeatureError:  # 8-bit floats, which older GPUs lack
        assert target < 89
        return []
    if plain and builds[0][0].schedule.rings:
        without = prepare.emit(kernel, signature, target)
        builds.append((without, nvrtc.compile(without, target, release)))
    return [fault for emitted, built in builds if (fault := fault_of(emitted, built.facts, kernel, signature))]


def fault_of(emitted: Emitted, facts: dict, kernel, signature) -> str:
    left = {name: facts[name] for name in ("stack_bytes", "spill_stores", "spill_loads", "serialised") if facts[name]}
    if set(left) == {"stack_bytes"} and prints(kernel, signature):
        return ""
    return f"{emitted.name}({emitted.signature}): {left}" if left else ""


@pytest.mark.parametrize("path", FILES + PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("release, target", EACH, ids=lambda number: str(number))
def test_in_registers_alone(path, release, target):
    found = nvrtc.find(release)
    if found is None or found.version[0] != release:
        pytest.skip(f"NVRTC of CUDA {release} is not installed")
    kernels = [(*found, True) for found in of_file(path)] if path in FILES else of_program(path, target)
    assert [fault for kernel, signature, plain in kernels for fault in faults(kernel, signature, release, target, plain)] == []


# --- tiles that take half of all registers ---

LARGE = {
    "float64": ("A: f64[?,?]{0}, B: f64[?,?]{0}, C: f64[?,?]{0}, TM=128, TN=128, TK={1}", (32, 64)),
    "tf32": ("A: f32[?,?]{0}, B: f32[?,?]{0}, C: f32[?,?]{0}, TM=128, TN=256, TK={1}", (32, 64)),
}


@pytest.mark.parametrize("target", [80, 86])
@pytest.mark.parametrize("strides", ["", ":(1,?)", ":(?,?)"])
@pytest.mark.parametrize("what", LARGE)
def test_large_products(what, strides, target):
    """Factors that find no room for two stages are fetched in slices; results in columns are not turned round."""
    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed")
    product, (text, depths) = load_module(HERE / "kernels" / "ragged.py", "registers").product, LARGE[what]
    signatures = [Signature.parse(text.format(strides, depth), product.names) for depth in depths]
    assert [fault for signature in signatures for fault in faults(product, signature, nvrtc.find().version[0], target)] == []


@pytest.mark.parametrize("target", [90, 100])
@pytest.mark.parametrize(
    "name, weights, constants",
    [
        ("softmax_held", (), "HELD=4"), ("softmax_whole", (), "TILES=8"), ("layer_norm_whole", ("weight", "bias"), "TILES=8"),
        ("rms_norm_whole", ("weight",), "TILES=8"),
    ],
)  # fmt: skip
def test_rows_of_which_a_block_keeps_half_or_all(name, weights, constants, target):
    if nvrtc.find() is None or target not in nvrtc.find().targets():
        pytest.skip("no NVRTC that knows these GPUs")
    kernel = getattr(rows, name)
    arrays = ["x: f16[?,?%16]", *(f"{w}: f16[?%16]" for w in weights), "y: f16[?,?%16]", *(["eps: f32"] if weights else ())]
    signature = Signature.parse(", ".join([*arrays, f"{constants}, TILE=16384, LANES=4096"]), kernel.names)
    assert faults(kernel, signature, nvrtc.find().version[0], target) == []


def test_who_prints():
    named = {path.stem: path for path in FILES}
    assert [prints(*of_file(named[name])[0]) for name in ("printing", "softmax")] == [True, False]
