// ranges.cpp: block indices, ranges and assumptions.
#include "check.hpp"

template <class... T>
concept makes_range = requires(T... t) { ct::irange(t...); };
template <class A, class B>
using range_type = typename decltype(ct::irange(A{}, B{}))::value_type;

void ranges() {
  std::vector<int> seen;
  for (auto i : ct::irange(2, 11, 3)) seen.push_back(i);
  CHECK(seen == std::vector<int>({2, 5, 8}));
  for (auto i : ct::irange(5, 5)) seen.push_back(i);
  for (auto i : ct::irange(5, -5)) seen.push_back(i);
  CHECK(seen.size() == 3);
  ct::irange r(2, 11, 3);
  CHECK(r.size() == 3 && !r.empty() && r.lower_bound() == 2 && r.upper_bound() == 11 && r.step() == 3);
  CHECK(ct::irange(-3, 3).size() == 6 && ct::irange(3, -3).empty());
  unsigned long total = 0;
  for (auto i : ct::irange(0ul, 4ul)) total += i;
  CHECK(total == 6);
  static_assert(makes_range<int, int> && makes_range<int, long> && makes_range<unsigned, long> && makes_range<size_t, size_t, size_t>);
  static_assert(!makes_range<int, unsigned> && !makes_range<size_t, int> && !makes_range<float, float> && !makes_range<int>);
  static_assert(!makes_range<size_t, size_t, int>);
  static_assert(tile2cpp::same_as<range_type<int, long>, long> && tile2cpp::same_as<range_type<short, short>, short>);
}

void blocks() {
  std::vector<int> seen(6, -1);
  launch(3, 2, [&] {
    auto [x, y, z] = ct::bid();
    int nx = ct::num_blocks().x, ny = ct::num_blocks().y;
    ct::store(&seen[x * 2 + y], int(x) * 100 + int(y) * 10 + nx + ny + int(z));
  });
  CHECK_ALL(seen, i / 2 * 100 + i % 2 * 10 + 5);
}

template <class T>
concept aligned_by_12 = requires(T p) { ct::assume_aligned(p, 12_ic); };
template <class T>
concept at_least_zero = requires(T i) { ct::assume_bounded_below<0>(i); };

void assumptions() {
  alignas(16) float data[4] = {};
  CHECK(ct::assume_aligned(&data[0], 16_ic) == data && ct::assume_aligned<16>(&data[0]) == data);
  CHECK(ct::assume_divisible<16>(32) == 32 && ct::assume_divisible(48, 16_ic) == 48);
  CHECK((ct::assume_bounded<0, 100>(7) == 7) && ct::assume_bounded_below<0>(7) == 7 && ct::assume_bounded_above<100>(7) == 7);
  CHECK(ct::assume_bounded_below<0>(ct::assume_divisible<16>(32)) == 32);
  static_assert(!aligned_by_12<float*> && at_least_zero<int> && !at_least_zero<unsigned>);
  launch(1, 1, [&] {
    auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
    auto same = ct::assume_divisible_strided<8, 8, 0>(i);
    auto blocked = ct::assume_blocked<ct::shape<2>>(i / 2);
    CHECK(int(ct::sum<0>(same + blocked)) == 28 + 12);
  });
}

int main() {
  ranges();
  blocks();
  assumptions();
  return report();
}
