"""Vector addition: one tile per block, and a last tile that may be only partly there."""

import numpy as np

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], y: f32[?], total: f32[?], TILE=1024")
def vector_add(x, y, total, TILE: ct.Constant[int]):
    block = ct.bid(0)
    x_tile = ct.load(x, (block,), (TILE,))
    y_tile = ct.load(y, (block,), (TILE,))
    # What lies past the end of `total` is not written.
    ct.store(total, (block,), x_tile + y_tile)


def array_module():
    """CuPy where there is a GPU, NumPy elsewhere."""
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else np
    except Exception:  # CuPy is missing, or finds no driver
        return np


def main():
    xp = array_module()
    x, y = (xp.random.rand(100_003).astype("float32") for _ in range(2))
    total = xp.empty_like(x)
    vector_add[(ct.cdiv(x.size, 1024),)](x, y, total, 1024)
    assert xp.array_equal(total, x + y), "vector_add: wrong sum"
    print(f"vector_add: {x.size} elements on {xp.__name__}, exact")


if __name__ == "__main__":
    main()
