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

/// Whether a look at pairs of dividends finds them neither large nor small nor zero. It takes half of the instructions of a look at
/// each, and there is that where this one says no.
template <int Slots> T2C_FN bool surely_usual([[maybe_unused]] float const* own) {
#if __CUDA_ARCH__ >= 900
  constexpr unsigned least = (127 - 94) << 7, most = (127 + 94) << 7;  // the upper halves of floats
  unsigned above = 0;
  T2C_UNROLL
  for (int i = 0; i < Slots; i += 2) {
    unsigned const one = meta::bit_cast<unsigned>(own[i]), other = meta::bit_cast<unsigned>(own[i + 1 < Slots ? i + 1 : i]);
    above = __viaddmax_u16x2(__byte_perm(one, other, 0x7632) & 0x7fff7fff, (0x10000 - least) * 0x10001u, above);
  }
  return (above & 0xffff) < most - least && above >> 16 < most - least;
#else
  return false;
#endif
}

/// own[i] = own[i] / by(i), for all slots of a tile, where several share a divisor and the work for it. `One`: all share it.
template <int Slots, bool One, class By> T2C_FN void divide_by_few(float* own, By const& by) {
  shared_divisor const only(by(0));
  bool usual = only.usual();
  if (surely_usual<Slots>(own)) {
    T2C_UNROLL
    for (int i = 0; i < Slots; ++i)
      if constexpr (!One) usual = usual & shared_divisor(by(i)).usual();
  } else {
    dividends sizes;
    T2C_UNROLL
    for (int i = 0; i < Slots; ++i) {
      sizes.note(own[i], by(i));
      if constexpr (!One) usual = usual & shared_divisor(by(i)).usual();
    }
    usual = usual & sizes.usual();
  }
  if (usual) {
    T2C_UNROLL
    for (int i = 0; i < Slots; ++i) {
      if constexpr (One) own[i] = only.divides(own[i]);
      else own[i] = shared_divisor(by(i)).divides(own[i]);
    }
  } else {
    divide_in_turn<Slots>(own, by);
  }
}

/// A divisor of quotients that are rounded to halves. Its reciprocal is rounded toward zero, so that both parts have one sign, and the second
/// is never zero: then zeros and infinities come out right without a look at the dividends. Of the others, the quotient is rounded once, with an
/// error of 2^-46 before that; those so small that a product of floats loses bits are zero as halves, and a factor would have to be huge to show
/// which last bit they have. Some hundreds of all 2^46 pairs of mantissas have a quotient that close to the middle between a tie of halves and the
/// float beside it: there both neighbours are equally near, but for half a unit of a float, and it may be the other one.
struct divisor_for_halves {
  float reciprocal, rest;

  T2C_FN explicit divisor_for_halves(float b) {
    float const first = ptx::reciprocal_approx_ftz(b), nearest = ::fmaf(first, ::fmaf(-b, first, 1.0f), first);
    bool const above = ::fmaf(-b, nearest, 1.0f) < 0.0f;
    reciprocal = meta::bit_cast<float>(meta::bit_cast<unsigned>(nearest) - (above ? 1 : 0));
    float const missing = ::fmaf(-b, reciprocal, 1.0f);
    rest = reciprocal * (missing > 0.0f ? missing : 0x1p-60f);
  }
  T2C_FN float divides(float a) const { return ::fmaf(a, reciprocal, a * rest); }

  /// As for other shared divisors; by a mantissa of all ones, quotients by powers of two are among those.
  T2C_FN static bool usual(float b) { return shared_divisor(b).usual(); }
};

/// own[i] = own[i] / divisor(i), which is the same for all, as far as halves show it.
template <int Slots, class By> T2C_FN void divide_for_halves(float* own, By const& divisor) {
  if (divisor_for_halves::usual(divisor(0))) {
    divisor_for_halves const by(divisor(0));
    T2C_UNROLL
    for (int i = 0; i < Slots; ++i) own[i] = by.divides(own[i]);
  } else {
    divide_in_turn<Slots>(own, divisor);
  }
}

/// A quotient that is rounded to halves, by a divisor of its own: corrected by its exact remainder as `shared_divisor` does, but with a reciprocal
/// as the instruction gives it, so the error is 2^-45 before the only rounding, and means what it does for `divisor_for_halves`. For positive
/// divisors; a zero keeps its sign then.
T2C_FN float divided_for_halves(float a, float b) {
  float const reciprocal = ptx::reciprocal_approx_ftz(b), quotient = a * reciprocal;
  return ::fmaf(-::fmaf(b, quotient, -a), reciprocal, quotient);
}

/// own[first + i] = own[first + i] / by(first + i) for an even number of slots, as far as halves show it. Each divisor is asked whether it is positive and far from
/// both ends of the range; an infinite dividend, and a quotient beyond the range, leave no number behind, which a sum of products of quotients shows.
template <int Slots, class By> T2C_FN void divide_some_for_halves(float* own, By const& by, int first) {
  constexpr unsigned least = (127u - 60) << 23, most = (127u + 60) << 23;
  float quotient[Slots], strange = 0.0f;
  unsigned above = 0;
  T2C_UNROLL
  for (int i = 0; i < Slots; ++i) {
    float const divisor = by(first + i);
    unsigned const size = meta::bit_cast<unsigned>(divisor) - least;
    above = size > above ? size : above;
    quotient[i] = divided_for_halves(own[first + i], divisor);
    if (i % 2 != 0) strange = ::fmaf(quotient[i], quotient[i - 1], strange);
  }
  if (above <= most - least && ::fabsf(strange) <= 0x1p126f) {
    T2C_UNROLL
    for (int i = 0; i < Slots; ++i) own[first + i] = quotient[i];
  } else {
    T2C_UNROLL
    for (int i = 0; i < Slots; ++i) own[first + i] = __fdiv_rn(own[first + i], by(first + i));
  }
}

/// The same for all slots of a tile, few at once: dividends and divisors stay until it is known which way they go. Fours take fewer instructions than
/// pairs, but more registers; with a limit the compiler finds these, without one fewer threads run beside each other.
template <int Slots, class By> T2C_FN void divide_each_for_halves(float* own, By const& by) {
  constexpr int some = T2C_FULL ? 4 : 2;
  T2C_UNROLL
  for (int first = 0; first < Slots; first += some) divide_some_for_halves<some>(own, by, first);
}

}  // namespace tile2cpp::backend
