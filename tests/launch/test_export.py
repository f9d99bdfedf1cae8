"""Compiling ahead of a call, and what is written for programs in other languages."""

import ctypes
import json

import kernels_launched as kernels
import kernels_parameters as parameters
import numpy as np
import pytest

import tile2cpp
from tile2cpp.build import nvrtc
from tile2cpp.errors import Tile2cppError

SIGNATURE = "T=16, x: f32[?%16], s: f32, y: f32[?]"
needs_nvrtc = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed: pip install 'tile2cpp[cuda13]'")


@needs_nvrtc
def test_compiled_for_a_gpu():
    made = kernels.scaled.compile(SIGNATURE, target="sm_90")
    assert made.cubin[:4] == b"\x7fELF" and made.entry.encode() in made.cubin
    assert b".visible .entry " + made.entry.encode() in made.ptx and b".target sm_90a" in made.ptx
    assert "__tile_global__ void scaled(" in made.source and made.block[0] >= 32
    assert made.arguments == ("x_ptr", "x_shape0", "s", "y_ptr", "y_shape0")
    assert kernels.scaled.compile(SIGNATURE, target=90).folder == made.folder


@needs_nvrtc
def test_exported_files(tmp_path):
    files = tile2cpp.export(kernels.scaled, SIGNATURE, tmp_path / "out", target=90)
    assert {form: path.name for form, path in files.items()} == {"source": "scaled.cu", "cubin": "scaled.cubin", "ptx": "scaled.ptx", "metadata": "scaled.json"}
    facts = json.loads(files["metadata"].read_text())
    assert facts["entry"] == "scaled__entry" and facts["target"] == "sm_90a" and facts["constants"] == {"T": 16}
    assert facts["block"][1:] == [1, 1] and facts["shared_bytes"] >= 0 and facts["files"]["cubin"] == "scaled.cubin"
    assert facts["parameters"][:3] == [
        {"name": "x_ptr", "type": "float const*", "role": "pointer", "argument": "x"},
        {"name": "x_shape0", "type": "int", "role": "extent", "argument": "x", "axis": 0},
        {"name": "s", "type": "float", "role": "scalar", "argument": "s"},
    ]


def test_an_exported_library_runs_by_its_description(tmp_path):
    files = tile2cpp.export(parameters.add_pair, "pair: (f32[?], f32), y: f32[?], T=16", tmp_path, ("source", "library"))
    facts = json.loads(files["metadata"].read_text())
    x, y = np.arange(40, dtype="f"), np.zeros(40, "f")
    values = {"pair[0]": x, "pair[1]": ctypes.c_float(2), "y": y}
    passed = []
    for parameter in facts["parameters"]:
        value = values[parameter["argument"]]
        passed.append({"pointer": lambda: ctypes.c_void_p(value.ctypes.data), "extent": lambda: ctypes.c_int(value.shape[parameter["axis"]]), "scalar": lambda: value}[parameter["role"]]())
    run = ctypes.CDLL(str(files["library"]))[facts["entry"]]
    run((ctypes.c_void_p * len(passed))(*(ctypes.addressof(p) for p in passed)), 3, 1, 1)
    np.testing.assert_array_equal(y, x * 2 + 2)


def test_what_cannot_be_exported(tmp_path):
    for formats, words in ((("cubin",), "sm_90"), (("dll",), "no format 'dll'")):
        with pytest.raises(Tile2cppError, match=words):
            tile2cpp.export(kernels.scaled, SIGNATURE, tmp_path, formats, target=[90] if formats == ("cubin",) else None, backend="cuda" if formats == ("cubin",) else "host")
    with pytest.raises(Tile2cppError, match="has no cubin"):
        kernels.scaled.compile(SIGNATURE).cubin
    with pytest.raises(Tile2cppError, match="has no PTX"):
        kernels.scaled.compile(SIGNATURE).ptx
