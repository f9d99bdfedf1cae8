"""Comments above, beside, inside and after statements stay where they are."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], y: f32[?]")
def comments_kept(x, y):
    # Above the first statement,
    # in two lines.
    i = ct.bid(0)  # beside it

    # After an empty line.
    t = ct.load(
        x,
        (i,),  # inside a call
        (64,),
    )
    if i > 0:  # beside a condition
        # First in a branch.
        t = t * 2
        # Last in a branch.
    else:
        t = t + 1  # é, 中文, and a backslash at the end \
    ct.store(y, (i,), t)
    # The last word.
