"""`tile2cpp translate`: files, failures, and that nothing is written when translation fails."""

from pathlib import Path

import pytest
from program import ROOT, tile2cpp

SOFTMAX = ROOT / "samples" / "softmax.py"
HEADER = "import tile2cpp\nimport tile2cpp.lang as ct\n\n\n"
GOOD = HEADER + '@tile2cpp.jit("x: f32[?]")\ndef good(x):\n    ct.store(x, (0,), ct.zeros((16,), ct.float32))\n\n\n'
BAD = '@tile2cpp.jit("x: f32[?]")\ndef bad(x):\n    ct.store(x, (0,), ct.no_such_thing)\n    ct.load(x, (0, 0), (16,))\n'


def write(folder: Path, text: str) -> Path:
    path = folder / "my_kernel.py"
    path.write_text(text, encoding="utf-8")
    return path


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.cu"))


def test_writes_one_file_per_kernel_and_one_line_each(tmp_path):
    done = tile2cpp("translate", SOFTMAX, "-o", "build", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "softmax  x: f32[?,?], y: f32[?,?], TILE=1024  build/softmax.cu\n"
    assert (tmp_path / "build" / "softmax.cu").read_text(encoding="utf-8").startswith("// softmax.cu: written by tile2cpp")
    again = tile2cpp("translate", SOFTMAX, "-o", "build", folder=tmp_path)
    assert again.returncode == 0, again.stderr


def test_a_launcher_beside_it(tmp_path):
    done = tile2cpp("translate", SOFTMAX, "--launcher", "-o", "build", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "softmax  x: f32[?,?], y: f32[?,?], TILE=1024  build/softmax.cu build/softmax.hpp\n"
    kernel, header = ((tmp_path / "build" / name).read_text(encoding="utf-8") for name in ("softmax.cu", "softmax.hpp"))
    assert kernel == tile2cpp("translate", SOFTMAX, "--stdout").stdout and "launch_softmax(" in header


def test_a_launcher_of_someone_else_stays(tmp_path):
    (tmp_path / "good.hpp").write_text("// precious\n")
    done = tile2cpp("translate", write(tmp_path, GOOD), "--launcher", folder=tmp_path)
    assert done.returncode == 1 and "not written by tile2cpp" in done.stderr and not files(tmp_path)


def test_the_target_of_a_launcher():
    matmul = ROOT / "samples" / "matmul.py"
    newer, older = (tile2cpp("translate", matmul, "--stdout", "--launcher", "--target", target) for target in ("sm_90", "sm_75"))
    assert "uses tensor cores" in newer.stdout and "uses tensor cores" not in older.stdout
    for options in (["--target", "sm_90"], ["--launcher", "--target", "hopper"]):
        refused = tile2cpp("translate", matmul, "--stdout", *options)
        assert refused.returncode in (1, 2) and "Traceback" not in refused.stderr and "target" in refused.stderr.lower()


def test_stdout_holds_the_file_and_nothing_else(tmp_path):
    noisy = write(tmp_path, GOOD + 'print("imported")\n')
    printed = tile2cpp("translate", noisy, "--stdout", folder=tmp_path)
    assert printed.returncode == 0 and "imported" not in printed.stdout and "imported" in printed.stderr
    tile2cpp("translate", noisy, folder=tmp_path)
    assert (tmp_path / "good.cu").read_text(encoding="utf-8") == printed.stdout


def test_one_bad_kernel_and_nothing_is_written(tmp_path):
    done = tile2cpp("translate", write(tmp_path, GOOD + BAD), "-o", "build", folder=tmp_path)
    assert done.returncode == 1 and not files(tmp_path) and not (tmp_path / "build").exists()
    assert "no_such_thing" in done.stderr and "Traceback" not in done.stderr
    assert done.stderr.count("error") >= 2, "all mistakes are reported at once"


def test_a_file_of_someone_else_stays(tmp_path):
    (tmp_path / "good.cu").write_text("// precious\n")
    done = tile2cpp("translate", write(tmp_path, GOOD), folder=tmp_path)
    assert done.returncode == 1 and "not written by tile2cpp" in done.stderr
    assert (tmp_path / "good.cu").read_text() == "// precious\n"


@pytest.mark.parametrize(
    "text, words",
    [
        ("def f(:\n", ["not valid Python", "line 1"]),
        ("import no_such_package_here\n", ["line 1", "No module named 'no_such_package_here'"]),
        ("x = 1\ny = x / 0\n", ["line 2", "ZeroDivisionError: division by zero"]),
        ("raise SystemExit(3)\n", ["SystemExit: 3"]),
        ("x = 1\n", ["defines no kernel", "@ct.kernel"]),
        (b"\xff\xfe\x00", ["not valid Python"]),
    ],
    ids=["syntax", "import", "exception", "exit", "no kernel", "binary"],
)
def test_files_that_cannot_be_translated(tmp_path, text, words):
    path = tmp_path / "my_kernel.py"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    done = tile2cpp("translate", path, folder=tmp_path)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr
    assert len(done.stderr.splitlines()) <= 6, "one clear error"


def test_a_folder_is_no_file(tmp_path):
    done = tile2cpp("translate", tmp_path)
    assert done.returncode == 1 and "is a folder" in done.stderr


def test_a_file_in_a_package_may_import_its_neighbours(tmp_path):
    package = tmp_path / "shop" / "kernels"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("")
    (package.parent / "sizes.py").write_text("TILE = 32\n")
    (package / "fill.py").write_text(
        "import cuda.tile as ct\nfrom ..sizes import TILE\n\n\n@ct.kernel\ndef fill(x):\n    ct.store(x, (ct.bid(0),), ct.full((TILE,), 7, ct.float32))\n"
    )
    done = tile2cpp("translate", package / "fill.py", "--stdout", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "assumed x: f32[?]" in done.stderr and "32" in done.stdout


def test_a_kernel_imported_from_elsewhere_is_not_translated_again(tmp_path):
    (tmp_path / "other.py").write_text(GOOD)
    path = write(tmp_path, "from other import good\n" + GOOD.replace("good", "mine"))
    done = tile2cpp("translate", path, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert files(tmp_path) == ["mine.cu"]


def test_an_unwritable_folder_is_one_sentence(tmp_path):
    (tmp_path / "taken").write_text("a file")
    done = tile2cpp("translate", SOFTMAX, "-o", "taken/deeper", folder=tmp_path)
    assert done.returncode == 1 and "Traceback" not in done.stderr
