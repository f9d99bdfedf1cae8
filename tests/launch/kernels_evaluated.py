"""A kernel that lets Python evaluate something while it is translated."""

import tile2cpp.lang as ct
from tile2cpp.directives import static_def

TABLE = {"factor": 2}


@static_def
def factor(name):
    return TABLE[name]


@ct.kernel
def marked(x, y):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)) * factor("factor"))


@ct.kernel
def evaluated(x, y):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)) * ct.static_eval(TABLE["factor"]))
