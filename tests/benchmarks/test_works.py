"""The measured kernels are right without a GPU, at small sizes, and compile for the GPU at theirs."""

import numpy as np
import pytest

import tile2cpp
from benchmarks import arrays, builds, catalogue, check
from benchmarks.work import Work
from tile2cpp.build import nvrtc

SMALL = {f"{number} {work.name}": work for number, work in enumerate(catalogue.small())}
WORKS = {name: work for name, work in catalogue.works().items() if isinstance(work, Work)}


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("backend", ["interpret", "host", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_right(name, backend):
    work = SMALL[name]
    work.set_globals()
    made = arrays.with_numpy(work)
    expected = work.reference(made, np)
    if backend == "cuda":
        import torch

        made = {n: _on_gpu(torch, array) for n, array in made.items()}
        expected = torch.from_numpy(np.ascontiguousarray(expected)).cuda()
    for form, launches in work.ours.items():
        arrays.poison(made[work.result])
        for launch in launches:
            tile2cpp.launch(0, launch.grid, launch.kernel, launch.arguments(made), backend=backend)
        far = check.distance(made[work.result], expected)
        assert far.is_within(work.limit), (form, far)


def _on_gpu(torch, array):
    """Also of the types that NumPy has from ml_dtypes."""
    plain = array.dtype.kind in "fiub"
    bits = array if plain else array.view(f"u{array.dtype.itemsize}")
    tensor = torch.from_numpy(np.ascontiguousarray(bits).view(bits.dtype if plain else f"i{array.dtype.itemsize}")).cuda()
    return tensor if plain else tensor.view(getattr(torch, array.dtype.name))


@pytest.mark.parametrize("name", WORKS)
def test_signatures_are_those_of_arrays(name):
    """What is compiled ahead is what the launch then looks for."""
    work = WORKS[name]
    for _, launch in builds.launches_of(work):
        text = str(builds.signature_of(work, launch))
        assert len(launch.args) == len(launch.kernel.names)
        assert all(name in text for name in launch.kernel.names)


def test_signatures_agree_with_real_arrays():
    for work in SMALL.values():
        made = arrays.with_numpy(work)
        for _, launch in builds.launches_of(work):
            expected = launch.kernel.signature_of(launch.arguments(made))
            aligned = all(made[a].ctypes.data % 16 == 0 for a in launch.args if isinstance(a, str))
            assert not aligned or builds.signature_of(work, launch) == expected


@pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")
@pytest.mark.parametrize("name", WORKS)
def test_compiled_for_a_gpu(name):
    for kernels in builds.build(WORKS[name], 90).values():
        for facts in kernels.values():
            assert facts["registers"] and not facts["serialised"], facts


def test_poison_is_seen():
    for dtype in ("float16", "bfloat16", "int32"):
        work = next(w for w in SMALL.values() if w.arrays[w.result].dtype == dtype)
        made = arrays.with_numpy(work)
        assert not check.distance(made[work.result], work.reference(made, np)).is_within(work.limit)


def test_the_same_name_makes_the_same_values():
    work = next(iter(SMALL.values()))
    for name, array in arrays.with_numpy(work).items():
        np.testing.assert_array_equal(array, arrays.with_numpy(work)[name])
    assert not np.array_equal(arrays.with_numpy(work)["A"][:40, :40], arrays.with_numpy(work)["B"][:40, :40])


def test_bars_name_rivals_that_take_part():
    for work in WORKS.values():
        names = {"tile2cpp", *work.rivals}
        for bar in work.bars:
            assert {bar.of, *bar.against} <= names, work.name
