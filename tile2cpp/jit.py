"""Kernel objects: `@ct.kernel`, `@tile2cpp.jit`, `kernel[grid](...)` and `launch`.

A call reads its arguments once, looks up the prepared launch that fits them, and starts
it. Whatever is missing on the way there is made once: signature, emitted file, build.
"""

from __future__ import annotations

import functools
import importlib
import linecache
import os
import pickle
import threading
from pathlib import Path
from types import FunctionType
from typing import Any, Callable, Sequence

from tile2cpp.emitted import Emitted
from tile2cpp.errors import Tile2cppError
from tile2cpp.launch import arguments, default_backend, prepare, swift
from tile2cpp.launch.compiled import Compiled
from tile2cpp.launch.hints import check_hints
from tile2cpp.launch.packing import leaves_of
from tile2cpp.launch.parameters import parameter_names, parameter_rules
from tile2cpp.launch.reading import reader
from tile2cpp.signature import ArgumentTypeError, Signature, fail

MOST_QUICK = 4
MOST_PREPARED = 1024  # shapes that a kernel remembers; beyond that it starts anew


class kernel:
    """A function that every block of a grid executes.

        @ct.kernel
        def add(x, y, z, TILE: ct.Constant[int]):
            ...

        add[(blocks,)](x, y, z, 256)

    Hints: `num_ctas`, `occupancy`, `opt_level`, `num_worker_warps`, each a number or a
    `ct.ByTarget`. NumPy arrays run on the CPU, CuPy and torch arrays on their GPU.
    """

    def __new__(cls, function: Callable | None = None, /, **options):
        if function is None:
            return functools.partial(cls, **options)
        return super().__new__(cls)

    def __init__(self, function: Callable, /, *, signature: str | None = None, **hints):
        if isinstance(function, kernel):  # a kernel made of a kernel keeps what is not said anew
            signature, hints = function.signature_text if signature is None else signature, {**function.hints, **hints}
        function = _plain(function)
        functools.update_wrapper(self, function)
        self.hints: dict[str, Any] = check_hints(hints)
        self.signature_text = signature
        self.names = parameter_names(function)
        self.rules = parameter_rules(function)
        self.constants = frozenset(i for i, rule in enumerate(self.rules) if rule.constant)
        # For each combination of argument types: what reads the arguments, and the prepared launches.
        self._known: dict[tuple[type, ...], tuple[Callable, dict[Any, prepare.Prepared]]] = {}
        self._quick: tuple[Callable, ...] = ()  # the latest launches', which compare the arguments themselves
        self._table = swift.Table(self)
        self._launcher_for = self._swift = None  # in C++, see `swift.attach`
        self._lock = threading.RLock()
        self._variants: dict[Any, list[prepare.Variant]] = {}

    @property
    def _pyfunc(self) -> FunctionType:
        """The plain function, by the name that kernels of `cuda.tile` have for it."""
        return self.__wrapped__

    def __call__(self, *args, **kwargs):
        raise fail(ArgumentTypeError, f"the kernel `{self.__name__}` is not called directly", f"{self.__name__}[grid](...), or ct.launch(stream, grid, {self.__name__}, (...))")

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}>"

    def __getitem__(self, grid: Any) -> Callable:
        """`kernel[grid]` or `kernel[grid, stream]`: what starts the kernel when called with its arguments."""
        if self._launcher_for is None:
            swift.attach(self)
        launcher = self._launcher_for(grid)
        if launcher is not None:
            return launcher
        stream = None
        if type(grid) is tuple and len(grid) == 2 and isinstance(grid[0], (tuple, list)):
            grid, stream = grid
        return functools.partial(self._start, arguments.check_grid(grid), stream, None, False)

    def _start(self, grid: tuple[int, int, int], stream: Any, backend: str | None, dependent: bool, /, *args, **named) -> None:
        """A launch: in C++, where that knows the arguments, or in Python."""
        if not named and backend is None and not dependent and self._swift is not None and self._swift(grid, stream, args):
            return
        self._start_in_python(grid, stream, backend, dependent, args, named)

    def _start_in_python(self, grid: tuple[int, int, int], stream: Any, backend: str | None, dependent: bool, args: tuple, named: dict[str, Any]) -> None:
        """By the quick way of one of the latest launches, or by the general way."""
        if not named:
            for quick in self._quick:
                if quick(grid, stream, backend, dependent, args):
                    return
        self._start_any(grid, stream, backend, dependent, args, named)

    def _start_any(self, grid: tuple[int, int, int], stream: Any, backend: str | None, dependent: bool, args: tuple, named: dict[str, Any]) -> None:
        """The general way: read the arguments, find the prepared launch that fits, or prepare one."""
        if named:
            raise fail(ArgumentTypeError, f"arguments of a launch have no names, but {', '.join(named)} was given by name", f"{self.__name__}[grid]({', '.join(self.names)})")
        read, known = self._known.get(tuple(map(type, args))) or self._first_of_their_types(args)
        key, values = read(backend or default_backend.name, args)
        try:
            prepared = known.get(key)
        except TypeError:  # an unhashable constant, which the checks below name
            prepared = None
        if prepared is not None:
            for get, name, value in prepared.watched:  # the globals that the kernel reads
                if get(name) is not value:
                    prepared = None
                    break
        if prepared is None:
            try:
                prepared = self._prepare(known, key, args)
            except Tile2cppError as error:
                raise error.with_traceback(None) from None  # the author's lines are in its text, ours help nobody
        if 0 not in grid:
            prepared.start(grid, stream, values, args, dependent)
            if prepared.entry is not None:
                self._table.prefer(prepared.entry)
            if prepared.quick is not None:
                self._prefer(prepared.quick)

    def _prefer(self, quick: Callable) -> None:
        """Ask this one first from now on."""
        self._quick = (quick, *(other for other in self._quick if other is not quick))[:MOST_QUICK]

    def _first_of_their_types(self, args: tuple) -> tuple[Callable, dict]:
        arguments.check_count(self.__name__, self.names, len(args))
        kinds = tuple(map(type, args))
        return self._known.setdefault(kinds, (reader(kinds, self.rules), {}))

    def _prepare(self, known: dict, key: tuple, args: tuple) -> prepare.Prepared:
        with self._lock:
            if self._swift is None:
                swift.attach(self)
            prepared = prepare.prepare(self, args, key[0])
            if len(known) >= MOST_PREPARED:
                known.clear()
            known[key] = prepared
            return prepared

    def variants(self, key: Any) -> list[prepare.Variant]:
        """The compiled forms for a signature, backend and target; more than one where globals changed in between."""
        return self._variants.setdefault(key, [])

    def signature_of(self, args: tuple) -> Signature:
        """The signature of a call with these arguments."""
        arguments.check_count(self.__name__, self.names, len(args))
        return Signature.of(self.names, self.rules, args)

    def device_of(self, args: tuple) -> int | None:
        """The GPU that these arguments lie on; None on the CPU."""
        return arguments.place_of(leaves_of(self.signature_of(args), args))[1]

    def source(self, *args) -> str:
        """The reviewed file for these arguments."""
        return self.emitted(*args).text

    def emitted(self, *args) -> Emitted:
        """The reviewed file for these arguments, with its parameters and schedule."""
        return prepare.emit(self, self.signature_of(args), prepare.target_of(self, args))

    def explain(self, *args) -> str:
        """How these arguments run: signature, backend, schedule, registers, cache folder; then the reviewed file."""
        from tile2cpp.launch.explaining import explain

        return explain(self, args, default_backend.name)

    def compile(self, signature: Signature | str | None = None, *, backend: str | None = None, target: int | str | None = None) -> Compiled:
        """Build ahead of a call, for a signature text (the one given to `jit` when left out).

        `backend` is "host", "cuda" or "nvidia"; the last two build for compute capability
        `target` (90 or "sm_90"), that of the current GPU when left out. Without a backend it
        is "cuda" when a target is given, else "host".
        """
        backend = backend or ("host" if target is None else "cuda")
        signature = self.signature_text if signature is None else signature
        if signature is None:
            raise fail(ArgumentTypeError, f"`{self.__name__}` has no signature to be compiled for", f'{self.__name__}.compile("x: f32[?], ...")')
        if isinstance(signature, str):
            signature = Signature.parse(signature, self.names)
        return prepare.compile(self, signature, backend, target)

    def replace_hints(self, **hints) -> "kernel":
        """The same kernel with other hints, and nothing compiled yet; None takes a hint away."""
        return type(self)(self.__wrapped__, signature=self.signature_text, **{**self.hints, **hints})

    def __reduce__(self):
        function = self.__wrapped__
        if "<locals>" in function.__qualname__:
            raise pickle.PicklingError(f"the kernel {function.__qualname__} is local to a function; define it in a module")
        return _restore, (function.__module__, function.__qualname__, self.signature_text, self.hints)


def _restore(module: str, name: str, signature: str | None, hints: dict[str, Any]) -> kernel:
    """Unpickle: the kernel of that name, or its function with other hints."""
    found = functools.reduce(getattr, name.split("."), importlib.import_module(module))
    if isinstance(found, kernel) and (found.signature_text, found.hints) == (signature, hints):
        return found
    return kernel(getattr(found, "__wrapped__", found), signature=signature, **hints)


def _plain(function: Any) -> FunctionType:
    """The function itself, of a kernel of ours, of NVIDIA's package, or a plain one; refuses what cannot be a kernel."""
    for attribute in ("__wrapped__", "_pyfunc"):
        inner = getattr(function, attribute, None)
        if not isinstance(function, FunctionType) and isinstance(inner, FunctionType):
            function = inner
    if not isinstance(function, FunctionType) or function.__name__ == "<lambda>":
        what = "a lambda" if isinstance(function, FunctionType) else f"the class {function.__name__}" if isinstance(function, type) else repr(function)
        raise fail(ArgumentTypeError, f"a kernel is made from a function, not from {what}", "write it with def")
    code = function.__code__
    if not linecache.getlines(code.co_filename, function.__globals__):
        raise OSError(f"the source text of `{function.__name__}` is needed, and {code.co_filename} cannot be read; put the kernel in a file")
    return function


def jit(what: Any = None, /, **hints) -> Any:
    """Make a kernel, as a decorator: `@jit`, `@jit("x: f32[?], TILE=256")`, `@jit(occupancy=2)`; or of a kernel of `cuda.tile`.

    The text is the signature that `tile2cpp translate` and `compile` use when nobody calls the kernel.
    """
    if what is None or isinstance(what, str):
        return functools.partial(kernel, signature=what, **hints)
    return kernel(what, **hints)


def export(
    kernel: kernel, signature: Signature | str | None, folder: str | os.PathLike, formats: Sequence[str] = ("source", "cubin", "ptx"), *,
    backend: str | None = None, target: int | str | None = None,
) -> dict[str, Path]:  # fmt: skip
    """Write a compiled kernel into a folder, with a JSON file that says how it is launched; returns the paths by format.

    Formats: "source" (the reviewed file), "cubin", "ptx", and "library" (for the host).
    The JSON file names the entry, its parameters with their roles, the threads of a block
    and the shared memory.
    """
    if backend is None:
        backend = "host" if "library" in formats else "cuda" if {"cubin", "ptx"} & set(formats) else None
    return kernel.compile(signature, backend=backend, target=target).write(Path(folder), tuple(formats))


def launch(stream: Any, grid: tuple, kernel: Any, args: tuple, /, *, backend: str | None = None, programmatic_dependent_launch: bool = False) -> None:
    """Start a kernel on `stream` for every block of `grid`, as `cuda.tile.launch` does.

    `backend` is "cuda", "host", "interpret" or "nvidia"; None lets the arrays decide.
    """
    if type(kernel) is _KERNEL and kernel._swift is not None and backend is None and programmatic_dependent_launch is False and stream is not None:
        if kernel._swift(grid, stream, args):
            return
    if not isinstance(kernel, _KERNEL):
        name = getattr(kernel, "__name__", repr(kernel))
        raise fail(ArgumentTypeError, f"`{name}` is no kernel", f"decorate it: @ct.kernel above `def {name}`" if isinstance(kernel, FunctionType) else "")
    if type(args) is not tuple:
        raise fail(ArgumentTypeError, f"the arguments go in a tuple, not in a {type(args).__name__}", "(x,) with a comma is a tuple of one; (x) is x itself")
    if type(programmatic_dependent_launch) is not bool:
        raise fail(ArgumentTypeError, "`programmatic_dependent_launch` must be True or False")
    if stream is None or isinstance(stream, str):
        raise fail(ArgumentTypeError, f"a stream is needed, not {stream!r}", "cupy.cuda.get_current_stream() or torch.cuda.current_stream(); 0 is the default stream")
    kernel._start(arguments.check_grid(grid), stream, backend, programmatic_dependent_launch, *args)


_KERNEL = kernel
