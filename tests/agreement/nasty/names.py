"""Names that mean something in C++, in CUDA's headers or in the emitted file."""

# ruff: noqa
from nasty_case import case

import tile2cpp.lang as ct


def floor_mod(a, b):
    return a % b + 100


def k(t):
    return t + 1


def sin(t):
    return t * 2


def printf(t):
    return t - 1


def o_tiles(t):
    return t * 3


def shadows(x, ct_):
    x = x + 1
    n = ct_ * 2
    return x + n


@case([10.5, 11.5, 12.5, 13.5, 14.5, 15.5, 16.5, 17.5])
def cpp_names(x, n, o):
    int = n
    float = int + 1
    namespace = float + int
    __half = namespace
    x_ptr = __half + 1
    x_shape0 = x_ptr + 1
    x_tiles = x_shape0 + 1
    o_tiles = x_tiles
    tile2cpp = o_tiles
    std = tile2cpp
    cuda = std
    short = cuda
    NULL = short
    INT_MAX = NULL + 0
    assert_ = INT_MAX
    ct.store(o, (0,), ct.full((8,), assert_, ct.float32) + ct.load(x, (0,), (8,)))


@case(5.0)
def macro_names(x, n, o):
    errno = n
    EOF = errno + 1
    M_PI = EOF
    linux = M_PI
    unix = linux
    stdin = unix
    T2C_FN = stdin
    I = T2C_FN + 1
    ct.store(o, (0,), ct.full((8,), I, ct.float32))


@case(8.0)
def unicode_names(x, n, o):
    größe = n
    α = größe + 1
    变量 = α * 2
    ſ = 变量
    ct.store(o, (0,), ct.full((8,), ſ, ct.float32))


@case(34.0)
def unicode_collide(x, n, o):
    ä = n
    ue4 = ä + 1
    ct.store(o, (0,), ct.full((8,), ä * 10 + ue4, ct.float32))


@case(76551.0)
def underscore_names(x, n, o):
    _ = n
    __ = _ + 1
    ___ = __ + 1
    _X = ___ + 1
    a__b = _X + 1
    a_b = a__b + 1
    ct.store(o, (0,), ct.full((8,), _ + __ * 10 + ___ * 100 + _X * 1000 + a__b * 10000 + a_b, ct.float32))


@case([0.75, 3.75, 8.75, 15.75, 24.75, 35.75, 48.75, 63.75])
def shadow_builtin(x, n, o):
    range_ = 3
    max = ct.load(x, (0,), (8,))
    min = max + 1
    ct.store(o, (0,), max * min)


@case([7.5, 9.5, 9.5, 11.5, 7.5, 9.5, 9.5, 11.5])
def overlapping_views(x, n, o):
    v = x.tiled_view((4,))
    w = x.tiled_view((2,))
    x_tiles = v.load((1,))
    x_tiles_2 = w.load((0,))
    x_elements = ct.load(x, (2,), (1,))
    ct.store(o, (0,), ct.cat((x_tiles, x_tiles), 0) + ct.cat((ct.cat((x_tiles_2, x_tiles_2), 0), ct.cat((x_tiles_2, x_tiles_2), 0)), 0) + x_elements)


@case([4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0])
def names_like_types(x, n, o):
    tile = ct.load(x, (0,), (8,))
    shape = tile * 2
    extents = shape + 1
    element_cast = extents.astype(ct.int32)
    load = element_cast + 1
    store = load
    full = store + ct.full((8,), 1, ct.int32)
    select = ct.where(full > 3, full, load)
    ct.store(o, (0,), select.astype(ct.float32))


@case(0.5)
def names_like_snippets(x, n, o):
    floor_mod = n - 5
    float_mod = -2.5 * n
    floor_mod_2 = floor_mod % 4
    ct.store(o, (0,), ct.full((8,), floor_mod_2, ct.float32) + float_mod % 4.0 + floor_mod)


@case([102.0, 108.0, 114.0, 120.0, 126.0, 132.0, 138.0, 144.0])
def helper_names(x, n, o):
    t = ct.load(x, (0,), (8,))
    ct.store(o, (0,), o_tiles(k(sin(printf(t)))) + floor_mod(n - 5, 4))


@case([10.0, 14.0, 18.0, 22.0, 26.0, 30.0, 34.0, 38.0])
def local_like_helper(x, n, o):
    t = ct.load(x, (0,), (8,))
    u = k(t)
    def k2(t):
        return k(t) * 2
    early_ = k2(u)
    sin_ = sin(early_)
    ct.store(o, (0,), sin_)


@case(3.0)
def main(x, n, o):
    ct.store(o, (0,), ct.full((8,), n, ct.float32))


@case(3.0)
def malloc(x, n, o):
    ct.store(o, (0,), ct.full((8,), n, ct.float32))


@case(1.0)
def exp(x, n, o):
    ct.store(o, (0,), ct.exp(ct.full((8,), n, ct.float32)) * 0 + 1)


@case(3.0)
def template(x, n, o):
    ct.store(o, (0,), ct.full((8,), n, ct.float32))


@case(3.0)
def größe(x, n, o):
    ct.store(o, (0,), ct.full((8,), n, ct.float32))


@case(3.0)
def tile2cpp(x, n, o):
    ct.store(o, (0,), ct.full((8,), n, ct.float32))


@case(3.0)
def cuda(x, n, o):
    ct.store(o, (0,), ct.full((8,), n, ct.float32))


@case(3.0)
def ct_(x, n, o):
    ct.store(o, (0,), ct.full((8,), n, ct.float32))


@case([5.0, 7.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def overwritten_output_name(x, n, o):
    o_ptr = n
    o_shape0 = o_ptr + 1
    o_elements = o_shape0 + 1
    ct.scatter(o, 0, o_elements * 1.0)
    ct.store(o, (1,), o_ptr * 1.0 + o_shape0)


@case(4.0)
def global_shadowed(x, n, o):
    math = n
    np = math + 1
    ct.store(o, (0,), ct.full((8,), np, ct.float32))


@case([10.5, 11.5, 12.5, 13.5, 14.5, 15.5, 16.5, 17.5])
def helper_shadow(x, n, o):
    t = ct.load(x, (0,), (8,))
    ct.store(o, (0,), shadows(t, n) + n)
