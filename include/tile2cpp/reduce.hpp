// reduce.hpp: reductions along one axis, which stays with extent 1: sum, prod, reduce_max, max_element, all_of, ...
#pragma once

#include "tile2cpp/fold.hpp"
#include "tile2cpp/functions.hpp"

namespace tile2cpp {

/// `T` with extent 1 along axis `D`.
template <class T, size_t D>
  requires(meta::is_tile<T> && D < tile_rank_v<T>)
using reduction_result_t = meta::folded_tile<T, D>;

namespace meta {

template <class T, size_t D> concept has_tile_axis = is_tile<T> && D < tile_rank_v<T>;
template <class T, size_t D> concept reducible = has_tile_axis<T, D> && arithmetic_tile<T>;
template <class T, size_t D, rounding_mode M, subnormals_rounding_mode S>
concept reducible_rounding = reducible<T, D> && ieee_mode<tile_element_t<T>, M, S>;
template <class T, size_t D, subnormals_rounding_mode S>
concept reducible_extreme = reducible<T, D> && subnormals_mode<tile_element_t<T>, S>;
template <class T, size_t D> concept reducible_bits = has_tile_axis<T, D> && integral_tile<T>;
template <class T, size_t D> concept reducible_bools = has_tile_axis<T, D> && bool_tile_convertible<T>;

/// half and bfloat16 are summed in float and rounded once; everything else in its own type.
template <size_t D, class T, class Op> T2C_FN auto fold_wide(T const& x, Op op) {
  using E = tile_element_t<T>;
  if constexpr (is_half_precision<E>) {
    auto const wide = fold<D>(map_elements<float>(x, [](E const& e) { return convert<float>(e); }), op);
    return map_elements<E>(wide, [](float e) { return convert<E>(e); });
  } else {
    return fold<D>(x, op);
  }
}

}  // namespace meta

// The axis is a template argument or an integral constant.
#define T2C_BY_CONSTANT(name, constraint)                                       \
  template <auto D, class T>                                                    \
    requires(D >= 0 && meta::constraint<T, static_cast<size_t>(D)>)             \
  T2C_FN auto name(T const& x, integral_constant<D>) {                          \
    return name<static_cast<size_t>(D)>(x);                                     \
  }

#define T2C_REDUCTION(name, function)                                                                        \
  template <size_t D, class T>                                                                               \
    requires meta::reducible<T, D>                                                                           \
  T2C_FN reduction_result_t<T, D> name(T const& x) {                                                         \
    return meta::fold_wide<D>(x, meta::function<>{});                                                        \
  }                                                                                                          \
  T2C_BY_CONSTANT(name, reducible)                                                                           \
  template <size_t D, rounding_mode M, subnormals_rounding_mode S = default_subnormals_rounding_mode(), class T> \
    requires meta::reducible_rounding<T, D, M, S>                                                            \
  T2C_FN reduction_result_t<T, D> name(T const& x, rounding_mode_constant<M> = {},                           \
                                       subnormals_rounding_mode_constant<S> = {}) {                          \
    return meta::fold<D>(x, meta::function<M, S>{});                                                         \
  }                                                                                                          \
  template <auto D, rounding_mode M, subnormals_rounding_mode S = default_subnormals_rounding_mode(), class T> \
    requires(D >= 0 && meta::reducible_rounding<T, static_cast<size_t>(D), M, S>)                            \
  T2C_FN auto name(T const& x, integral_constant<D>, rounding_mode_constant<M>,                              \
                   subnormals_rounding_mode_constant<S> = {}) {                                              \
    return meta::fold<static_cast<size_t>(D)>(x, meta::function<M, S>{});                                    \
  }
/// In the element type, so a sum of bools is their parity.
T2C_REDUCTION(sum, add_op)
T2C_REDUCTION(prod, mul_op)
#undef T2C_REDUCTION

#define T2C_EXTREME_REDUCTION(name, function)                                                                \
  template <size_t D, class T>                                                                               \
    requires meta::reducible<T, D>                                                                           \
  T2C_FN reduction_result_t<T, D> name(T const& x) {                                                         \
    return meta::fold<D>(x, meta::function<>{});                                                             \
  }                                                                                                          \
  T2C_BY_CONSTANT(name, reducible)                                                                           \
  template <size_t D, nan_propagation_mode N, subnormals_rounding_mode S = default_subnormals_rounding_mode(), class T> \
    requires meta::reducible_extreme<T, D, S>                                                                \
  T2C_FN reduction_result_t<T, D> name(T const& x, nan_propagation_mode_constant<N> = {},                    \
                                       subnormals_rounding_mode_constant<S> = {}) {                          \
    return meta::fold<D>(x, meta::function<N, S>{});                                                         \
  }                                                                                                          \
  template <auto D, nan_propagation_mode N, subnormals_rounding_mode S = default_subnormals_rounding_mode(), class T> \
    requires(D >= 0 && meta::reducible_extreme<T, static_cast<size_t>(D), S>)                                \
  T2C_FN auto name(T const& x, integral_constant<D>, nan_propagation_mode_constant<N>,                       \
                   subnormals_rounding_mode_constant<S> = {}) {                                              \
    return meta::fold<static_cast<size_t>(D)>(x, meta::function<N, S>{});                                    \
  }
T2C_EXTREME_REDUCTION(reduce_max, max_op)
T2C_EXTREME_REDUCTION(reduce_min, min_op)
#undef T2C_EXTREME_REDUCTION

#define T2C_BIT_REDUCTION(name, function)                     \
  template <size_t D, class T>                                \
    requires meta::reducible_bits<T, D>                       \
  T2C_FN reduction_result_t<T, D> name(T const& x) {          \
    return meta::fold<D>(x, meta::function{});                \
  }                                                           \
  T2C_BY_CONSTANT(name, reducible_bits)
T2C_BIT_REDUCTION(reduce_bitand, and_op)
T2C_BIT_REDUCTION(reduce_bitor, or_op)
T2C_BIT_REDUCTION(reduce_bitxor, xor_op)
#undef T2C_BIT_REDUCTION

#define T2C_BOOL_REDUCTION(name, function)                                                         \
  template <size_t D, class T>                                                                     \
    requires meta::reducible_bools<T, D>                                                           \
  T2C_FN auto name(T const& x) {                                                                   \
    using E = tile_element_t<T>;                                                                   \
    return meta::fold<D>(meta::map_elements<bool>(x, [](E const& e) { return meta::convert<bool>(e); }), \
                         meta::function{});                                                        \
  }                                                                                                \
  T2C_BY_CONSTANT(name, reducible_bools)
T2C_BOOL_REDUCTION(all_of, logical_and_op)
T2C_BOOL_REDUCTION(any_of, logical_or_op)
#undef T2C_BOOL_REDUCTION

}  // namespace tile2cpp

#include "tile2cpp/extreme_index.hpp"

#undef T2C_BY_CONSTANT
