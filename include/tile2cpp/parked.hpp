// parked.hpp: loaded tiles that wait in shared memory, where registers are too few for all that a kernel keeps.
//
// The entry lists the lines of the kernel's file whose tiles are to wait so. A thread keeps its own elements there and nobody
// else looks at them, so no barrier is needed. They are copied there without passing through registers, so all of them are on
// their way at once, while the thread works on others; it waits when it asks for them, and may ask again.
#pragma once

#include "tile2cpp/tile_traits.hpp"
#include "tile2cpp/window.hpp"

#ifdef T2C_PARKED
#include "tile2cpp/backend/sm80/cp_async.hpp"

namespace tile2cpp {
namespace meta {

/// The lines whose tiles are parked, in the order of their places.
struct parking_list {
  static constexpr int lines[] = {T2C_PARKED};
  static constexpr int count = sizeof(lines) / sizeof(int);
  /// The place for the tile that `line` loads, -1 for none.
  T2C_BOTH static constexpr int place_of(int line) {
    for (int place = 0; place < count; ++place)
      if (lines[place] == line) return place;
    return -1;
  }
};

/// Whether each thread's runs of such tiles are pieces of 16 bytes, its own, in an array that the kernel never writes.
template <class E, class Shape>
inline constexpr bool parks = false;
template <class E, class Shape>
inline constexpr bool parks<E const, Shape> =
    !T2C_ORDERED && layout<Shape>::vector * sizeof(E) == 16 && layout<Shape>::slots * backend::threads == layout<Shape>::size &&
    layout<Shape>::size * sizeof(E) == T2C_PARKED_BYTES;

}  // namespace meta

namespace backend {

T2C_FN uint4* parked_pieces(int place) {
  extern __shared__ __align__(128) unsigned char dynamic_shared_memory[];
  return reinterpret_cast<uint4*>(dynamic_shared_memory + place * T2C_PARKED_BYTES) + thread();
}

/// Waits for the tile at `place`. Each is one group of copies, and all have begun before the first one is waited for.
template <int Place = 0> T2C_FN void await_parked(int place) {
  if constexpr (Place < meta::parking_list::count) {
    if (place == Place) wait_copies<meta::parking_list::count - 1 - Place>();
    else await_parked<Place + 1>(place);
  }
}

}  // namespace backend

template <class E, class Shape> class parked_tile {
 public:
  using element_type = E;
  using shape_type = Shape;

  /// The tile at `from` that is loaded in `line`: to wait in registers, or where the line says.
  template <bool Masked>
  T2C_FN parked_tile(window<E const, Shape> const& from, E padding, int line, integral_constant<Masked>)
      : place_(meta::parking_list::place_of(line)) {
    if (place_ < 0) elements_ = read_window<Masked>(from, padding);
    else park<Masked>(from, padding);
  }

  /// A variable that takes another value has it in registers.
  template <tile_like Other>
    requires(non_narrowing_tile_convertible_to<Other, tile<E, Shape>>)
  T2C_FN parked_tile& operator=(Other const& other) {
    elements_ = tile<E, Shape>(other);
    place_ = -1;
    return *this;
  }

  T2C_FN tile<E, Shape> settled() const {
    if (place_ < 0) return elements_;
    backend::await_parked(place_);
    tile<E, Shape> result;
    T2C_UNROLL
    for (int slot = 0; slot < layout<Shape>::slots; slot += vector) {
      auto const part = meta::bit_cast<backend::elements<E, vector>>(backend::parked_pieces(place_)[slot / vector * backend::threads]);
      T2C_UNROLL
      for (int k = 0; k < vector; ++k) result.own[slot + k] = part.at[k];
    }
    return result;
  }

 private:
  static constexpr int vector = layout<Shape>::vector;

  template <bool Masked> T2C_FN void park(window<E const, Shape> const& from, E padding) {
    if (movement_of<Masked>(from) == movement::elements) put(read_window<Masked>(from, padding));
    else copy<Masked>(from, padding);
    backend::close_copies();
  }

  /// Runs that lie in the array are copied, the others are padding.
  template <bool Masked> T2C_FN void copy(window<E const, Shape> const& from, E padding) {
    constexpr int last = window<E const, Shape>::last;
    auto const mine = backend::thread_coordinates<Shape>();
    auto const room = from.room(mine);
    E const* const start = from.origin + from.distance(mine);
    backend::for_each_run<Shape>([&](int slot, auto const& step) {
      bool const inside = !Masked || (meta::run_has_room(step, room) && step.at[last] < room.at[last]);
      uint4* const to = backend::parked_pieces(place_) + slot / vector * backend::threads;
      unsigned const place = static_cast<unsigned>(__cvta_generic_to_shared(to));
      if (meta::bit_cast<meta::unsigned_of<E>>(padding) == 0) backend::copy_piece(place, start + from.distance(step), inside ? 16 : 0);
      else if (inside) backend::copy_piece(place, start + from.distance(step));
      else *to = filled_with(padding);
    });
  }

  T2C_FN void put(tile<E, Shape> const& elements) {
    T2C_UNROLL
    for (int slot = 0; slot < layout<Shape>::slots; slot += vector) {
      backend::elements<E, vector> part;
      T2C_UNROLL
      for (int k = 0; k < vector; ++k) part.at[k] = elements.own[slot + k];
      backend::parked_pieces(place_)[slot / vector * backend::threads] = meta::bit_cast<uint4>(part);
    }
  }

  T2C_FN static uint4 filled_with(E padding) {
    backend::elements<E, vector> part;
    T2C_UNROLL
    for (int k = 0; k < vector; ++k) part.at[k] = padding;
    return meta::bit_cast<uint4>(part);
  }

  tile<E, Shape> elements_;
  int place_;
};

namespace meta {

template <class E, class Shape> inline constexpr bool is_tile<parked_tile<E, Shape>> = true;
template <class E, class Shape> struct remove_cv<parked_tile<E, Shape>> { using type = tile<E, Shape>; };
template <class E, class Shape> struct remove_cv<parked_tile<E, Shape> const> { using type = tile<E, Shape>; };

}  // namespace meta
}  // namespace tile2cpp
#endif
