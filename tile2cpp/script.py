"""Runs a user's script as Python would, with `cuda.tile` standing for `tile2cpp.lang`.

Exit status, arguments, `__main__` and tracebacks are those of the script: frames of
tile2cpp are left out, and a mistake in a kernel is shown as its diagnostic.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from tile2cpp.errors import Diagnostic, Tile2cppError
from tile2cpp.install import install_as_cuda_tile
from tile2cpp.launch import default_backend

OWN = Path(__file__).parent


def run_script(path: Path, arguments: list[str], backend: str | None) -> NoReturn:
    """Run the script and leave the process with its exit status."""
    if not path.is_file():
        raise Tile2cppError(f"{path}: {'is a folder, not a script' if path.is_dir() else 'no such file'}")
    install_as_cuda_tile()
    default_backend.set(backend)
    sys.argv = [str(path), *arguments]
    sys.path[0:0] = [str(path.resolve().parent)]
    try:
        execute(path)
    except Tile2cppError as error:
        raise located(error) from None
    except Exception as error:
        sys.stdout.flush()
        print_without_own_frames(error)
        sys.exit(1)
    sys.exit(0)


def execute(path: Path) -> None:
    """Run the file as module `__main__`."""
    module = ModuleType("__main__")
    module.__file__ = str(path)
    sys.modules["__main__"] = module
    code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    exec(code, vars(module))


def located(error: Tile2cppError) -> Tile2cppError:
    """The error, with the line of the script that led to it when the error itself has no place."""
    theirs = [f for f in traceback.extract_tb(error.__traceback__) if not is_own(f.filename)]
    if not theirs or error.loc is not None:
        return error
    first, *rest = error.diagnostics
    frame = theirs[-1]
    note = f"at {frame.filename}:{frame.lineno}: {frame.line}"
    noted = Diagnostic(first.message, first.code, first.label, first.others, first.hints, (*first.notes, note), first.calls, first.kind)
    return Tile2cppError(noted, *rest)


def is_own(filename: str) -> bool:
    return OWN in Path(filename).parents


def print_without_own_frames(error: BaseException) -> None:
    """Python's traceback, from the script on, as if tile2cpp were part of Python."""
    report = traceback.TracebackException.from_exception(error)
    pending, seen = [report], set()
    while pending:
        part = pending.pop()
        if part is None or id(part) in seen:
            continue
        seen.add(id(part))
        part.stack = traceback.StackSummary.from_list([frame for frame in part.stack if not is_own(frame.filename)])
        pending += [part.__cause__, part.__context__, *(getattr(part, "exceptions", None) or ())]
    print("".join(report.format()), end="", file=sys.stderr)
