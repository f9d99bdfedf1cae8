// divided.hpp: quotients of floats, which remember what halves show of them.
//
// A quotient of floats that is right to the last bit takes eight instructions or more, and a kernel that stores halves rounds it a second
// time. So the quotients are there like those of any tile, and beside them those that only a cast to half asks for; the compiler drops
// what nobody asks for. A product of such a quotient has both too, and a sum with such a product, which is where norms end: compilers
// round product and sum at once or one after the other as they like, so a last bit of the product is not to be counted on there.
// A sum with the quotient itself has not: it may be that the last bit of a quotient is all that is left of it.
#pragma once

#include "tile2cpp/cast.hpp"

#ifdef T2C_GPU
#include "tile2cpp/backend/simt/quotient.hpp"

namespace tile2cpp {
namespace meta {

/// What became of a quotient until now.
enum class quotient_stage { quotient, product, sum };

}  // namespace meta

template <class Shape, meta::quotient_stage Stage> class divided_tile : public tile<float, Shape> {
 public:
  static constexpr meta::quotient_stage stage = Stage;

  T2C_FN divided_tile() : fresh_(false) {}
  template <tile_like Other>
    requires(tile_convertible_to<Other, tile<float, Shape>>)
  T2C_FN explicit(!non_narrowing_tile_convertible_to<Other, tile<float, Shape>>) divided_tile(Other const& other)
      : tile<float, Shape>(other), fresh_(false) {}
  T2C_FN divided_tile(tile<float, Shape> const& exact, tile<float, Shape> const& for_halves)
      : tile<float, Shape>(exact), for_halves_(for_halves), fresh_(true) {}

  /// A variable that takes another value is an ordinary tile from then on.
  template <tile_like Other>
    requires(non_narrowing_tile_convertible_to<Other, tile<float, Shape>>)
  T2C_FN divided_tile& operator=(Other const& other) {
    static_cast<tile<float, Shape>&>(*this) = tile<float, Shape>(other);
    fresh_ = false;
    return *this;
  }

  /// The elements, of which only as much will be seen as halves show.
  T2C_FN tile<float, Shape> for_halves() const {
    if (fresh_) return for_halves_;
    return *this;
  }

 private:
  tile<float, Shape> for_halves_;
  bool fresh_;
};

namespace meta {

template <class Shape, quotient_stage Stage> inline constexpr bool is_tile<divided_tile<Shape, Stage>> = true;
template <class Shape, quotient_stage Stage> struct remove_cv<divided_tile<Shape, Stage>> { using type = tile<float, Shape>; };
template <class Shape, quotient_stage Stage> struct remove_cv<divided_tile<Shape, Stage> const> { using type = tile<float, Shape>; };

template <class Shape, quotient_stage Stage> T2C_BOTH constexpr bool is_at(divided_tile<Shape, Stage> const*, quotient_stage latest) { return Stage <= latest; }
T2C_BOTH constexpr bool is_at(void const*, quotient_stage) { return false; }
/// Quotients, or what became of them up to a stage.
template <class T, quotient_stage Latest> concept divided_until = is_at(static_cast<T const*>(nullptr), Latest);

/// `x` as an operand of what only halves will show.
template <class T> T2C_FN decltype(auto) for_halves(T const& x) {
  if constexpr (divided_until<T, quotient_stage::product>) return x.for_halves();
  else return (x);
}

}  // namespace meta

template <scalar To, class Shape, meta::quotient_stage Stage>
  requires(meta::is_same<To, __half>)
T2C_FN auto element_cast(divided_tile<Shape, Stage> const& x, meta::line_number line = meta::line_number(__builtin_LINE())) {
  return element_cast<To>(x.for_halves(), line);
}

}  // namespace tile2cpp
#endif
