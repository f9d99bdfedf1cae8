"""Finding the fastest of several ways to launch a kernel, as `cuda.tile.tune` does.

    found = exhaustive_search(
        [(64, 1), (128, 2)], stream,
        grid_fn=lambda c: (ct.cdiv(n, c[0]),), kernel=kernel, args_fn=lambda c: (x, y, c[0]), hints_fn=lambda c: {"occupancy": c[1]},
    )
    print(found.best.config, found.best.mean_us)
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Callable, Iterable

from tile2cpp.errors import Diagnostic, Tile2cppError


@dataclass(frozen=True)
class Measurement:
    """A configuration that ran: its mean time, the best and the worst one, and in how many runs."""

    config: Any
    mean_us: float
    min_us: float
    max_us: float
    runs: int


@dataclass(frozen=True)
class Failure:
    """A configuration that could not be compiled or run, and why."""

    config: Any
    error: Exception


@dataclass(frozen=True)
class TuningResult:
    """All measurements, in the order of the search space."""

    kernel: str
    successes: tuple[Measurement, ...]
    failures: tuple[Failure, ...]

    @property
    def best(self) -> Measurement:
        """The fastest one."""
        return min(self.successes, key=lambda measured: measured.mean_us)

    def summary(self) -> str:
        """A table, the fastest first."""
        lines = [f"{self.kernel}: {len(self.successes)} configurations measured, {len(self.failures)} failed"]
        lines += [f"{m.mean_us:12.2f} us  {m.config}" for m in sorted(self.successes, key=lambda measured: measured.mean_us)]
        lines += [f"      failed     {f.config}: {_first_line(f.error)}" for f in self.failures]
        return "\n".join(lines)


def exhaustive_search(
    search_space: Iterable[Any], stream: Any, grid_fn: Callable[[Any], tuple], kernel: Any, args_fn: Callable[[Any], tuple],
    hints_fn: Callable[[Any], dict] | None = None, *,
    quiet: bool = False, single_run_timeout_sec: float | None = None, flush_l2: bool = True,
) -> TuningResult:  # fmt: skip
    """Launch `kernel` for every configuration and measure it.

    `grid_fn`, `args_fn` and `hints_fn` make grid, arguments and hints of a configuration.
    Compiling is not measured. A configuration that fails is noted and passed over; one of
    whose runs takes longer than `single_run_timeout_sec` counts as failed, too.
    `flush_l2` empties the GPU's cache before each run.
    """
    space = list(search_space)
    if not space:
        raise ValueError("the search space is empty")
    successes, failures = [], []
    for number, config in enumerate(space, 1):
        try:
            measured = _measured(config, stream, grid_fn, kernel, args_fn, hints_fn, single_run_timeout_sec, flush_l2)
        except Exception as error:
            failures.append(Failure(config, error))
            text = f"failed: {_first_line(error)}"
        else:
            successes.append(measured)
            text = f"{measured.mean_us:.2f} us"
        if not quiet:
            print(f"[{number}/{len(space)}] {kernel.__name__} {config}: {text}", file=sys.stderr)
    if not successes:
        first = failures[0]
        message = f"none of the {len(space)} configurations of `{kernel.__name__}` ran; {first.config}: {_first_line(first.error)}"
        raise Tile2cppError(Diagnostic(message, kind=Tile2cppError)) from first.error
    return TuningResult(kernel.__name__, tuple(successes), tuple(failures))


def _measured(config: Any, stream: Any, grid_fn, kernel: Any, args_fn, hints_fn, limit: float | None, flush_l2: bool) -> Measurement:
    from tile2cpp.jit import launch
    from tile2cpp.launch import timing

    chosen = kernel.replace_hints(**hints_fn(config)) if hints_fn is not None else kernel
    grid, args = grid_fn(config), args_fn(config)
    launch(stream, grid, chosen, args)  # compiles, and says what is wrong
    times = timing.times_us(lambda: launch(stream, grid, chosen, args), chosen.device_of(args), stream, flush_l2)
    if limit is not None and max(times) > limit * 1e6:
        raise TimeoutError(f"a run took {max(times) / 1e6:.3f} s, and {limit} s are allowed")
    return Measurement(config, sum(times) / len(times), min(times), max(times), len(times))


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


tune = exhaustive_search  # `tile2cpp.tune(...)`
