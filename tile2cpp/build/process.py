"""Runs a compiler: its combined output, its exit status, and a time limit."""

from __future__ import annotations

import subprocess
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

from tile2cpp.errors import Diagnostic, TileCompilerTimeoutError

FIRST_LIMIT = 600.0  # seconds
_limit: ContextVar[float] = ContextVar("compiler time limit", default=FIRST_LIMIT)


@contextmanager
def compiler_timeout(seconds: float) -> Iterator[None]:
    """While the block runs, a compiler that takes longer than `seconds` is stopped, and a TileCompilerTimeoutError raised.

    NVRTC runs in this process and cannot be stopped; its time counts when it returns.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds > 0:
        raise ValueError(f"a time limit is a positive number of seconds, not {seconds!r}")
    token = _limit.set(float(seconds))
    try:
        yield
    finally:
        _limit.reset(token)


def time_limit() -> float:
    """How many seconds a compiler may take."""
    return _limit.get()


def set_time_limit(seconds: float | None) -> None:
    """From now on a compiler may take `seconds`; None restores the first limit."""
    _limit.set(FIRST_LIMIT if seconds is None else float(seconds))


def check_time(compiler: str, seconds: float) -> None:
    """Refuse a compilation that took longer than the limit."""
    if seconds > _limit.get():
        raise _too_slow(compiler)


def _too_slow(compiler: str) -> TileCompilerTimeoutError:
    message = f"{compiler} did not finish within {_limit.get():g} seconds"
    hints = ("ct.compiler_timeout(seconds) sets the limit",)
    return TileCompilerTimeoutError(Diagnostic(message, code="timeout", hints=hints, kind=TileCompilerTimeoutError))


@dataclass(frozen=True)
class Finished:
    """What a command printed and whether it succeeded."""

    ok: bool
    log: str


def run(command: list[str], *, folder: Path | None = None, environment: dict[str, str] | None = None) -> Finished:
    """Run `command` in `folder`; the log begins with the command itself."""
    heading = f"$ {' '.join(command)}\n"
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=_limit.get(),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise _too_slow(Path(command[0]).name) from None
    except OSError as error:
        return Finished(False, f"{heading}{error.strerror}: {command[0]}\n")
    return Finished(done.returncode == 0, heading + done.stdout.decode(errors="replace"))
