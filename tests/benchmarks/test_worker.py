"""A rival that crashes, hangs or spoils the GPU costs its own line, and nothing else."""

import os
import time

import pytest

from benchmarks.worker import Order, Worker


def serve(pipe):
    """Stands for the real worker: rivals of a work named "crash hang" and so on behave as they are called."""
    while True:
        try:
            order = pipe.recv()
        except EOFError:
            return
        pipe.send(("at", "tile2cpp"))
        for rival in order.name.split():
            if rival in order.without:
                continue
            pipe.send(("at", "" if rival == "turns" else rival))
            if rival in ("crash", "turns"):
                os._exit(7)
            if rival == "hang":
                time.sleep(60)
            if rival == "spoil":
                pipe.send(("lost", "an illegal memory access"))
                return
        pipe.send(("entry", {"missing": order.without, "process": os.getpid()}))


@pytest.fixture
def workers():
    with Worker(serve, patience=5.0) as made:
        yield made


def test_works_share_a_process(workers):
    first, second = (workers.run(Order(name, 0.0))[0] for name in ("a b", "c"))
    assert first == second and first["process"] != os.getpid()


def test_who_fails_is_left_out_and_named(workers):
    before = workers.run(Order("fine", 0.0))[0]["process"]
    entry, why = workers.run(Order("fine crash spoil last", 0.0))
    assert not why and entry["process"] != before
    assert entry["missing"] == {"crash": "the process ended with status 7", "spoil": "the GPU is lost: an illegal memory access"}
    assert workers.run(Order("fine", 0.0))[0]["process"] == entry["process"]


def test_who_hangs_is_given_up():
    with Worker(serve, patience=1.0) as workers:
        assert workers.run(Order("hang", 0.0))[0]["missing"] == {"hang": "no answer within 1 s"}


def test_without_a_culprit_the_work_fails(workers):
    assert workers.run(Order("turns", 0.0)) == (None, "the process ended with status 7")
    assert workers.run(Order("fine", 0.0))[0]["missing"] == {}
