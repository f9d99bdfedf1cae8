// running.hpp: sums of products that tensor cores may still be working on.
//
// The instructions of a warpgroup run on while its threads go on, and the first of them can ignore the old sums. So a
// variable that holds such sums is zero without having been written, or not ready, until someone asks for its elements.
#pragma once

#include "tile2cpp/tile_traits.hpp"
#ifdef T2C_WARPGROUPS
#include "tile2cpp/backend/sm90/wgmma.hpp"
#endif

namespace tile2cpp {

template <class E, class Shape> class running_tile;

#ifdef T2C_WARPGROUPS
namespace backend {
/// When no product is under way: the factors of the last one may be overwritten.
T2C_FN void release_finished();
}
#endif

namespace meta {

template <class T> inline constexpr bool is_running = false;
template <class E, class Shape> inline constexpr bool is_running<running_tile<E, Shape>> = true;

/// Whether sums of this kind are worth it: warpgroups make them, from blocks of 64 rows.
template <class T> inline constexpr bool may_run = false;
#ifdef T2C_WARPGROUPS
/// Whether products are complete when they return: their sums may be copied while others are added to them.
inline constexpr bool keeps_sums = T2C_KEEPS_SUMS;
template <class E, class Shape>
inline constexpr bool may_run<tile<E, Shape>> = is_one_of<E, float, int> && this_schedule.product && backend::threads % 128 == 0 &&
                                                Shape::rank() == 2 && extent_from_end<Shape>(this_schedule.turned ? 0 : 1) % 64 == 0 &&
                                                extent_from_end<Shape>(this_schedule.turned ? 1 : 0) >= 8;

// Everywhere else it counts as the tile it becomes.
template <class E, class Shape> inline constexpr bool is_tile<running_tile<E, Shape>> = true;
template <class E, class Shape> struct remove_cv<running_tile<E, Shape>> { using type = tile<E, Shape>; };
template <class E, class Shape> struct remove_cv<running_tile<E, Shape> const> { using type = tile<E, Shape>; };
#endif

}  // namespace meta

#ifdef T2C_WARPGROUPS
/// Lines of the kernel's file; the entry lists them, and 0 behind them.
template <int... Line> struct line_list {
  static constexpr bool some = sizeof...(Line) > 1;
  T2C_FN static constexpr bool has(int line) { return ((line == Line) || ...); }
};
/// Those with products that are followed by another before anyone asks for their elements.
inline constexpr line_list<T2C_OVERTAKEN 0> overtaken_lines{};
/// Those with sums that are read before a product adds to them.
inline constexpr line_list<T2C_WRITTEN_ZEROS 0> written_zeros{};

template <class E, class Shape>
class running_tile {
 public:
  using element_type = E;
  using shape_type = Shape;
  /// `overtaken`: another product begins before anyone asks for the elements, and waits for this one.
  enum class state { ready, zero, running, overtaken };

  T2C_FN running_tile() : state_(state::zero) {}
  T2C_FN explicit running_tile(tile<E, Shape> const& elements) : elements_(elements), state_(state::ready) {}

  template <tile_like Other>
    requires(non_narrowing_tile_convertible_to<Other, tile<E, Shape>>)
  T2C_FN running_tile& operator=(Other const& other) {
    elements_ = tile<E, Shape>(other);
    state_ = state::ready;
    return *this;
  }

  /// The elements, when they are there.
  T2C_FN tile<E, Shape> const& settled() const {
    // The wait comes first whatever the state is: on a path without one ptxas would run all products one by one (C7514).
    if (state_ != state::overtaken) {
      backend::stay_above();
      backend::await_products<0>();
      backend::release_finished();
    }
    pin_all();
    if (state_ == state::zero) set_zero();
    state_ = state::ready;
    return elements_;
  }

  /// Zeros that are there, so that no loop has to ask.
  T2C_FN void write_zeros() {
    set_zero();
    state_ = state::ready;
  }

  /// For products: whether the elements count, and where they are or will be.
  T2C_FN bool counts() const { return state_ != state::zero; }
  T2C_FN E* sums() { return &elements_.own[0]; }
  /// The same where products are complete when they return, as a rule: no wait then.
  T2C_FN E* settled_sums() {
    if (state_ == state::running || state_ == state::overtaken) settled();
    if (state_ == state::zero) set_zero();
    state_ = state::ready;
    return sums();
  }
  T2C_FN void run(bool overtaken) { state_ = overtaken ? state::overtaken : state::running; }
  /// What was computed of them is computed by now.
  T2C_FN void pin() {
    if (state_ == state::ready) pin_all();
  }

 private:
  T2C_FN void pin_all() const {
    T2C_UNROLL
    for (int s = 0; s < layout<Shape>::slots; s += 4) backend::pin(&elements_.own[s]);
  }

  /// In a branch of its own: choosing between the elements and zero would cost an instruction for each in every round of a loop.
  T2C_FN void set_zero() const {
    __syncwarp();  // keeps it a branch
    T2C_UNROLL
    for (int s = 0; s < layout<Shape>::slots; s += 4) backend::set_zero(&elements_.own[s]);
  }

  mutable tile<E, Shape> elements_;
  mutable state state_;
};

namespace meta {
/// Sums of two bytes are made as single precision, and rounded once.
template <class C> using wide_sums = tile<conditional_t<sizeof(tile_element_t<C>) == 2, float, tile_element_t<C>>, tile_shape_t<C>>;

template <class E, class Shape> T2C_FN running_tile<E, Shape> as_running(tile<E, Shape> const& x) { return running_tile<E, Shape>(x); }
template <class E, class Shape> T2C_FN running_tile<E, Shape> as_running(running_tile<E, Shape> const& x) { return x; }
}  // namespace meta
#endif

}  // namespace tile2cpp
