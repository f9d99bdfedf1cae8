"""What a benchmark is: arrays, the launches that are ours, rivals, the right answer, and the bars to reach."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Mapping

OURS = "tile2cpp"
VENDOR = "NVIDIA's compiler"  # on the file that tile2cpp wrote
CUTILE = "cuTile"  # on the same Python


@dataclass(frozen=True)
class Array:
    """An argument to make: `fill` is "normal", "bytes" (random int8), "empty", or the values themselves."""

    shape: tuple[int, ...]
    dtype: str
    fill: Any = "normal"


@dataclass(frozen=True)
class Launch:
    """One launch; arguments are names of arrays, or constants and numbers. `zeroed` arrays are cleared first, which counts.

    An `early` one may begin before the launch in front of it has ended (programmatic dependent launch).
    """

    kernel: Any
    grid: tuple[int, ...]
    args: tuple
    zeroed: tuple[str, ...] = ()
    early: bool = False

    def arguments(self, arrays: Mapping[str, Any]) -> tuple:
        return tuple(arrays[a] if isinstance(a, str) else a for a in self.args)


@dataclass(frozen=True)
class Bar:
    """`of` must be at least `least` times as fast as the best of `against` that ran; with `most`, take at most so many units."""

    against: tuple[str, ...] = ()
    least: float = 1.0
    of: str = OURS
    most: float | None = None

    def described(self) -> dict[str, Any]:
        """As results keep it."""
        return {"of": self.of, "against": list(self.against), "least": self.least, "most": self.most}


@dataclass(frozen=True)
class Rival:
    """Somebody else's way: `make(task)` gives what runs it once, and returns its result where that is an array of its own.

    `make` raises ImportError, or `Missing`, where the rival is not installed. `amount` is
    what it moves or computes, when that is not what the work does; `checked` is off for
    those that do not compute the same, such as a copy.
    """

    make: Callable[[Task], Callable[[], Any]]
    amount: float | None = None
    checked: bool = True


class Missing(Exception):
    """A rival that this machine lacks."""


@dataclass(frozen=True)
class Work:
    """One entry of the benchmarks.

    `amount` is what is done: operations or bytes, in `unit` per second. `ours` has one or
    more forms of the kernel (tile sizes, as a rule), of which the fastest counts; each is
    one launch or several in a row. `reference(arrays, xp)` computes `result` in double
    precision with NumPy or torch, and `limit` is the largest norm of the error divided by
    that of the answer. `globals_of` names values that are set in a kernel's module before
    a launch. `quick` marks what the quick run has. `reads` marks a work that reads much and
    writes next to nothing, which should not be charged with writing back what lay in the
    cache before it.
    """

    name: str
    group: str
    title: str
    amount: float
    unit: str
    arrays: Mapping[str, Array]
    ours: Mapping[str, tuple[Launch, ...]]
    rivals: Mapping[str, Rival]
    reference: Callable[[Mapping[str, Any], Any], Any]
    limit: float
    bars: tuple[Bar, ...] = ()
    result: str = "C"
    seconds: float = 2.0
    quick: bool = False
    reads: bool = False
    globals_of: Mapping[str, Any] = field(default_factory=dict)

    def set_globals(self) -> None:
        for name, value in self.globals_of.items():
            for launch in next(iter(self.ours.values())):
                launch.kernel.__wrapped__.__globals__[name] = value


@dataclass(frozen=True)
class Task:
    """A work with its arrays, as rivals get it: `task["A"]` is an array; `form` is the one of ours that was chosen."""

    work: Work
    arrays: Mapping[str, Any]
    form: str

    def __getitem__(self, name: str) -> Any:
        return self.arrays[name]


UNITS = {"TFLOP/s": 1e12, "TOP/s": 1e12, "GB/s": 1e9}


def figure(amount: float, unit: str, seconds: float) -> float:
    """What a time means in the unit of the work."""
    return amount / seconds / UNITS[unit]
