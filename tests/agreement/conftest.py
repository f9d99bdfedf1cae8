"""The modules beside this file, and how long the drawing goes on.

`pytest tests/agreement` holds a few kernels of each theme, always the same ones;
`pytest tests/agreement --hypothesis-profile=thorough` draws new ones for many minutes.
"""

import sys
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings

sys.path.insert(0, str(Path(__file__).parent))

CALM = {"deadline": None, "suppress_health_check": list(HealthCheck), "phases": (Phase.generate,), "database": None}
settings.register_profile("agreement", max_examples=4, derandomize=True, **CALM)
settings.register_profile("thorough", max_examples=60, derandomize=False, **CALM)
