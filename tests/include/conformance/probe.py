"""C++ text that asks a compiler about every row of `refused.py`."""

from __future__ import annotations

import re
from typing import Iterator

from refused import ROWS

LETTERS = {
    "f": "float", "d": "double", "h": "__half", "b": "__nv_bfloat16", "i": "int", "u": "unsigned", "l": "long", "s": "short",
    "c": "signed char", "y": "unsigned char", "t": "bool", "q": "__nv_fp8_e4m3", "r": "__nv_fp8_e5m2", "x": "__nv_tf32",
    "p": "float*", "o": "float const*", "v": "void*", "ip": "int*", "sp": "short*", "hp": "__half*",
}  # fmt: skip
OBJECTS = {
    "span1": "ct::tensor_span<E<float>, line>",
    "view1": "ct::partition_view<ct::tensor_span<E<float>, line>, ct::shape<8>>",
    "view2": "ct::partition_view<ct::tensor_span<E<float>, plane>, ct::shape<4, 8>>",
    "int_view": "ct::partition_view<ct::tensor_span<E<int>, line>, ct::shape<8>>",
    "const_view": "ct::partition_view<ct::tensor_span<E<float const>, line>, ct::shape<8>>",
    "rows": "ct::gather_scatter_view<ct::tensor_span<E<float>, plane>, ct::shape<4, 8>, 0>",
}
TILE = re.compile(r"\b([a-z])(\d+)(_t)?\b")
SCALAR = re.compile(r"\b([a-z]{1,2})_(?!\w)")
OBJECT = re.compile(rf"\b({'|'.join(OBJECTS)})\b")

# E<X> is X, but only once V is known: a wrong type is then a failed substitution instead of an error.
HEADING = """#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
using line = ct::extents<ct::uint32_t, ct::dynamic_extent>;
using plane = ct::extents<ct::uint32_t, ct::dynamic_extent, ct::dynamic_extent>;
#define RELAXED ct::memory_order_relaxed_t{}
#define DEVICE ct::thread_scope_device_t{}

template <class X> void take(X);
template <class X> X const& as_const(X const&);

struct later {
  template <class X> struct same { using type = X; };
  template <unsigned long... I> using map = ct::dimension_map<I...>;
};

"""
ROW = """template <class V> struct row_{number} {{
  template <class X> using E = typename V::template same<X>::type;
  template <class X, ct::uint32_t... N> using T = ct::tile<E<X>, ct::shape<N...>>;
  static constexpr bool wrong = requires{wrong}, right = requires{right};
}};
static_assert(!row_{number}<later>::wrong, "{name}: accepted");
static_assert(row_{number}<later>::right, "{name}: its right form is refused");

"""


def source() -> str:
    """A file that compiles when the compiler refuses what is wrong and takes what is right."""
    return HEADING + "".join(ROW.format(number=n, name=name, wrong=asked(wrong), right=asked(right)) for n, (name, wrong, right) in enumerate(rows()))


def rows() -> Iterator[tuple[str, str, str]]:
    for area, entries in ROWS.items():
        for name, wrong, right in entries:
            yield f"{area}: {name}", wrong, right


def asked(expression: str) -> str:
    """The `requires` expression without its keyword: the parameters that `expression` names, then `expression`."""
    named = {m[0]: tile(m[1], m[2]) for m in TILE.finditer(expression) if not m[3]}
    named |= {m[0]: f"E<{LETTERS[m[1]]}>" for m in SCALAR.finditer(expression)}
    named |= {m[0]: OBJECTS[m[0]] for m in OBJECT.finditer(expression)}
    parameters = ", ".join(f"{kind} {name}" for name, kind in named.items())
    text = TILE.sub(lambda m: tile(m[1], m[2]) if m[3] else m[0], expression)
    return f"({parameters}) {{ {text}; }}" if parameters else f" {{ {text}; }}"


def tile(letter: str, extents: str) -> str:
    return f"T<{', '.join([LETTERS[letter], *extents])}>"
