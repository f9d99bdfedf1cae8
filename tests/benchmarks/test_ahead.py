"""Rivals' kernels built where the compilers are, and used where they are not."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import ahead, carry, commandline
from benchmarks.rivals import twins
from benchmarks.work import CUTILE, VENDOR
from tile2cpp.build import nvidia

ROOT = Path(__file__).resolve().parents[2]
SHORT = "copy-f32-268435456"
ASK = f"""
from benchmarks import ahead
(job, *_) = ahead.jobs([{SHORT!r}], [{CUTILE!r}])
print(ahead._built(job, 90) or "found")
print(ahead._built(job, 100))
"""
HAS_CUTILE = bool(importlib.util.find_spec("cuda")) and bool(importlib.util.find_spec("cuda.tile"))
has_cutile = pytest.mark.skipif(not HAS_CUTILE or bool(ahead.lacking(CUTILE)), reason="cuTile or its assembler is not installed")


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """Carrying sets variables of this process."""
    for name in ("TILE2CPP_CACHE", "CUDA_TILE_CACHE_DIR", "TILE2CPP_NVCC", "PATH"):
        monkeypatch.setenv(name, os.environ.get(name, ""))


def test_each_kernel_is_built_once():
    sizes = [name for name in ahead.works() if name.startswith("product-f16")]
    found = ahead.jobs(sizes, [VENDOR])
    assert len(set(map(str, found))) == len(found) < sum(len(ahead.works()[name].ours) for name in sizes)
    assert {job.work for job in ahead.jobs(["article-f16-8192"], [VENDOR])} == set()  # it has no such rival


@pytest.mark.toolkit
def test_nvidias_builds_are_carried(tmp_path, monkeypatch):
    name = next(name for name, work in ahead.works().items() if VENDOR in work.rivals)
    (job, *_) = ahead.jobs([name], [VENDOR])
    monkeypatch.setattr(ahead, "jobs", lambda names, rivals: [job] if rivals else [])
    assert carry.make(tmp_path, [name], [VENDOR], 90, 1) == {}
    lines = carry.use(tmp_path)
    release = ".".join(map(str, nvidia.find().version))
    assert nvidia.find().path is None and f"export TILE2CPP_NVCC={release}" in lines
    assert ahead._built(job, 90) == ""
    assert "no build of" in ahead._built(job, 100)
    assert ahead.lacking(VENDOR)


@has_cutile
def test_cutiles_builds_are_carried(tmp_path):
    """They are found by a process whose assembler compiles nothing."""
    assert commandline.main(["--carry", str(tmp_path), SHORT, "--against", CUTILE]) == 0
    assert str(tmp_path / "bin") in carry.use(tmp_path) and not (tmp_path / "release").exists()
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, cwd=ROOT, env={**os.environ, "CUDA_HOME": "", "CUDA_PATH": ""})
    assert done.stdout.splitlines()[0] == "found" and "no build of this kernel" in done.stdout, done.stdout + done.stderr


def test_the_stand_in_answers_and_refuses(tmp_path):
    for name, text in (("version", "release 13.5\n"), ("empty-module", "empty"), ("tileiras", carry.STAND_IN), ("kernel", "kernel"), ("probe", "empty")):
        (tmp_path / name).write_text(text)
    (tmp_path / "tileiras").chmod(0o755)

    def answer(*arguments):
        return subprocess.run([str(tmp_path / "tileiras"), *arguments], capture_output=True, text=True, cwd=tmp_path)

    assert answer("--version").stdout == "release 13.5\n"
    assert answer("probe", "-o", "out", "--gpu-name", "sm_120").returncode == 0
    refused = answer("kernel", "-o", "out", "--gpu-name", "sm_90")
    assert refused.returncode == 1 and "no build of this kernel" in refused.stderr


@has_cutile
def test_cutile_finds_what_was_built_in_arguments():
    """Facts of arrays as cuTile's own reading of arguments gives them (release 1.7)."""
    work = ahead.works()["product-f16-4097x4095x4093"]
    launch = work.ours["128x256x64"][0]
    assert twins.signature_of(work, launch).symbol == "product_Kt1_A2f16_1l0_2t1_p16_A2f16_1l0_2t1_p16_A2f16_1l0_2t1_p16_I128_I256_I64"
    work = ahead.works()["attention-f16-1x32x4096x64"]
    array = "A4f16_1s1_7v8l0_8t1_ei16_p16"
    assert f"attention_Kt2_{array}_{array}" in twins.signature_of(work, work.ours["128x64"][0]).symbol


def test_twins_are_the_same_text_at_the_same_place(tmp_path, monkeypatch):
    monkeypatch.setattr(twins.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(twins, "NATIVE", "import tile2cpp.lang as ct  # cuTile's name")
    source = tmp_path / "kernels.py"
    source.write_text("import tile2cpp.lang as ct\n\nM = 0\n")
    small, large, again = (twins.twin_module.__wrapped__(str(source), (("M", size),)) for size in (1, 2, 1))
    assert (small.M, large.M) == (1, 2) and small is not again
    assert small.__file__ == large.__file__ and "cuTile's name" in open(small.__file__).read()
