"""`cuda.tile_experimental`: finds the fastest configuration on the first launch of its kind, and launches it.

    autotune_launch(
        stream, lambda c: (ct.cdiv(n, c.tile),), kernel, lambda c: (x, y, c.tile),
        search_space=lambda: [SimpleNamespace(tile=64), SimpleNamespace(tile=128)],
    )
"""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Callable, Iterable, Sequence

from tile2cpp.errors import TileInternalError
from tile2cpp.signature import ArgumentValueError, arrays, fail
from tile2cpp.tune import exhaustive_search

if TYPE_CHECKING:
    from tile2cpp.jit import kernel as Kernel

MOST_CONFIGURATIONS = 10_000  # a search space may be a generator without an end

_found: dict[Any, dict[Any, "TunedResult"]] = {}  # by function, then by the key of the arguments
_lock = threading.RLock()


@dataclass(frozen=True)
class TunedResult:
    """What was launched: the configuration, its grid and kernel, and the measured times; `cache_hit` when nothing was measured."""

    tuned_config: Any
    grid: tuple
    kernel: Kernel
    tuning_record: Sequence[tuple[Any, float]]  # configuration, milliseconds
    cache_hit: bool


def autotune_launch(
    stream: Any, grid_fn: Callable[[Any], tuple], kernel: Kernel, args_fn: Callable[[Any], tuple],
    launch_args_fn: Callable[[Any], tuple] | None = None, hints_fn: Callable[[Any], dict] | None = None, *,
    search_space: Iterable[Any] | Callable[[], Iterable[Any]], key: Any = None, max_iter: int = 60,
    compiler_time_limit_sec: float = 10, seed: int | None = None, force_retune: bool = False,
) -> TunedResult:  # fmt: skip
    """Launch `kernel` with the best of `search_space`, which is measured once for arguments of these shapes and dtypes (or for `key`).

    `args_fn` makes the arguments for measuring, and `launch_args_fn`, where given, those of
    the launch itself. At most `max_iter` configurations are drawn from the space.
    """
    from tile2cpp.build.process import compiler_timeout
    from tile2cpp.jit import launch

    space = _drawn(search_space() if callable(search_space) else search_space, max_iter, seed)
    if not space:
        raise fail(ArgumentValueError, "the search space is empty", known_as="Search space is empty")
    arguments_key = key if key is not None else tuple(map(_key_of, args_fn(space[0])))
    with _lock:
        known = _found.setdefault(kernel.__wrapped__, {})
        found = None if force_retune else known.get(arguments_key)
        if found is None:
            with compiler_timeout(compiler_time_limit_sec):
                found = _search(space, stream, grid_fn, kernel, args_fn, hints_fn)
            known[arguments_key] = TunedResult(found.tuned_config, found.grid, found.kernel, found.tuning_record, True)
    launch(stream, found.grid, found.kernel, (launch_args_fn or args_fn)(found.tuned_config))
    return found


def clear_autotune_cache(kernel: Kernel | None = None, key: Any = None) -> None:
    """Forget what was measured: all of it, of one kernel, or for one key."""
    with _lock:
        for function, known in _found.items():
            if kernel is None or kernel.__wrapped__ is function:
                known.clear() if key is None else known.pop(key, None)


def _search(space: list, stream: Any, grid_fn: Callable, kernel: Kernel, args_fn: Callable, hints_fn: Callable | None) -> TunedResult:
    try:
        found = exhaustive_search(space, stream, grid_fn, kernel, args_fn, hints_fn, quiet=True)
    except ValueError as error:
        first = error.__cause__
        if first is None or isinstance(first, (TileInternalError, TimeoutError)):
            raise
        raise first  # a mistake in the kernel, or in its arguments
    best = found.best.config
    chosen = kernel.replace_hints(**hints_fn(best)) if hints_fn else kernel
    record = tuple((measured.config, measured.mean_us / 1000) for measured in found.successes)
    return TunedResult(best, grid_fn(best), chosen, record, False)


def _drawn(space: Iterable[Any], count: int, seed: int | None) -> list[Any]:
    """`count` configurations, each of the space as likely as any other."""
    configurations = list(islice(space, MOST_CONFIGURATIONS))
    return configurations if len(configurations) <= count else random.Random(seed).sample(configurations, count)


def _key_of(argument: Any) -> Any:
    if not arrays.is_array(argument):
        return type(argument).__name__
    memory = arrays.memory(argument)
    return memory.shape, memory.dtype_name, memory.strides
