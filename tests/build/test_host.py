"""Host builds: what they are made of, when they are made again, and what a refusal says."""

import pytest
from handmade import TEXT, vector_add

from tile2cpp import resources
from tile2cpp.build import cache, host
from tile2cpp.build.entry import host_entry
from tile2cpp.errors import TileCompilerExecutionError, TileUnsupportedFeatureError


def test_the_folder_can_be_read(emitted):
    built = host.compile(emitted)
    assert {path.name for path in built.folder.iterdir()} == {"scaled_add.cu", "entry.cpp", "scaled_add.so", "build.log", "meta.json"}
    assert (built.folder / "scaled_add.cu").read_text() == TEXT
    assert built.facts["signature"] == emitted.signature and built.entry == "scaled_add__entry"


def test_built_once(emitted, monkeypatch):
    first = host.compile(emitted)
    monkeypatch.setattr(host.Compiler, "build", None)  # would fail if it were asked again
    again = host.compile(emitted)
    assert (again.folder, again.facts) == (first.folder, first.facts)


def test_a_change_of_text_or_library_makes_another(emitted, monkeypatch):
    folders = {host.compile(emitted).folder}
    folders.add(host.compile(vector_add(TEXT + "// edited\n")).folder)
    headers = {**resources.headers(), "tile2cpp/new.hpp": "// new"}
    monkeypatch.setattr(resources, "headers", lambda: headers)
    folders.add(host.compile(emitted).folder)
    assert len(folders) == 3


def test_a_refused_file_is_our_fault_and_never_cached(emitted):
    wrong = vector_add(TEXT.replace("int i =", "int i !="))
    for _ in range(2):
        with pytest.raises(TileCompilerExecutionError, match="this is a bug of tile2cpp") as caught:
            host.compile(wrong)
        folder = next(word for word in str(caught.value).split() if "/failed/" in word)
        log = cache.settings.cache_folder() / "failed" / folder.rpartition("/")[2] / "build.log"
        assert "error" in log.read_text() and (log.parent / "scaled_add.cu").exists()
    assert cache.entries() == []


def test_a_chosen_compiler_must_run(monkeypatch):
    monkeypatch.setenv("TILE2CPP_CXX", "no-such-compiler")
    with pytest.raises(TileUnsupportedFeatureError, match="no-such-compiler"):
        host.find()


def test_without_a_compiler_it_says_how_to_get_one(emitted, monkeypatch):
    monkeypatch.setattr(host.shutil, "which", lambda name: None)
    monkeypatch.setattr(host.importlib.util, "find_spec", lambda name: None)
    assert host.find() is None
    with pytest.raises(TileUnsupportedFeatureError, match="C\\+\\+20 compiler") as caught:
        host.compile(emitted)
    assert "tile2cpp[host]" in str(caught.value)


def test_the_entry_goes_through_the_grid(emitted):
    text = host_entry(emitted)
    assert "::scaled_add(*static_cast<float const**>(arguments[0])" in text and "*static_cast<float*>(arguments[6]))" in text
    assert text.index("z < nz") < text.index("y < ny") < text.index("x < nx")
