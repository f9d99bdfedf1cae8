"""Drawn and unkind kernels under NVIDIA's tile compiler: what the host takes, it must take as well."""

import numpy as np
import pytest
from agreeing import kernel_of
from choices import of_seed
from drawing import THEMES
from nasty_case import CASES
from test_nasty import MODULES

from tile2cpp.build import nvidia


def accepted(texts: list[str], file) -> None:
    """All files in one, each in a namespace of its own, so that the compiler starts once.

    Down to Tile IR: assembling takes far longer and finds no fault of ours.
    """
    includes = dict.fromkeys(line for text in texts for line in text.splitlines() if line.startswith("#include"))
    parts = []
    for number, text in enumerate(texts):
        body = "\n".join(line for line in text.splitlines() if not line.startswith("#include")).replace('extern "C" ', "")
        parts.append(f"namespace kernel_{number} {{\n{body}\n}}")
    file.write_text("\n".join([*includes, *parts]), encoding="utf-8")
    nvidia.check(file, 90, assemble=False)


@pytest.mark.toolkit
@pytest.mark.parametrize("theme", THEMES)
def test_drawn(theme, tmp_path):
    texts = []
    for seed in (1, 2):
        drawn = THEMES[theme](of_seed(seed))
        kernel = kernel_of(drawn.source, tmp_path / f"accepted_{theme}_{seed}.py")
        code, given = kernel.__wrapped__.__code__, drawn.arguments()
        texts.append(str(kernel.source(*(given[name] for name in code.co_varnames[: code.co_argcount]))))
    accepted(texts, tmp_path / f"{theme}.cu")


@pytest.mark.toolkit
@pytest.mark.parametrize("module", [m.__name__ for m in MODULES])
def test_unkind(module, tmp_path):
    x = np.zeros(8, np.float32)
    accepted([str(kernel.source(x, 3, x)) for _, kernel, _ in CASES[module]], tmp_path / "unkind.cu")
