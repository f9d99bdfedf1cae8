// atomics.cpp: indivisible updates through pointers and views, what they return, and what they refuse.
#include "check.hpp"

using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;
using i32x64 = ct::tile<int, ct::shape<64>>;

void scalar_updates() {
  int total = 10;
  long long wide = 5;
  float sum = 1.5f;
  std::vector<int> old(3, -1);
  launch(3, 1, [&] {
    int before = ct::atomic_add(&total, 2, relaxed{}, device{});
    ct::store(old.data() + ct::bid().x, before);
    ct::atomic_sub(&wide, 1, relaxed{});
    ct::atomic_add<ct::memory_order::acq_rel, ct::thread_scope::block>(&sum, 0.5f);
  });
  CHECK(total == 16 && wide == 2 && sum == 3.0f);
  CHECK_ALL(old, 10 + 2 * i);
}

void one_address_for_all() {
  int sum = 0, low = 100, high = -100;
  unsigned top = 5;
  launch(1, 1, [&] {
    auto i = ct::iota<i32x64>();
    ct::atomic_add(ct::full<ct::tile<int*, ct::shape<64>>>(&sum), i, relaxed{}, device{});
    ct::atomic_min(ct::full<ct::tile<int*, ct::shape<64>>>(&low), i - 50, relaxed{});
    ct::atomic_max(ct::full<ct::tile<int*, ct::shape<64>>>(&high), i - 50, relaxed{});
    ct::atomic_max(&top, 0xffffff00u, relaxed{});
  });
  CHECK(sum == 2016 && low == -50 && high == 13 && top == 0xffffff00u);
}

void bits_and_exchanges() {
  std::vector<unsigned> words(8, 0xf0u), old(8);
  std::vector<float> numbers(8, 1.0f), before(8);
  launch(1, 1, [&] {
    auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
    auto mask = ct::full<ct::tile<unsigned, ct::shape<8>>>(0x3cu);
    auto at = words.data() + i;
    ct::atomic_and_masked(at, mask, i < 2, relaxed{});
    ct::atomic_or_masked(at, mask, i == 2, relaxed{});
    ct::atomic_xor_masked(at, mask, i == 3, relaxed{});
    ct::store(old.data() + i, ct::atomic_xchg_masked(at, mask, i == 4, ct::memory_order_acq_rel_t{}));
    auto expected = ct::select(i < 4, ct::full<ct::tile<float, ct::shape<8>>>(1.0f), ct::full<ct::tile<float, ct::shape<8>>>(2.0f));
    ct::store(before.data() + i, ct::atomic_compare_exchange(numbers.data() + i, expected, expected * 4.0f, relaxed{}));
  });
  unsigned const expected[] = {0x30, 0x30, 0xfc, 0xcc, 0x3c, 0xf0, 0xf0, 0xf0};
  CHECK_ALL(words, expected[i]);
  CHECK(old[4] == 0xf0);
  CHECK_ALL(numbers, i < 4 ? 4 : 1);
  CHECK_ALL(before, 1);
}

void loads_and_stores() {
  std::vector<short> data(16, 3), seen(16);
  launch(1, 1, [&] {
    auto i = ct::iota<ct::tile<int, ct::shape<16>>>();
    ct::atomic_store(data.data() + i, ct::full<ct::tile<short, ct::shape<16>>>(9), ct::memory_order_release_t{});
    ct::store(seen.data() + i, ct::atomic_load_masked(data.data() + i, i < 10, short(4), ct::memory_order_acquire_t{}));
  });
  CHECK_ALL(data, 9);
  CHECK_ALL(seen, i < 10 ? 9 : 4);
}

void views() {
  std::vector<int> counts(20, 1), copy(24, -1);
  std::vector<double> sums(20, 0.5);
  launch(3, 1, [&] {
    ct::partition_view view{ct::tensor_span{counts.data(), ct::extents{20}}, ct::shape{8_ic}};
    ct::partition_view wide{ct::tensor_span{sums.data(), ct::extents{20}}, ct::shape{8_ic}};
    ct::partition_view to{ct::tensor_span{copy.data(), ct::extents{24}}, ct::shape{8_ic}};
    auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
    view.atomic_add_masked(i, relaxed{}, device{}, ct::bid().x);
    view.atomic_sub_masked(i * 2, relaxed{}, device{}, ct::bid().x);
    view.atomic_max_masked(ct::full<ct::tile<int, ct::shape<8>>>(-3), relaxed{}, device{}, ct::bid().x);
    wide.atomic_add_masked(ct::full<ct::tile<float, ct::shape<8>>>(1.0f), relaxed{}, device{}, ct::bid().x);
    to.store(view.atomic_load_masked<ct::view_padding::zero, ct::memory_order::acquire>(ct::bid().x), ct::bid().x);
  });
  CHECK_ALL(counts, 1 - i % 8 < -3 ? -3 : 1 - i % 8);
  CHECK_ALL(sums, 1.5);
  CHECK_ALL(copy, i < 20 ? counts[i] : 0);
}

/// A tile smaller than the block is held by many threads; each element is still updated once.
void replicas() {
  std::vector<int> data(2, 0), old(2, -1);
  launch(1, 1, [&] {
    auto i = ct::iota<ct::tile<int, ct::shape<2>>>();
    auto before = ct::atomic_add(data.data() + i, i + 1, relaxed{});
    before = before + ct::atomic_add(data.data() + i, i + 1, relaxed{});
    ct::store(old.data() + i, before);
  });
  CHECK(data[0] == 2 && data[1] == 4);
  CHECK(old[0] == 1 && old[1] == 2);
}

template <class P, class V>
concept adds = requires(P p, V v) { ct::atomic_add(p, v, relaxed{}); };
template <class P, class V>
concept maxes = requires(P p, V v) { ct::atomic_max(p, v, relaxed{}); };
template <class P, class V>
concept adds_without_order = requires(P p, V v) { ct::atomic_add(p, v); };
template <class View, class Scope>
concept reduces = requires(View v) { v.atomic_add(typename View::view_tile_type{}, relaxed{}, Scope{}, 0); };

void refusals() {
  static_assert(adds<int*, int> && adds<long*, int> && !adds<int*, long> && !adds<short*, short> && adds<double*, float>);
  static_assert(maxes<unsigned*, unsigned> && !maxes<float*, float> && !adds_without_order<int*, int>);
  static_assert(!adds<ct::tile<int*, ct::shape<8>>, int>);
  using view = ct::partition_view<ct::tensor_span<int, ct::extents<ct::uint32_t, 64>>, ct::shape<8>>;
  static_assert(reduces<view, device> && !reduces<view, ct::thread_scope_system_t>);
}

int main() {
  scalar_updates();
  one_address_for_all();
  bits_and_exchanges();
  loads_and_stores();
  views();
  replicas();
  refusals();
  return report();
}
