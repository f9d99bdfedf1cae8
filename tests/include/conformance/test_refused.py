"""What Tile C++ refuses: g++, NVRTC and NVIDIA's tile compiler refuse the same, and take what differs from it least."""

import re
import subprocess
from pathlib import Path

import pytest
from probe import HEADING, rows, source
from refused import ALONE, ALONE_BY_NVRTC, ALONE_ON_THE_HOST

from tile2cpp import resources
from tile2cpp.build import host, nvidia, nvrtc, toolkits

INCLUDE = Path(__file__).parents[3] / "include"


def each(*rows: dict):
    lone = {name: (HEADING + text, sentence) for row in rows for name, (text, sentence) in row.items()}
    return pytest.mark.parametrize("text, sentence", lone.values(), ids=lone)


def by_host(text: str, folder: Path) -> tuple[bool, str]:
    compiler = host.find()
    if compiler is None:
        pytest.skip("no C++ compiler")
    path = folder / "asked.cpp"
    path.write_text(text)
    command = [*compiler.command, "-std=c++20", "-fsyntax-only", f"-I{INCLUDE}", f"-I{INCLUDE / 'host_shims'}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def by_nvrtc(text: str) -> tuple[bool, str]:
    found = nvrtc.find()
    if found is None:
        pytest.skip("NVRTC is not installed")
    folders = toolkits.headers_for(found.version[0])
    if not folders:
        pytest.skip("the headers of CUDA's own types are not installed")
    library = {name.removeprefix("device_shims/"): text for name, text in resources.headers().items() if not name.startswith("host_shims/")}
    options = ("-std=c++20", "-default-device", "-arch=sm_90", found.quiet(), *(f"-I{path}" for path in folders))
    made, log = found.compile(text, "asked.cu", library, options)
    return made is not None, log


def by_tile_compiler(text: str, folder: Path) -> tuple[bool, str]:
    tool = nvidia.require()
    path = folder / "asked.cu"
    path.write_text(text)
    command = [str(tool.path), *nvidia.OPTIONS, "-tilebc", "-arch=sm_90", str(path), "-o", str(folder / "asked.tilebc")]
    done = subprocess.run(command, capture_output=True, text=True, env=tool.environment())
    return done.returncode == 0, done.stdout + done.stderr


def disagreements(log: str) -> str:
    """The rows whose assertion failed, or the whole log."""
    return "\n".join(dict.fromkeys(re.findall(r"\w+: [^\n\":]+: (?:accepted|its right form is refused)", log))) or log


def test_there_are_enough():
    names = [name for name, _, _ in rows()]
    assert len(set(names)) == len(names) >= 150


def test_host(tmp_path):
    ok, log = by_host(source(), tmp_path)
    assert ok, disagreements(log)


def test_nvrtc():
    ok, log = by_nvrtc(source())
    assert ok, disagreements(log)


@pytest.mark.toolkit
def test_tile_compiler(tmp_path):
    ok, log = by_tile_compiler(source(), tmp_path)
    assert ok, disagreements(log)


@each(ALONE, ALONE_ON_THE_HOST)
def test_lone_on_the_host(text, sentence, tmp_path):
    ok, log = by_host(text, tmp_path)
    assert not ok and sentence in log


@each(ALONE, ALONE_BY_NVRTC)
def test_lone_by_nvrtc(text, sentence):
    ok, log = by_nvrtc(text)
    assert not ok and sentence in log


@pytest.mark.toolkit
@each(ALONE)
def test_lone_by_the_tile_compiler(text, sentence, tmp_path):
    ok, log = by_tile_compiler(text, tmp_path)
    assert not ok
