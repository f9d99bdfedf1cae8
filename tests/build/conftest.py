"""A small emitted file, and a cache folder of each test's own."""

import sys
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)

from handmade import vector_add  # noqa: E402  (its folder has to be on the path first)


@pytest.fixture
def emitted():
    return vector_add()


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("TILE2CPP_CACHE", str(folder))
    return folder
