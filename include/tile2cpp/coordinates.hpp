// coordinates.hpp: coordinates inside a tile: a row-major number taken apart, axis by axis.
#pragma once

#include "tile2cpp/config.hpp"
#include "tile2cpp/shape.hpp"

namespace tile2cpp {

/// One number per axis. A rank 0 tile keeps one unused zero, since C++ has no empty arrays.
template <int Rank>
struct coordinates {
  int at[Rank > 0 ? Rank : 1];
};

/// The coordinates of element `linear` of a tile of `Shape`, counted in row-major order.
template <class Shape>
T2C_BOTH constexpr coordinates<int(Shape::rank())> coordinates_of(int linear) {
  coordinates<int(Shape::rank())> result{};
  for (int axis = int(Shape::rank()) - 1; axis >= 0; --axis) {
    int const extent = int(Shape::static_extent(axis));
    result.at[axis] = linear % extent;
    linear /= extent;
  }
  return result;
}

}  // namespace tile2cpp
