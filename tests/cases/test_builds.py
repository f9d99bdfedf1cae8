"""Builds across processes: edits are noticed, output is the same everywhere, races and kills leave whole entries."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Python's own compiled files go by the second and the size: two quick edits would look like one.
FRESH = {"PYTHONDONTWRITEBYTECODE": "1"}

KERNEL = """\
import sys
import numpy as np
import tile2cpp
import tile2cpp.lang as ct
from steps import outer

WEIGHTS = (1, 2, 3)
OFFSET = 0


@ct.kernel
def edited(x, out):
    t = outer(ct.load(x, (0,), (8,)))
    for i in range(3):
        t = t + i * WEIGHTS[1]
    ct.store(out, (0,), t + OFFSET)


x, out = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
if sys.argv[1] == "source":
    print(edited.source(x, out))
else:
    tile2cpp.launch(0, (1,), edited, (x, out), backend=sys.argv[1])
    print(out.tolist())
"""

STEPS = """\
def step(v):
    return v + 1


def outer(v):
    return step(v) * 10
"""


@pytest.fixture
def program(tmp_path):
    """A kernel file and a helper file, and a way to run them with one cache folder."""
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "kernel.py").write_text(KERNEL)
    (folder / "steps.py").write_text(STEPS)
    return folder


def start(folder, what, *, cache, cwd=None, **environment):
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, folder / "kernel.py", what],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd,
        env={**os.environ, "PYTHONPATH": path, "TILE2CPP_CACHE": str(cache), **FRESH, **environment},
    )


def output(process):
    printed, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return printed


def numbers(step=1, offset=0):
    return f"{[(v + step) * 10 + 6 + offset for v in range(8)]}\n"


@pytest.mark.parametrize("backend", ["interpret", "host"])
def test_edits_are_noticed_across_processes(program, tmp_path, backend):
    """An inner helper, a comment, a global; one cache folder."""
    cache = tmp_path / "cache"
    run = lambda: output(start(program, backend, cache=cache))  # noqa: E731
    assert run() == numbers()
    (program / "steps.py").write_text(STEPS.replace("v + 1", "v + 2"))
    assert run() == numbers(step=2)
    (program / "steps.py").write_text(STEPS.replace("def outer", "# a note\ndef outer"))
    assert run() == numbers()
    (program / "kernel.py").write_text(KERNEL.replace("OFFSET = 0", "OFFSET = 1000"))
    assert run() == numbers(offset=1000)
    (program / "kernel.py").write_text(KERNEL.replace("(1, 2, 3)", "(1, 4, 3)"))
    assert run() == f"{[(v + 1) * 10 + 12 for v in range(8)]}\n"


def test_the_same_text_in_every_process(program, tmp_path):
    """Hash seeds and working folders leave no trace."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    texts = {
        output(start(program, "source", cache=tmp_path / "cache", cwd=cwd, PYTHONHASHSEED=seed))
        for seed in ("0", "1", "random") for cwd in (tmp_path, elsewhere)
    }
    assert len(texts) == 1


def test_the_same_cache_entry_in_every_process(program, tmp_path):
    """Separate cache folders end up with entries of the same names."""
    caches = [tmp_path / f"cache{seed}" for seed in ("0", "1")]
    running = [start(program, "host", cache=cache, PYTHONHASHSEED=cache.name[-1]) for cache in caches]
    for process in running:
        output(process)
    entries = [{path.relative_to(cache) for path in cache.rglob("*.cu")} for cache in caches]
    assert entries[0] and entries[0] == entries[1]


def test_processes_share_an_empty_cache(program, tmp_path):
    """Several processes build the same kernel at once."""
    running = [start(program, "host", cache=tmp_path / "cache") for _ in range(4)]
    assert [output(process) for process in running] == [numbers()] * 4


@pytest.mark.parametrize("seconds", [0.4, 0.8, 1.5])
def test_a_killed_build_leaves_no_half_entry(program, tmp_path, seconds):
    """Whatever was written before the kill, the next process is right."""
    cache = tmp_path / "cache"
    process = start(program, "host", cache=cache)
    time.sleep(seconds)
    process.kill()
    process.communicate()
    assert output(start(program, "host", cache=cache)) == numbers()
