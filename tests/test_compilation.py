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
    ArrayConstraint, CallingConvention, ConstantConstraint, KernelSignature, ListConstraint, ScalarConstraint, TupleConstraint, export_kernel,
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
    assert re.fullmatch(r"scaled_[0-9a-f]{12}", signature.symbol) and signature.with_symbol(None).symbol is None
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
