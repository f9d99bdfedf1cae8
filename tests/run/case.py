"""A kernel launch and the answer NumPy gives, and how to hold one against the other."""

import importlib.util
import sys
import zlib
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided
from tolerances import tolerances

import tile2cpp


# Parameters for `pytest.mark.parametrize("backend", ...)`.
BACKENDS = ("interpret", "host", pytest.param("cuda", marks=pytest.mark.gpu))


@dataclass(frozen=True)
class Case:
    """One launch.

    `make_args(rng)` draws the arguments, `expected(*args)` says what `outputs`
    (positions) hold afterwards. `terms` and `scale` describe the longest sum,
    `before` runs first (it sets the globals a kernel reads). `only_target`: the compute
    capability that its tiles were chosen for, and descriptors of arrays; elsewhere they take more registers than there are.
    """

    name: str
    kernel: Any
    grid: tuple
    make_args: Callable
    outputs: tuple
    expected: Callable
    terms: int = 1
    scale: float = 1.0
    before: Callable = lambda: None
    only_target: int | None = None


def load_module(path, prefix):
    """Import a file under a name of its own, whatever else is called like it."""
    spec = importlib.util.spec_from_file_location(f"{prefix}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def fresh(rng, shape, dtype="float32", low=-2.0, high=2.0):
    """Random values; integers are drawn from [low, high]."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        return rng.integers(int(low), int(high) + 1, shape).astype(dtype)
    return rng.uniform(low, high, shape).astype(dtype)


def blank(shape, dtype="float32"):
    """An output whose old contents would be noticed."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return np.full(shape, np.nan, dtype)
    return np.full(shape, 1 if dtype.kind == "b" else 77, dtype)


def same_layout(array, module=np):
    """A copy with the same strides and the same alignment to 16 bytes, in NumPy or CuPy."""
    if array.size == 0:
        return module.asarray(array.copy())
    if min(array.strides, default=0) < 0:
        turned = tuple(slice(None, None, -1 if stride < 0 else None) for stride in array.strides)
        return same_layout(array[turned], module)[turned]
    span = sum((n - 1) * s for n, s in zip(array.shape, array.strides)) // array.itemsize + 1
    lead = array.ctypes.data % 16 // array.itemsize
    flat = module.empty(lead + span, array.dtype)
    flat[lead:] = module.asarray(as_strided(array, (span,), (array.itemsize,)))
    return module.lib.stride_tricks.as_strided(flat[lead:], array.shape, array.strides)


def copied(args, module=np):
    return tuple(same_layout(a, module) if isinstance(a, np.ndarray) else a for a in args)


def launch(kernel, grid, args, backend):
    """Launch on `backend` with NumPy arguments; returns the arguments afterwards, as NumPy."""
    if backend != "cuda":
        tile2cpp.launch(0, grid, kernel, tuple(args), backend=backend)
        return args
    import cupy

    moved = tuple(on_gpu(a, cupy) for a in args)
    tile2cpp.launch(cupy.cuda.get_current_stream(), grid, kernel, moved, backend=backend)
    return tuple(back(a, old) for a, old in zip(moved, args))


def on_gpu(value, cupy):
    """An argument on the GPU; tuples and lists item by item."""
    if isinstance(value, (tuple, list)):
        return type(value)(on_gpu(item, cupy) for item in value)
    if not isinstance(value, np.ndarray):
        return value
    return extended_floats(value) if is_extended(value) else same_layout(value, cupy)


def is_extended(value):
    """Whether it holds floats that NumPy itself does not have."""
    return isinstance(value, np.ndarray) and value.dtype.name.startswith(("float8", "bfloat16"))


def extended_floats(array):
    """On the GPU as a tensor of torch: CuPy has no such dtype."""
    torch = pytest.importorskip("torch")
    whole = torch.from_numpy(array.view(f"i{array.itemsize}")).cuda()
    return whole.view(getattr(torch, array.dtype.name))


def back(array, old):
    """The NumPy array of what a launch left on the GPU."""
    if isinstance(old, (tuple, list)):
        return type(old)(back(item, before) for item, before in zip(array, old))
    if is_extended(old):
        import torch

        bits = torch.int8 if old.itemsize == 1 else torch.int16
        return array.view(bits).cpu().numpy().view(old.dtype)
    return array.get() if isinstance(old, np.ndarray) else array


def check(case, backend):
    """Run `case` on `backend`; outputs must be right, and all other arrays unchanged."""
    case.before()
    args = case.make_args(np.random.default_rng(zlib.crc32(case.name.encode())))
    before = copied(args)
    wanted = case.expected(*copied(args))
    after = launch(case.kernel, case.grid, copied(args), backend)

    assert len(wanted) == len(case.outputs), "the case names as many outputs as it expects"
    for position, want in zip(case.outputs, wanted):
        got = after[position]
        want = np.asarray(want)
        assert got.shape == want.shape, f"output {position}: the case expects {want.shape}, not {got.shape}"
        limits = tolerances(got.dtype, case.terms, case.scale)
        np.testing.assert_allclose(got, want, **limits, equal_nan=True, err_msg=f"output {position}")
    for position, array in enumerate(before):
        if isinstance(array, np.ndarray) and position not in case.outputs:
            np.testing.assert_array_equal(after[position], array, err_msg=f"input {position} was written")
