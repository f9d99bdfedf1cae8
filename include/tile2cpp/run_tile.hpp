// run_tile.hpp: a tile of numbers, truth values or pointers of which is known how they lie along the last axis.
//
// A run is what a thread holds side by side (`layout::vector`), and what one instruction moves. Kernels that name every
// element by `row * columns + iota` mean neighbours in memory just as views do. To find that out from the addresses takes a
// comparison for each of them; so tiles that come from `iota` say it themselves, as long as what is done to them keeps it.
#pragma once

#include "tile2cpp/exchange.hpp"
#include "tile2cpp/tile_traits.hpp"

namespace tile2cpp {

/// A tile whose runs have a property. Numbers: a run counts up by one from a multiple of its length. Truth values: a run has one
/// only. Pointers: a run is a vector in memory, and begins where a vector access may. It counts as the tile that it is.
/// A thread knows it of its own elements. `Everywhere`: all threads know the same, so it stays true of elements that move between them.
template <class E, class Shape, bool Everywhere> class run_tile : public tile<E, Shape> {
 public:
  static constexpr bool everywhere = Everywhere;

  T2C_FN run_tile() : in_runs_(false) {}
  template <tile_like Other>
    requires(tile_convertible_to<Other, tile<E, Shape>>)
  T2C_FN explicit(!non_narrowing_tile_convertible_to<Other, tile<E, Shape>>) run_tile(Other const& other)
      : tile<E, Shape>(other), in_runs_(false) {}
  T2C_FN run_tile(tile<E, Shape> const& elements, bool in_runs) : tile<E, Shape>(elements), in_runs_(in_runs) {}

  /// A variable that takes another value is an ordinary tile from then on.
  template <tile_like Other>
    requires(non_narrowing_tile_convertible_to<Other, tile<E, Shape>>)
  T2C_FN run_tile& operator=(Other const& other) {
    static_cast<tile<E, Shape>&>(*this) = tile<E, Shape>(other);
    in_runs_ = false;
    return *this;
  }

  /// Whether it has the property; mostly known when compiled.
  T2C_FN bool in_runs() const { return in_runs_; }

 private:
  bool in_runs_;
};

namespace meta {

template <class E, class Shape, bool X> inline constexpr bool is_tile<run_tile<E, Shape, X>> = true;
template <class E, class Shape, bool X> struct remove_cv<run_tile<E, Shape, X>> { using type = tile<E, Shape>; };
template <class E, class Shape, bool X> struct remove_cv<run_tile<E, Shape, X> const> { using type = tile<E, Shape>; };

template <class T> inline constexpr bool is_run_tile = false;
template <class E, class Shape, bool X> inline constexpr bool is_run_tile<run_tile<E, Shape, X>> = true;

template <class T> concept truth_tile = tile_like<T> && is_same<tile_element_t<T>, bool>;
template <class T> concept counting_runs = is_run_tile<T> && integral_tile<T> && !truth_tile<T>;
template <class T> concept truth_runs = is_run_tile<T> && truth_tile<T>;
template <class T> concept pointer_runs = is_run_tile<T> && pointer_tile<T>;

/// Whether elements of `T` are repeated along every run of the tiles beside it.
template <class T> T2C_BOTH constexpr bool is_alike_in_runs() {
  if constexpr (scalar<T>) return true;
  else return tile_rank_v<T> == 0 || extent_from_end<tile_shape_t<T>>(0) == 1;
}
template <class T> concept alike_in_runs = tile_like<T> && (is_alike_in_runs<T>());
template <class T> concept numbers_alike = alike_in_runs<T> && integral_tile<T>;

/// Whether all threads find the same when they look at their own elements of `T`, or ask what is known of its runs.
template <class T> T2C_BOTH constexpr bool is_known_everywhere() {
  if constexpr (scalar<T>) return true;
  else if constexpr (is_run_tile<T>) return T::everywhere;
  else return tile_size_v<T> == 1;
}

/// Whether what a thread knows of its elements of `T` holds for those that it has of a tile of `Shape` which `Map` takes from there.
template <class T, class Shape, class Map> T2C_BOTH constexpr bool knows_own() {
  if constexpr (is_known_everywhere<T>() || is_same<tile_shape_t<T>, Shape>) return true;
  else return stays_in_thread<layout<Shape>, layout<tile_shape_t<T>>, Map>();
}
template <class T, class Shape> T2C_BOTH constexpr bool knows_own() { return knows_own<T, Shape, broadcast_map<tile_shape_t<T>, Shape>>(); }

/// Whether tiles say how their runs lie. Beside products they do not: the masks of attention would be asked for in both ways between them, and
/// registers are scarce.
#ifdef T2C_WITH_PRODUCTS
inline constexpr bool tells_runs = false;
#else
inline constexpr bool tells_runs = !this_schedule.product;
#endif

/// `elements` with what is known of its runs; of shapes without runs nothing is.
template <bool Everywhere, class E, class Shape> T2C_FN auto with_runs(tile<E, Shape> const& elements, [[maybe_unused]] bool in_runs) {
  if constexpr (layout<Shape>::vector > 1 && tells_runs) return run_tile<E, Shape, Everywhere>(elements, in_runs);
  else return elements;
}

/// The low bits of all own elements and `more`, or'd: a multiple of a power of two if all are.
template <class T> T2C_FN unsigned low_bits_of(T const& x, unsigned more = 0) {
  if constexpr (pointer_tile<T> && scalar<T>) return static_cast<unsigned>(reinterpret_cast<unsigned long long>(x)) + more;
  else if constexpr (scalar<T>) return static_cast<unsigned>(x) + more;
  else {
    auto const& from = settled(x);
    unsigned bits = 0;
    T2C_UNROLL
    for (int s = 0; s < layout<tile_shape_t<T>>::slots; ++s) bits |= low_bits_of(from.own[s], more);
    return bits;
  }
}

/// The length of runs in a tile.
template <class T> inline constexpr unsigned run_of = static_cast<unsigned>(layout<tile_shape_t<T>>::vector);

/// `sum` is numbers in runs and others beside them, added or taken away: multiples of runs move whole runs.
template <class T, class U, class Sum> T2C_FN auto moved_runs(T const& runs, U const& by, Sum const& sum) {
  using Shape = tile_shape_t<Sum>;
  if constexpr (knows_own<T, Shape>() && knows_own<U, Shape>())
    return with_runs<is_known_everywhere<T>() && is_known_everywhere<U>()>(sum, runs.in_runs() && low_bits_of(by) % run_of<T> == 0);
  else return sum;
}

/// `result` tells numbers in runs that are less than `limit + Above` from the others. Where it has runs, their first elements stand
/// for all, so the others need not be compared.
template <unsigned Above, class T, class U, class E, class Shape> T2C_FN auto divided_runs(T const& runs, U const& limit, tile<E, Shape> result) {
  if constexpr (knows_own<T, Shape>() && knows_own<U, Shape>()) {
    bool const alike = runs.in_runs() && low_bits_of(limit, Above) % run_of<T> == 0;
    constexpr int length = layout<Shape>::vector;
    T2C_UNROLL
    for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = alike ? result.own[s / length * length] : result.own[s];
    return with_runs<is_known_everywhere<T>() && is_known_everywhere<U>()>(result, alike);
  } else {
    return result;
  }
}

/// Whether truth values are alike in the runs of a tile of `Shape`, as far as is known; so are other numbers that stand for them, if they are repeated.
template <class Shape, class T> T2C_FN bool is_alike([[maybe_unused]] T const& x) {
  if constexpr (truth_runs<T>) return knows_own<T, Shape>() && x.in_runs();
  else return alike_in_runs<T>;
}
template <class T> inline constexpr bool is_alike_everywhere = !truth_runs<T> || is_known_everywhere<T>();
template <class T> concept maybe_alike = truth_tile<T> && (truth_runs<T> || alike_in_runs<T>);

/// `result` is made of two tiles of truth values.
template <class T, class U, class Result> T2C_FN auto joined_runs([[maybe_unused]] T const& a, [[maybe_unused]] U const& b, Result const& result) {
  if constexpr (maybe_alike<T> && maybe_alike<U> && (truth_runs<T> || truth_runs<U>))
    return with_runs<is_alike_everywhere<T> && is_alike_everywhere<U>>(result, is_alike<tile_shape_t<Result>>(a) && is_alike<tile_shape_t<Result>>(b));
  else return result;
}

/// The same elements in a shape with the same last axis, or another one, as `Map` takes them.
template <class Map, class T, class Result> T2C_FN auto reshaped_runs([[maybe_unused]] T const& x, Result const& result) {
  if constexpr (is_run_tile<T>) {
    constexpr bool whole = extent_from_end<tile_shape_t<T>>(0) == extent_from_end<tile_shape_t<Result>>(0);
    if constexpr (whole && knows_own<T, tile_shape_t<Result>, Map>()) return with_runs<T::everywhere>(result, x.in_runs());
    else return result;
  } else {
    return result;
  }
}

}  // namespace meta
}  // namespace tile2cpp
