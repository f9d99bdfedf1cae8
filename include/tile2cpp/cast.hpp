// cast.hpp: tiles of other elements: element_cast with its modes, element_bitcast.
#pragma once

#include "tile2cpp/narrow.hpp"
#include "tile2cpp/operand.hpp"
#include "tile2cpp/run_tile.hpp"
#include "tile2cpp/running.hpp"

namespace tile2cpp {
namespace meta {

/// Which modes a cast between floating elements may name; widening changes no value, so all but the approximate do.
template <class From, class To> T2C_BOTH constexpr bool cast_rounds(rounding_mode mode) {
  using enum rounding_mode;
  bool const ieee = mode == round_ties_to_even || mode == round_toward_zero || mode == round_toward_negative ||
                    mode == round_toward_positive;
  if (is_same<To, __nv_fp8_e8m0>) return mode == round_toward_zero || mode == round_toward_positive;
  if (is_one_of<To, __nv_fp8_e4m3, __nv_fp8_e5m2, __nv_fp4_e2m1, __nv_fp8_ue5m3>) return mode == round_ties_to_even;
  if (floating_widens<From, To>()) return ieee || mode == round_ties_to_away;
  if (is_same<From, double> && is_same<To, float>) return ieee;
  if (is_same<From, float> && is_same<To, __nv_tf32>)
    return mode == round_ties_to_even || mode == round_toward_zero || mode == round_ties_to_away;
  return mode == round_ties_to_even || mode == round_toward_zero;
}

template <class From, class To, rounding_mode M> T2C_FN float as_float(From const& from) {
  if constexpr (is_same<From, double> && is_same<To, __nv_fp8_e8m0>) return round_to_odd(from);  // of the magnitude
  else if constexpr (is_same<From, double>) return backend::narrow<M>(from);
  else return convert<float>(from);
}

template <class To, rounding_mode M> struct rounding_cast {
  template <class From> T2C_FN To operator()(From from) const {
    if constexpr (is_same<From, To>) return from;
    else if constexpr (is_same<To, __nv_fp8_e8m0>) return bit_cast<To>(narrow_to_e8m0<M>(as_float<From, To, M>(from)));
    else if constexpr (M == to_nearest || floating_widens<From, To>()) return convert<To>(from);
    else if constexpr (is_same<To, float>) return backend::narrow<M>(from);
    else return narrow<To, M>(as_float<From, To, M>(from));
  }
};

/// Clamps to the range of the integral type; NaN becomes 0.
template <class To> struct saturating_cast {
  template <class From> T2C_FN To operator()(From from) const {
    using W = wide_t<From>;
    W const x = convert<W>(from);
    if constexpr (is_same<To, bool>) {
      return x > W(0);
    } else {
      constexpr W above = W(2) * static_cast<W>(1ull << (digits_of<To> - 1));  // first number too large
      if (x != x) return To{0};
      if (x >= above) return limits<To>::highest;
      if (is_signed<To> ? x <= -above : x <= W(0)) return limits<To>::lowest;
      return static_cast<To>(x);
    }
  }
};

template <class To> struct bits_cast {
  template <class From> T2C_FN To operator()(From from) const { return bit_cast<To>(from); }
};

}  // namespace meta

#ifdef T2C_WARPGROUPS
namespace meta {
/// Halves are converted here, and lie in pairs from now on. Else the compiler would keep the wide elements until a product takes them, and in turned
/// loops another product needs the registers by then.
template <class E, class Shape> T2C_FN void pack_pairs(tile<E, Shape>& x) {
  struct pair {
    E at[2];
  };
  if constexpr (layout<Shape>::slots % 8 == 0) {
    T2C_UNROLL
    for (int slot = 0; slot < layout<Shape>::slots; slot += 8) {
      unsigned words[4];
      T2C_UNROLL
      for (int i = 0; i < 4; ++i) words[i] = bit_cast<unsigned>(pair{{x.own[slot + 2 * i], x.own[slot + 2 * i + 1]}});
      backend::pin(words);
      T2C_UNROLL
      for (int i = 0; i < 4; ++i) {
        pair const both = bit_cast<pair>(words[i]);
        x.own[slot + 2 * i] = both.at[0], x.own[slot + 2 * i + 1] = both.at[1];
      }
    }
  }
}
}  // namespace meta
#endif

namespace meta {
/// Whether halves are converted anew on each line that asks for it. The compiler would merge conversions of the same elements and keep the
/// wide ones meanwhile: where tiles wait long, in twice the registers. ptxas undoes that for older GPUs.
template <class From, class To> T2C_BOTH constexpr bool converts_anew() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
  return is_half_precision<From> && is_same<To, float> && !this_schedule.product;
#else
  return false;
#endif
}

#ifdef T2C_GPU
/// Equal elements with other tokens are other ones, as far as the compiler can see.
template <class To> struct cast_of_line {
  unsigned token;
  T2C_FN explicit cast_of_line(line_number line) : token(static_cast<unsigned>(line.number)) { asm("" : "+r"(token)); }
  template <class From> T2C_FN To operator()(From const& from) const {
    unsigned short bits = bit_cast<unsigned short>(from);
    asm("" : "+h"(bits) : "r"(token));
    return convert<To>(bit_cast<From>(bits));
  }
};
#endif
}  // namespace meta

/// Converts every element: floating to nearest even, floating to integral toward zero, to bool "is not 0".
template <scalar To, tile_like T>
  requires scalar_convertible_to<tile_element_t<T>, To>
T2C_FN auto element_cast(T const& x, [[maybe_unused]] meta::line_number line = meta::line_number(__builtin_LINE())) {
#ifdef T2C_GPU
  if constexpr (meta::converts_anew<tile_element_t<T>, To>()) return meta::map_elements<To>(x, meta::cast_of_line<To>(line));
#endif
  tile_with_element_t<T, To> result = meta::map_elements<To>(x, meta::default_cast<To>{});
#ifdef T2C_WARPGROUPS
  if constexpr (overtaken_lines.some && !scalar<T> && sizeof(To) == 2 && sizeof(tile_element_t<T>) == 4) {
    meta::pack_pairs(result);
    // Where registers are scarce, before the next product begins; else behind that, and the tensor cores have work earlier.
    if constexpr (T2C_PACKS_EARLY) backend::stay_above();
  }
#endif
  // Whole runs stay whole in other integers: none of them passes the end of their range.
  if constexpr (meta::counting_runs<T> && integral_scalar<To> && !meta::is_same<To, bool>) return meta::with_runs<T::everywhere>(result, x.in_runs());
  else return result;
}

/// The same between floating elements, rounding as the tag says.
template <scalar To, tile_like T, rounding_mode M>
  requires(floating_point_tile<T> && floating_point_scalar<To> && meta::cast_rounds<tile_element_t<T>, To>(M))
T2C_FN tile_with_element_t<T, To> element_cast(T const& x, rounding_mode_constant<M>) {
  return meta::map_elements<To>(x, meta::rounding_cast<To, M>{});
}

/// The same from floating to integral elements, clamping to the integral range when the tag says so.
template <scalar To, tile_like T, saturation_mode M>
  requires(basic_floating_point_tile<T> && integral_scalar<To>)
T2C_FN tile_with_element_t<T, To> element_cast(T const& x, saturation_mode_constant<M>) {
  if constexpr (M == saturation_mode::saturate_finite) return meta::map_elements<To>(x, meta::saturating_cast<To>{});
  else return meta::map_elements<To>(x, meta::default_cast<To>{});
}

/// Reads the bits of every element as another type of the same number of bits.
template <scalar To, tile_like T>
  requires(meta::bits_of<tile_element_t<T>> == meta::bits_of<To>)
T2C_FN tile_with_element_t<T, To> element_bitcast(T const& x) {
  return meta::map_elements<To>(x, meta::bits_cast<To>{});
}

}  // namespace tile2cpp
