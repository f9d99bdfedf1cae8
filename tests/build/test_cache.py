"""The cache holds whole entries only, whoever builds, fails or dies."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tile2cpp.build import cache
from tile2cpp.errors import Tile2cppError

ROOT = Path(__file__).parents[2]


def build(key, text="code"):
    with cache.building(key) as staging:
        (staging / "k.so").write_text(text)
        cache.write_facts(staging, {"name": "k", "kind": "host"})


def test_what_was_built_is_found(cache_folder):
    key = cache.key("host", "text")
    assert cache.find(key, "k.so") is None
    build(key)
    entry = cache.find(key, "k.so")
    assert entry.folder == cache_folder / key[:2] / key
    assert entry.facts == {"name": "k", "kind": "host"}
    assert [e.folder for e in cache.entries()] == [entry.folder]
    assert cache.size() >= entry.size > 0
    assert cache.clear() == 1 and cache.entries() == [] and cache.size() == 0


def test_keys_know_where_parts_end():
    assert cache.key("ab", "c") != cache.key("a", "bc") != cache.key("abc")
    assert cache.key("a", "b") == cache.key("a", "b")


def test_a_failure_leaves_nothing(cache_folder):
    with pytest.raises(RuntimeError), cache.building(cache.key("x")) as staging:
        (staging / "k.so").write_text("half")
        raise RuntimeError
    assert cache.entries() == [] and not list((cache_folder / "staging").iterdir())


def test_a_damaged_entry_is_built_anew(cache_folder):
    key = cache.key("x")
    build(key)
    (cache.folder_of(key) / "k.so").unlink()
    assert cache.find(key, "k.so") is None
    build(key)
    assert cache.find(key, "k.so")


def test_many_threads_build_the_same():
    key, gate, failures = cache.key("x"), threading.Barrier(8), []

    def work():
        try:
            gate.wait()
            for _ in range(20):
                build(key)
                assert cache.find(key, "k.so").facts["name"] == "k"
        except BaseException as error:  # must reach the test
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and len(cache.entries()) == 1


def test_a_killed_process_leaves_no_entry(cache_folder):
    program = (
        "from tile2cpp.build import cache\nimport time\n"
        "with cache.building(cache.key('x')) as staging:\n"
        "    (staging / 'k.so').write_text('half')\n    print('started', flush=True)\n    time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert process.stdout.readline() == "started\n"
    process.kill()
    process.wait()
    assert cache.entries() == []
    (left,) = (cache_folder / "staging").iterdir()
    os.utime(left, (0, time.time() - 2 * cache.STALE_SECONDS))
    build(cache.key("x"))
    assert not left.exists() and len(cache.entries()) == 1


def test_a_folder_that_cannot_be_written_is_named(cache_folder):
    cache_folder.parent.mkdir(exist_ok=True)
    cache_folder.write_text("a file where the folder should be")
    with pytest.raises(Tile2cppError, match="cannot be written") as caught:
        build(cache.key("x"))
    assert "TILE2CPP_CACHE" in str(caught.value)
