"""A kernel that lets Python evaluate something while it is translated."""

import tile2cpp.lang as ct

TABLE = {"factor": 2}


@ct.kernel
def evaluated(x, y):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)) * ct.static_eval(TABLE["factor"]))
