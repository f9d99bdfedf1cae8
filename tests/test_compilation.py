"""`cuda.tile.compilation`: described arguments, exported kernels."""

import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent / "launch"))

import kernels_launched as kernels  # noqa: E402
import kernels_parameters as parameters  # noqa: E402

import tile2cpp.lang as ct  # noqa: E402
from tile2cpp.build import nvrtc  # noqa: E402
from tile2cpp.compilation import (  # noqa: E402
    ArrayConstraint, CallingConvention, ConstantConstraint, KernelSignature, ListConstraint, ScalarConstraint, TupleConstraint,
    demangle_kernel_name, export_kernel, mangle_kernel_name,
)  # fmt: skip
from tile2cpp.errors import Tile2cppError  # noqa: E402

V2 = CallingConvention.cutile_python_v2()
needs_nvrtc = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed: pip install 'tile2cpp[cuda13]'")


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path / "cache"))


def array(ndim=1, dtype=ct.float32, **options):
    return ArrayConstraint(dtype, ndim, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=[], may_alias_internally=False, **options)


def exported(kernel, signature, form, gpu_code="sm_90"):
    file = io.BytesIO()
    export_kernel(kernel, [signature], file, gpu_code=gpu_code, output_format=form)
    return file.getvalue()


def test_constraints_are_signatures():
    made = KernelSignature([16, array(stride_constant=(1,), base_addr_divisible_by=16, shape_divisible_by=32), ScalarConstraint(ct.float32), array()], V2)
    assert str(made.signature(kernels.scaled)) == "T=16, x: f32[?%16], s: f32, y: f32[?]:(?)@4"
    pair = KernelSignature([(array(2, shape_constant=(None, 8), stride_constant=(None, 1)), ScalarConstraint(ct.int32)), array(), ConstantConstraint(4)], V2)
    assert str(pair.signature(parameters.add_pair)) == "pair: (f32[?,8]:(?,1)@4, i32), y: f32[?]:(?)@4, T=4"
    listed = KernelSignature([ListConstraint(array(), alias_groups=[], elements_may_alias=False), array(), 4], V2)
    assert str(listed.signature(parameters.sum_list)).startswith("xs: [f32[?]:(?)@4]")
    assert TupleConstraint((1, 2)).kind() == (ConstantConstraint(1).kind(), ConstantConstraint(2).kind())


GROUPED = ArrayConstraint(ct.float64, 1, index_dtype=ct.int64, stride_lower_bound_incl=None, alias_groups=("one", "two"), may_alias_internally=True)
SYMBOLS = [
    (1, [ScalarConstraint(ct.bool_), ScalarConstraint(ct.float8_e5m2), -12, True, 0.5], "Sb8_Sf8m2_I_12_B1_F3fe0000000000000"),
    (1, [array(4, ct.int8, stride_constant=(None, None, 4, 1), shape_divisible_by=(1, 8, 8, 1), base_addr_divisible_by=32)], "A4i8_3l0_4t4_6i8_8t1_p32"),
    (1, [GROUPED, ListConstraint(array(2), alias_groups=("two",), elements_may_alias=True)], "A1f64_g0g1iw_Lg1iA2f32_3l0"),
    (2, [(array(), (7, ScalarConstraint(ct.uint16))), ()], "T2A1f32_1l0T2I7Su16_T0"),
    (2, [array(2, shape_constant=(None, 64), shape_divisible_by=16)], "A2f32_1i16_2s64_3l0"),
]


@pytest.mark.parametrize("version, described, words", SYMBOLS)
def test_symbols_say_what_a_kernel_was_compiled_for(version, described, words):
    symbol = f"some_name_Kt{version}_{words}"
    assert mangle_kernel_name("some_name", KernelSignature(described, CallingConvention.from_code(f"t{version}"))) == symbol
    name, signature = demangle_kernel_name(symbol)
    assert name == "some_name" and signature.symbol == symbol and mangle_kernel_name(name, signature) == symbol


@pytest.mark.parametrize("symbol, words", [
    ("f_Kt3_I1", "Unknown calling convention code 't3'"), ("f_Kt1_T1I1", "version >= 2"), ("f_Kt1_A1f32_1s8l0", "version >= 2"), ("f", "not a mangled kernel name"),
    ("f_Kt1_A1f32_2l0", "beyond rank 1"), ("f_Kt1_Sf33", "Invalid mangled name"),
])  # fmt: skip
def test_symbols_that_say_nothing(symbol, words):
    with pytest.raises(ValueError, match=words):
        demangle_kernel_name(symbol)


def test_the_symbol_of_a_launch():
    args = (16, np.zeros(32, "f"), 2.0, np.zeros(5, "f"))
    symbol = KernelSignature.from_kernel_args(kernels.scaled, args, V2).symbol
    assert re.fullmatch(r"scaled_Kt2_I16_A1f32_1i16t1(_p[0-9]+)?_Sf32_A1f32_1t1(_p[0-9]+)?", symbol)


@needs_nvrtc
def test_the_calling_convention():
    signature = KernelSignature([16, array(), ScalarConstraint(ct.float32), array(stride_constant=(1,))], V2, "scaled_f32")
    ptx = exported(kernels.scaled, signature, "ptx").decode()
    entry = re.search(r"\.visible \.entry scaled_f32\((.*?)\)", ptx, re.S)[1]
    # Pointer, extent and stride of x, the scalar, pointer, extent and stride of y.
    assert re.findall(r"\.param \.(\w+)", entry) == ["u64", "u32", "u32", "f32", "u64", "u32", "u32"]
    assert exported(kernels.scaled, signature, "cubin")[:4] == b"\x7fELF"


@needs_nvrtc
def test_symbols_and_files(tmp_path):
    x = np.zeros(48, "f")
    signature = KernelSignature.from_kernel_args(kernels.scaled, (16, x, 2.0, x), V2)
    assert signature.symbol.startswith("scaled_Kt2_I16_A1f32_") and signature.with_symbol(None).symbol is None
    export_kernel(kernels.scaled, [signature], tmp_path / "k.cubin", gpu_code="sm_80", output_format="cubin")
    assert signature.symbol.encode() in (tmp_path / "k.cubin").read_bytes()
    assert b"__tile_global__ void scaled(" in exported(kernels.scaled, signature, "source", None)


@pytest.mark.toolkit
def test_bytecode():
    signature = KernelSignature([16, array(), ScalarConstraint(ct.float32), array()], V2)
    assert len(exported(kernels.scaled, signature, "tileir_bytecode")) > 100


def test_mistakes():
    good = [16, array(), ScalarConstraint(ct.float32), array()]
    for constraints, words in (
        (good[:3], "has 4 parameters, but the signature has 3"),
        ([array(), *good[1:]], "`T` of `scaled` is a constant"),
        ([16, 3, *good[2:]], "`x` of `scaled` is no constant"),
        ([16, "x", *good[2:]], "describes no parameter"),
        ([16, array(stride_constant=(1, 2)), *good[2:]], "2 items for an array of rank 1"),
    ):
        with pytest.raises(Tile2cppError, match=words):
            KernelSignature(constraints, V2).signature(kernels.scaled)
    for options, words in (({"output_format": "dll"}, "no output format"), ({"output_format": "cubin", "gpu_code": "hopper"}, "sm_90")):
        with pytest.raises(Tile2cppError, match=words):
            export_kernel(kernels.scaled, [KernelSignature(good, V2)], io.BytesIO(), **options)
    with pytest.raises(ValueError, match="invalid literal for int"):  # so it is in cuTile
        export_kernel(kernels.scaled, [KernelSignature(good, V2)], io.BytesIO(), output_format="cubin", gpu_code="sm_90x")
    for signatures, words in (([], "at least one"), ([1, 2], "once for each")):
        with pytest.raises(Tile2cppError, match=words):
            export_kernel(kernels.scaled, signatures, io.BytesIO(), output_format="cubin")
    with pytest.raises(Tile2cppError, match="negative strides"):
        ArrayConstraint(ct.float32, 1, stride_lower_bound_incl=-4).kind()
    with pytest.raises(Tile2cppError, match="must not overlap"):
        ArrayConstraint(ct.float32, 1, alias_groups=["a"]).kind()


def test_it_stands_for_the_real_package():
    program = (
        "import tile2cpp; tile2cpp.install_as_cuda_tile()\n"
        "import cuda.tile as ct, cuda.tile.compilation as cc\n"
        "from cuda.tile.compilation import export_kernel\n"
        "from cuda.tile.tune import exhaustive_search\n"
        "assert cc is ct.compilation and ct.tune.exhaustive_search is exhaustive_search and ct.compiler_timeout\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
