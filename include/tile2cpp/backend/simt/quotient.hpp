// backend/simt/quotient.hpp: floats divided by few divisors, rounded to nearest, without a branch for each.
//
// The compiler's own division asks for every element whether it is an unusual one, and jumps. Here unusual ones (very large
// or small numbers, infinities, NaN) are looked for in all at once; a thread that has one lets the compiler divide.
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

/// A divisor of several elements. Its reciprocal begins as the compiler's division makes it; the second part is what is left.
struct shared_divisor {
  float value, reciprocal, rest;

  T2C_FN explicit shared_divisor(float b) : value(b) {
    float const first = ptx::reciprocal_approx_ftz(b);
    reciprocal = ::fmaf(first, ::fmaf(-b, first, 1.0f), first);
    rest = reciprocal * ::fmaf(-b, reciprocal, 1.0f);
  }

  /// A quotient within one unit in the last place, corrected by its exact remainder, is rounded correctly (Markstein 1990).
  T2C_FN float divides(float a) const {
    float const quotient = ::fmaf(a, reciprocal, a * rest);
    return ::fmaf(-::fmaf(value, quotient, -a), reciprocal, quotient);
  }

  /// Neither very large nor very small, and not the one mantissa, of all ones, for which half a unit in the last place of the
  /// reciprocal is a unit of the quotient.
  T2C_FN bool usual() const {
    return ::fabsf(value) >= 0x1p-30f && ::fabsf(value) <= 0x1p30f && (~meta::bit_cast<unsigned>(value) & 0x7fffff) != 0;
  }
};

/// The sizes of many dividends. With these and usual divisors, neither quotients nor remainders leave the range of normal numbers.
struct dividends {
  unsigned least = ~0u;
  float largest = 0.0f;

  /// The sign becomes the last bit, and hardly counts. Zeros are usual, since rows end in padding: less one, zero becomes the largest
  /// number. Only that of a positive sign does, and with a positive divisor: `divides` may lose the sign of others.
  T2C_FN void note(float a, float b) {
    unsigned const bits = meta::bit_cast<unsigned>(a), size = __funnelshift_l(bits, bits, 1) - (b > 0.0f ? 1 : 0);
    least = size < least ? size : least;
    largest = ::fmaxf(largest, ::fabsf(a));  // NaN is lost, and its quotient NaN without further care
  }
  T2C_FN bool usual() const { return least >= 2 * ((127u - 94) << 23) && largest <= 0x1p94f; }
};

/// The last slot with the divisor `number`, and how many there are.
template <int Slots, class By> T2C_BOTH constexpr int last_slot_with(int number) {
  int last = 0;
  for (int i = 0; i < Slots; ++i) last = By::number(i) == number ? i : last;
  return last;
}
template <int Slots, class By> T2C_BOTH constexpr int slots_with(int number) {
  int count = 0;
  for (int i = 0; i < Slots; ++i) count += By::number(i) == number;
  return count;
}

/// own[i] = own[i] / by(i), by the compiler's division. It is long, so it stands here once for each divisor: a round divides the last
/// of its elements and moves all one place on, until they are where they were.
template <int Slots, int Number = 0, class By> T2C_FN void divide_in_turn(float* own, By const& by) {
  if constexpr (Number < By::values) {
    constexpr int last = last_slot_with<Slots, By>(Number);
    float const divisor = by(last);
    T2C_KEEP_LOOP
    for (int turn = 0; turn < slots_with<Slots, By>(Number); ++turn) {
      float moved = __fdiv_rn(own[last], divisor);
      T2C_UNROLL
      for (int i = 0; i < Slots; ++i) {
        if (By::number(i) != Number) continue;
        float const before = own[i];
        own[i] = moved, moved = before;
      }
    }
    divide_in_turn<Slots, Number + 1>(own, by);
  }
}

/// own[i] = own[i] / by(i), for all slots of a tile, where several share a divisor and the work for it. `One`: all share it.
template <int Slots, bool One, class By> T2C_FN void divide_by_few(float* own, By const& by) {
  shared_divisor const only(by(0));
  dividends sizes;
  bool usual = only.usual();
  T2C_UNROLL
  for (int i = 0; i < Slots; ++i) {
    sizes.note(own[i], by(i));
    if constexpr (!One) usual = usual & shared_divisor(by(i)).usual();
  }
  if (usual & sizes.usual()) {
    T2C_UNROLL
    for (int i = 0; i < Slots; ++i) {
      if constexpr (One) own[i] = only.divides(own[i]);
      else own[i] = shared_divisor(by(i)).divides(own[i]);
    }
  } else {
    divide_in_turn<Slots>(own, by);
  }
}

}  // namespace tile2cpp::backend
