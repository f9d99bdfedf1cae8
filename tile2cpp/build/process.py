"""Runs a compiler: its combined output, its exit status, and a time limit."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from tile2cpp.errors import Diagnostic, TileCompilerTimeoutError

SECONDS = 600.0


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
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        message = f"{Path(command[0]).name} did not finish within {SECONDS:.0f} seconds"
        raise TileCompilerTimeoutError(Diagnostic(message, code="internal", kind=TileCompilerTimeoutError)) from None
    except OSError as error:
        return Finished(False, f"{heading}{error.strerror}: {command[0]}\n")
    return Finished(done.returncode == 0, heading + done.stdout.decode(errors="replace"))
