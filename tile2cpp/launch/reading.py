"""How a launch reads its arguments, in one function made for their types.

What it returns decides which prepared launch fits (the key), and holds the numbers that
this launch alone has: addresses and scalars, in the order of the Python parameters.
The function is written as a text and compiled, since calling one function for each
argument would take longer than the launch itself.
"""

from __future__ import annotations

from typing import Any, Callable, Sequence

from tile2cpp.signature import Rule, arrays
from tile2cpp.signature.rules import FREE

# For each library: statements that leave the address in p, and the parts of the key.
INLINE = {
    "cupy": ("d{i} = a{i}.data; p{i} = d{i}.ptr", "a{i}.dtype, a{i}.shape, a{i}.strides, d{i}.device_id, p{i} & 15"),
    "torch": ("p{i} = a{i}.data_ptr()", "a{i}.dtype, a{i}.is_neg(), a{i}.shape, a{i}.stride(), a{i}.device, p{i} & 15"),
    "numpy": ("p{i} = a{i}.__array_interface__['data'][0]", "a{i}.dtype, a{i}.shape, a{i}.strides, a{i}.flags.writeable, p{i} & 15"),
}


def reader(kinds: Sequence[type], rules: Sequence[Rule]) -> Callable[[Any, tuple], tuple[tuple, list]]:
    """A function from a backend and arguments of these types to (key, numbers)."""
    scope: dict[str, Any] = {"constant_key": constant_key}
    lines, key, values = [], ["backend"], []
    for i, (kind, rule) in enumerate(zip(kinds, rules)):
        library = arrays.kind_of(kind)
        if rule.constant:
            key.append(f"a{i}" if kind in (int, bool) else f"constant_key(a{i})")
        elif kind in (tuple, list):
            scope[f"read{i}"] = _items_reader(rule) if kind is tuple else _read_list
            lines.append(f"k{i}, v{i} = read{i}(a{i})")
            key.append(f"k{i}")
            values.append(f"*v{i}")
        elif library in INLINE:
            statements, parts = INLINE[library]
            lines.append(statements.format(i=i))
            key.append(parts.format(i=i))
            values.append(f"p{i}")
        elif library or kind.__module__.partition(".")[0] == "ml_dtypes":
            scope[f"read{i}"] = _read_array if library else _read_bits
            lines.append(f"k{i}, v{i} = read{i}(a{i})")
            key.append(f"k{i}")
            values.append(f"v{i}")
        else:
            values.append(f"a{i}")
    unpack = f"{', '.join(f'a{i}' for i in range(len(kinds)))}, = args" if kinds else "pass"
    body = "\n    ".join([unpack, *lines, f"return ({', '.join(key)},), [{', '.join(values)}]"])
    exec(f"def read(backend, args):\n    {body}", scope)
    return scope["read"]


def constant_key(value: Any) -> Any:
    """What tells constants apart: 1, True and 1.0 differ, and so do 0.0 and -0.0."""
    return (int, value) if type(value) is int else (type(value), repr(value))


def _read_array(array):
    memory = arrays.memory(array)
    return (memory.dtype, memory.dtype_name, memory.shape, memory.strides, memory.place, _device_of(memory), memory.writeable, memory.address & 15), memory.address


def _device_of(memory: arrays.Memory) -> int | None:
    if memory.place == arrays.HOST or memory.device is not None:
        return memory.device
    from tile2cpp.launch import cupy

    return cupy.device_of(memory.address)


def _read_bits(value):
    import numpy

    raw = numpy.asarray(value)
    return type(value), int(raw.view(f"u{raw.itemsize}"))


def _items_reader(rule: Rule) -> Callable[[tuple], tuple[Any, list]]:
    """For tuples: what one function per types of items reads."""
    known: dict[tuple, Callable] = {}

    def read(items: tuple):
        kinds = tuple(map(type, items))
        inner = known.get(kinds)
        if inner is None:
            known[kinds] = inner = reader(kinds, [_item(rule, i) for i in range(len(kinds))])
        return inner(kinds, items)

    return read


def _item(rule: Rule, position: int) -> Rule:
    # A tuple of the wrong length is refused where its signature is made.
    return FREE if rule.items is not None and position >= len(rule.items) else rule.item(position)


def _read_list(items: list):
    """A list's number is the tuple of its arrays' addresses."""
    found = [_read_array(item) if arrays.is_array(item) else (type(item), 0) for item in items]
    return tuple(part for part, _ in found), [tuple(address for _, address in found)]
