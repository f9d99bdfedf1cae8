// grid.hpp: the position of a block in its grid, and ranges for loops.
#pragma once

#include "tile2cpp/backend/grid.hpp"
#include "tile2cpp/promotion.hpp"

namespace tile2cpp {

/// Index of this block in the grid; the components are unsigned.
[[nodiscard]] T2C_FN uint3 bid() { return backend::block_index(); }

/// Number of blocks of the grid along each axis.
[[nodiscard]] T2C_FN dim3 num_blocks() { return backend::grid_extent(); }

#ifdef T2C_WARPGROUPS
/// The same number, of which the compiler knows nothing. So it does not unroll loops that end there: of products it would make
/// copies, and paths between them on which ptxas finds no wait (C7514).
template <integral T> T2C_FN T unknown(T x) {
  if constexpr (sizeof(T) == 8) asm volatile("" : "+l"(x));
  else if constexpr (sizeof(T) == 4) asm volatile("" : "+r"(x));
  return x;
}
#endif

/// Walks an `irange`. It only ever moves forward, and is compared with the plain upper bound.
template <integral T>
class irange_iterator {
 public:
  using value_type = T;
  using difference_type = ptrdiff_t;

  T2C_FN constexpr irange_iterator(T value, T step) : value_(value), step_(step) {}
  T2C_FN constexpr T operator*() const { return value_; }
  T2C_FN constexpr irange_iterator& operator++() {
    value_ = static_cast<T>(value_ + step_);
    return *this;
  }
  T2C_FN constexpr irange_iterator operator++(int) {
    irange_iterator const before = *this;
    ++*this;
    return before;
  }
  T2C_FN friend constexpr bool operator==(irange_iterator const& a, T upper) {
#ifdef T2C_WARPGROUPS
    if (!__builtin_is_constant_evaluated()) return a.value_ >= unknown(upper);
#endif
    return a.value_ >= upper;
  }
  T2C_FN friend constexpr bool operator==(irange_iterator const& a, irange_iterator const& b) {
    return a.value_ == b.value_;
  }

 private:
  T value_;
  T step_;
};

/// The integers from `lower` on, `step` apart, that are below `upper`; `step` is positive.
///
///     for (auto k : ct::irange(0, tiles)) sum = sum + view.load(k);
template <integral T>
class irange {
 public:
  using value_type = T;
  using iterator = irange_iterator<T>;

  T2C_FN constexpr irange(T lower, T upper, T step = T{1}) : lower_(lower), upper_(upper), step_(step) {}

  T2C_FN constexpr iterator begin() const { return iterator(lower_, step_); }
  T2C_FN constexpr T end() const { return upper_; }
  T2C_FN constexpr bool empty() const { return !(lower_ < upper_); }
  T2C_FN constexpr size_t size() const {
    using wide = unsigned long long;
    if (empty()) return 0;
    return static_cast<size_t>((static_cast<wide>(upper_) - static_cast<wide>(lower_) - 1) / static_cast<wide>(step_) + 1);
  }
  T2C_FN constexpr T lower_bound() const { return lower_; }
  T2C_FN constexpr T upper_bound() const { return upper_; }
  T2C_FN constexpr T step() const { return step_; }

 private:
  T lower_;
  T upper_;
  T step_;
};

// The type is the common one of all arguments; signed and unsigned of one width have none.
template <integral A, integral B>
irange(A, B) -> irange<meta::common_element_t<A, B>>;
template <integral A, integral B, integral C>
irange(A, B, C) -> irange<meta::common_element_t<meta::common_element_t<A, B>, C>>;

}  // namespace tile2cpp
