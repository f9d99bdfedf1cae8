"""Names for the emitted file: the author's own wherever C++ allows it."""

from __future__ import annotations

import re

from tile2cpp.types import Tile

KEYWORDS = frozenset(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
    new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef
    typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq main
    ct cuda cutile INFINITY NAN int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t""".split()
)


def ascii_name(name: str) -> str:
    """`name` as a C++ identifier: letters outside ASCII become their code point."""
    text = "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)
    # Two underscores, and one before a capital, are reserved in C++.
    while "__" in text:
        text = text.replace("__", "_")
    if text.startswith("_") and len(text) > 1:
        text = "v" + text
    return "unused" if text == "_" else text


# Functions of CUDA for doubles, and with an `f` for floats; kernels have C linkage, and no other function with that may be called like them.
CUDA_MATH = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10
    exp2 expm1 fabs fdim fdivide floor fma fmax fmin fmod frexp hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint
    lround modf nan nearbyint nextafter norm norm3d norm4d normcdf normcdfinv pow rcbrt remainder remquo rhypot rint rnorm rnorm3d rnorm4d round
    rsqrt scalbln scalbn sin sincos sincospi sinh sinpi sqrt tan tanh tgamma trunc y0 y1 yn""".split()

# Functions, variables and types of the global namespace that a kernel or helper of the same name would collide with.
LIBRARY = frozenset(CUDA_MATH) | {f"{name}f" for name in CUDA_MATH} | frozenset(
    """abs acos asin atan atan2 cbrt ceil cos cosh div erf exp exp2 expm1 fabs fdim floor fma fmax fmin fmod gamma hypot j0 j1
    jn labs ldexp lgamma log log10 log1p log2 logb lrint lround max min modf nan norm pow printf rand remainder rint round
    rsqrt sin sinh sqrt tan tanh tgamma trunc y0 y1 yn free malloc memcpy memset index time clock exit abort system read
    write open close calloc realloc memmove memcmp strlen printf puts main atexit qsort bsearch
    rsqrt rcbrt sinpi cospi sincos clock64 assert umin umax llmin llmax ullmin ullmax llabs
    threadIdx blockIdx blockDim gridDim warpSize dim3 ptrdiff_t""".split()
)


# Macros of the headers that come with the library, CUDA or the host compiler, and other names that are taken.
TAKEN = re.compile(
    r"NULL|EOF|BUFSIZ|HUGE_VAL[FL]?|errno|assert|assert_perror|offsetof|stdin|stdout|stderr|linux|unix|i386|signals|EXIT_(SUCCESS|FAILURE)"
    r"|RAND_MAX|MB_(CUR|LEN)_MAX|CHAR_BIT|(S|U)?CHAR_(MAX|MIN)|U?(SHRT|INT|LONG|LLONG)_(MAX|MIN)|L_\w+|TMP_MAX|F(ILENAME|OPEN)_MAX|P_tmpdir"
    r"|U?INT(_FAST|_LEAST)?(8|16|32|64|MAX|PTR)_(C|MAX|MIN|WIDTH)|(SIZE|PTRDIFF|SIG_ATOMIC|WCHAR|WINT|INTPTR|UINTPTR|INTMAX|UINTMAX)_(MAX|MIN|WIDTH)"
    r"|(FLT|DBL|LDBL)_[A-Z0-9_]+|F[EP]_[A-Z_0-9]+|SEEK_[A-Z]+|M_(E|LOG2E|LOG10E|LN2|LN10|PI|PI_2|PI_4|[12]_PI|2_SQRTPI|SQRT2|SQRT1_2)[fl]?"
    # Functions of the library's namespaces, and those that are written into the file where they are needed.
    r"|std|tile2cpp|floor_mod|(float|float16|bfloat16)_mod|first_nan_or_\w+|fold_pairs\w*|scan_blocks\w*|scanned_\d+"
    r"|(T2C|CUDA|CUDART|CUDA_CC|NV)_\w+|CUB_\w+|RENAME_[A-Z]+|MATH_ERR\w*|math_errhandling"
)


class Names:
    """The identifiers in use in one function."""

    def __init__(self, taken: frozenset[str] | set[str] = frozenset()):
        self.taken = set(taken)

    def fresh(self, wanted: str) -> str:
        """`wanted`, or with an underscore or number where it is taken or means something in C++."""
        name = ascii_name(wanted)
        if name in KEYWORDS or TAKEN.fullmatch(name):
            name += "_"
        candidate, number = name, 2
        while candidate in self.taken:
            candidate, number = f"{name}_{number}", number + 1
        self.taken.add(candidate)
        return candidate


def type_suffix(tile: Tile, other: Tile | None) -> str:
    """What tells two types of one name apart: the dtype, or the shape when dtypes agree."""
    if other is None or tile.dtype != other.dtype:
        return tile.dtype.short
    return "x".join(str(int(e)) for e in tile.shape) or "scalar"


def pointer_name(array: str) -> str:
    return f"{array.rstrip('_')}_ptr"


def extent_name(array: str, axis: int) -> str:
    return f"{array.rstrip('_')}_shape{axis}"


def stride_name(array: str, axis: int) -> str:
    return f"{array.rstrip('_')}_stride{axis}"


def length_name(array: str) -> str:
    return f"{array.rstrip('_')}_length"


def names_of_array(array: str, rank: int) -> list[str]:
    """The C++ parameters that an array, or all but the length of a list, may have."""
    return [pointer_name(array)] + [name(array, axis) for axis in range(rank) for name in (extent_name, stride_name)]
