"""Kernel objects: decoration, hints, pickling, what is built when."""

import copy
import pickle
import threading

import kernels_launched as kernels
import numpy as np
import pytest

import tile2cpp
import tile2cpp.lang as ct
from tile2cpp.build import host, nvrtc
from tile2cpp.errors import Tile2cppError
from tile2cpp.launch import hints


def test_every_form_of_the_decorator():
    def function(x):
        ct.store(x, (0,), 1.0)

    for made in (ct.kernel(function), ct.kernel()(function), ct.kernel(occupancy=2)(function), tile2cpp.jit(function), tile2cpp.jit("x: f32[?]")(function), tile2cpp.jit(occupancy=2)(function)):
        assert isinstance(made, ct.kernel) and made.__wrapped__ is function and made.__name__ == "function"
    assert tile2cpp.jit(ct.kernel(function)).__wrapped__ is function


def test_a_kernel_of_a_kernel_keeps_its_hints_and_signature():
    made = tile2cpp.jit("T=16, x: f32[?], s: f32, y: f32[?]", occupancy=4)(ct.kernel(occupancy=2, num_ctas=2)(kernels.scaled.__wrapped__))
    assert made.hints == {"occupancy": 4, "num_ctas": 2} and made.signature_text.startswith("T=16")
    assert ct.kernel(kernels.scaled).signature_text == kernels.scaled.signature_text


@pytest.mark.parametrize("kernel", [kernels.write, kernels.stat], ids=lambda kernel: kernel.__name__)
def test_names_of_the_c_library(kernel):
    """A kernel called `write` must not give way to the C library's, nor `stat`, which no table of ours knows."""
    x, y = np.ones(16, "f"), np.zeros(16, "f")
    tile2cpp.launch(0, (1,), kernel, (x, y), backend="host")
    assert (y == 2).all()


@pytest.mark.parametrize("kernel, words", [(kernels.generator, "`yield`"), (kernels.coroutine, "`async`")])
@pytest.mark.parametrize("backend", ["host", "interpret"])
def test_generators_and_coroutines_are_refused_when_translated(kernel, words, backend):
    with pytest.raises(ct.TileSyntaxError, match=words) as caught:
        tile2cpp.launch(0, (1,), kernel, (np.zeros(3, "f"),), backend=backend)
    assert caught.value.loc.line


def test_a_kernel_of_the_real_package():
    class Foreign:
        def __init__(self, function):
            self._pyfunc = function

    assert tile2cpp.jit(Foreign(kernels.scaled.__wrapped__)).__wrapped__ is kernels.scaled.__wrapped__


@pytest.mark.parametrize(
    "hints, error, words",
    [
        ({"num_ctas": 3}, ValueError, "power of two"),
        ({"num_ctas": 32}, ValueError, "from 1 to 16"),
        ({"occupancy": 0}, ValueError, "1 to 32"),
        ({"occupancy": True}, TypeError, "int"),
        ({"opt_level": 4}, ValueError, "0 to 3"),
        ({"num_worker_warps": 3}, ValueError, "1, 2, 4"),
        ({"warps": 4}, TypeError, "no hint `warps`"),
        ({"occupancy": ct.ByTarget(default=2, sm_100=64)}, ValueError, "1 to 32"),
    ],
)
def test_wrong_hints_are_refused(hints, error, words):
    for make in (lambda: ct.kernel(**hints)(kernels.scaled.__wrapped__), lambda: kernels.scaled.replace_hints(**hints)):
        with pytest.raises(error, match=words) as caught:
            make()
        assert isinstance(caught.value, Tile2cppError)


def test_hints_are_replaced_in_a_new_kernel():
    other = kernels.by_constant.replace_hints(num_ctas=2)
    assert set(other.hints) == {"occupancy", "num_ctas"} and set(kernels.by_constant.hints) == {"occupancy"}
    assert "occupancy" not in other.replace_hints(occupancy=None).hints


@pytest.mark.parametrize("what", [lambda x: x, int, 3, "text".upper])
def test_only_functions_become_kernels(what):
    with pytest.raises(TypeError, match="made from a function"):
        ct.kernel(what)


def test_source_text_is_needed():
    scope = {}
    exec("def made(x): pass", scope)
    with pytest.raises(OSError, match="source text of `made`"):
        ct.kernel(scope["made"])


def test_a_kernel_is_not_called_directly():
    with pytest.raises(TypeError, match="scaled\\[grid\\]"):
        kernels.scaled(1)


def test_pickling_gives_the_very_kernel():
    assert pickle.loads(pickle.dumps(kernels.scaled)) is kernels.scaled
    other = kernels.scaled.replace_hints(occupancy=4)
    again = pickle.loads(pickle.dumps(other))
    assert again is not other and (again.hints, again.__wrapped__) == (other.hints, other.__wrapped__)
    assert copy.deepcopy(kernels.by_constant) is kernels.by_constant


def test_a_local_kernel_cannot_be_pickled():
    @ct.kernel
    def local(x):
        ct.store(x, (0,), 1.0)

    with pytest.raises(pickle.PicklingError, match="local"):
        pickle.dumps(local)


def test_constants_anywhere_among_the_parameters():
    assert kernels.scaled.constants == {0} and kernels.by_constant.constants == {1}
    x, y = np.arange(40, dtype="f"), np.zeros(40, "f")
    for backend in ("host", "interpret"):
        ct_launch(kernels.scaled, (16, x, 2.5, y), backend)
        np.testing.assert_array_equal(y, x * 2.5)
        y[:] = 0


def ct_launch(kernel, args, backend=None, grid=(3,)):
    tile2cpp.launch(0, grid, kernel, args, backend=backend)


def test_a_changed_global_is_noticed_and_an_old_value_found_again(monkeypatch):
    x, y = np.ones(16, "f"), np.zeros(16, "f")
    for factor in (3, 5, 3, 5):
        monkeypatch.setattr(kernels, "FACTOR", factor)
        kernels.times_factor[(1,)](x, y)
        assert y[0] == factor


def test_constants_that_are_equal_but_differ():
    y = np.zeros(8, "f")
    for value in (1, True, 1.0, 0.0, -0.0):
        kernels.by_constant[(1,)](y, value)
        assert y[0] == value and np.signbit(y[0]) == np.signbit(np.float32(value))


def test_a_build_is_made_once_for_all_shapes(monkeypatch):
    built = []
    monkeypatch.setattr(host.Compiler, "build", lambda self, *a, original=host.Compiler.build: built.append(1) or original(self, *a))
    kernel = tile2cpp.jit(kernels.scaled.__wrapped__)
    for size in (33, 34, 35, 33):
        x, y = np.ones(size, "f"), np.zeros(size, "f")
        kernel[(3,)](16, x, 2.0, y)
        assert (y == 2).all()
    assert len(built) == 1


def test_first_launches_from_many_threads():
    kernel = tile2cpp.jit(kernels.scaled.__wrapped__)
    gate, failures = threading.Barrier(8), []

    def work(number):
        x, y = np.full(50, number, "f"), np.zeros(50, "f")
        gate.wait()
        for tile in (16, 32) * 20:
            y[:] = 0
            kernel[(4,)](tile, x, 2.0, y)
            if not (y == 2 * number).all():
                failures.append(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_compile_ahead_and_explain():
    built = kernels.scaled.compile()
    assert built.facts["kind"] == "host" and built.binary.exists()
    assert kernels.by_constant.compile("y: f32[?], value=2").folder != built.folder
    with pytest.raises(TypeError, match="no signature"):
        kernels.by_constant.compile()
    x, y = np.ones(16, "f"), np.zeros(16, "f")
    text = kernels.scaled.explain(16, x, 2.0, y)
    assert text.startswith("signature  scaled(T=16, x: f32[?%16]") and "\nfiles      " in text
    assert text.endswith(kernels.scaled.source(16, x, 2.0, y))


def test_without_a_compiler_the_interpreter_runs_with_a_warning(monkeypatch):
    monkeypatch.setattr(host, "find", lambda: None)
    x, y = np.ones(16, "f"), np.zeros(16, "f")
    kernel = tile2cpp.jit(kernels.scaled.__wrapped__)
    with pytest.warns(UserWarning, match="no C\\+\\+ compiler was found") as caught:
        kernel[(1,)](16, x, 2.0, y)
    assert caught[0].filename == __file__ and (y == 2).all()
    with pytest.raises(Tile2cppError, match="needs a C\\+\\+20 compiler"):
        ct_launch(kernel, (16, x, 2.0, y), "host")


def test_tiles_larger_than_the_stack_of_a_thread():
    x, y = np.arange(2**21, dtype="f")[None], np.zeros((1, 2**21), "f")
    before = threading.stack_size()
    kernels.wide_rows[(1,)](x, y, 2**21)  # 8 MiB a tile
    np.testing.assert_array_equal(y, x - x.max())
    assert threading.stack_size() == before


def test_hints_are_explained():
    kernel = ct.kernel(kernels.scaled.__wrapped__, opt_level=ct.ByTarget(sm_90=1, default=2), num_ctas=4, occupancy=2)
    assert "opt_level=1: for the assembler" in hints.effects(kernel.hints, 90, "cuda")
    assert "opt_level=2: no effect here" in hints.effects(kernel.hints, None, "host")
    assert "num_ctas=4: in the reviewed file" in hints.effects(kernel.hints, 100, "nvidia")
    assert hints.effects({}, 90, "cuda") == ""


@pytest.mark.skipif(not nvrtc.find(), reason="NVRTC is not installed")
def test_the_level_of_optimisation_reaches_the_assembler():
    made = {level: ct.kernel(kernels.scaled.__wrapped__, opt_level=level).compile("T=16, x: f32[?%16], s: f32, y: f32[?%16]", target=90) for level in (0, 3)}
    assert made[0].emitted.schedule.opt_level == 0 and made[0].cubin != made[3].cubin
