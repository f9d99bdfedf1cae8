"""`tile2cpp translate --launcher`: what the header looks like, what it computes, what it refuses, where it compiles."""

import ctypes
from pathlib import Path

import numpy as np
import programs
import pytest

from tile2cpp.build.launcher import USUAL_TARGET, launcher
from tile2cpp.translate import kernels_of, translate

HERE = Path(__file__).parent
KERNELS = HERE / "kernels.py"
CASES = sorted((HERE.parent / "golden" / "cases").glob("*.py"))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The library with the launcher of a kernel, by the kernel's name."""
    known = {}

    def build(name):
        if name not in known:
            folder = tmp_path_factory.mktemp(name)
            programs.write(folder, name)
            known[name] = programs.library(programs.compile_cpu(folder, programs.caller(folder, name), *programs.SHARED))
        return known[name]

    return build


def address(array, offset=0):
    return ctypes.c_void_p(array.ctypes.data + offset)


def room(*shape, dtype="float32"):
    """Zeros at an address that is a multiple of 64."""
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(count + 64, "uint8")
    start = -raw.ctypes.data % 64
    return raw[start : start + count].view(dtype).reshape(shape)


# --- the text ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", kernels_of(KERNELS))
def test_the_header(name, golden):
    golden(HERE / "headers" / f"{name}.hpp", launcher(translate(KERNELS, kernel=name, target=USUAL_TARGET)))


# --- what it computes, and what it refuses ----------------------------------------------


def test_agrees_with_numpy(built):
    whole, y = room(10, 80), room(16, 64)
    whole[:] = np.random.default_rng(1).standard_normal((10, 80))
    x = whole[:, 4:54]
    arguments = (address(x), 10, 50, 80, address(y), 16, ctypes.c_float(3))
    assert built("scale_rows").run(3, 1, 1, *arguments) == 0
    np.testing.assert_array_equal(y[:10, :50], x * np.float32(3))
    assert not y[10:].any() and not y[:, 50:].any()


def test_a_product(built):
    rng = np.random.default_rng(1)
    a, b, c = room(70, 40, dtype="float16"), room(40, 90, dtype="float16"), room(70, 90)
    a[:], b[:] = rng.standard_normal(a.shape), rng.standard_normal(b.shape)
    assert built("matmul").run(2, 2, 1, address(a), 70, 40, address(b), 40, 90, address(c), 70, 90) == 0
    np.testing.assert_allclose(c, a.astype("f") @ b.astype("f"), rtol=1e-4, atol=1e-4)


def test_a_list_of_arrays(built):
    xs, y = [room(96), room(32)], room(100)
    for n, x in enumerate(xs):
        x[:] = np.arange(len(x)) + n
    pointers, extents = np.array([x.ctypes.data for x in xs], "uint64"), np.array([96, 32], "int32")
    assert built("add_all").run(2, 1, 1, address(pointers), address(extents), 2, address(y), 100) == 0
    expected = np.zeros(100, "f")
    for x in xs:
        expected[: len(x)] += x
    np.testing.assert_array_equal(y, expected)


def test_a_grid_of_two_axes(built):
    x = room(96, dtype="int64")
    assert built("write_").run(2, 3, 1, address(x), ctypes.c_longlong(96), 5) == 0
    np.testing.assert_array_equal(x, np.repeat(np.arange(6) * 5, 16))


def test_parameters_called_grid_and_stream(built):
    x = room(20, dtype="int32")
    assert built("entry").run(2, 1, 1, address(x), 20, 6, 7) == 0 and (x == 42).all()


def test_a_grid_without_blocks_does_nothing(built):
    x = room(16, dtype="int64")
    assert built("write_").run(2, 0, 1, address(x), ctypes.c_longlong(16), 5) == 0 and not x.any()


@pytest.mark.parametrize(
    "change, words",
    [
        ({0: 4}, "x_ptr is no multiple of 16 bytes"),
        ({1: -1}, "x_shape0 is negative"),
        ({3: 50}, "x_stride0 is no multiple of 16"),
        ({3: -16}, "x_stride0 is negative"),
        ({1: 2**20, 3: 2**12}, "x spans 2^31 elements or more"),
        ({4: 8}, "y_ptr is no multiple of 16 bytes"),
        ({5: 10}, "y_shape0 is no multiple of 16"),
    ],
)
def test_what_the_file_was_not_made_for(built, change, words):
    x, y = room(10, 80), room(16, 64)
    x[:] = 1
    values = [0, 10, 50, 80, 0, 16, ctypes.c_float(3)]
    for position, value in change.items():
        values[position] = value
    values[0], values[4] = address(x, values[0]), address(y, values[4])
    assert built("scale_rows").run(3, 1, 1, *values) == 1
    assert built("scale_rows").refusal(*values).decode() == words
    assert not y.any(), "nothing ran"


@pytest.mark.parametrize("extents, fits", [((2**15, 2**16), True), ((2**15 + 1, 2**16), False), ((0, 2**31 - 1), True), ((2**31 - 1, 2**31 - 1), False)])
def test_offsets_of_32_bits(built, extents, fits):
    c = room(16)
    found = built("matmul").refusal(address(c), *extents, address(c), 1, 1, address(c), 1, 1)
    assert found == (None if fits else b"A spans 2^31 elements or more")


# --- where it compiles ------------------------------------------------------------------


def test_all_golden_kernels_in_one_file(tmp_path):
    """Each keeps its names to itself, those of helpers and of functions of the C library too."""
    names = []
    for case in CASES:
        emitted = translate(case, target=USUAL_TARGET)
        names.append(emitted.name)
        (tmp_path / emitted.file_name).write_text(emitted.text, encoding="utf-8")
        (tmp_path / f"{emitted.name}.hpp").write_text(launcher(emitted), encoding="utf-8")
    programs.write(tmp_path, "write_")
    lines = ["#include <math.h>", "#include <unistd.h>", *(f'#include "{name}.hpp"' for name in [*names, "write_"])]
    uses = [f"  used += reinterpret_cast<unsigned long long>(&launch_{name});" for name in [*names, "write_"]]
    programs.compile_cpu(tmp_path, "\n".join([*lines, "unsigned long long use() {", "  unsigned long long used = 0;", *uses, "  return used;", "}", ""]), "-fsyntax-only")


PROGRAM = '#include "scale_rows.hpp"\n#include "write_.hpp"\nint main() {{ return {call}; }}\n'
CALL = "launch_write_(2, nullptr, nullptr, -1, 3) == tile2cpp::launch_refused ? 0 : 1"


def test_a_program_of_several_files(tmp_path):
    """Declarations in one file, each function in another."""
    programs.write(tmp_path, "scale_rows", "write_")
    files = [programs.compile_cpu(tmp_path, "#define T2C_DECLARE_LAUNCHERS\n" + PROGRAM.format(call=CALL), "-c")]
    for name in ("scale_rows", "write_"):
        files.append(programs.compile_cpu(tmp_path, f'#define T2C_DEFINE_LAUNCHERS\n#include "{name}.hpp"\n', "-c", name=f"{name}_launcher.cpp"))
    from tile2cpp.build import host

    programs.checked([*host.require().command, *files, "-o", "program"], tmp_path)
    programs.checked(["./program"], tmp_path)


@pytest.mark.parametrize("name", ["scale_rows", "matmul", "write_", "entry"])
def test_nvcc(tmp_path, name):
    programs.write(tmp_path, name)
    programs.compile_gpu(tmp_path, programs.caller(tmp_path, name))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_nvcc_takes_every_golden_kernel(case, tmp_path):
    """Without a word: no warnings either."""
    name = translate(case, target=USUAL_TARGET).name
    programs.write(tmp_path, name, file=case)
    said = programs.compile_gpu(tmp_path, programs.caller(tmp_path, name), said=True)
    assert not said


def test_two_schedules_are_linked_by_nvcc(tmp_path):
    """Relocatable device code: what the library has in shared memory is of another size in each."""
    programs.write(tmp_path, "write_", "matmul")
    objects = []
    for name in ("write_", "matmul"):
        objects.append(programs.compile_gpu(tmp_path, f'#define T2C_DEFINE_LAUNCHERS\n#include "{name}.hpp"\n', "-rdc=true", name=f"{name}_launcher.cu"))
    objects.append(programs.compile_gpu(tmp_path, '#define T2C_DECLARE_LAUNCHERS\n#include "write_.hpp"\n#include "matmul.hpp"\nint main() { return launch_write_(1, 0, 0, 0, 0) + launch_matmul(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); }\n', "-rdc=true"))
    programs.checked([programs.require_nvcc(), "-rdc=true", "-arch=sm_90", *objects, "-o", "program"], tmp_path)


def test_nvcc_prints_once_for_a_block(tmp_path):
    programs.write(tmp_path, "printing", file=HERE.parent / "golden" / "cases" / "printing.py")
    programs.compile_gpu(tmp_path, programs.caller(tmp_path, "printing"))


def test_two_schedules_in_one_file_are_refused(tmp_path):
    programs.write(tmp_path, "scale_rows", "matmul")
    with pytest.raises(AssertionError, match=r"matmul.hpp: .* give it a .cu file of its own"):
        programs.compile_gpu(tmp_path, '#include "scale_rows.hpp"\n#include "matmul.hpp"\n')


OWN_KERNEL = '#include "scale_rows.hpp"\n__tile_global__ void mine(int* x) { *x = 1; }\nint main() { return tile2cpp::launch<mine>(1, nullptr, nullptr); }\n'


def test_own_kernels_do_not_run_by_the_schedule_of_another(tmp_path):
    programs.write(tmp_path, "scale_rows")
    programs.compile_cpu(tmp_path, OWN_KERNEL, "-fsyntax-only")
    with pytest.raises(AssertionError, match="give kernels of your own another .cu file"):
        programs.compile_gpu(tmp_path, OWN_KERNEL)


def test_older_gpus_are_refused_by_name(tmp_path):
    programs.write(tmp_path, "matmul")
    with pytest.raises(AssertionError, match="--target sm_75"):
        programs.compile_gpu(tmp_path, '#include "matmul.hpp"\n', target="sm_75")


def test_a_plain_compiler_calls_what_nvcc_compiled(tmp_path):
    """Compiled, and linked but for CUDA's runtime."""
    nvcc = programs.require_nvcc()
    programs.write(tmp_path, "scale_rows", "matmul")
    main = '#define T2C_DECLARE_LAUNCHERS\n#define T2C_CUDA\n#include "scale_rows.hpp"\n#include "matmul.hpp"\nint main() { return launch_matmul(1, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0) + (refusal_scale_rows(0, 0, 0, 0, 0, 0, 0) != nullptr); }\n'
    toolkit = next(p for p in (nvcc.resolve().parent.parent / "include", Path("/usr/local/cuda/include")) if (p / "cuda_runtime_api.h").is_file())
    (tmp_path / "main.cpp").write_text(main)
    programs.checked(["g++", "-std=c++20", "-c", "main.cpp", *programs.includes("device_shims"), "-isystem", toolkit], tmp_path)
    for name in ("scale_rows", "matmul"):
        programs.compile_gpu(tmp_path, f'#define T2C_DEFINE_LAUNCHERS\n#include "{name}.hpp"\n', name=f"{name}_launcher.cu")
    programs.checked([nvcc, "main.o", "scale_rows_launcher.o", "matmul_launcher.o", "-o", "program"], tmp_path)


@pytest.mark.toolkit
@pytest.mark.parametrize("name", ["scale_rows", "matmul", "write_", "entry"])
def test_tile_compiler(tmp_path, name):
    programs.write(tmp_path, name)
    programs.compile_tile(tmp_path, programs.caller(tmp_path, name))


@pytest.mark.gpu
def test_gpu(tmp_path):
    import cupy

    programs.write(tmp_path, "matmul")
    target = f"sm_{cupy.cuda.Device().compute_capability}"
    loaded = programs.library(programs.compile_gpu(tmp_path, programs.caller(tmp_path, "matmul"), "-shared", "-Xcompiler", "-fPIC", target=target))
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal(shape).astype("float16") for shape in ((70, 40), (40, 90)))
    on_gpu = [cupy.asarray(a), cupy.asarray(b), cupy.zeros((70, 90), "float32")]
    passed = [value for array in on_gpu for value in (ctypes.c_void_p(array.data.ptr), *array.shape)]
    cupy.cuda.Device().synchronize()
    assert loaded.run(2, 2, 1, *passed) == 0
    cupy.cuda.Device().synchronize()
    np.testing.assert_allclose(cupy.asnumpy(on_gpu[2]), a.astype("f") @ b.astype("f"), rtol=1e-3, atol=1e-3)
