"""Measures tile2cpp side by side with what else a user would take: `python -m benchmarks`."""
