// backend/byte_shift.hpp: 16 bytes that begin anywhere, out of the aligned words in which they lie.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp::backend {

/// 16 bytes in registers.
struct four_words {
  unsigned x, y, z, w;
};
T2C_BOTH constexpr four_words operator&(four_words const& a, four_words const& b) { return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w}; }

/// The 16 bytes from byte `start % 16` of `low` on, which go on in `high`. Words are chosen rather than indexed, so that they stay
/// in registers: by 8 bytes, by 4, then by single ones.
T2C_BOTH constexpr four_words bytes_from(four_words const& low, four_words const& high, unsigned start) {
#ifdef __CUDA_ARCH__
  // In one piece, since the compiler takes long for the same in C++.
  four_words found{};
  asm("{.reg .pred p, q; .reg .b32 w<6>, s;"
      "and.b32 s, %12, 8; setp.ne.b32 p, s, 0; and.b32 s, %12, 4; setp.ne.b32 q, s, 0; and.b32 s, %12, 3; shl.b32 s, s, 3;"
      "selp.b32 w0, %6, %4, p; selp.b32 w1, %7, %5, p; selp.b32 w2, %8, %6, p;"
      "selp.b32 w3, %9, %7, p; selp.b32 w4, %10, %8, p; selp.b32 w5, %11, %9, p;"
      "selp.b32 w0, w1, w0, q; selp.b32 w1, w2, w1, q; selp.b32 w2, w3, w2, q; selp.b32 w3, w4, w3, q; selp.b32 w4, w5, w4, q;"
      "shf.r.wrap.b32 %0, w0, w1, s; shf.r.wrap.b32 %1, w1, w2, s; shf.r.wrap.b32 %2, w2, w3, s; shf.r.wrap.b32 %3, w3, w4, s;}"
      : "=r"(found.x), "=r"(found.y), "=r"(found.z), "=r"(found.w)
      : "r"(low.x), "r"(low.y), "r"(low.z), "r"(low.w), "r"(high.x), "r"(high.y), "r"(high.z), "r"(high.w), "r"(start));
  return found;
#else
  unsigned word[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  for (int i = 0; i < 6; ++i) word[i] = (start & 8) != 0 ? word[i + 2] : word[i];
  for (int i = 0; i < 5; ++i) word[i] = (start & 4) != 0 ? word[i + 1] : word[i];
  for (int i = 0; i < 4; ++i) word[i] = static_cast<unsigned>((static_cast<unsigned long long>(word[i + 1]) << 32 | word[i]) >> start % 4 * 8);
  return {word[0], word[1], word[2], word[3]};
#endif
}

/// Ones for the first `count` bytes, 1 to 16.
T2C_BOTH constexpr four_words first_bytes(int count) {
  return bytes_from({~0u, ~0u, ~0u, ~0u}, {0, 0, 0, 0}, static_cast<unsigned>(16 - count));
}

}  // namespace tile2cpp::backend
