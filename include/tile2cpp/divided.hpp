// divided.hpp: quotients of floats with one divisor, which remember what they are made of.
//
// A quotient of floats that is right to the last bit takes eight instructions, and a kernel that stores halves rounds it a second
// time. So the quotients are there like those of any tile, and a cast to half divides again, by as much as a half shows; nobody
// asks for the first ones then, and the compiler drops them.
#pragma once

#include "tile2cpp/cast.hpp"

#ifdef T2C_GPU
#include "tile2cpp/backend/simt/quotient.hpp"

namespace tile2cpp {

template <class Shape> class divided_tile : public tile<float, Shape> {
 public:
  T2C_FN divided_tile() : fresh_(false) {}
  template <tile_like Other>
    requires(tile_convertible_to<Other, tile<float, Shape>>)
  T2C_FN explicit(!non_narrowing_tile_convertible_to<Other, tile<float, Shape>>) divided_tile(Other const& other)
      : tile<float, Shape>(other), fresh_(false) {}
  T2C_FN divided_tile(tile<float, Shape> const& quotients, tile<float, Shape> const& dividends, float divisor)
      : tile<float, Shape>(quotients), dividends_(dividends), divisor_(divisor), fresh_(true) {}

  /// A variable that takes another value is an ordinary tile from then on.
  template <tile_like Other>
    requires(non_narrowing_tile_convertible_to<Other, tile<float, Shape>>)
  T2C_FN divided_tile& operator=(Other const& other) {
    static_cast<tile<float, Shape>&>(*this) = tile<float, Shape>(other);
    fresh_ = false;
    return *this;
  }

  /// The quotients, of which only as much will be seen as halves show.
  T2C_FN tile<float, Shape> for_halves() const {
    if (!fresh_) return *this;
    tile<float, Shape> result = dividends_;
    backend::divide_for_halves<layout<Shape>::slots>(&result.own[0], meta::scalar_operand<float>{divisor_});
    return result;
  }

 private:
  tile<float, Shape> dividends_;
  float divisor_;
  bool fresh_;
};

namespace meta {

template <class Shape> inline constexpr bool is_tile<divided_tile<Shape>> = true;
template <class Shape> struct remove_cv<divided_tile<Shape>> { using type = tile<float, Shape>; };
template <class Shape> struct remove_cv<divided_tile<Shape> const> { using type = tile<float, Shape>; };

}  // namespace meta

template <scalar To, class Shape>
  requires(meta::is_same<To, __half>)
T2C_FN auto element_cast(divided_tile<Shape> const& x, meta::line_number line = meta::line_number(__builtin_LINE())) {
  return element_cast<To>(x.for_halves(), line);
}

}  // namespace tile2cpp
#endif
