"""Names that no kernel computes with: launching, measuring, printing and errors, on every backend."""

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from case import BACKENDS  # noqa: E402  (the folder has to be on the path first)

import tile2cpp  # noqa: E402
import tile2cpp.lang as ct  # noqa: E402

CORRECT = ct.RoundingMode.RN


def memory(backend, array):
    """An array where `backend` computes."""
    if backend != "cuda":
        return array
    import cupy

    return cupy.asarray(array)


def back(array):
    return array if isinstance(array, np.ndarray) else array.get()


@ct.kernel
def doubled(x, y, T: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.add(ct.load(x, (ct.bid(0),), (T,)), ct.load(x, (ct.bid(0),), (T,)), rounding_mode=CORRECT))


@pytest.mark.parametrize("backend", BACKENDS)
def test_launches(backend):
    x, y = memory(backend, np.arange(32, dtype=np.float32)), memory(backend, np.zeros(32, np.float32))
    with ct.compiler_timeout(300):
        ct.launch(0, (2,), doubled, (x, y, 16), backend=backend)
    np.testing.assert_array_equal(back(y), 2 * np.arange(32))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_compiler_may_take_too_long(backend, tmp_path, monkeypatch):
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path))  # nothing is built yet
    x, y = memory(backend, np.arange(32, dtype=np.float64)), memory(backend, np.zeros(32))
    if backend == "interpret":  # which has no compiler
        with ct.compiler_timeout(1e-6):
            ct.launch(0, (2,), doubled, (x, y, 16), backend=backend)
        return
    with ct.compiler_timeout(1e-6), pytest.raises(ct.TileCompilerTimeoutError):
        ct.launch(0, (2,), ct.kernel(doubled.__wrapped__), (x, y, 16), backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_measures(backend, monkeypatch):
    if backend == "interpret":  # which is taken for NumPy arrays where there is no C++ compiler
        monkeypatch.setattr("tile2cpp.build.host.find", lambda *_: None)
    x, y = memory(backend, np.arange(32, dtype=np.float32)), memory(backend, np.zeros(32, np.float32))
    kernel = ct.kernel(doubled.__wrapped__)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ct.tune.exhaustive_search([8, 16], 0, lambda size: (32 // size,), kernel, lambda size: (x, y, size), quiet=True)
    assert found.best.config in (8, 16) and not found.failures
    np.testing.assert_array_equal(back(y), 2 * np.arange(32))


@ct.kernel
def talking(x):
    t = ct.load(x, (0,), (4,))
    ct.print("tile", t, sep=": ")
    ct.printf("%d and %5.2f\n", ct.bid(0), t.extract((2,), (1,)).item())
    print(f"{ct.num_blocks(0):>3d}|{t.dtype}")
    ct.assert_(t >= 0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_prints(backend, capfd):
    x = memory(backend, np.arange(4, dtype=np.float32))
    ct.launch(0, (1,), talking, (x,), backend=backend)
    back(x)  # waits for a GPU
    if backend == "cuda":
        import cupy

        cupy.cuda.Device().synchronize()
    sys.stdout.flush()
    lines = capfd.readouterr().out.split("\n")
    assert lines[1:3] == ["0 and  2.00", "  1|float32"]
    assert [float(v) for v in lines[0].removeprefix("tile: [").removesuffix("]").split(",")] == [0, 1, 2, 3]


# --- errors -------------------------------------------------------------------------


def endless(n):
    return endless(n + 1)


def wrong_syntax(x):
    del x


def wrong_type(x):
    ct.store(x, (0,), ct.zeros((4,), ct.float64))


def wrong_value(x):
    ct.store(x, (0,), ct.load(x, (0,), (4,)).astype(ct.int8) + 300)


def no_end(x):
    ct.store(x, (0,), endless(0))


def wrong_evaluation(x):
    ct.store(x, (0,), ct.static_eval(1 / 0))


def thrown(x):
    raise ct.static_exception(ValueError("no"))


def wrong_assertion(x):
    ct.static_assert(x.ndim == 2, "not a matrix")


MISTAKES = {
    wrong_syntax: ct.TileSyntaxError, wrong_type: ct.TileTypeError, wrong_value: ct.TileValueError, no_end: ct.TileRecursionError,
    wrong_evaluation: ct.TileStaticEvalError, thrown: ct.StaticException, wrong_assertion: ct.TileStaticAssertionError,
}  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("function", MISTAKES, ids=lambda f: f.__name__)
def test_errors(function, backend):
    x = memory(backend, np.zeros(4, np.float32))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(MISTAKES[function]) as told:
            tile2cpp.launch(0, (1,), ct.kernel(function), (x,), backend=backend)
    assert isinstance(told.value, ct.TileError) and "test_names.py" in str(told.value)
    assert not back(x).any()
