"""Kernels that must be refused. `# <-` marks the line that the message has to name."""

import tile2cpp.lang as ct


@ct.kernel
def carried_type_change(x, out, n):
    s = 0
    for i in range(n):
        s = s + ct.load(x, (i,), ())  # <- carried_type_change
    ct.store(out, (0,), s)


@ct.kernel
def unknown_function(x, out):
    t = ct.load(x, (0,), (8,))
    ct.store(out, (0,), t + 1)
    ct.store(out, (0,), ct.no_such_function(t))  # <- unknown_function


@ct.kernel
def one_element_tile_as_index(x, out):
    i = ct.load(x, (ct.bid(0),), (1,)).astype(ct.int32)
    ct.store(out, (ct.bid(0),), ct.load(x, (i,), (4,)))  # <- one_element_tile_as_index


@ct.kernel
def sub_tile_outside(x, out):
    t = ct.load(x, (0,), (8,))
    ct.store(out, (0,), ct.extract(t, (4,), shape=(2,)))  # <- sub_tile_outside


@ct.kernel
def signed_with_unsigned(x, out):
    t = ct.load(x, (0,), (8,)).astype(ct.uint32)
    ct.store(out, (0,), (t + ct.bid(0)).astype(ct.float32))  # <- signed_with_unsigned


@ct.kernel
def shapes_that_do_not_meet(x, out):
    a = ct.load(x, (0,), (8,))
    b = ct.load(x, (0,), (4,))
    ct.store(out, (0,), a + b)  # <- shapes_that_do_not_meet


@ct.kernel
def narrowing_store(x, out):
    t = ct.load(x, (0,), (8,))
    ct.store(out, (0,), t.astype(ct.float64))  # <- narrowing_store


@ct.kernel
def extent_not_a_power_of_two(x, out):
    t = ct.load(x, (0,), (6,))  # <- extent_not_a_power_of_two
    ct.store(out, (0,), t)


def broken_helper(v):
    return v + missing_name  # noqa: F821  # <- mistake_in_a_helper


@ct.kernel
def mistake_in_a_helper(x, out):
    ct.store(out, (0,), broken_helper(ct.load(x, (0,), (8,))))


@ct.kernel
def down_the_range(out):
    code = 0
    for i in range(5, 0, -2):  # <- down_the_range
        code = code * 10 + i
    ct.store(out, (0,), code)


@ct.kernel
def list_of_indices(x, out):
    offsets = [i * 4 for i in range(8)]  # <- list_of_indices
    ct.store(out, (0,), ct.load(x, (offsets[0],), (8,)))


@ct.kernel
def two_mistakes(x, out):
    t = ct.load(x, (0,), (8,))
    a = ct.first_unknown(t)  # <- two_mistakes 1
    b = t + ct.load(x, (0,), (4,))  # <- two_mistakes 2
    ct.store(out, (0,), a)
    ct.store(out, (0,), b)
