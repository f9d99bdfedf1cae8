"""Kernels of a file, translated without a call: the emitted file and what was assumed for it.

The file is imported (with `cuda.tile` standing for `tile2cpp.lang`), because names in a
kernel mean the objects they denote in Python. Each kernel defined in it is translated
for its own signature: the one given here, else the text of its `jit`, else what its
annotations say and its uses show.
"""

from __future__ import annotations

import contextlib
import importlib.machinery
import importlib.util
import inspect
import re
import sys
import traceback
from itertools import islice
from pathlib import Path
from typing import Any

from tile2cpp.emitted import Emitted
from tile2cpp.errors import Diagnostic, Tile2cppError
from tile2cpp.infer import infer
from tile2cpp.install import standing_for_cuda_tile
from tile2cpp.jit import kernel as Kernel
from tile2cpp.pipeline import emit_kernel
from tile2cpp.signature import Signature

MOST_ATTEMPTS = 32  # to find a signature that fits
PREFIXED = re.compile(r"\s*([^\W\d]\w*)\s*\((.*)\)\s*$", re.DOTALL)


def translate(path: str | Path, signature: str | list[str] | None = None, kernel: str | None = None, *, target: int | None = None) -> Emitted | dict[str, Emitted]:
    """Translate the kernels of a Python file.

    `signature` is the text of a signature, or several, each of which may name its
    kernel: `softmax(x: f32[?,?], y: f32[?,?], TILE=1024)`. What it leaves out is
    inferred. One kernel (or the one called `kernel`) gives its `Emitted`, several
    give a dictionary by name. `target` is the compute capability to schedule for.
    """
    found = kernels_of(path)
    if kernel is not None:
        found = {kernel: _named(found, kernel, path)}
    texts = [signature] if isinstance(signature, str) else list(signature or ())
    given = _assign(texts, found)
    done, problems = {}, []
    for name, item in found.items():
        try:
            done[name] = translate_kernel(item, given.get(name), target)
        except Tile2cppError as error:
            problems.append(error)
    if problems:
        raise type(problems[0])(*(d for problem in problems for d in problem.diagnostics))
    return next(iter(done.values())) if len(done) == 1 else done


def translate_kernel(item: Kernel, text: str | None = None, target: int | None = None) -> Emitted:
    """Translate one kernel object for a signature text, its own, or an inferred one."""
    function = item.__wrapped__
    text = item.signature_text if text is None else text
    given = _read(text, item) if text else {}
    first_error = None
    for signature, assumed in islice(infer(function, given, item.rules), MOST_ATTEMPTS):
        try:
            return emit_kernel(function, signature, item.hints, target=target, assumed=assumed)
        except Tile2cppError as error:
            first_error = first_error or error
            if not assumed:
                break
    raise first_error


def kernels_of(path: str | Path) -> dict[str, Kernel]:
    """The kernel objects that a file defines, by name, in the order of the file."""
    path = Path(path)
    module = load(path)
    here = str(path.resolve())
    found = {v.__wrapped__.__name__: v for v in vars(module).values() if isinstance(v, Kernel) and _file_of(v) == here}
    if not found:
        raise Tile2cppError(Diagnostic(f"{path} defines no kernel", hints=("a kernel is a function decorated with @ct.kernel or @tile2cpp.jit",)))
    return dict(sorted(found.items(), key=lambda item: item[1].__wrapped__.__code__.co_firstlineno))


def _file_of(item: Kernel) -> str:
    return str(Path(item.__wrapped__.__code__.co_filename).resolve())


def load(path: Path) -> Any:
    """Import a file under the name it has in its package; a failure is one error with Python's own message."""
    if not path.is_file():
        raise Tile2cppError(f"{path}: {'is a folder, not a file' if path.is_dir() else 'no such file'}")
    name, root = _module_name(path.resolve())
    loader = importlib.machinery.SourceFileLoader(name, str(path.resolve()))  # whatever the file's ending
    spec = importlib.util.spec_from_file_location(name, path.resolve(), loader=loader)
    module = importlib.util.module_from_spec(spec)
    with standing_for_cuda_tile(), _importing(name, module, root):
        try:
            spec.loader.exec_module(module)
        except Tile2cppError:
            raise
        except (Exception, SystemExit) as error:
            raise _not_importable(path, error) from None
    return module


@contextlib.contextmanager
def _importing(name: str, module: Any, root: str):
    """The module can be found while it runs, its neighbours can be imported, and what it prints goes to stderr."""
    before = sys.modules.get(name)
    sys.modules[name] = module
    sys.path.insert(0, root)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        sys.path.remove(root)
        if before is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = before


def _module_name(path: Path) -> tuple[str, str]:
    """The dotted name of a file and the folder it counts from: the first that is no package."""
    parts, folder = [path.stem], path.parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), str(folder)


def _not_importable(path: Path, error: BaseException) -> Tile2cppError:
    """One error that says where in the user's files the import stopped, and Python's message."""
    message = "".join(traceback.format_exception_only(type(error), error)).strip()
    if isinstance(error, SyntaxError):
        return Tile2cppError(Diagnostic(f"{path} is not valid Python", notes=tuple(message.splitlines())))
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<")]
    inside = [f for f in frames if Path(f.filename).resolve() == path.resolve()]
    where = f" (line {inside[-1].lineno})" if inside else ""
    hints = ()
    if isinstance(error, ModuleNotFoundError):
        hints = (f"install {error.name.partition('.')[0]}, or keep the kernels in a file of their own that does not import it",)
    return Tile2cppError(Diagnostic(f"{path} cannot be imported{where}: {message}", hints=hints))


def _named(found: dict[str, Kernel], name: str, path: Any) -> Kernel:
    """The kernel of that name; its C++ name does as well, which has an underscore where the other is a word of C++."""
    if name not in found and name.rstrip("_") in found:
        return found[name.rstrip("_")]
    if name not in found:
        raise Tile2cppError(Diagnostic(f"{path} defines no kernel `{name}`", hints=(f"its kernels are {', '.join(found)}",)))
    return found[name]


def _assign(texts: list[str], found: dict[str, Kernel]) -> dict[str, str]:
    """Which kernel each signature text is for."""
    given: dict[str, str] = {}
    for text in texts:
        prefixed = PREFIXED.match(text)
        if prefixed:
            name, text = prefixed.groups()
            if name not in found:
                raise Tile2cppError(Diagnostic(f"the signature is for `{name}`, which is not among the kernels {', '.join(found)}"))
        elif len(found) == 1:
            (name,) = found
        else:
            raise Tile2cppError(Diagnostic(
                f"the file has {len(found)} kernels; say for which one the signature is",
                hints=(f'--signature "{next(iter(found))}({text})"', f"or choose a kernel: --kernel {next(iter(found))}"),
            ))  # fmt: skip
        if name in given:
            raise Tile2cppError(Diagnostic(f"two signatures for `{name}`", hints=("translate it twice, each time into a folder of its own (-o)",)))
        given[name] = text
    return given


def _read(text: str, item: Kernel) -> dict[str, Any]:
    """The parameters that a signature text speaks of; it may leave some out, but invent none."""
    signature = Signature.parse(text)
    names = tuple(inspect.signature(item.__wrapped__).parameters)
    if set(signature.names) - set(names):
        Signature.parse(text, names)  # raises, with a caret at the name
    return dict(zip(signature.names, signature.types))
