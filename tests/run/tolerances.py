"""How far a kernel may be from NumPy: the one place that decides it."""

import numpy as np


def tolerances(dtype, terms=1, scale=1.0):
    """`rtol` and `atol` for a result of `dtype` that sums `terms` values of about `scale`.

    Order and fusing of a sum are free, so its error grows with its length, and
    does not shrink when the terms cancel: that part is absolute. Sums of half
    precision values are held to single precision, and rounded once.
    """
    dtype = np.dtype(dtype)
    if dtype.kind != "f":
        return {"rtol": 0, "atol": 0}
    eps = float(np.finfo(dtype).eps)
    summed = min(eps, float(np.finfo(np.float32).eps))
    return {"rtol": 8 * eps, "atol": scale * (eps + 2 * summed * terms)}
