"""Puts the folder of `case.py` on the path: these tests share its way to run a kernel."""

import sys
from pathlib import Path

RUN = Path(__file__).parents[1] / "run"
if str(RUN) not in sys.path:
    sys.path.insert(0, str(RUN))
