"""Works run in a process of their own, so that a rival that crashes, hangs or spoils the GPU costs no more than its own line.

The worker says whom it turns to. When it ends, answers no more, or finds the GPU lost, a
new one does the work again, without the rival that was last named.
"""

from __future__ import annotations

import multiprocessing
from dataclasses import dataclass, field
from typing import Any, Callable

from benchmarks.work import OURS

FRESH = multiprocessing.get_context("spawn")  # new processes, not copies of this one, which may hold a GPU
PATIENCE = 90.0  # seconds without a word, besides those of measuring


@dataclass(frozen=True)
class Order:
    """What a worker is to do: a work by its name, and how."""

    name: str
    seconds: float
    quick: bool = False
    against: tuple[str, ...] = ()
    without: dict[str, str] = field(default_factory=dict)  # rivals that are left out, and why


class Worker:
    """Runs orders, one after the other, in a process that is replaced when it is lost."""

    def __init__(self, serve: Callable[[Any], None], patience: float = PATIENCE):
        self.serve, self.patience = serve, patience
        self.process: Any = None
        self.pipe: Any = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def run(self, order: Order) -> tuple[dict[str, Any] | None, str]:
        """An entry, or None and why there is none."""
        while True:
            if self.process is None:
                self._start()
            self.pipe.send(order)
            entry, at, why = self._listen(order)
            if entry is not None:
                return entry, ""
            self.stop()
            if not at or at == OURS or at in order.without:
                return None, why
            order = Order(order.name, order.seconds, order.quick, order.against, {**order.without, at: why})

    def _start(self) -> None:
        self.pipe, theirs = FRESH.Pipe()
        self.process = FRESH.Process(target=self.serve, args=(theirs,), daemon=False)
        self.process.start()
        theirs.close()

    def _listen(self, order: Order) -> tuple[dict[str, Any] | None, str, str]:
        """The entry, or None; whom the worker last turned to; and what went wrong."""
        at = ""
        while True:
            if not self._hears(order.seconds + self.patience):
                return None, at, f"no answer within {order.seconds + self.patience:.0f} s"
            try:
                kind, said = self.pipe.recv()
            except (EOFError, OSError):
                self.process.join()
                return None, at, f"the process ended with status {self.process.exitcode}"
            if kind == "at":
                at = said
            elif kind == "lost":
                return None, at, f"the GPU is lost: {said}"
            else:
                return said, at, ""

    def _hears(self, seconds: float) -> bool:
        """Whether something is there to read, an end of file included."""
        try:
            return self.pipe.poll(seconds)
        except OSError:
            return True

    def stop(self) -> None:
        """End the process; also one that hangs."""
        if self.process is None:
            return
        self.pipe.close()
        self.process.join(2)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process = None


class Lost(Exception):
    """After this nothing runs on the GPU any more in this process."""


def serve(pipe: Any) -> None:
    """The worker's side: orders in, entries out."""
    from benchmarks import commandline

    while True:
        try:
            order = pipe.recv()
        except EOFError:
            return
        try:
            entry = commandline.one(order, lambda who: pipe.send(("at", who)))
        except Lost as error:
            pipe.send(("lost", str(error)))
            return
        pipe.send(("entry", entry))
