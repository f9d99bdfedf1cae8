// reduce.hpp: reductions along one axis, which stays with extent 1: sum, prod, reduce_max, max_element, all_of, ...
#pragma once

#include "tile2cpp/extreme_index.hpp"
#include "tile2cpp/fold.hpp"
#include "tile2cpp/functions.hpp"

namespace tile2cpp {

/// `T` with extent 1 along axis `D`.
template <class T, size_t D>
  requires(meta::is_tile<T> && D < tile_rank_v<T>)
using reduction_result_t = meta::folded_tile<T, D>;

namespace meta {

template <class T, auto D> concept has_tile_axis = is_tile<T> && D >= 0 && static_cast<size_t>(D) < tile_rank_v<T>;
template <class T, auto D> concept reducible = has_tile_axis<T, D> && arithmetic_tile<T>;
template <class T, auto D, rounding_mode M, subnormals_rounding_mode S>
concept reducible_rounding = reducible<T, D> && ieee_mode<tile_element_t<T>, M, S>;
template <class T, auto D, subnormals_rounding_mode S>
concept reducible_extreme = reducible<T, D> && subnormals_mode<tile_element_t<T>, S>;
template <class T, auto D> concept reducible_bits = has_tile_axis<T, D> && integral_tile<T>;
template <class T, auto D> concept reducible_bools = has_tile_axis<T, D> && bool_tile_convertible<T>;

template <class T> T2C_FN auto as_bools(T const& x) { return map_elements<bool>(x, default_cast<bool>{}); }

/// half and bfloat16 are summed in float and rounded once; everything else in its own type.
template <size_t D, class T, class Op> T2C_FN auto fold_wide(T const& x, Op op) {
  using E = tile_element_t<T>;
  if constexpr (is_half_precision<E>) {
    auto const wide = fold<D>(map_elements<float>(x, [](E const& e) { return convert<float>(e); }), op);
    return map_elements<E>(wide, [](float e) { return convert<E>(e); });
  } else {
    return fold<D>(settled(x), op);
  }
}

}  // namespace meta

// The axis is a template argument, an integral constant, or both; modes come behind the constant.
#define T2C_ALONG_AXIS(name, constraint, ...)                                         \
  template <auto D, class T>                                                          \
    requires meta::constraint<T, D>                                                   \
  T2C_FN auto name(T const& x) {                                                      \
    return __VA_ARGS__;                                                               \
  }                                                                                   \
  template <auto D, class T>                                                          \
    requires meta::constraint<T, D>                                                   \
  T2C_FN auto name(T const& x, integral_constant<D>) {                                \
    return __VA_ARGS__;                                                               \
  }

#define T2C_REDUCTION(name, function)                                                                        \
  T2C_ALONG_AXIS(name, reducible, meta::fold_wide<D>(x, meta::function<>{}))                                 \
  template <auto D, rounding_mode M, subnormals_rounding_mode S = default_subnormals_rounding_mode(), class T> \
    requires meta::reducible_rounding<T, D, M, S>                                                            \
  T2C_FN auto name(T const& x, integral_constant<D>, rounding_mode_constant<M>,                              \
                   subnormals_rounding_mode_constant<S> = {}) {                                              \
    return meta::fold<D>(meta::settled(x), meta::function<M, S>{});                                                         \
  }
/// In the element type, so a sum of bools is their parity.
T2C_REDUCTION(sum, add_op)
T2C_REDUCTION(prod, mul_op)
#undef T2C_REDUCTION

#define T2C_EXTREME_REDUCTION(name, function)                                                                \
  T2C_ALONG_AXIS(name, reducible, meta::fold<D>(meta::settled(x), meta::function<>{}))                                      \
  template <auto D, nan_propagation_mode N, subnormals_rounding_mode S = default_subnormals_rounding_mode(), class T> \
    requires meta::reducible_extreme<T, D, S>                                                                \
  T2C_FN auto name(T const& x, integral_constant<D>, nan_propagation_mode_constant<N>,                       \
                   subnormals_rounding_mode_constant<S> = {}) {                                              \
    return meta::fold<D>(meta::settled(x), meta::function<N, S>{});                                                         \
  }
T2C_EXTREME_REDUCTION(reduce_max, max_op)
T2C_EXTREME_REDUCTION(reduce_min, min_op)
#undef T2C_EXTREME_REDUCTION

T2C_ALONG_AXIS(reduce_bitand, reducible_bits, meta::fold<D>(meta::settled(x), meta::and_op{}))
T2C_ALONG_AXIS(reduce_bitor, reducible_bits, meta::fold<D>(meta::settled(x), meta::or_op{}))
T2C_ALONG_AXIS(reduce_bitxor, reducible_bits, meta::fold<D>(meta::settled(x), meta::xor_op{}))

T2C_ALONG_AXIS(all_of, reducible_bools, meta::fold<D>(meta::as_bools(x), meta::logical_and_op{}))
T2C_ALONG_AXIS(any_of, reducible_bools, meta::fold<D>(meta::as_bools(x), meta::logical_or_op{}))

/// Index of the extreme along the axis, as uint32_t; of equal ones the first.
T2C_ALONG_AXIS(max_element, reducible, meta::extreme_index<D, meta::greater_op>(meta::settled(x)))
T2C_ALONG_AXIS(min_element, reducible, meta::extreme_index<D, meta::less_op>(meta::settled(x)))
#undef T2C_ALONG_AXIS

}  // namespace tile2cpp
