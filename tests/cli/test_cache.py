"""`tile2cpp cache`: where compiled kernels are, which they are, and how to be rid of them."""

from program import ROOT, tile2cpp

SOFTMAX = ROOT / "samples" / "softmax.py"


def test_list_and_clear(tmp_path):
    cache = {"TILE2CPP_CACHE": str(tmp_path)}
    assert tile2cpp("cache", "path", **cache).stdout == f"{tmp_path}\n"
    assert tile2cpp("cache", **cache).stdout == ""
    done = tile2cpp("run", SOFTMAX, "--backend", "host", CUDA_VISIBLE_DEVICES="", **cache)
    assert done.returncode == 0, done.stderr
    (line,) = tile2cpp("cache", "list", **cache).stdout.splitlines()
    assert line.startswith("softmax  x: f32[?,?]") and str(tmp_path) in line
    assert tile2cpp("cache", "clear", **cache).stdout == "removed 1 kernel\n"
    assert tile2cpp("cache", **cache).stdout == ""
