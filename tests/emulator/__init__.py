"""Runs the PTX of kernels on the CPU, warp by warp, for tests of what only a GPU could show.

Warps take turns in a random order, and what is asynchronous on a GPU (copies by the copy engine, products of warpgroups)
happens at random times between its beginning and the wait for it. So a run with another seed is another schedule; races,
wrong stages and hangs show as wrong results, or as an `EmulationError` that says which warp did or waits for what.

What it does not know: the order in which ordinary writes become visible (they are visible at once), what ptxas makes of the
text (registers of its own, spills, instructions that it moves), clusters, and how long anything takes. Rounding is NumPy's,
also of functions that GPUs approximate.

| module | what it holds |
|---|---|
| `ptx` | the text: statements, scopes, declared registers and memory |
| `decode` | instructions as Python functions over the 32 lanes of a warp |
| `arithmetic`, `halves`, `compare`, `bits`, `convert`, `access`, `control`, `fragments`, `products`, `copies` | those functions, by family |
| `schedule` | in what order things happen |
| `flow` | where lanes that went apart meet again |
| `memory` | global and shared memory, with bounds and hazards |
| `barriers` | barriers of a block, and those in shared memory |
| `warp`, `block` | groups of lanes, and the warps of a block with everything under way |
| `launch` | a kernel object with NumPy arguments |
"""

from .errors import Deadlock, EmulationError, Hazard
from .launch import Launch, Program
from .schedule import Policy

__all__ = ["Deadlock", "EmulationError", "Hazard", "Launch", "Policy", "Program"]
