"""What earlier processes translated and built, found again without translating anything.

    <cache>/launches/3f/3f9a...     one record: the emitted file, its build, and what decided both

Translating and asking for a compiler's version take longer than loading a cubin. A record
is named by what a launch knows at once: the kernel's place and file, the signature, the
hints, the target and tile2cpp itself. It lists what else decided the translation (globals,
helpers in other files, the compiler's own files), and counts only when all of that is
as it was. A kernel that read a value which cannot be described (a class of the author's,
a dictionary) or evaluates Python while it is translated has no record, and neither has
one whose record cannot be read or written: then the general way does it all again.
"""

from __future__ import annotations

import enum
import hashlib
import io
import os
import pickle
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, GenericAlias, ModuleType
from typing import Any, Iterator

from tile2cpp import dtypes, resources, settings
from tile2cpp.build import Built
from tile2cpp.directives import Directive, ensure_constant
from tile2cpp.emitted import CellContents, Emitted, Watched
from tile2cpp.ops import Op
from tile2cpp.signature import Signature

FOLDER = "launches"
FORMAT = 1
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...))
EVALUATING = (b"static_eval", b"static_iter", b"static_assert", b"static_exception", b"static_def")
LIBRARIES = ("tile2cpp", "cuda", "builtins", "math", "operator", "numpy", "ml_dtypes", "enum", "typing")


class Indescribable(Exception):
    """A value that another process cannot be told of."""


def find(kernel: Any, signature: Signature, target: int, newest: int | None) -> tuple[Emitted, Built] | None:
    """The emitted file and its build, when a record has them and nothing has changed since."""
    try:
        path = _path(kernel, signature, target, newest)
        record = _Reader(io.BytesIO(path.read_bytes())).load()
        if any(_stat(file) != known for file, known in record["files"].items()):
            return None
        watched = []
        for place, key, described in record["watched"]:
            mapping = _mapping(place, kernel.__wrapped__)
            value = mapping.get(key, Indescribable)
            if value is Indescribable or describe(value) != described:
                return None
            watched.append(Watched(mapping, key, value))
        built = Built(Path(record["folder"]), Path(record["binary"]), record["entry"], record["facts"])
        return (replace(record["emitted"], watched=tuple(watched)), built) if built.binary.is_file() else None
    except Exception:  # missing, unreadable, of another version: whatever it is, a translation does without
        return None


def keep(kernel: Any, signature: Signature, target: int, newest: int | None, emitted: Emitted, built: Built) -> None:
    """Write a record, if what decided the translation can be described."""
    from tile2cpp.build import nvrtc

    try:
        path = _path(kernel, signature, target, newest)
        text = Path(kernel.__wrapped__.__code__.co_filename).read_bytes()
        if any(word in text for word in EVALUATING):
            return  # what Python read meanwhile is not known
        watched = [(_place(w, kernel.__wrapped__), w.key, describe(w.value)) for w in emitted.watched]
        if resources.changed_since_import(kernel.__wrapped__.__code__.co_filename, *_sources(watched)):
            return  # the text on disk may not be the one that this process runs
        files = {str(file): _stat(str(file)) for file in nvrtc.decided_by(emitted, newest)}
        record = {
            "files": files, "watched": watched, "emitted": replace(emitted, watched=()), "folder": str(built.folder), "binary": str(built.binary),
            "entry": built.entry, "facts": built.facts,
        }  # fmt: skip
        data = io.BytesIO()
        _Writer(data, pickle.HIGHEST_PROTOCOL).dump(record)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data.getvalue())
        os.replace(name, path)
    except (Indescribable, OSError, pickle.PicklingError, AttributeError, TypeError):
        return


def _path(kernel: Any, signature: Signature, target: int, newest: int | None) -> Path:
    function = kernel.__wrapped__
    code = function.__code__
    parts = (
        FORMAT, sys.implementation.cache_tag, resources.stamp(), code.co_filename, _digest(code.co_filename), code.co_firstlineno, function.__qualname__,
        str(signature), sorted(kernel.hints.items()), target, newest, settings.toolkits(), *(_closure(cell) for cell in function.__closure__ or ()),
    )  # fmt: skip
    key = hashlib.sha256(repr(parts).encode()).hexdigest()
    return settings.cache_folder() / FOLDER / key[:2] / key


def _sources(described: Any) -> Iterator[str]:
    """The files of all functions in descriptions."""
    if isinstance(described, (tuple, list)):
        if len(described) > 1 and described[0] == "function":
            yield described[1]
        for item in described:
            yield from _sources(item)


def _digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _stat(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


# --- where a watched value is found, and what it is ------------------------------------


def _place(watched: Watched, function: FunctionType) -> tuple[str, str]:
    mapping = watched.mapping
    if mapping is function.__globals__:
        return "globals", ""
    cell = getattr(mapping, "cell", None)
    if cell is not None:
        for name, own in zip(function.__code__.co_freevars, function.__closure__ or ()):
            if own is cell:
                return "cell", name
        raise Indescribable
    name = mapping.get("__name__")
    if isinstance(name, str) and getattr(sys.modules.get(name), "__dict__", None) is mapping:
        return "module", name
    raise Indescribable


def _mapping(place: tuple[str, str], function: FunctionType) -> Any:
    kind, name = place
    if kind == "globals":
        return function.__globals__
    if kind == "module":
        return vars(sys.modules[name])
    return CellContents(function.__closure__[function.__code__.co_freevars.index(name)])


def describe(value: Any) -> Any:
    """What tells a value from others in any process; raises `Indescribable`."""
    kind = type(value)
    if kind in PLAIN:
        return kind.__name__, repr(value)
    if kind in (tuple, frozenset):
        items = [describe(item) for item in value]
        return kind.__name__, tuple(items if kind is tuple else sorted(items))
    if isinstance(value, ModuleType):
        return "module", value.__name__
    if isinstance(value, dtypes.DType) and dtypes.BY_NAME.get(value.name) is value:
        return "dtype", value.name
    if isinstance(value, Op) or value is ensure_constant:
        return "op", value.name
    if isinstance(value, Directive):
        raise Indescribable  # it evaluates Python
    if isinstance(value, enum.Enum):
        return "member", describe(kind), value.name
    if isinstance(value, type):
        return _class(value)
    if isinstance(value, FunctionType):
        return _function(value)
    if isinstance(getattr(value, "__wrapped__", None), FunctionType) and kind.__module__.partition(".")[0] == "tile2cpp":
        return kind.__qualname__, _function(value.__wrapped__)
    if isinstance(value, GenericAlias):
        return "alias", describe(value.__origin__), tuple(describe(a) for a in value.__args__)
    if isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, ModuleType):
        return "built in", value.__module__, value.__qualname__
    raise Indescribable


def _class(value: type) -> tuple:
    """Classes of libraries by their names; of the author's only enumerations, with their members."""
    if value.__module__.partition(".")[0] in LIBRARIES:
        return "class", value.__module__, value.__qualname__
    if issubclass(value, enum.Enum) and _is_plain_enum(value):
        return "enum", value.__module__, value.__qualname__, tuple((name, describe(member.value)) for name, member in value.__members__.items())
    raise Indescribable


def _is_plain_enum(value: type) -> bool:
    """Whether nothing but members stands in it."""
    return not any(isinstance(found, (FunctionType, property, classmethod, staticmethod)) for name, found in vars(value).items() if not name.startswith("_"))


def _function(function: FunctionType) -> tuple:
    """Its place, its file, and the values that it was made with; the globals that it reads are watched for themselves."""
    code = function.__code__
    try:
        text = Path(code.co_filename).read_bytes()
    except OSError:
        raise Indescribable from None
    if any(word in text for word in EVALUATING):
        raise Indescribable
    held = [function.__defaults__ or (), tuple(sorted((function.__kwdefaults__ or {}).items())), *(_contents(cell) for cell in function.__closure__ or ())]
    return "function", code.co_filename, hashlib.sha256(text).hexdigest(), code.co_firstlineno, function.__qualname__, tuple(map(describe, held))


def _closure(cell: Any) -> Any:
    """What tells kernels apart that were made of one text, as far as it can be said."""
    try:
        return describe(_contents(cell))
    except Indescribable:
        return None


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        raise Indescribable from None


# --- records: dtypes stay the very objects that they are -------------------------------


class _Writer(pickle.Pickler):
    def persistent_id(self, value: Any) -> str | None:
        return value.name if isinstance(value, dtypes.DType) and dtypes.BY_NAME.get(value.name) is value else None


class _Reader(pickle.Unpickler):
    def persistent_load(self, name: str) -> Any:
        return dtypes.BY_NAME[name]
