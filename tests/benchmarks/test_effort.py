"""How much a rival is tried, and what becomes of its failures."""

import sys
import types

import pytest

from benchmarks import gpu
from benchmarks.rivals.same_text import Effort, best_of
from benchmarks.work import Missing
from benchmarks.worker import Lost


@pytest.fixture
def tried(monkeypatch):
    """Forms by name, whose seconds are given; the list of those that ran."""
    ran = []
    seconds = {"slow": 3.0, "quick": 1.0, "other": 2.0}
    forms = {name: (lambda name=name: ran.append(name)) for name in seconds}
    monkeypatch.setattr(gpu, "seconds_of", lambda run: (run(), seconds[ran[-1]])[1])
    monkeypatch.setattr(Effort, "most", 8)
    return forms, ran


def test_the_quickest_counts_and_the_likeliest_is_first(tried):
    forms, ran = tried
    assert best_of(forms, first="other") is forms["quick"]
    assert ran[0] == "other" and set(ran) == set(forms)


def test_effort_has_an_end(tried, monkeypatch):
    forms, ran = tried
    monkeypatch.setattr(Effort, "most", 2)
    assert best_of(forms) is forms["quick"] and "other" not in ran
    monkeypatch.setattr(Effort, "seconds", -1.0)
    assert best_of(forms) is forms["slow"]  # one is tried whatever it takes


def test_forms_that_fail_are_reasons(tried):
    forms, _ = tried
    failing = {"a": lambda: 1 / 0, "b": lambda: [][1]}
    assert best_of({**failing, **forms}) is forms["quick"]
    with pytest.raises(Missing, match="a: division by zero; b: list index out of range"):
        best_of(failing)


def test_a_lost_gpu_ends_the_process(monkeypatch):
    def lost():
        raise RuntimeError("an illegal memory access")

    cuda = types.SimpleNamespace(is_initialized=lambda: True, synchronize=lambda: None)
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(cuda=cuda))
    gpu.check(ValueError("shared memory"))  # the GPU answers
    cuda.synchronize = lost
    with pytest.raises(Lost, match="ValueError: shared memory"):
        best_of({"a": lambda: (_ for _ in ()).throw(ValueError("shared memory"))})
    cuda.is_initialized = lambda: False
    gpu.check(ValueError("no GPU at all"))
