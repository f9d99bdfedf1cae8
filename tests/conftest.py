"""What all tests share: golden files, and marks that skip with a reason where a machine lacks something."""

import difflib
from pathlib import Path

import pytest


# Dtypes whose kernels are like those of others: for the host they are compiled in the thorough run.
ALIKE = {
    "test_batches.py::test_is_what_numpy_says": {
        "sums": "int16 int32 int64 uint8 uint16 uint64 bfloat16 float64", "extremes": "int16 int32 int64 uint8 uint16 uint64 bfloat16 float64",
        "own folds": "int16 int32 int64 uint8 uint16 uint64 bfloat16 float64",
        "shapes": "int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 float64 float8_e5m2 float8_e8m0fnu",
        "made": "int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 float64 float8_e5m2",
        "cast": "int8 int16 uint8 uint16 uint32 uint64 float8_e5m2",
        "comparison": "int16 int64 uint16 uint32 bfloat16", "bits": "int16 int32 uint8 uint64",
    },
    "test_programs.py::test_leaves_what_numpy_says": {
        "memory": "int16 int32 uint8 uint16 uint32 uint64 float16 float64 float8_e4m3fn float8_e5m2", "atomics": "uint32 int64 float64 float16",
    },
}  # fmt: skip

# What takes longest and repeats, on more machines or for more schedules, what other tests see too. `pytest -m thorough` runs it.
THOROUGH = (
    "test_written_out.py::test_the_tile_compiler_takes_the_examples",
    "docs/test_cpp_pages.py::test_nvcc",
    "docs/test_gallery.py::test_the_tile_compiler_takes_them",
    "docs/test_cpp_pages.py::test_tile_compiler",
    "launcher/test_cmake.py::test_by_the_tile_compiler",
    "launcher/test_launcher.py::test_a_plain_compiler_calls_what_nvcc_compiled",
    "launcher/test_launcher.py::test_nvcc[",
    "launcher/test_launcher.py::test_nvcc_takes_every_golden_kernel",
    "launcher/test_launcher.py::test_tile_compiler",
    "launcher/test_launcher.py::test_two_schedules_are_linked_by_nvcc",
    "kernels/test_kernels.py::test_accepted_by_the_tile_compiler",
    "kernels/test_kernels.py::test_compiled_for_a_gpu",
    "include/test_core.py::test_threads_of_a_block_agree",
    "include/test_guide.py::test_accepted_by_the_tile_compiler",
    "include/test_memory.py::test_accepted_by_the_tile_compiler",
    "include/test_memory.py::test_emulated_block",
    "include/test_memory.py::test_one_thread",
    "include/conformance/test_accepted.py::test_emulated_block",
    "include/conformance/test_accepted.py::test_nvrtc",
    "include/conformance/test_accepted.py::test_tile_compiler",
    "test_registers.py::test_in_registers_alone",
    "include/conformance/test_refused.py::test_lone_by_the_tile_compiler",
    "include/handwritten/test_handwritten.py::test_nvrtc",
    "agreement/test_accepted.py",
    "build/test_compile_cost.py::test_time",
    "benchmarks/test_works.py::test_compiled_for_a_gpu",
    "benchmarks/test_works.py::test_right[host",
    "everywhere/test_compiled.py",
    *(f"everywhere/{test}[{family} {dtype}-host" for test, families in ALIKE.items() for family, dtypes in families.items() for dtype in dtypes.split()),
)


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew; then read the diff")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.removeprefix("tests/").startswith(THOROUGH):
            item.add_marker(pytest.mark.thorough)
    for mark, reason in (("gpu", gpu_missing), ("toolkit", toolkit_missing)):
        marked = [item for item in items if item.get_closest_marker(mark)]
        why = reason() if marked else None
        for item in marked if why else ():
            item.add_marker(pytest.mark.skip(reason=why))


def gpu_missing() -> str | None:
    """Why nothing can run on a GPU here, or None."""
    try:
        import cupy

        return None if cupy.cuda.runtime.getDeviceCount() else "no CUDA device"
    except Exception as error:  # not installed, or no driver
        return f"CuPy finds no GPU ({type(error).__name__})"


def toolkit_missing() -> str | None:
    """Why NVIDIA's tile compiler cannot be asked here, or None."""
    from tile2cpp.build import nvidia

    found = nvidia.find()
    return None if found and found.path else "NVIDIA's tile compiler is not installed: pip install 'tile2cpp[check]'"


@pytest.fixture
def golden(request):
    """`golden(path, text)` holds `text` to the file; `pytest --update-golden` writes the file."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.exists(), f"{path.name} is missing; write it with pytest --update-golden, then read it"
        want = path.read_text(encoding="utf-8")
        if want != text:
            diff = difflib.unified_diff(want.splitlines(), text.splitlines(), path.name, "now", lineterm="")
            pytest.fail("the golden file differs; renew with pytest --update-golden\n" + "\n".join(diff), pytrace=False)

    return compare
