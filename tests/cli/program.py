"""Runs the command line in a process of its own, as a user does."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def tile2cpp(*arguments, folder=ROOT, **environment):
    """The finished process of `tile2cpp ARGUMENTS`."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, "-m", "tile2cpp", *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1", "COLUMNS": "120", **environment},
    )  # fmt: skip
