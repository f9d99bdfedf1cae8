"""`tile2cpp cache`: where compiled kernels are, which they are, and how to be rid of them."""

from program import ROOT, tile2cpp

SOFTMAX = ROOT / "samples" / "softmax.py"
MANY_ARRAYS = """
import numpy as np
import tile2cpp.lang as ct


@ct.kernel
def clear(a, b, c, d, e, f, g, h):
    for x in ct.static_iter((a, b, c, d, e, f, g, h)):
        ct.store(x, (0,), ct.zeros((8,), ct.float32))


clear[(1,)](*(np.empty(8, "float32") for _ in range(8)))
"""


def test_list_and_clear(tmp_path):
    cache = {"TILE2CPP_CACHE": str(tmp_path)}
    assert tile2cpp("cache", "path", **cache).stdout == f"{tmp_path}\n"
    assert tile2cpp("cache", **cache).stdout == ""
    done = tile2cpp("run", SOFTMAX, "--backend", "host", CUDA_VISIBLE_DEVICES="", **cache)
    assert done.returncode == 0, done.stderr
    (line,) = tile2cpp("cache", "list", **cache).stdout.splitlines()
    assert line.startswith("softmax  x: f32[?,?%8]") and str(tmp_path) in line
    assert tile2cpp("cache", "clear", **cache).stdout == "removed 1 kernel\n"
    assert tile2cpp("cache", **cache).stdout == ""


def test_long_signatures_are_cut(tmp_path):
    """One kernel with many arguments does not widen the lines of all others."""
    cache = {"TILE2CPP_CACHE": str(tmp_path / "cache"), "CUDA_VISIBLE_DEVICES": ""}
    script = tmp_path / "many.py"
    script.write_text(MANY_ARRAYS, encoding="utf-8")
    done = tile2cpp("run", "--backend", "host", script, **cache)
    assert done.returncode == 0, done.stderr
    name, signature, *_ = tile2cpp("cache", **cache).stdout.split("  ")
    assert name == "clear" and len(signature) == 60 and signature.startswith("a: f32[") and signature.endswith("...")
