"""Finding the fastest of several ways to launch a kernel, as `cuda.tile.tune` does.

    found = exhaustive_search(
        [(64, 1), (128, 2)], stream,
        grid_fn=lambda c: (ct.cdiv(n, c[0]),), kernel=kernel, args_fn=lambda c: (x, y, c[0]), hints_fn=lambda c: {"occupancy": c[1]},
    )
    print(found.best.config, found.best.mean_us)
"""

from __future__ import annotations

import statistics
import sys
from dataclasses import dataclass
from typing import Any, Callable, Iterable, NamedTuple, Sequence

from tile2cpp.signature import ArgumentValueError, fail


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """A configuration that ran: its mean time, half of that mean's 95 % confidence interval, the number of runs."""

    config: Any
    mean_us: float
    error_margin_us: float
    num_samples: int


class Failure(NamedTuple):
    """A configuration that could not be compiled or run, and why."""

    config: Any
    kind: type[Exception]
    message: str


@dataclass(frozen=True, kw_only=True)
class TuningResult:
    """The fastest configuration, all measurements in the order of the search space, and what failed."""

    best: Measurement
    successes: Sequence[Measurement]
    failures: Sequence[Failure]

    def summary(self, *, top_k: int = 10, bottom_k: int = 2) -> str:
        """A table, the fastest first; of a long one the first `top_k` rows and the last `bottom_k`."""
        lines = [f"{len(self.successes)} succeeded, {len(self.failures)} failed"]
        ranked = sorted(self.successes, key=lambda measured: measured.mean_us)
        rows = [f"{'*' if m == self.best else ' '} {m.config}: {m.mean_us:.1f}±{m.error_margin_us:.1f} us ({m.num_samples} samples)" for m in ranked]
        left_out = len(rows) - top_k - bottom_k
        if left_out > 1:
            rows[top_k : top_k + left_out] = [f"    ... {left_out} more not shown"]
        lines += rows
        lines += [f"    {f.config}: {f.kind.__name__}: {_first_line(f.message)}" for f in self.failures[:top_k]]
        if len(self.failures) > top_k:
            lines.append(f"    ... {len(self.failures) - top_k} more not shown")
        return "\n".join(lines)

    __str__ = summary


def exhaustive_search(
    search_space: Iterable[Any], stream: Any, grid_fn: Callable[[Any], tuple], kernel: Any, args_fn: Callable[[Any], tuple],
    hints_fn: Callable[[Any], dict] | None = None, *,
    quiet: bool = False, single_run_timeout_sec: float | None = None, flush_l2: bool = True,
) -> TuningResult:  # fmt: skip
    """Launch `kernel` for every configuration and measure it.

    `kernel` may also be a function that gives the kernel of a configuration. `grid_fn`,
    `args_fn` and `hints_fn` make grid, arguments and hints of a configuration.
    Compiling is not measured. A configuration that fails is noted and passed over; one of
    whose runs takes longer than `single_run_timeout_sec` counts as failed, too.
    `flush_l2` empties the GPU's cache before each run.
    """
    from tile2cpp.jit import kernel as Kernel

    space = list(search_space)
    if not space:
        raise fail(ArgumentValueError, "the search space is empty", known_as="Search space is empty.")
    successes, failures, first = [], [], None
    for number, config in enumerate(space, 1):
        chosen = kernel
        try:
            if not isinstance(kernel, Kernel):
                chosen = kernel(config)
            measured = _measured(config, stream, grid_fn, chosen, args_fn, hints_fn, single_run_timeout_sec, flush_l2)
        except Exception as error:
            first = first or error
            failures.append(Failure(config, type(error), str(error)))
            text = f"failed: {_first_line(str(error)) or type(error).__name__}"
        else:
            successes.append(measured)
            text = f"{measured.mean_us:.2f} us"
        if not quiet:
            print(f"[{number}/{len(space)}] {chosen.__name__} {config}: {text}", file=sys.stderr)
    if not successes:
        failure = failures[0]
        message = f"none of the {len(space)} configurations of `{chosen.__name__}` ran; {failure.config}: {_first_line(failure.message)}"
        raise fail(ArgumentValueError, message, known_as="No valid config found in search space.") from first
    best = min(successes, key=lambda measured: measured.mean_us)
    return TuningResult(best=best, successes=tuple(successes), failures=tuple(failures))


def _measured(config: Any, stream: Any, grid_fn, kernel: Any, args_fn, hints_fn, limit: float | None, flush_l2: bool) -> Measurement:
    from tile2cpp.jit import launch
    from tile2cpp.launch import timing

    chosen = kernel.replace_hints(**hints_fn(config)) if hints_fn is not None else kernel
    grid, args = grid_fn(config), args_fn(config)
    launch(stream, grid, chosen, args)  # compiles, and says what is wrong
    times = timing.times_us(lambda: launch(stream, grid, chosen, args), chosen.device_of(args), stream, flush_l2)
    if limit is not None and max(times) > limit * 1e6:
        raise TimeoutError(f"a run took {max(times) / 1e6:.3f} s, and {limit} s are allowed")
    spread = statistics.stdev(times) if len(times) > 1 else 0.0
    return Measurement(config=config, mean_us=statistics.fmean(times), error_margin_us=1.96 * spread / len(times) ** 0.5, num_samples=len(times))


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


tune = exhaustive_search  # `tile2cpp.tune(...)`
