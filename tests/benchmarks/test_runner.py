"""One work from arrays to figures, with NumPy arrays and a clock that is played."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from benchmarks import arrays, catalogue, commandline, results, runner, worker
from benchmarks.work import Bar, Launch, Missing, Rival
from tile2cpp.launch import default_backend


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setattr(default_backend, "name", "interpret")
    monkeypatch.setattr(runner, "facts_of", lambda *rest: {})


def product(**rivals):
    work = catalogue.small()[0]
    return replace(work, rivals=rivals, bars=(Bar(("NumPy",), 1.0),))


def right(task):
    return lambda: (task["A"].astype("f4") @ task["B"].astype("f4")).astype("f2")


def found_by(work, seconds=0.0):
    clock = iter(range(1, 10**6))
    return runner.run(work, seconds, make=arrays.with_numpy, measure=lambda run: (run(), next(clock) * 1e-6)[1])


def test_figures_of_everybody():
    found = found_by(product(NumPy=Rival(right), **{"half of it": Rival(right, amount=1.0)}))
    assert set(found["rivals"]) == {"tile2cpp", "NumPy", "half of it"}
    for times in found["rivals"].values():
        assert times["runs"] == 7 and times["low"] <= times["us"] <= times["high"]
    mine = found["rivals"]["tile2cpp"]
    assert mine["figure"] == pytest.approx(found["amount"] / mine["us"] / 1e6, rel=1e-4)
    assert found["form"] == "32x32x16" and found["forms"]["32x32x16"]["error"]["norm"] < 6e-4
    assert not found["missing"] and not found["wrong"]
    run = {name: "" for name in results.ABOUT} | {"entries": {"a": found}, "format": 2}
    assert results.problems(json.loads(json.dumps(run))) == []
    assert "  bar: " in "\n".join(commandline.lines(found))


def test_who_is_missing_and_who_is_wrong():
    def absent(task):
        raise Missing("not here")

    def failing(task):
        return lambda: 1 / 0

    def wrong(task):
        return lambda: np.zeros_like(task["C"])

    found = found_by(product(absent=Rival(absent), failing=Rival(failing), wrong=Rival(wrong), copy=Rival(wrong, checked=False)))
    assert found["missing"] == {"absent": "not here", "failing": "ZeroDivisionError: division by zero"}
    assert set(found["wrong"]) == {"wrong"} and found["wrong"]["wrong"]["norm"] == pytest.approx(1.0)
    assert set(found["rivals"]) == {"tile2cpp", "wrong", "copy"}


def test_who_is_turned_to_and_who_is_left_out():
    heard = []
    work = product(NumPy=Rival(right), crashing=Rival(right))
    found = runner.run(work, 0.0, make=arrays.with_numpy, measure=lambda run: 1e-6, without={"crashing": "the GPU is lost"}, tell=heard.append)
    assert heard == ["tile2cpp", "NumPy", ""] and found["missing"] == {"crashing": "the GPU is lost"}
    assert set(commandline.only(work, ["NumPy"]).rivals) == {"NumPy"} and commandline.only(work, []) is work


def test_a_wrong_kernel_is_not_timed():
    work = product(NumPy=Rival(right))
    (launch,) = work.ours["32x32x16"]
    half = Launch(launch.kernel, (1,), launch.args)  # the other tiles are left out
    found = found_by(replace(work, ours={"half": (half,), "whole": (launch,)}))
    assert set(found["wrong"]) == {"tile2cpp half"} and found["form"] == "whole"
    found = found_by(replace(work, ours={"half": (half,)}))
    assert found["form"] == "" and set(found["rivals"]) == {"NumPy"}
    assert results.verdicts(found)[0].is_met is None


def test_a_form_that_fails_leaves_the_others():
    work = product(NumPy=Rival(right))
    (launch,) = work.ours["32x32x16"]
    failing = replace(launch, args=(*launch.args[:-1], 15))  # no power of two
    found = found_by(replace(work, ours={"failing": (failing,), "whole": (launch,)}))
    assert found["form"] == "whole" and "powers of two" in found["missing"]["tile2cpp failing"]
    assert commandline.is_bad(found) and not commandline.is_bad({"wrong": {"Triton": {}}, "missing": {"cuTile": ""}})


def test_a_work_that_fails_is_told(monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.runner.run", lambda *rest, **options: 1 / 0)
    monkeypatch.setattr("benchmarks.gpu.free", lambda: None)
    work = product()
    monkeypatch.setattr(catalogue, "works", lambda: {work.name: work})
    entry = commandline.one(worker.Order(work.name, 0.1, True), print)
    assert entry["failed"] == "ZeroDivisionError: division by zero"
    assert commandline.lines(entry) == [f"{entry['title']}: failed: ZeroDivisionError: division by zero"]
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_run_writes_what_it_has(monkeypatch, tmp_path, capsys):
    about = {"date": "2026-01-02T03:04:05+00:00", "gpu": "A GPU", "driver": "1", "nvrtc": "13.0", "python": "3", "versions": {}, "commit": "abc"}
    monkeypatch.setattr("benchmarks.circumstances.about", lambda: about)
    monkeypatch.setattr(commandline, "build", lambda *rest: None)
    monkeypatch.setattr(worker.Worker, "run", lambda self, order: (None, "no"))
    assert commandline.main(["--quick", "memory", "--out", str(tmp_path)]) == 1
    ((_, run),) = results.read_all(tmp_path)
    assert results.problems(run) == [] and set(run["entries"]) == {w.name for w in catalogue.chosen(["memory"], True)}
    assert commandline.main(["memory", "--out", str(tmp_path), "--limit", "-1"]) == 0
    assert "not begun within" in capsys.readouterr().out


def test_calls_take_turns():
    from benchmarks.works import calls

    seen = []
    times = calls.per_call({"a": lambda: seen.append("a"), "b": lambda: seen.append("b")}, 0.0, lambda: None)
    assert {name: len(t) for name, t in times.items()} == {"a": 5, "b": 5} and seen.count("a") == 5 * calls.CALLS + 1
    work = calls.CallWork("w", "a call", "us", lambda seconds: ({"tile2cpp": [2e-6, 4e-6, 3e-6]}, {}), (Bar(most=5.0),))
    found = work.run(1.0)
    assert found["rivals"]["tile2cpp"]["figure"] == 3.0 and results.verdicts(found)[0].is_met


def test_kernels_are_built_by_several_processes(tmp_path, monkeypatch):
    """What is built ahead is what a launch then finds."""
    from benchmarks import builds
    from tile2cpp.build import nvrtc
    from tile2cpp.launch import prepare

    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed")
    monkeypatch.setenv("TILE2CPP_CACHE", str(tmp_path))
    works = [catalogue.works()[name] for name in ("copy-f32-268435456", "copy-f16-268435456")]
    release = nvrtc.find().version[0]
    assert builds.build_all(works, 90, release, 2) == {}
    monkeypatch.setattr(prepare, "emit", None)
    for work in works:
        for _, launch in builds.launches_of(work):
            prepare.for_gpu(launch.kernel, builds.signature_of(work, launch), 90, release)
    assert builds.build_all([*works[:1], replace(works[1], name="absent")], 90, release, 2) == {"absent": "KeyError: 'absent'"}


def test_without_a_gpu_a_sentence_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(SystemExit, match="need a GPU and CuPy .*tile2cpp doctor"):
        commandline.main(["softmax"])
