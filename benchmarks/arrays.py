"""Makes the arrays of a work: random values, the same for the same name; with torch on a GPU, with NumPy elsewhere."""

from __future__ import annotations

import zlib
from typing import Any, Mapping

import numpy as np

from benchmarks.work import Array, Work


def with_numpy(work: Work) -> dict[str, np.ndarray]:
    return {name: _numpy(name, array) for name, array in work.arrays.items()}


def _numpy(name: str, array: Array) -> np.ndarray:
    dtype = numpy_dtype(array.dtype)
    if not isinstance(array.fill, str):
        return np.asarray(array.fill, dtype).reshape(array.shape)
    generator = np.random.default_rng(zlib.crc32(name.encode()))
    if array.fill == "normal":
        return generator.standard_normal(array.shape, np.float32).astype(dtype)
    if array.fill == "bytes":
        return generator.integers(-127, 128, array.shape).astype(dtype)
    return np.full(array.shape, _poison(dtype), dtype)


def _poison(dtype: np.dtype) -> float:
    """What an array holds that nobody has written to."""
    return -77 if dtype.kind in "iu" else float("nan")


def numpy_dtype(name: str) -> np.dtype:
    try:
        return np.dtype(name)
    except TypeError:  # bfloat16 and the 8-bit floats
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))


def with_torch(work: Work, device: str = "cuda") -> dict[str, Any]:
    return {name: _torch(name, array, device) for name, array in work.arrays.items()}


def _torch(name: str, array: Array, device: str) -> Any:
    import torch

    dtype = getattr(torch, array.dtype)
    if not isinstance(array.fill, str):
        return torch.as_tensor(array.fill, dtype=dtype, device=device).reshape(array.shape)
    generator = torch.Generator(device).manual_seed(zlib.crc32(name.encode()))
    if array.fill == "normal":
        few = dtype in (torch.float32, torch.float16, torch.bfloat16)  # the others are made through float32
        made = torch.randn(array.shape, generator=generator, device=device, dtype=dtype if few else torch.float32)
        return made if few else made.to(dtype)
    if array.fill == "bytes":
        return torch.randint(-127, 128, array.shape, generator=generator, device=device, dtype=dtype)
    made = torch.empty(array.shape, dtype=dtype, device=device)
    poison(made)
    return made


def poison(result: Any) -> None:
    """Overwrite an array, so that what a kernel leaves out is seen."""
    if isinstance(result, np.ndarray):
        result[...] = _poison(result.dtype)
        return
    result.fill_(float("nan") if result.is_floating_point() else -77)


def wide(array: Any) -> Any:
    """In double precision, of NumPy or torch."""
    return array.astype(np.float64) if isinstance(array, np.ndarray) else array.double()


def namespace(arrays: Mapping[str, Any]) -> Any:
    """NumPy or torch: references use what both spell alike."""
    if all(isinstance(a, np.ndarray) for a in arrays.values()):
        return np
    import torch

    return torch
