"""Every whole kernel of `programs/`, on every backend, against NumPy."""

import importlib.util
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from case import check  # noqa: E402  (its folder has to be on the path first)


def cases():
    """The cases of all programs, named `program/case`."""
    for path in sorted((HERE / "programs").glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"run_programs_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        for case in module.CASES:
            yield pytest.param(case, id=f"{path.stem}/{case.name}")


def gpu_missing():
    """Why there is no GPU to run on, or None."""
    try:
        import cupy

        return None if cupy.cuda.runtime.getDeviceCount() else "no CUDA device"
    except Exception as error:
        return f"CuPy finds no GPU: {type(error).__name__}"


BACKENDS = ("interpret", "host", pytest.param("cuda", marks=pytest.mark.gpu))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", list(cases()))
def test_program(case, backend):
    if backend == "cuda" and (why := gpu_missing()):
        pytest.skip(why)
    check(case, backend)
