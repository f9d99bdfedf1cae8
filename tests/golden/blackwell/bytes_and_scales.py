"""Four-bit floats from packed bytes, with a scale for every 32 of them."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("packed: u8[?], scales: e8m0[?,2], y: f32[?,64], back: u8[?]")
def bytes_and_scales(packed, scales, y, back):
    i = ct.bid(0)
    bytes_ = ct.load(packed, (i,), (512,))
    t = ct.unpack_from_bytes(bytes_, ct.float4_e2m1fn).reshape((16, 64)).astype(ct.float32)
    s = ct.load(scales, (i, 0), (16, 2)).astype(ct.float32)
    scaled = t.reshape((16, 2, 32)) * s[:, :, None]
    ct.store(y, (i, 0), scaled.reshape((16, 64)))
    ct.store(back, (i,), ct.pack_to_bytes(t.astype(ct.float4_e2m1fn)))
