"""Names that are words of C++ stay readable."""

import tile2cpp
import tile2cpp.lang as ct


def register(v):
    return v + 1


@tile2cpp.jit("auto: f32[?], operator: f32[?], new: f32")
def double(auto, operator, new):
    int = ct.bid(0)
    signed = register(ct.load(auto, (int,), (64,)))
    ct.store(operator, (int,), signed * new)
