"""What another process translated and built is found again, and only when it would come out the same."""

import enum
import importlib.util
import math
import os
import subprocess
import sys
import textwrap
import time

import kernels_evaluated
import kernels_recalled as kernels
import numpy as np
import pytest
from standin_cupy import on_gpu

import tile2cpp
import tile2cpp.lang as ct
from tile2cpp import dtypes, resources, settings
from tile2cpp.build import cache, nvrtc
from tile2cpp.launch import prepare, recall


@pytest.fixture
def translations(monkeypatch, gpu):
    """Names of the kernels that are translated; as if tile2cpp and the tests had been there for a while."""
    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed: pip install 'tile2cpp[cuda13]'")
    found = []
    monkeypatch.setattr(prepare, "emit", lambda kernel, *rest, general=prepare.emit, **how: found.append(kernel.__name__) or general(kernel, *rest, **how))
    monkeypatch.setattr(resources, "IMPORTED", time.time_ns() + 10**12)
    return found


def start(kernel, *constants):
    """Launch a kernel as a new process would that has nothing but the cache; its source text and schedule."""
    again = tile2cpp.jit(kernel.__wrapped__, **kernel.hints)
    x, y = on_gpu(np.zeros(48, "f")), on_gpu(np.zeros(48, "f"))
    again[(3,)](x, y, *constants)
    (variants,) = again._variants.values()
    return variants[0].emitted, variants[0].function.built


def test_a_second_process_translates_nothing(translations, gpu):
    first, second = start(kernels.many, 16), start(kernels.many, 16)
    assert translations == ["many"]
    assert first[0].text == second[0].text and first[0].parameters == second[0].parameters and first[0].schedule == second[0].schedule
    assert second[0].parameters[0].dtype is dtypes.float32
    assert {(w.key, id(w.mapping)) for w in first[0].watched} == {(w.key, id(w.mapping)) for w in second[0].watched}
    assert (first[1].binary, first[1].facts) == (second[1].binary, second[1].facts)
    assert len(gpu.launches) == 2 and gpu.launches[0].block == gpu.launches[1].block


def test_what_the_key_has(translations, monkeypatch):
    start(kernels.many, 16)
    start(kernels.many, 32)
    start(kernels.many.replace_hints(occupancy=2), 16)
    monkeypatch.setattr(recall, "FORMAT", 0)
    start(kernels.many, 16)
    assert len(translations) == 4


@pytest.mark.parametrize(
    "owner, name, value",
    [
        (kernels, "ZERO", ct.PaddingMode.NAN), (kernels, "SCALES", (1.5, (2, 1))), (kernels, "SCALES", (2.5,)), (kernels.kernels_launched, "FACTOR", 3.0),
        (kernels, "helper", lambda t, form: t * 2), (kernels, "Form", enum.Enum("Form", {"DOUBLED": 2, "TRIPLED": 4})),
    ],
)  # fmt: skip
def test_a_changed_global_is_noticed(translations, monkeypatch, owner, name, value):
    start(kernels.many, 16)
    with monkeypatch.context() as changed:
        changed.setattr(owner, name, value)
        start(kernels.many, 16)
    assert len(translations) == 2


def test_python_that_is_evaluated_has_no_record(translations):
    for kernel in (kernels_evaluated.evaluated, kernels_evaluated.marked):
        start(kernel)
        start(kernel)
    assert translations == ["evaluated"] * 2 + ["marked"] * 2


def program(folder, text, name="program"):
    """A module of its own file, with times of long ago."""
    path = folder / f"{name}.py"
    path.write_text(text)
    os.utime(path, (1e9, 1e9))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


LINES = "import tile2cpp.lang as ct\nFACTOR = 2\n\n\n@ct.kernel\ndef scaled(x, y):\n    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)) * FACTOR)\n"


def test_a_changed_file_is_noticed(translations, tmp_path):
    start(program(tmp_path, LINES).scaled)
    start(program(tmp_path, LINES).scaled)
    assert len(translations) == 1
    emitted, _ = start(program(tmp_path, LINES.replace("    ct.store", "    # A remark.\n    ct.store")).scaled)
    assert len(translations) == 2 and "A remark." in emitted.text


def test_a_helper_of_another_file(translations, tmp_path):
    text = LINES.replace("FACTOR = 2", "from helpers import double").replace("ct.load(x, (ct.bid(0),), (16,)) * FACTOR", "double(ct.load(x, (ct.bid(0),), (16,)))")
    sys.path.insert(0, str(tmp_path))
    try:
        for factor, wanted in ((2, 1), (2, 1), (3, 2)):
            program(tmp_path, f"def double(t):\n    return t * {factor}\n", "helpers")
            start(program(tmp_path, text).scaled)
            assert len(translations) == wanted
    finally:
        sys.path.remove(str(tmp_path))


def test_kernels_of_one_text_with_other_closures(translations, tmp_path):
    first, _, kernel = LINES.replace("FACTOR", "number").partition("number = 2\n\n\n")
    text = f"{first}\n\ndef made(number):\n{textwrap.indent(kernel, '    ')}    return scaled\n"
    for number in (2, 3, 2, 3):
        start(program(tmp_path, text).made(number))
    assert len(translations) == 2


def test_a_file_younger_than_the_process_is_not_trusted(translations, monkeypatch):
    monkeypatch.setattr(resources, "IMPORTED", 0)
    start(kernels.many, 16)
    start(kernels.many, 16)
    assert len(translations) == 2


def test_another_compiler_is_noticed(translations, monkeypatch):
    start(kernels.many, 16)
    monkeypatch.setattr(recall, "_stat", lambda path: (1, 2))
    start(kernels.many, 16)
    assert len(translations) == 2


def test_what_is_broken_is_made_again(translations):
    _, built = start(kernels.many, 16)
    (record,) = [p for p in (settings.cache_folder() / recall.FOLDER).rglob("*") if p.is_file()]
    record.write_bytes(record.read_bytes()[:100])
    start(kernels.many, 16)
    assert len(translations) == 2
    built.binary.unlink()
    start(kernels.many, 16)
    assert len(translations) == 3
    cache.clear()
    assert not record.exists()


class Own:
    pass


class Counting(enum.Enum):
    A = 1

    def doubled(self):
        return 2 * self.value


@pytest.mark.parametrize("value", [Own, Own(), [1], {"a": 1}, ct.static_eval, Counting, Counting.A, (1, [2]), math.pi.__add__, kernels_evaluated.evaluated], ids=lambda value: type(value).__name__)
def test_what_cannot_be_described(value):
    with pytest.raises(recall.Indescribable):
        recall.describe(value)


def test_descriptions_tell_values_apart():
    values = [
        kernels.many, math.sin, ct.function(kernels.helper), 1, 1.0, True, "1", b"1", None, (1,), (1.0,), 0.0, -0.0, math, ct.float32, ct.int32, ct.load, ct.store, ct.PaddingMode, ct.PaddingMode.ZERO, ct.PaddingMode.NAN,
        kernels.Form, kernels.Form.DOUBLED, kernels.helper, kernels.ConstInt, ct.Constant, np.float32, min, max,
    ]  # fmt: skip
    descriptions = [recall.describe(value) for value in values]
    assert len(set(descriptions)) == len(descriptions)


PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:]
import standin_cupy, numpy
driver = standin_cupy.Driver()
sys.modules["cupy"] = standin_cupy.make(driver)
from tile2cpp.launch import cupy
cupy.driver = lambda: driver
import kernels_recalled
x, y = (standin_cupy.on_gpu(numpy.zeros(48, "f")) for _ in range(2))
kernels_recalled.many[(3,)](x, y, 16)
assert len(driver.launches) == 1
print(*sorted(name for name in sys.modules if name.startswith("tile2cpp")), sep="\\n")
"""


def test_a_new_process_imports_no_translator_and_no_compiler():
    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed: pip install 'tile2cpp[cuda13]'")
    here = os.path.dirname(__file__)
    command = [sys.executable, "-c", PROGRAM, here, os.path.dirname(os.path.dirname(here))]
    first, second = (subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(2))
    assert {"tile2cpp.lower", "tile2cpp.emit", "tile2cpp.build.nvrtc"} <= set(first)
    assert "tile2cpp.emit" not in second
    assert not [name for name in second if name.startswith(("tile2cpp.lower", "tile2cpp.emit.", "tile2cpp.parse", "tile2cpp.build.", "tile2cpp.passes", "tile2cpp.rendering"))]
