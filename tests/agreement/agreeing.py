"""Runs one drawn kernel on two backends and compares every output."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
from case import launch
from drawing import BLOCKS, Drawn
from values import FLOATS, Value

import tile2cpp


def kernel_of(source: str, path: Path):
    """The kernel of a source text, which is written to `path`: kernels have their source in a file."""
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.drawn


def results(drawn: Drawn, kernel, backend: str) -> list[np.ndarray]:
    names = kernel.__wrapped__.__code__.co_varnames[: kernel.__wrapped__.__code__.co_argcount]
    given = drawn.arguments()
    after = launch(kernel, (BLOCKS,), tuple(given[n] for n in names), backend)
    return [a for n, a in zip(names, after) if n.startswith("o") and n[1:].isdigit()]


def differences(drawn: Drawn, kernel, backend: str) -> list[str]:
    """What of `drawn` is different on `backend` from what it is in the interpreter."""
    found = []
    for number, (value, want, got) in enumerate(zip(drawn.outputs, results(drawn, kernel, "interpret"), results(drawn, kernel, backend))):
        if not agree(value, want, got):
            wrong = np.flatnonzero(~close(value, want, got))[:3]
            shown = [f"[{i}] {want.reshape(-1)[i]!r} in the interpreter, {got.reshape(-1)[i]!r} on {backend}" for i in wrong]
            found.append(f"o{number} is {value.dtype}{value.shape}: {value.text}\n    " + "\n    ".join(shown))
    return found


def agree(value: Value, want: np.ndarray, got: np.ndarray) -> bool:
    return want.shape == got.shape and want.dtype == got.dtype and bool(close(value, want, got).all())


def close(value: Value, want: np.ndarray, got: np.ndarray) -> np.ndarray:
    """Elementwise: equal (NaN to NaN), or near enough for a value that is not exact."""
    with np.errstate(all="ignore"):
        if value.dtype not in FLOATS:
            return want == got
        want, got = want.astype(np.float64), got.astype(np.float64)
        same = (want == got) | (np.isnan(want) & np.isnan(got))
        if value.exact:
            return same
        return same | (np.abs(want - got) <= value.ulps * value.eps * np.abs(want))


def check(drawn: Drawn, folder: Path, backend: str, name: str = "drawn_kernel") -> None:
    kernel = kernel_of(drawn.source, folder / f"{name}.py")
    try:
        found = differences(drawn, kernel, backend)
    except tile2cpp.Tile2cppError as error:
        raise AssertionError(f"{error}\n\n{drawn.source}") from error
    assert not found, "\n".join(found) + f"\n\n{drawn.source}"
