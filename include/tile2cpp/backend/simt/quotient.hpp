// backend/simt/quotient.hpp: quotients of floats, rounded to nearest, without a branch for each.
//
// The compiler's own division asks for every element whether it is an unusual one, and jumps. Here unusual ones (very large
// or small numbers, infinities, NaN) are only noted, and a few elements later all is done again if there was one.
#pragma once

#include "tile2cpp/backend/simt/floating.hpp"

namespace tile2cpp::backend {

namespace ptx {
T2C_FN float reciprocal_approx_ftz(float x) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
}  // namespace ptx

/// A divisor, and its reciprocal in two parts. Elements that share a divisor share the work for it.
struct divisor {
  float value, high, low;

  T2C_FN explicit divisor(float b) : value(b) {
    float const first = ptx::reciprocal_approx_ftz(b);
    high = ::fmaf(first, ::fmaf(-b, first, 1.0f), first);
    low = high * ::fmaf(-b, high, 1.0f);
  }

  /// Neither very large nor very small, and not the one mantissa, of all ones, for which half a unit in the last place of the
  /// reciprocal is a unit of the quotient.
  T2C_FN bool usual() const {
    return ::fabsf(value) >= 0x1p-30f && ::fabsf(value) <= 0x1p30f && (~meta::bit_cast<unsigned>(value) & 0x7fffff) != 0;
  }

  /// A quotient within one unit in the last place, corrected by its exact remainder, is rounded correctly (Markstein 1990).
  T2C_FN float divides(float a) const {
    float const quotient = ::fmaf(a, high, a * low);
    return ::fmaf(-::fmaf(value, quotient, -a), high, quotient);
  }
};

/// The sizes of some dividends: with usual divisors, neither quotient nor remainder leaves the range of normal numbers.
struct dividends {
  unsigned least = ~0u;
  float largest = 0.0f;

  /// Twice the bits leave out the sign, and zero less one becomes the largest number. Only a positive divisor keeps the sign of zero.
  T2C_FN void note(float a, float b) {
    unsigned const size = 2 * meta::bit_cast<unsigned>(a) - (b > 0.0f ? 1 : 0);
    least = size < least ? size : least;
    largest = ::fmaxf(largest, ::fabsf(a));  // NaN is lost, and the quotient NaN without further care
  }
  T2C_FN bool usual() const { return least >= 2 * ((127u - 94) << 23) && largest <= 0x1p94f; }
};

/// result[i] = a(i) / b(i), for some i from `first` on, by the compiler's division. Once in a loop, as it is long.
template <int Count, class A, class B> T2C_FN void divide_each(A const& a, B const& b, int first, float* result) {
  T2C_KEEP_LOOP
  for (int wanted = 0; wanted < Count; ++wanted) {
    float x = a(first), y = b(first);
    T2C_UNROLL
    for (int i = 1; i < Count; ++i) {
      x = wanted == i ? a(first + i) : x;
      y = wanted == i ? b(first + i) : y;
    }
    float const exact = __fdiv_rn(x, y);
    T2C_UNROLL
    for (int i = 0; i < Count; ++i) result[first + i] = wanted == i ? exact : result[first + i];
  }
}

/// result[i] = a(i) / b(i), for all slots of a tile. `Shared`: all divisors are one.
template <int Slots, bool Shared, class A, class B> T2C_FN void divide_all(A const& a, B const& b, float* result) {
  constexpr int few = Slots < 8 ? Slots : 8;
  divisor const first_divisor(b(0));
  T2C_UNROLL
  for (int first = 0; first < Slots; first += few) {
    dividends sizes;
    bool usual = true;
    T2C_UNROLL
    for (int i = first; i < first + few; ++i) {
      divisor const by = Shared ? first_divisor : divisor(b(i));
      result[i] = by.divides(a(i));
      sizes.note(a(i), by.value);
      usual = usual & by.usual();
    }
    if (!(usual & sizes.usual())) divide_each<few>(a, b, first, result);
  }
}

}  // namespace tile2cpp::backend
