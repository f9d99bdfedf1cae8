"""Kernels for compute capability 9.0 by their PTX on the CPU: right under many schedules, with descriptors and without."""

import math
import re
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from tile2cpp.build import nvrtc

HERE = Path(__file__).parent
for folder in (HERE.parent, HERE.parent / "kernels"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from case import Case, blank, copied, fresh, load_module  # noqa: E402
from emulator import Deadlock, EmulationError, Hazard, Launch, Policy  # noqa: E402
from ml_dtypes import bfloat16, float8_e4m3fn  # noqa: E402
from tolerances import tolerances  # noqa: E402

from benchmarks.kernels import attention as attentions  # noqa: E402
from benchmarks.kernels import others, products  # noqa: E402

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")

KERNELS = HERE.parent / "kernels"
PROGRAMS = {path.stem: load_module(path, "emulated") for path in sorted(KERNELS.glob("*.py")) if path.stem not in ("tilekit", "test_kernels")}
CASES = {name: {case.name: case for case in getattr(program, "FEW", program.CASES)} for name, program in PROGRAMS.items()}
WARPGROUPS = {f"{name} {case}": made for name in ("warpgroups", "walking", "called", "parts", "flat") for case, made in CASES.pop(name).items()}
OTHERS = {f"{name}/{case}": made for name, cases in CASES.items() for case, made in cases.items()}
FEW, MANY = range(2), range(2, 12)


def drawn(case):
    return case.make_args(np.random.default_rng(zlib.crc32(case.name.encode())))


def check(case, seeds, mapped=True, launch=None):
    """The outputs are right and nothing else changes, under each of the schedules."""
    args = drawn(case)
    wanted = case.expected(*copied(args))
    launch = launch or Launch(case.kernel, args)
    for seed in seeds:
        after = copied(args)
        launch.run(after, case.grid, Policy.drawn(seed), mapped)
        for position, want in zip(case.outputs, wanted):
            got = after[position]
            limits = tolerances(got.dtype, case.terms, case.scale)
            np.testing.assert_allclose(got, np.asarray(want), **limits, equal_nan=True, err_msg=f"output {position}, {Policy.drawn(seed)}")
        for position, array in enumerate(args):
            if isinstance(array, np.ndarray) and position not in case.outputs:
                np.testing.assert_array_equal(after[position], array, err_msg=f"input {position} was written")
    return launch


def check_both(case, seeds):
    """With descriptors, and, if there are any, without."""
    launch = check(case, seeds)
    if launch.emitted.schedule.maps:
        check(case, seeds[-1:], mapped=False, launch=launch)


@pytest.mark.parametrize("name", WARPGROUPS)
def test_warpgroups(name):
    check_both(WARPGROUPS[name], FEW)


@pytest.mark.thorough
@pytest.mark.parametrize("name", WARPGROUPS)
def test_warpgroups_in_many_orders(name):
    check_both(WARPGROUPS[name], MANY)


@pytest.mark.thorough
@pytest.mark.parametrize("name", OTHERS)
def test_other_kernels(name):
    check_both(OTHERS[name], FEW)


@pytest.mark.parametrize("name", [name for name in OTHERS if "in vectors" in name or "added rows" in name])
def test_sums_of_neighbours(name):
    launch = check(OTHERS[name], FEW)
    assert launch.emitted.schedule.unasked and not launch.emitted.schedule.ordered


# --- kernels of the benchmarks ---


def wide(array):
    return np.asarray(array, np.float64)


def attention(length, keys, tile, d, causal, dtype="float16", heads=1, group=1, kernel=attentions.attention):
    def make(rng):
        q = fresh(rng, (1, heads, length, d), dtype, -1, 1)
        k, v = (fresh(rng, (1, heads // group, keys, d), dtype, -1, 1) for _ in range(2))
        return q, k, v, blank(q.shape, "float32"), 1 / math.sqrt(d), heads, group, *tile, d, causal

    def expected(q, k, v, *_):
        k, v = (np.repeat(wide(x), group, 1) for x in (k, v))
        scores = wide(q) @ k.swapaxes(2, 3) / math.sqrt(d)
        if causal:
            scores = np.where(np.arange(keys) <= np.arange(length)[:, None], scores, -np.inf)
        weights = np.exp(scores - scores.max(3, keepdims=True))
        return [weights / weights.sum(3, keepdims=True) @ v]

    name = f"{kernel.__name__} {length}x{keys} by {tile[0]}x{tile[1]}, {d}{', causal' if causal else ''}, {np.dtype(dtype).name}"
    blocks = -(-length // tile[0])
    grid = (heads, blocks) if causal and kernel is attentions.attention else (blocks, heads)
    return Case(name, kernel, grid, make, (3,), expected, terms=keys, scale=300.0 if dtype == "float16" else 2500.0)


def product(kernel, m, n, k, tile, dtype="float16", out="float32", turned=False, grid=None):
    def make(rng):
        low, high = (-128, 127) if dtype == "int8" else (-1, 1)
        return fresh(rng, (m, k), dtype, low, high), fresh(rng, (n, k) if turned else (k, n), dtype, low, high), blank((m, n), out), *tile

    def expected(a, b, *_):
        return [wide(a) @ wide(b.T if turned else b)]

    return Case(f"{kernel.__name__} {m}x{n}x{k}, {np.dtype(dtype).name}, {tile}", kernel, (grid or -(-m // tile[0]) * -(-n // tile[1]),), make, (2,), expected, terms=k, scale=500.0 if dtype == "float32" else 1.0)


def decoding(keys, tile, d, parts, group, dtype="float16"):
    """One query for each of the heads that share keys, in rows enough for a product."""
    rows, span = 16 if group <= 16 else 32, -(-(-(-keys // tile)) // parts) * tile

    def make(rng):
        q = fresh(rng, (1, 2, group, d), dtype, -1, 1)
        k, v = (fresh(rng, (1, 2, keys, d), dtype, -1, 1) for _ in range(2))
        return q, k, v, blank((2, parts, rows, d), "float32"), blank((2, parts, rows), "float32"), 1 / math.sqrt(d), 2, group, rows, tile, d, span

    def expected(q, k, v, *_):
        out, log = np.zeros((2, parts, rows, d)), np.full((2, parts, rows), -1e30)
        for head in range(2):
            queries = np.zeros((rows, d))
            queries[:group] = wide(q[0, head])
            for part in range(parts):
                k_part, v_part = (wide(x[0, head, part * span : (part + 1) * span]) for x in (k, v))
                if len(k_part):
                    weights = np.exp(queries @ k_part.T / math.sqrt(d))
                    out[head, part] = weights / weights.sum(1, keepdims=True) @ v_part
                    log[head, part] = np.log2(weights.sum(1))
        return [out, log]

    name = f"decode {keys} by {tile}, {d}, {parts} parts, {np.dtype(dtype).name}"
    return Case(name, attentions.decode, (2, parts), make, (3, 4), expected, terms=keys, scale=300.0 if dtype == "float16" else 2500.0)


USUAL = [
    decoding(330, 64, 64, 2, 4),
    product(products.product, 16, 256, 200, (16, 64, 64)),
    product(products.product, 128, 256, 192, (128, 256, 64)),
    product(products.product_tf32, 128, 256, 72, (128, 128, 32), "float32"),
    product(PROGRAMS["warpgroups"].product, 128, 256, 176, (64, 256, 64), "int8", "int32"),
    product(products.product_int8, 128, 256, 256, (128, 256, 128), "int8", "int32", True),
    product(products.product_turned, 128, 256, 256, (128, 256, 128), float8_e4m3fn, turned=True),
    attention(128, 256, (128, 128), 64, False),
    attention(192, 192, (64, 64), 64, True),
    attention(128, 192, (128, 64), 128, False),
    attention(128, 256, (128, 128), 128, True),
    attention(128, 200, (64, 64), 64, False, kernel=others.attention_by_helpers),
    attention(200, 200, (128, 64), 64, True, kernel=others.attention_by_helpers),
    product(others.product_persistent, 192, 128, 200, (64, 64, 64), grid=2),
]
MORE = [
    *[decoding(keys, tile, d, 3, group, dtype) for keys, tile, d, group in ((520, 128, 128, 4), (130, 64, 128, 1), (200, 128, 64, 20), (190, 128, 256, 1)) for dtype in ("float16", bfloat16)],
    *[product(kernel, 40, 200, 200, (rows, 128, 32), turned=turned) for rows in (16, 32) for kernel, turned in ((products.product, False), (products.product_turned, True))],
    *[product(products.product, 256, 256, 200, tile, bfloat16) for tile in ((64, 64, 64), (128, 128, 64), (256, 128, 64))],
    *[product(products.product_turned, 256, 256, 256, tile, turned=True) for tile in ((128, 128, 64), (128, 256, 64))],
    *[product(PROGRAMS["warpgroups"].product, 256, 256, 176, tile, "int8", "int32") for tile in ((128, 128, 32), (128, 256, 128), (32, 512, 32))],
    *[product(products.product_tf32, 256, 256, 72, tile, "float32") for tile in ((64, 64, 32), (128, 256, 32), (256, 128, 16), (64, 128, 64), (32, 256, 8))],
    *[
        attention(200, 330, (tm, tn), d, causal, dtype, heads=2, group=2)
        for tm, tn in ((128, 128), (128, 64), (64, 64)) for d in (64, 128) for causal in (False, True) for dtype in ("float16", bfloat16)
    ],
]  # fmt: skip


@pytest.mark.parametrize("case", USUAL, ids=lambda case: case.name)
def test_benchmarks(case):
    check_both(case, FEW)


@pytest.mark.thorough
@pytest.mark.parametrize("case", USUAL, ids=lambda case: case.name)
def test_benchmarks_in_many_orders(case):
    check_both(case, MANY)


@pytest.mark.thorough
@pytest.mark.parametrize("case", MORE, ids=lambda case: case.name)
def test_more_benchmarks(case):
    check_both(case, FEW)


# --- what would be found: faults in the PTX of kernels that are right ---

SMALL = product(products.product, 64, 64, 512, (64, 64, 32))
LONG = attention(64, 384, (64, 64), 64, False)
ARRIVE, WAIT = r"(?:@leads )?mbarrier\.arrive\.shared::cta\.b64 _, \[%r\d+\];", r"mbarrier\.try_wait\.parity\S+ done, [^;]+;"
FAULTS = {
    "a stage is freed while it is read": (SMALL, r"(wgmma\.wait_group\S+) 1;", r"\1 3;", Hazard, "copy is started"),
    "sums are used before they are there": (SMALL, r"(wgmma\.wait_group\S+) 0;", r"\1 1;", Hazard, "touches registers"),
    "no stage is freed": (SMALL, ARRIVE, "", Deadlock, "waits for the end of a phase of parity"),
    "products do not wait for their factors": (SMALL, WAIT, "setp.eq.u32 done, 0, 0;", EmulationError, "copy under way|more arrivals"),  # whoever fetches does not wait either
    "more registers than there are": (SMALL, r"(setmaxnreg\.inc\S+) 216;", r"\1 232;", Deadlock, "registers, of which"),
    "a factor in registers is written too late": (LONG, r"wgmma\.fence\S+;", "", Hazard, "after the last wgmma.fence"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(fault):
    case, pattern, instead, error, message = FAULTS[fault]

    def change(text):
        changed, count = re.subn(pattern, instead, text)
        assert count
        return changed

    launch, found = Launch(case.kernel, drawn(case), change), []
    for seed in range(6):
        try:
            launch.run(copied(drawn(case)), case.grid, Policy.drawn(seed))
        except EmulationError as caught:
            found.append(caught)
    assert any(isinstance(f, error) and re.search(message, str(f)) for f in found), found


def test_copies_of_threads_need_a_fence():
    launch = Launch(SMALL.kernel, drawn(SMALL), lambda text: text.replace("fence.proxy.async.shared::cta;", ""))
    with pytest.raises(Hazard, match="without a fence.proxy.async"):
        launch.run(drawn(SMALL), SMALL.grid, mapped=False)
