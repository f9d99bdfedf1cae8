"""A small emitted file, and a cache folder of each test's own."""

import pytest
from handmade import vector_add


@pytest.fixture
def emitted():
    return vector_add()


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("TILE2CPP_CACHE", str(folder))
    return folder
