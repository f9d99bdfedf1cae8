"""The quick way of a launch on a GPU that was prepared before, as one function without a call to another.

A launch costs a few microseconds, and so does the search for the right prepared one:
reading each argument, a key, a table. Most launches have arguments just like the one
before. So each prepared launch gets a function which compares the arguments with those
it was made for, attribute by attribute, and starts the kernel at once; it answers False
as soon as something differs, and the general way goes on. The function is written as a
text and compiled, since loops and calls would take longer than what they do.

What is compared is what the key of `reading` has, said in the cheapest way:

- dtypes are compared by identity (an equal one that is another object takes the general way),
- strides of CuPy's contiguous arrays by one flag,
- a shape of one axis by rank and size, which CuPy answers without making a tuple,
- globals that the kernel reads by looking them up as the kernel's own code would.
"""

from __future__ import annotations

from functools import lru_cache
from types import FunctionType
from typing import Any, Callable, Sequence

from tile2cpp.emitted import Watched
from tile2cpp.launch import default_backend
from tile2cpp.launch.packing import Packing
from tile2cpp.signature import Rule, arrays

PLAIN = (int, float, bool)
BUILTINS = {"type": type, "len": len, "int": int, "IndexError": IndexError, "NameError": NameError}
# Names of the function's own, which hide globals that are called like them; the others of its names end in a digit.
OWN_NAMES = {
    "x", "y", "z", "slot", "blocks", "error", "stream", "grid", "backend", "dependent", "args", "launch", "failure", "current_stream", "take", "give_back", "make", "write",
    "handle", "stream_handle", "recover", "asked", "current_device", "wrong", "remap", *BUILTINS,
}  # fmt: skip


class Facts:
    """What the function is made of: conditions that lead to the general way, statements, and the objects that both name."""

    def __init__(self):
        self.unlike: list[str] = []
        self.lines: list[str] = []
        self.late: list[str] = []  # conditions that need what the lines compute
        self.values: list[str] = []
        self.scope: dict[str, Any] = {}

    def name(self, prefix: str, value: Any) -> str:
        """A name for an object; the same one for the same object."""
        for name, known in self.scope.items():
            if known is value:
                return name
        name = f"{prefix}_{len(self.scope)}"
        self.scope[name] = value
        return name


def quick_start(
    function: Any, launch: Callable, failure: type, current: tuple[str, Callable], packing: Packing, args: tuple, rules: Sequence[Rule],
    watched: Sequence[Watched], backend: str | None, names: dict[str, Any],
) -> Callable | None:  # fmt: skip
    """`quick(grid, stream, backend, dependent, args) -> whether it was launched`, or None where the general way is needed.

    `function` is a loaded kernel, `launch` starts it and raises `failure`; `current` is an
    expression for the current stream, in which `current_stream` is the function given;
    `names` are the globals of the kernel's own file.
    """
    if not packing.is_plain:
        return None
    facts = Facts()
    if not _arguments(facts, args, rules, function.is_alone):
        return None
    _globals(facts, watched, names)
    facts.scope |= {
        "launch": launch, "failure": failure, "current_stream": current[1], "take": packing.free.pop, "give_back": packing.free.append, "make": packing.make,
        "write": packing.write, "handle": function.handle, "stream_handle": function.stream_handle, "recover": function.recover, "asked": default_backend, "remap": packing.map,
        "current_device": function.current_device, "wrong": packing.refused, **BUILTINS,
    }  # fmt: skip
    made = _compiled(_text(facts, function, current[0], backend, len(args), packing), tuple(facts.scope))(*facts.scope.values())
    # Its globals are the kernel's: a name there is looked up as fast as Python can.
    return FunctionType(made.__code__, names, "quick", None, made.__closure__)


def _arguments(facts: Facts, args: tuple, rules: Sequence[Rule], is_alone: bool) -> bool:
    """Whether every argument is of a kind that the quick way knows; its conditions and numbers."""
    pointers: dict[int, list[str]] = {}
    for i, (value, rule) in enumerate(zip(args, rules)):
        kind = type(value)
        if rule.constant:
            if kind not in PLAIN or (kind is float and not value) or value != value:
                return False  # tuples, and zeros whose signs count
            facts.unlike.append(f"type(a{i}) is not {facts.name('kind', kind)} or a{i} != {value!r}")
        elif kind in PLAIN:
            facts.unlike.append(f"type(a{i}) is not {facts.name('kind', kind)}")
            facts.values.append(f"a{i}")
        elif arrays.kind_of(kind) in ("cupy", "torch") and rule.array is None:
            if arrays.kind_of(kind) == "torch" and arrays.may_wait_for_sign(value):
                return False  # another one like it could have a sign that its memory does not have
            memory = arrays.memory(value)
            facts.unlike.append(f"type(a{i}) is not {facts.name('kind', kind)}")
            (_cupy if arrays.kind_of(kind) == "cupy" else _torch)(facts, i, value, memory, is_alone)
            pointers.setdefault(memory.address & 15, []).append(f"p{i}")
            facts.values.append(f"p{i}")
        else:
            return False
    for low, several in pointers.items():
        if low == 0:
            facts.late.append(f"({' | '.join(several)}) & 15")
        else:
            facts.late += [f"{p} & 15 != {low}" for p in several]
    return True


def _cupy(facts: Facts, i: int, array: Any, memory: arrays.Memory, is_alone: bool) -> None:
    facts.unlike.append(f"a{i}.dtype is not {facts.name('dtype', array.dtype)}")
    if len(memory.shape) == 1 and hasattr(array, "size") and hasattr(array, "ndim"):
        facts.unlike.append(f"a{i}.size != {memory.shape[0]} or a{i}.ndim != 1")
    else:
        facts.unlike.append(f"a{i}.shape != {memory.shape!r}")
    if getattr(array, "_c_contiguous", False):
        facts.unlike.append(f"not a{i}._c_contiguous")
    else:
        facts.unlike.append(f"a{i}.strides != {memory.strides!r}")
    if is_alone:
        facts.lines.append(f"p{i} = a{i}.data.ptr")
    else:
        facts.lines.append(f"d{i} = a{i}.data; p{i} = d{i}.ptr")
        facts.late.append(f"d{i}.device_id != {memory.device}")


def _torch(facts: Facts, i: int, tensor: Any, memory: arrays.Memory, is_alone: bool) -> None:
    facts.unlike.append(f"a{i}.dtype is not {facts.name('dtype', tensor.dtype)} or a{i}.shape != {tuple(tensor.shape)!r} or a{i}.stride() != {tensor.stride()!r}")
    facts.unlike.append(f"a{i}.get_device() != {memory.device}")
    facts.lines.append(f"p{i} = a{i}.data_ptr()")


def _globals(facts: Facts, watched: Sequence[Watched], names: dict[str, Any]) -> None:
    """What the kernel's text means must not have changed."""
    for entry in watched:
        value = facts.name("value", entry.value)
        is_global = entry.mapping is names and isinstance(entry.key, str) and entry.key.isidentifier()
        if is_global and entry.key not in OWN_NAMES and not entry.key[-1].isdigit():
            facts.unlike.append(f"{entry.key} is not {value}")
        else:
            facts.unlike.append(f"{facts.name('get', entry.mapping.get)}({entry.key!r}) is not {value}")


def _text(facts: Facts, function: Any, current: str, backend: str | None, count: int, packing: Packing) -> str:
    of_maps = ", ".join(facts.values[position] for position, _ in packing.maps)
    mapped = [f"    if slot.mapped != [{of_maps}]: remap(slot, ({', '.join(facts.values)},))"] if packing.maps else []
    dealt = [f"    if {function.multiprocessors} <= x < {packing.least_blocks}: x = {packing.least_blocks}"] if packing.least_blocks > 1 else []
    most = function.most_blocks  # of a launch, where each walks over the grid
    walking = ["    if slot.grid != grid: slot.walk(grid)", "    blocks = x * y * z", f"    if blocks > {most}: blocks = {most}"] if most else []
    early = " or ".join(["dependent", "not (x and y and z)", f"(backend or asked.name) != {backend!r}", *facts.unlike])
    unpack = f"{', '.join(f'a{i}' for i in range(count))}, = args" if count else "pass"
    lines = [
        f"if len(args) != {count}: return False", unpack, "x, y, z = grid",
        "try:", f"    if {early}: return False", "except NameError: return False", *facts.lines,
    ]  # fmt: skip
    if facts.late:
        lines.append(f"if {' or '.join(facts.late)}: return False")
    if not function.is_alone:
        lines.append(f"if current_device() != {function.device}: return False")
    lines += [
        f"if stream is None: stream = {current}", "elif type(stream) is not int: stream = stream_handle(stream)",
        "try: slot = take()", "except IndexError: slot = make()",
        "try:",
        f"    write(slot.buffer, 0, {', '.join(facts.values)})", *mapped,
        *walking, *dealt,
        f"    launch(handle, {'blocks, 1, 1' if walking else 'x, y, z'}, {function.threads}, 1, 1, {function.shared}, stream, slot.address, 0)",
        "except wrong: return False",
        "except failure as error: recover(error.status, grid, stream, slot)",
        "finally: give_back(slot)",
        "return True",
    ]  # fmt: skip
    return "\n        ".join(lines)


@lru_cache(maxsize=256)
def _compiled(body: str, names: tuple[str, ...]) -> Callable:
    """A function that takes the objects that the body names and returns the quick one."""
    text = f"def factory({', '.join(names)}):\n    def quick(grid, stream, backend, dependent, args):\n        {body}\n    return quick"
    scope: dict[str, Any] = {}
    exec(compile(text, "<launch>", "exec"), scope)
    return scope["factory"]
