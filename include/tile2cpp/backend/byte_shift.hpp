// backend/byte_shift.hpp: 16 bytes that begin anywhere, out of the aligned words in which they lie.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp::backend {

/// 16 bytes in registers.
struct four_words {
  unsigned x, y, z, w;
};
T2C_BOTH constexpr four_words operator&(four_words const& a, four_words const& b) { return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w}; }

/// The low word of `high:low >> bits`, for less than 32 bits.
T2C_BOTH constexpr unsigned shift_pair(unsigned low, unsigned high, unsigned bits) {
#ifdef __CUDA_ARCH__
  return __funnelshift_r(low, high, bits);
#else
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> bits);
#endif
}

/// The 16 bytes from byte `start % 16` of `low` on, which go on in `high`; `start` is a multiple of `Unit`. Words are
/// chosen rather than indexed, so that they stay in registers: by 8 bytes, by 4, then by single ones.
template <int Unit> T2C_BOTH constexpr four_words bytes_from(four_words const& low, four_words const& high, unsigned start) {
  bool const eight = (start & 8) != 0, four = Unit < 8 && (start & 4) != 0;
  unsigned const a = eight ? low.z : low.x, b = eight ? low.w : low.y, c = eight ? high.x : low.z, d = eight ? high.y : low.w;
  if constexpr (Unit >= 8) return {a, b, c, d};
  unsigned const e = eight ? high.z : high.x, f = eight ? high.w : high.y;
  unsigned const p = four ? b : a, q = four ? c : b, r = four ? d : c, s = four ? e : d;
  if constexpr (Unit >= 4) return {p, q, r, s};
  unsigned const t = four ? f : e, bits = start % 4 * 8;
  return {shift_pair(p, q, bits), shift_pair(q, r, bits), shift_pair(r, s, bits), shift_pair(s, t, bits)};
}

/// Ones for the first `count` bytes, 1 to 16.
template <int Unit> T2C_BOTH constexpr four_words first_bytes(int count) {
  return bytes_from<Unit>({~0u, ~0u, ~0u, ~0u}, {0, 0, 0, 0}, static_cast<unsigned>(16 - count));
}

}  // namespace tile2cpp::backend
