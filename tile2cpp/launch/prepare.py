"""From the arguments of a first call to a launch that later calls only have to start.

Signature, emitted file and build are made here, once for everything that decides them.
Nothing is kept of a call that fails, so the same mistake gives the same error again.
Compilers are imported where one is needed: a first launch that finds its build does without.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, replace
from typing import Any, Callable, Iterator

from tile2cpp import pipeline
from tile2cpp.build import Built
from tile2cpp.emitted import Emitted, Schedule
from tile2cpp.launch import arguments, library, recall, swift
from tile2cpp.launch.compiled import Compiled
from tile2cpp.launch.packing import Leaf, Packing, check_written, in_host_memory, leaves_of
from tile2cpp.signature import ArgumentTypeError, ArgumentValueError, Signature, arrays, at, fail
from tile2cpp.signature.arrays import DEVICE, HOST

BACKENDS = ("cuda", "host", "interpret", "nvidia")
ON_GPU = ("cuda", "nvidia")
MOST_VARIANTS = 16  # of one signature, for globals that keep changing


@dataclass(frozen=True)
class Variant:
    """A kernel ready to run: the emitted file, and what starts it."""

    emitted: Emitted
    function: Callable

    def is_fresh(self) -> bool:
        return all(watched.is_fresh() for watched in self.emitted.watched)


class Prepared:
    """A launch for arguments of certain shapes: only addresses, scalars, grid and stream are still open.

    Most of those on a GPU are started in a quicker way from the second time on: `entry` is for the one in C++, `quick` is the one in Python.
    """

    __slots__ = ("entry", "quick", "start", "variant", "watched")

    def __init__(self, variant: Variant, start: Callable, entry: swift.Entry | None = None, quick: Callable | None = None):
        self.variant, self.start, self.entry, self.quick = variant, start, entry, quick
        self.watched = [(watched.mapping.get, watched.key, watched.value) for watched in variant.emitted.watched]


@dataclass(frozen=True)
class Interpreted:
    """The kernel's own Python body, run block by block."""

    kernel: Any
    signature: Signature
    built = None

    def start(self, grid: tuple[int, int, int], stream: Any, values: list, args: tuple, dependent: bool = False) -> None:
        from tile2cpp import interpret

        self.kernel.signature_of(args)  # refuses scalars outside their range, which a compiled kernel's packing does
        interpret.run(self.kernel.__wrapped__, self.signature, grid, arguments.as_plain(args), self.kernel.hints)


def prepare(kernel: Any, args: tuple, backend: str | None) -> Prepared:
    """Everything that a launch with these arguments needs; `kernel` is a kernel object."""
    asked, signature = backend, kernel.signature_of(args)
    found = leaves_of(signature, args)
    place, device = arguments.place_of(found)
    _refuse_host_tensors(args, found)
    backend = choose_backend(backend, place)
    if backend in ON_GPU and device is None:
        device = _current_device()
    variant = _variant(kernel, signature, backend, device)
    parameters = variant.emitted.parameters
    check_written(parameters, found)
    if backend == "interpret":
        return Prepared(variant, variant.function.start)
    maps = variant.emitted.schedule.maps if backend == "cuda" else ()
    packing = Packing(parameters, found, kernel.rules, _tables(device) if backend in ON_GPU else in_host_memory, _encoders(maps, found), backend == "cuda" and variant.emitted.schedule.walks, variant.emitted.schedule.rows if backend == "cuda" else ())
    stream = _stream_source(args, found, device)
    start, function, watched = variant.function.starter(packing, stream), variant.function, variant.emitted.watched
    if backend not in ON_GPU:
        return Prepared(variant, start)
    library.build_ahead()  # now, when nobody waits for another compiler
    return Prepared(variant, start, swift.entry(function, packing, stream, args, kernel.rules, watched, asked), function.quick(packing, stream, args, kernel, watched, asked))


def _encoders(maps: tuple, found: list[Leaf]) -> list[tuple]:
    """With each descriptor that the kernel wants, the function that writes it."""
    if not maps:
        return []
    from tile2cpp.launch.maps import Encoder

    memories = {(leaf.argument, leaf.path): leaf.memory for leaf in found}
    return [(m, Encoder(m, memories[m.argument, m.path])) for m in maps]


def _tables(device: int) -> Callable:
    from tile2cpp.launch import cupy

    return cupy.DeviceTables(device)


def choose_backend(backend: str | None, place: str | None) -> str:
    """The backend asked for, when arrays at `place` can run there; else the one that suits them."""
    if backend is None:
        return "cuda" if place == DEVICE else _for_host()
    if backend not in BACKENDS:
        raise fail(ArgumentValueError, f"there is no backend {backend!r}", f"the backends are {', '.join(BACKENDS)}")
    if backend in ON_GPU and place == HOST:
        from tile2cpp.launch import cupy

        cupy.require_device()
        raise fail(ArgumentValueError, f"backend {backend!r} runs on a GPU, but the arrays are on the CPU", "pass CuPy arrays: cupy.asarray(x)")
    if backend not in ON_GPU and place == DEVICE:
        raise fail(ArgumentValueError, f"backend {backend!r} runs on the CPU, but the arrays are on a GPU", "pass NumPy arrays: x.get() of CuPy, x.cpu().numpy() of torch")
    return backend


def _for_host() -> str:
    from tile2cpp.build import host

    if host.find():
        return "host"
    warnings.warn(f"no C++ compiler was found: kernels run in the interpreter, which is slow; {host.HINT}", stacklevel=8)
    return "interpret"


def _refuse_host_tensors(args: tuple, found: list[Leaf]) -> None:
    for leaf in found:
        for memory, argument in zip(leaf.memories, _arrays_of(leaf, args)):
            if memory.place == HOST and arrays.kind_of(type(argument)) == "torch":
                raise fail(ArgumentValueError, f"parameter {leaf.argument} (`{leaf.name}`) is a tensor on the CPU", "x.cuda() runs it on the GPU, x.numpy() on the CPU")


def _arrays_of(leaf: Leaf, args: tuple) -> list:
    item = at(args[leaf.argument], leaf.path)
    return item if isinstance(leaf.memory, tuple) else [item]


def _current_device() -> int:
    from tile2cpp.launch import cupy

    return cupy.require_device().cuda.runtime.getDevice()


def _stream_source(args: tuple, found: list[Leaf], device: int | None) -> Callable | None:
    """For torch's tensors their library's current stream counts; elsewhere CuPy's."""
    if device is None or not any(arrays.kind_of(type(a)) == "torch" for leaf in found if leaf.memory is not None for a in _arrays_of(leaf, args)):
        return None
    import torch

    raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # spares the object around the handle
    return (lambda: raw(device)) if raw else lambda: torch.cuda.current_stream(device).cuda_stream


def _variant(kernel: Any, signature: Signature, backend: str, device: int | None) -> Variant:
    known = kernel.variants((signature, backend, device))
    for variant in known:
        if variant.is_fresh():
            return variant
    made = _make(kernel, signature, backend, device)
    del known[MOST_VARIANTS - 1 :]
    known.insert(0, made)
    return made


def _make(kernel: Any, signature: Signature, backend: str, device: int | None) -> Variant:
    if backend not in ON_GPU:
        from tile2cpp.build import host

        if backend == "host":
            host.require()
        emitted = emit(kernel, signature, None)
        if backend == "interpret":
            return Variant(emitted, Interpreted(kernel, signature))
        from tile2cpp.launch.numpy import HostFunction

        return Variant(emitted, HostFunction(host.compile(emitted)))
    from tile2cpp.launch import cupy

    target = cupy.capability(device)
    if backend == "nvidia":
        from tile2cpp.build import nvidia

        emitted = emit(kernel, signature, target)
        return Variant(emitted, cupy.CudaFunction(nvidia.compile(emitted, target), device, 1))
    emitted, built = for_gpu(kernel, signature, target, cupy.driver_major())
    return Variant(emitted, cupy.CudaFunction(built, device, emitted.schedule.launched_threads, emitted.schedule.shared, emitted.schedule.walks))


def for_gpu(kernel: Any, signature: Signature, target: int, newest: int | None) -> tuple[Emitted, Built]:
    """The emitted file and the build that a launch takes: recalled from an earlier process, or made now."""
    found = recall.find(kernel, signature, target, newest)
    if found is None:
        from tile2cpp.build import nvrtc

        loading = nvrtc.load_ahead(newest)
        emitted = emit(kernel, signature, target, maps=True)
        loading.join()
        found = emitted, nvrtc.compile(emitted, target, newest)
        for schedule in _without_hopes(emitted.schedule):
            if not found[1].facts["spill_stores"]:
                break
            emitted = replace(emitted, schedule=schedule)
            found = emitted, nvrtc.compile(emitted, target, newest)
        recall.keep(kernel, signature, target, newest, *found)
    return found


def _without_hopes(schedule: Schedule) -> Iterator[Schedule]:
    """Schedules that leave a thread more registers, for kernels that spill."""
    if (schedule.rings or schedule.residents) and schedule.blocks > 1:
        schedule = replace(schedule, blocks=1)
        yield schedule
    while not schedule.product and schedule.blocks > 1:
        schedule = replace(schedule, blocks=schedule.blocks * 4 // 5 if schedule.blocks > 3 else 1)
        yield schedule
    if schedule.walks:  # what is the same for all blocks would stay in registers between them
        yield replace(schedule, walks=False)


def emit(kernel: Any, signature: Signature, target: int | None, maps: bool | None = None) -> Emitted:
    """The emitted file for a signature; all findings in one error. `maps`: the launch can pass descriptors of arrays."""
    return pipeline.emit_kernel(kernel.__wrapped__, signature, kernel.hints, target=target, maps=maps)


def target_of(kernel: Any, args: tuple) -> int | None:
    """The compute capability of the GPU that the arguments lie on; None on the host."""
    place, device = arguments.place_of(leaves_of(kernel.signature_of(args), args))
    if place != DEVICE:
        return None
    from tile2cpp.launch import cupy

    return cupy.capability(device)


def compile(kernel: Any, signature: Signature, backend: str, target: int | None) -> Compiled:
    """Build for a signature without running it; a GPU is only asked when no target is given."""
    from tile2cpp.build import host, nvidia, nvrtc

    if backend not in BACKENDS or backend == "interpret":
        raise fail(ArgumentValueError, f"nothing is compiled for backend {backend!r}", "the others are cuda, host and nvidia")
    if backend == "host":
        emitted = emit(kernel, signature, None)
        return Compiled(kernel.__name__, signature, emitted, host.compile(emitted), None)
    target = target_number(target)
    emitted = emit(kernel, signature, target, maps=False)
    built = nvidia.compile(emitted, target) if backend == "nvidia" else nvrtc.compile(emitted, target)
    return Compiled(kernel.__name__, signature, emitted, built, target)


def target_number(target: Any) -> int:
    """A compute capability: 90 for 90, "sm_90" or "sm_90a", that of the current GPU for None."""
    if target is None:
        from tile2cpp.launch import cupy

        return cupy.capability(_current_device())
    found = re.fullmatch(r"(?:sm_)?(\d+)[af]?", target) if isinstance(target, str) else None
    if found is None and type(target) is not int:
        kind = ArgumentValueError if isinstance(target, str) else ArgumentTypeError
        known_as = f"invalid literal for int() with base 10: {target.removeprefix('sm_')!r}" if isinstance(target, str) else ""
        raise fail(kind, f"the target must be a compute capability such as 90 or \"sm_90\", not {target!r}", known_as=known_as)
    return int(found[1]) if found else target
