// operators.hpp: operators on tiles and pointer tiles, and `select`.
#pragma once

#include "tile2cpp/arithmetic.hpp"
#include "tile2cpp/backend/memory.hpp"
#include "tile2cpp/divided.hpp"
#include "tile2cpp/narrow.hpp"
#include "tile2cpp/operand.hpp"
#include "tile2cpp/run_tile.hpp"

namespace tile2cpp {
namespace meta {

template <class T, class U> concept some_tile = is_tile<T> || is_tile<U>;
template <class T, class U> concept arithmetic_pair = arithmetic_tile_convertible<T, U>;
template <class T, class U> concept integral_pair = arithmetic_pair<T, U> && integral_tile<T> && integral_tile<U>;

/// `op` over two tile likes that meet in their arithmetic element.
template <class Op, class T, class U> T2C_FN auto combine(T const& a, U const& b, Op op) {
  using E = arithmetic_element_t<T, U>;
  auto const result = zip_elements<E, E>(a, b, op);
  constexpr bool adds = is_same<Op, add_op<>>, subtracts = is_same<Op, sub_op<>>;
  if constexpr ((adds || subtracts) && counting_runs<T> && numbers_alike<U>) return moved_runs(a, b, result);
  else if constexpr (adds && numbers_alike<T> && counting_runs<U>) return moved_runs(b, a, result);
  else return joined_runs(a, b, result);
}

#ifdef T2C_GPU
/// Quotients of floats. Where several elements of a thread have one divisor, they share the work for it.
template <class T, class U, class Op>
  requires(is_same<Op, div_op<>> && is_same<arithmetic_element_t<T, U>, float> && some_tile<T, U>)
T2C_FN auto combine(T const& a, U const& b, Op op) {
  using Shape = shape_broadcast_t<tile_shape_t<T>, tile_shape_t<U>>;
  constexpr int slots = layout<Shape>::slots;
  auto const x = operand<float, Shape>(a);
  auto const y = operand<float, Shape>(b);
  constexpr int divisors = decltype(y)::values;
  tile<float, Shape> result;
  T2C_UNROLL
  for (int s = 0; s < slots; ++s) result.own[s] = x(s);
  if constexpr (divisors > 1 && slots >= 4 * divisors) {
    backend::divide_by_few<slots, false>(&result.own[0], y);
    return result;
  } else if constexpr (slots < 4) {
    T2C_UNROLL
    for (int s = 0; s < slots; ++s) result.own[s] = op(result.own[s], y(s));
    return result;
  } else {
    auto halves = result;
    if constexpr (divisors == 1) {
      backend::divide_by_few<slots, true>(&result.own[0], y);
      backend::divide_for_halves<slots>(&halves.own[0], y);
    } else {
      T2C_UNROLL
      for (int s = 0; s < slots; ++s) result.own[s] = op(result.own[s], y(s));
      backend::divide_each_for_halves<slots>(&halves.own[0], y);
    }
    return divided_tile<Shape, quotient_stage::quotient>(result, halves);
  }
}

/// Products of such quotients, and sums with these products, of which halves show no more.
template <class T, class U, class Op, quotient_stage Latest>
concept remembers_quotient = is_same<arithmetic_element_t<T, U>, float> && (divided_until<T, Latest> || divided_until<U, Latest>);
template <class T, class U, class Op>
concept product_of_quotient = is_same<Op, mul_op<>> && remembers_quotient<T, U, Op, quotient_stage::product>;
template <class T, class U, class Op>
concept sum_with_product = (is_same<Op, add_op<>> || is_same<Op, sub_op<>>) && remembers_quotient<T, U, Op, quotient_stage::product> &&
                           !remembers_quotient<T, U, Op, quotient_stage::quotient>;

template <class T, class U, class Op>
  requires(product_of_quotient<T, U, Op> || sum_with_product<T, U, Op>)
T2C_FN auto combine(T const& a, U const& b, Op op) {
  using Shape = shape_broadcast_t<tile_shape_t<T>, tile_shape_t<U>>;
  auto const exact = zip_elements<float, float>(a, b, op);
  auto const halves = zip_elements<float, float>(for_halves(a), for_halves(b), op);
  constexpr auto stage = is_same<Op, mul_op<>> ? quotient_stage::product : quotient_stage::sum;
  return divided_tile<Shape, stage>(exact, halves);
}
#endif

// `above`: a limit that is this much less than a multiple of the length of runs has whole runs on each side; -1: no limit has.
#define T2C_COMPARISON(name, symbol, above)                                                   \
  struct name##_op {                                                                          \
    static constexpr int limit_above = above;                                                 \
    template <class E> T2C_FN bool operator()(E const& a, E const& b) const { return a symbol b; } \
  }
T2C_COMPARISON(less, <, 0);
T2C_COMPARISON(less_equal, <=, 1);
T2C_COMPARISON(greater, >, 1);
T2C_COMPARISON(greater_equal, >=, 0);
T2C_COMPARISON(equal, ==, -1);
T2C_COMPARISON(not_equal, !=, -1);
#undef T2C_COMPARISON

/// What a comparison answers, with what is known of its runs.
template <class Op, class T, class U, class Result>
T2C_FN auto compared_runs([[maybe_unused]] T const& a, [[maybe_unused]] U const& b, Result const& result) {
  if constexpr (Op::limit_above >= 0 && counting_runs<T> && numbers_alike<U>) return divided_runs<Op::limit_above>(a, b, result);
  else if constexpr (Op::limit_above >= 0 && numbers_alike<T> && counting_runs<U>) return divided_runs<1 - Op::limit_above>(b, a, result);
  else return result;
}

struct logical_and_op {
  T2C_FN bool operator()(bool a, bool b) const { return a && b; }
};
struct logical_or_op {
  T2C_FN bool operator()(bool a, bool b) const { return a || b; }
};
struct logical_not_op {
  template <class E> T2C_FN bool operator()(E const& a) const { return !convert<bool>(a); }
};
struct complement_op {
  template <class E> T2C_FN E operator()(E a) const {
    if constexpr (is_same<E, bool>) return !a;
    else return static_cast<E>(~a);
  }
};

template <class T, class U>
concept pointer_pair = pointer_tile<T> && pointer_tile<U> && broadcast_compatible<T, U> &&
                       pointer_comparable<tile_element_t<T>, tile_element_t<U>>;

/// The pointer type two comparable pointers meet in.
template <class P, class Q> using common_pointer = remove_cvref_t<decltype(true ? declval<P>() : declval<Q>())>;

template <class P>
concept steppable_pointer = pointer_tile<P> && !is_same<remove_cv_t<remove_pointer_t<tile_element_t<P>>>, void>;

}  // namespace meta

#define T2C_BINARY_OPERATOR(symbol, function, pair)                        \
  template <tile_like T, tile_like U>                                      \
    requires(meta::some_tile<T, U> && meta::pair<T, U>)                    \
  T2C_FN auto operator symbol(T const& a, U const& b) {                    \
    return meta::combine(a, b, meta::function{});                          \
  }
T2C_BINARY_OPERATOR(+, add_op<>, arithmetic_pair)
T2C_BINARY_OPERATOR(-, sub_op<>, arithmetic_pair)
T2C_BINARY_OPERATOR(*, mul_op<>, arithmetic_pair)
T2C_BINARY_OPERATOR(/, div_op<>, arithmetic_pair)
T2C_BINARY_OPERATOR(%, remainder_op, integral_pair)
T2C_BINARY_OPERATOR(&, and_op, integral_pair)
T2C_BINARY_OPERATOR(|, or_op, integral_pair)
T2C_BINARY_OPERATOR(^, xor_op, integral_pair)
#undef T2C_BINARY_OPERATOR

#define T2C_COMPARISON_OPERATOR(symbol, function)                                                   \
  template <tile_like T, tile_like U>                                                               \
    requires(meta::some_tile<T, U> && arithmetic_tile_comparable<T, U>)                             \
  T2C_FN auto operator symbol(T const& a, U const& b) {                                             \
    using C = meta::common_element_t<tile_element_t<T>, tile_element_t<U>>;                         \
    return meta::compared_runs<meta::function>(a, b, meta::zip_elements<bool, C>(a, b, meta::function{})); \
  }                                                                                                 \
  template <tile_like T, tile_like U>                                                               \
    requires(meta::some_tile<T, U> && meta::pointer_pair<T, U>)                                     \
  T2C_FN auto operator symbol(T const& a, U const& b) {                                             \
    using C = meta::common_pointer<tile_element_t<T>, tile_element_t<U>>;                           \
    return meta::zip_elements<bool, C>(a, b, meta::function{});                                     \
  }
T2C_COMPARISON_OPERATOR(<, less_op)
T2C_COMPARISON_OPERATOR(<=, less_equal_op)
T2C_COMPARISON_OPERATOR(>, greater_op)
T2C_COMPARISON_OPERATOR(>=, greater_equal_op)
T2C_COMPARISON_OPERATOR(==, equal_op)
T2C_COMPARISON_OPERATOR(!=, not_equal_op)
#undef T2C_COMPARISON_OPERATOR

/// Shifts keep the type on the left; the count may be of any integral type.
template <tile_like T, tile_like U>
  requires(meta::some_tile<T, U> && integral_tile<T> && integral_tile<U> && broadcast_compatible<T, U>)
T2C_FN auto operator<<(T const& a, U const& count) {
  using Shape = shape_broadcast_t<tile_shape_t<T>, tile_shape_t<U>>;
  auto const x = meta::operand<tile_element_t<T>, Shape>(a);
  auto const n = meta::operand<tile_element_t<U>, Shape>(count);
  tile<tile_element_t<T>, Shape> result;
  T2C_UNROLL
  for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = meta::shift_left_op{}(x(s), n(s));
  return result;
}
template <tile_like T, tile_like U>
  requires(meta::some_tile<T, U> && integral_tile<T> && integral_tile<U> && broadcast_compatible<T, U>)
T2C_FN auto operator>>(T const& a, U const& count) {
  using Shape = shape_broadcast_t<tile_shape_t<T>, tile_shape_t<U>>;
  auto const x = meta::operand<tile_element_t<T>, Shape>(a);
  auto const n = meta::operand<tile_element_t<U>, Shape>(count);
  tile<tile_element_t<T>, Shape> result;
  T2C_UNROLL
  for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = meta::shift_right_op{}(x(s), n(s));
  return result;
}

/// Both sides are evaluated: tiles have no short circuit.
template <tile_like T, tile_like U>
  requires(meta::some_tile<T, U> && bool_tile_convertible<T> && bool_tile_convertible<U> && broadcast_compatible<T, U>)
T2C_FN auto operator&&(T const& a, U const& b) {
  return meta::joined_runs(a, b, meta::zip_elements<bool, bool>(a, b, meta::logical_and_op{}));
}
template <tile_like T, tile_like U>
  requires(meta::some_tile<T, U> && bool_tile_convertible<T> && bool_tile_convertible<U> && broadcast_compatible<T, U>)
T2C_FN auto operator||(T const& a, U const& b) {
  return meta::joined_runs(a, b, meta::zip_elements<bool, bool>(a, b, meta::logical_or_op{}));
}
template <tile_like T>
  requires(meta::is_tile<T> && bool_tile_convertible<T>)
T2C_FN auto operator!(T const& x) {
  return meta::joined_runs(x, true, meta::map_elements<bool>(x, meta::logical_not_op{}));
}

template <arithmetic_tile T>
  requires meta::is_tile<T>
T2C_FN meta::remove_cv_t<T> operator-(T const& x) {
  return meta::map_elements<tile_element_t<T>>(x, meta::negate_op{});
}
/// Small integers become int, as in C++; everything else stays.
template <tile_like T>
  requires(meta::is_tile<T> && (arithmetic_tile<T> || pointer_tile<T>))
T2C_FN auto operator+(T const& x) {
  if constexpr (pointer_tile<T>) return x;
  else return arithmetic_tile_promotion_t<T>(x);
}
template <integral_tile T>
  requires meta::is_tile<T>
T2C_FN meta::remove_cv_t<T> operator~(T const& x) {
  return meta::map_elements<tile_element_t<T>>(x, meta::complement_op{});
}

/// Pointers move by whole elements; the count is extended to 64 bits by its own signedness.
template <tile_like P, tile_like I>
  requires(meta::some_tile<P, I> && meta::steppable_pointer<P> && integral_tile<I> && broadcast_compatible<P, I>)
T2C_FN auto operator+(P const& pointer, I const& count) {
  using E = tile_element_t<P>;
  using Shape = shape_broadcast_t<tile_shape_t<P>, tile_shape_t<I>>;
  auto const p = meta::operand<E, Shape>(pointer);
  auto const n = meta::operand<tile_element_t<I>, Shape>(count);
  tile<E, Shape> result;
  T2C_UNROLL
  for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = p(s) + static_cast<ptrdiff_t>(n(s));
  if constexpr (meta::counting_runs<I> && meta::alike_in_runs<P> && meta::knows_own<I, Shape>() && meta::knows_own<P, Shape>()) {
    constexpr int alignment = backend::run_alignment<layout<Shape>::vector, meta::remove_pointer_t<E>>;
    constexpr bool everywhere = meta::is_known_everywhere<I>() && meta::is_known_everywhere<P>();
    return meta::with_runs<everywhere>(result, count.in_runs() && meta::low_bits_of(pointer) % alignment == 0);
  } else {
    return result;
  }
}
template <tile_like I, tile_like P>
  requires(meta::some_tile<P, I> && meta::steppable_pointer<P> && integral_tile<I> && broadcast_compatible<P, I>)
T2C_FN auto operator+(I const& count, P const& pointer) {
  return pointer + count;
}
template <tile_like P, tile_like I>
  requires(meta::some_tile<P, I> && meta::steppable_pointer<P> && integral_tile<I> && broadcast_compatible<P, I>)
T2C_FN auto operator-(P const& pointer, I const& count) {
  using E = tile_element_t<P>;
  using Shape = shape_broadcast_t<tile_shape_t<P>, tile_shape_t<I>>;
  auto const p = meta::operand<E, Shape>(pointer);
  auto const n = meta::operand<tile_element_t<I>, Shape>(count);
  tile<E, Shape> result;
  T2C_UNROLL
  for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = p(s) - static_cast<ptrdiff_t>(n(s));
  return result;
}
template <tile_like P, tile_like Q>
  requires(meta::some_tile<P, Q> && meta::steppable_pointer<P> && meta::steppable_pointer<Q> && meta::pointer_pair<P, Q>)
T2C_FN auto operator-(P const& p, Q const& q) {
  using C = meta::common_pointer<tile_element_t<P>, tile_element_t<Q>>;
  return meta::zip_elements<ptrdiff_t, C>(p, q, [](C a, C b) { return a - b; });
}

#define T2C_NULL_COMPARISON(symbol)                                                           \
  template <pointer_tile P>                                                                   \
    requires meta::is_tile<P>                                                                 \
  T2C_FN auto operator symbol(P const& p, decltype(nullptr)) {                                \
    using E = tile_element_t<P>;                                                              \
    return meta::map_elements<bool>(p, [](E x) { return x symbol nullptr; });                 \
  }                                                                                           \
  template <pointer_tile P>                                                                   \
    requires meta::is_tile<P>                                                                 \
  T2C_FN auto operator symbol(decltype(nullptr), P const& p) {                                \
    return p symbol nullptr;                                                                  \
  }
T2C_NULL_COMPARISON(==)
T2C_NULL_COMPARISON(!=)
#undef T2C_NULL_COMPARISON

/// `condition ? a : b` for every element; both are evaluated. The branches have one type.
template <bool_tile_convertible C, tile_like T, tile_like U>
  requires(broadcastable_to<C, tile_shape_t<T>> && same_as<meta::remove_cv_t<T>, meta::remove_cv_t<U>>)
T2C_FN meta::remove_cv_t<T> select(C const& condition, T const& a, U const& b) {
  if constexpr (scalar<T>) {
    return meta::operand<bool, shape<>>(condition)(0) ? a : b;
  } else {
    auto const c = meta::operand<bool, tile_shape_t<T>>(condition);
    auto const& x = meta::settled(a);
    auto const& y = meta::settled(b);
    meta::remove_cv_t<T> result;
    T2C_UNROLL
    for (int s = 0; s < layout<tile_shape_t<T>>::slots; ++s) result.own[s] = c(s) ? x.own[s] : y.own[s];
    return result;
  }
}

}  // namespace tile2cpp
