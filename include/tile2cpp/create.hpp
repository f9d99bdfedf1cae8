// create.hpp: tiles from nothing: full, zeros, ones, iota.
#pragma once

#include "tile2cpp/run_tile.hpp"
#include "tile2cpp/running.hpp"

namespace tile2cpp {

/// Every element is `value`, after the ordinary C++ conversion to the element type.
template <tile_like T> T2C_FN T full(tile_element_t<T> value) {
  if constexpr (scalar<T>) {
    return value;
  } else {
    T result;
    T2C_UNROLL
    for (int s = 0; s < layout<tile_shape_t<T>>::slots; ++s) result.own[s] = value;
    return result;
  }
}

template <tile_like T>
  requires(numeric_tile<T> && !same_as<tile_element_t<T>, __nv_fp8_e8m0>)
T2C_FN auto zeros([[maybe_unused]] int line = __builtin_LINE()) {
#ifdef T2C_WARPGROUPS
  if constexpr (meta::may_run<T>) {
    running_tile<tile_element_t<T>, tile_shape_t<T>> sums;
    if (written_zeros.has(line)) sums.write_zeros();
    return sums;
  } else
#endif
  return full<T>(meta::convert<tile_element_t<T>>(0));
}

template <numeric_tile T> T2C_FN T ones() { return full<T>(meta::convert<tile_element_t<T>>(1)); }

/// 0, 1, 2, ... in row-major order; the last number fits the element.
template <integral_tile T>
  requires(tile_size_v<T> - 1 <= static_cast<unsigned long long>(meta::limits<tile_element_t<T>>::highest))
T2C_FN auto iota() {
  using E = tile_element_t<T>;
  if constexpr (scalar<T>) {
    return E{0};
  } else {
    using L = layout<tile_shape_t<T>>;
    T result;
    int const base = L::base(backend::thread());
    T2C_UNROLL
    for (int s = 0; s < L::slots; ++s) result.own[s] = static_cast<E>(base + L::offset(s));
    return meta::with_runs<true>(result, true);
  }
}

}  // namespace tile2cpp
