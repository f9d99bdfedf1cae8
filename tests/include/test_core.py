"""The core of the C++ library: laws of layouts, values, thread cooperation, and what is accepted or refused.

`core/*.cpp` check themselves and print what fails. `refuses/*.cpp` must not compile, and the compiler's
message must hold the sentence of their first line.
"""

import re
import subprocess
from pathlib import Path

import pytest

from tile2cpp import resources
from tile2cpp.build import host, nvidia, nvrtc

INCLUDE = Path(__file__).parents[2] / "include"
CORE = Path(__file__).parent / "core"
REFUSALS = sorted((Path(__file__).parent / "refuses").glob("*.cpp"))
FOLDERS = [f"-I{path}" for path in (INCLUDE, INCLUDE / "host_shims", CORE)]
CHECKED = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-attributes"]
SANITIZED = ["-g", "-fsanitize=undefined", "-fno-sanitize-recover=all"]

# Threads, vector, column threads: one warp; the default; no vectors and rows first; replicas; warps along columns.
SCHEDULES = ((32, 4, 32), (128, 4, 32), (64, 1, 8), (16, 8, 4), (128, 2, 128))


def compiler() -> list[str]:
    found = host.find()
    if found is None:
        pytest.skip("no C++ compiler")
    return list(found.command)


def run(name: str, folder: Path, *options: str) -> str:
    """Compile and run one program; what it printed, empty when all its checks hold."""
    binary = folder / name
    subprocess.run([*compiler(), *CHECKED, *FOLDERS, *options, str(CORE / f"{name}.cpp"), "-o", str(binary)], check=True)
    done = subprocess.run([str(binary)], capture_output=True, text=True, timeout=300)
    return done.stdout + done.stderr


def test_layouts_obey_their_laws(tmp_path):
    assert run("laws", tmp_path, *SANITIZED) == ""


@pytest.mark.parametrize("optimised", ("-O0", "-O3"))
def test_values(optimised, tmp_path):
    """Rounding modes must survive the optimiser."""
    assert run("numbers", tmp_path, optimised, *(SANITIZED if optimised == "-O0" else [])) == ""


def test_angles(tmp_path):
    assert run("angles", tmp_path, *SANITIZED) == ""


@pytest.mark.parametrize("optimised", ("-O0", "-O3"))
def test_bytes_that_begin_anywhere(optimised, tmp_path):
    assert run("byte_shift", tmp_path, optimised, *SANITIZED) == ""


@pytest.mark.parametrize("threads, vector, columns, product", [(*s, 0) for s in SCHEDULES] + [(32, 2, 4, 1), (128, 2, 8, 1)])
def test_threads_of_a_block_agree(threads, vector, columns, product, tmp_path):
    schedule = [f"-DT2C_THREADS={threads}", f"-DT2C_VECTOR={vector}", f"-DT2C_COLUMN_THREADS={columns}", f"-DT2C_PRODUCT={product}"]
    assert run("emulated", tmp_path, "-pthread", *schedule) == ""


def test_contract_on_the_host():
    done = subprocess.run([*compiler(), "-std=c++20", "-fsyntax-only", *FOLDERS, str(CORE / "contract.cpp")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.toolkit
def test_contract_with_the_toolkit(tmp_path):
    """NVIDIA's own header agrees with every line."""
    tool = nvidia.require()
    command = [str(tool.path), "-enable-tile", "--tile-only", "-tilebc", "-std=c++20", "-arch=sm_90", "-x", "cu", str(CORE / "contract.cpp")]
    done = subprocess.run([*command, "-o", str(tmp_path / "contract.tilebc")], capture_output=True, text=True, env=tool.environment())
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("refused", REFUSALS, ids=lambda path: path.stem)
def test_refuses(refused):
    sentence = re.match(r"// error: (.+)\n", refused.read_text())[1]
    done = subprocess.run([*compiler(), "-std=c++20", "-fsyntax-only", *FOLDERS, str(refused)], capture_output=True, text=True)
    assert done.returncode != 0 and sentence in done.stderr


KERNELS = {
    "empty": "",
    "elementwise": "for (int i = 0; i < 1; ++i) x.own[0] = p[threadIdx.x]; x = x * x + 2; p[threadIdx.x] = x.own[0] + x.own[7];",
    "row_reduction": "x = ct::exp(x - ct::reduce_max<1>(x)) / ct::sum<1>(x); p[threadIdx.x] = x.own[0];",
    "column_scan": "x = ct::partial_sum<0>(x); p[threadIdx.x] = x.own[0];",
    "transpose": "auto y = ct::transpose(x); p[threadIdx.x] = y.own[0];",
}


@pytest.mark.parametrize("target", ("sm_75", "sm_90"))
@pytest.mark.parametrize("kernel", KERNELS)
def test_compiles_with_nvrtc(kernel, target):
    """Without any header of CUDA or of the C++ library."""
    compile_with_nvrtc(
        '#include "cuda_tile.h"\nnamespace ct = cuda::tiles;\nextern "C" __global__ void k(float* p) {'
        f"ct::tile<float, ct::shape<16, 128>> x = ct::full<ct::tile<float, ct::shape<16, 128>>>(p[0]); {KERNELS[kernel]} }}",
        target,
    )


def compile_with_nvrtc(source: str, target: str) -> bytes:
    found = nvrtc.find()
    if found is None:
        pytest.skip("NVRTC is not installed")
    headers = {name: text for name, text in resources.headers().items() if not name.startswith(nvrtc.STAND_INS)}
    cubin, log = found.compile(source, "kernel.cu", headers, ("-std=c++20", "-default-device", found.quiet(), f"-arch={target}"))
    assert cubin, log
    return cubin
