// views.cpp: tiles of arrays: edges, paddings, indices far outside, layouts of memory, overlapping and gathered tiles.
#include "check.hpp"

/// out = in by tiles of `Shape`, both M x N with rows `pitch` apart; what is not written stays -1.
template <class Shape>
void copies_by_tiles(int m, int n, int pitch, int shift = 0) {
  std::vector<float> in = counting(m * pitch + shift), out(m * pitch + shift, -1.0f);
  float const* source = in.data() + shift;
  float* target = out.data() + shift;
  constexpr int tm = Shape::static_extent(0), tn = Shape::static_extent(1);
  launch((m + tm - 1) / tm, (n + tn - 1) / tn, [&] {
    ct::tensor_span s{source, ct::layout_strided_mapping{ct::extents{m, n}, ct::extents{pitch, 1_ic}}};
    ct::tensor_span t{target, ct::layout_strided_mapping{ct::extents{m, n}, ct::extents{pitch, 1_ic}}};
    ct::partition_view from{s, Shape{}}, to{t, Shape{}};
    auto [x, y, z] = ct::bid();
    to.store_masked(from.load_masked(x, y), x, y);
  });
  CHECK_ALL(out, i < shift || (i - shift) % pitch >= n ? -1 : i);
}

void edges() {
  copies_by_tiles<ct::shape<8, 16>>(16, 32, 32);
  copies_by_tiles<ct::shape<8, 16>>(13, 30, 32);
  copies_by_tiles<ct::shape<8, 16>>(13, 30, 31);
  copies_by_tiles<ct::shape<8, 16>>(5, 3, 3, 1);
  copies_by_tiles<ct::shape<16, 1>>(33, 5, 8);
  copies_by_tiles<ct::shape<1, 256>>(3, 300, 300);
  copies_by_tiles<ct::shape<32, 64>>(40, 100, 101, 3);
}

template <ct::view_padding P, class E>
void pads_with(E expected) {
  std::vector<E> in(5, E(7)), out(8);
  launch(1, 1, [&] {
    ct::partition_view from{ct::tensor_span{in.data(), ct::extents{5}}, ct::shape{8_ic}};
    ct::partition_view to{ct::tensor_span{out.data(), ct::extents{8}}, ct::shape{8_ic}};
    auto by_argument = from.template load_masked<P>(0);
    auto by_tag = from.load_masked(ct::view_padding_constant<P>{}, 0);
    to.store(ct::select(ct::iota<ct::tile<int, ct::shape<8>>>() < 6, by_argument, by_tag), 0);
  });
  CHECK_ALL(out, i < 5 ? E(7) : expected);
  CHECK(std::signbit(double(out[5])) == std::signbit(double(expected)) || expected != expected);
}

void paddings() {
  float const inf = INFINITY;
  pads_with<ct::view_padding::zero>(0.0f);
  pads_with<ct::view_padding::negative_zero>(-0.0f);
  pads_with<ct::view_padding::positive_inf>(inf);
  pads_with<ct::view_padding::negative_inf>(-inf);
  pads_with<ct::view_padding::nan>(float(NAN));
  pads_with<ct::view_padding::negative_inf>(double(-inf));
  pads_with<ct::view_padding::zero>(0);
  pads_with<ct::view_padding::zero>(static_cast<signed char>(0));
}

/// Tiles wholly outside read as padding and write nothing, whichever way they are outside.
void outside() {
  std::vector<float> data = counting(10), seen(8 * 4, -1.0f);
  launch(1, 1, [&] {
    ct::partition_view view{ct::tensor_span{data.data(), ct::extents{10}}, ct::shape{8_ic}};
    ct::partition_view out{ct::tensor_span{seen.data(), ct::extents{4, 8}}, ct::shape<1, 8>{}};
    auto keep = [&](auto tile, int row) { out.store(ct::reshape<ct::shape<1, 8>>(tile), row, 0); };
    keep(view.load_masked(-1), 0);
    keep(view.load_masked(2), 1);
    keep(view.load_masked(0u - 1u), 2);
    keep(view.load_masked(1ull << 40), 3);
    view.store_masked(ct::full<ct::tile<float, ct::shape<8>>>(99.0f), -1);
    view.store_masked(ct::full<ct::tile<float, ct::shape<8>>>(99.0f), 1000000000);
  });
  CHECK_ALL(seen, 0);
  CHECK_ALL(data, i);
}

/// Indices of 64 bits whose first element 64 bits do not count: the lower bits of that would be an element of the array.
void far_outside() {
  std::vector<float> data = counting(32), seen(4 * 8, -1.0f);
  launch(1, 1, [&] {
    ct::tensor_span span{data.data(), ct::extents{32}};
    ct::partition_view view{span, ct::shape{8_ic}};
    ct::strided_view overlapping{span, ct::shape{8_ic}, ct::strides{4_ic}};
    ct::partition_view out{ct::tensor_span{seen.data(), ct::extents{4, 8}}, ct::shape<1, 8>{}};
    auto keep = [&](auto tile, int row) { out.store(ct::reshape<ct::shape<1, 8>>(tile), row, 0); };
    keep(view.load_masked(1ll << 61), 0);
    keep(view.load_masked(-(1ll << 61) + 1), 1);
    keep(view.load_masked((1ull << 63) + 2), 2);
    keep(overlapping.load_masked(1ll << 62), 3);
    view.store_masked(ct::full<ct::tile<float, ct::shape<8>>>(99.0f), 1ll << 61);
    overlapping.store_masked(ct::full<ct::tile<float, ct::shape<8>>>(99.0f), (1ll << 62) + 1);
  });
  CHECK_ALL(seen, 0);
  CHECK_ALL(data, i);
}

void memory_orders() {
  std::vector<int> left = counting<int>(12), out(16, -1);
  launch(1, 1, [&] {
    ct::partition_view view{ct::tensor_span{left.data(), ct::extents{3, 4}, ct::layout_left{}}, ct::shape<4, 4>{}};
    ct::partition_view to{ct::tensor_span{out.data(), ct::extents{4_ic, 4_ic}}, ct::shape<4, 4>{}};
    to.store(view.load_masked(0, 0), 0, 0);
  });
  CHECK_ALL(out, i / 4 < 3 ? i / 4 + i % 4 * 3 : 0);
}

/// A column-major array and a row-major one exchange tiles, with edges on both axes.
void column_major() {
  std::vector<double> in = counting<double>(45 * 70), out(45 * 70, -1), back(45 * 70, -1);
  launch(3, 3, [&] {
    ct::partition_view left{ct::tensor_span{in.data(), ct::extents{45, 70}, ct::layout_left{}}, ct::shape<16, 32>{}};
    ct::partition_view right{ct::tensor_span{out.data(), ct::extents{45, 70}}, ct::shape<16, 32>{}};
    ct::partition_view again{ct::tensor_span{back.data(), ct::extents{45, 70}, ct::layout_left{}}, ct::shape<16, 32>{}};
    auto [x, y, z] = ct::bid();
    auto tile = left.load_masked(ct::view_padding_nan_t{}, x, y);
    right.store_masked(tile, x, y);
    again.store_masked(tile, x, y);
    again.atomic_add_masked(ct::full<ct::tile<double, ct::shape<16, 32>>>(1.0), ct::memory_order_relaxed_t{},
                            ct::thread_scope_device_t{}, x, y);
  });
  CHECK_ALL(out, i / 70 + i % 70 * 45);
  CHECK_ALL(back, i + 1);
}

void ranks() {
  std::vector<short> in = counting<short>(3 * 5 * 7), out(3 * 5 * 7, -1);
  launch(2, 2, [&] {
    ct::partition_view from{ct::tensor_span{in.data(), ct::extents{3, 5, 7}}, ct::shape<2, 4, 4>{}};
    ct::partition_view to{ct::tensor_span{out.data(), ct::extents{3, 5, 7}}, ct::shape<2, 4, 4>{}};
    for (int k = 0; k < 2; ++k) to.store_masked(from.load_masked(ct::bid().x, ct::bid().y, k), ct::bid().x, ct::bid().y, k);
  });
  CHECK_ALL(out, i);
}

void overlapping() {
  std::vector<int> in = counting<int>(20), out(3 * 8, -1);
  launch(3, 1, [&] {
    ct::strided_view view{ct::tensor_span{in.data(), ct::extents{20}}, ct::shape{8_ic}, ct::strides{3_ic}};
    ct::partition_view to{ct::tensor_span{out.data(), ct::extents{24}}, ct::shape{8_ic}};
    to.store(view.load(ct::bid().x), ct::bid().x);
  });
  CHECK_ALL(out, i / 8 * 3 + i % 8);
}

void gathered() {
  std::vector<float> in = counting(10 * 15), out(8 * 16, -1.0f), back(10 * 15, -1.0f);
  std::vector<int> rows = {9, 8, 7, 0, 3, -1, 10, 3};
  launch(1, 1, [&] {
    ct::partition_view index{ct::tensor_span{rows.data(), ct::extents{8}}, ct::shape{8_ic}};
    ct::gather_scatter_view from{ct::tensor_span{in.data(), ct::extents{10, 15}}, ct::shape<8, 16>{}, 0_ic};
    ct::gather_scatter_view columns{ct::tensor_span{back.data(), ct::extents{10, 15}}, ct::shape<16, 2>{}, 1_ic};
    ct::partition_view to{ct::tensor_span{out.data(), ct::extents{8, 16}}, ct::shape<8, 16>{}};
    to.store(from.load_masked(index.load(0), 0), 0, 0);
    auto pair = ct::iota<ct::tile<int, ct::shape<2>>>() * 4 + 1;
    columns.store_masked(ct::full<ct::tile<float, ct::shape<16, 2>>>(5.0f), 2, pair);
  });
  CHECK_ALL(out, rows[i / 16] < 0 || rows[i / 16] > 9 || i % 16 == 15 ? 0 : rows[i / 16] * 15 + i % 16);
  CHECK_ALL(back, i / 15 >= 2 && (i % 15 == 1 || i % 15 == 5) ? 5 : -1);
}

/// A store is seen by a later load of other threads' elements, also through another view.
void program_order() {
  std::vector<int> data = counting<int>(256);
  launch(1, 1, [&] {
    ct::partition_view rows{ct::tensor_span{data.data(), ct::extents{16, 16}}, ct::shape<16, 16>{}};
    ct::partition_view columns{ct::tensor_span{data.data(), ct::extents{16, 16}, ct::layout_left{}}, ct::shape<16, 16>{}};
    for (int step = 0; step < 3; ++step) rows.store(columns.load(0, 0) + 1, 0, 0);
  });
  CHECK_ALL(data, i % 16 * 16 + i / 16 + 3);
}

template <class View>
concept takes_constant = requires(View v) { v.load(0_ic); };
template <class View>
concept takes_tile = requires(View v) { v.load(ct::tile<int, ct::shape<>>{1}); };
template <class View, class Value>
concept stores = requires(View v, Value x) { v.store(x, 0); };
template <class View, ct::view_padding P>
concept pads = requires(View v) { v.template load_masked<P>(0); };

void refusals() {
  using span = ct::tensor_span<float, ct::extents<ct::uint32_t, 64>>;
  using view = ct::partition_view<span, ct::shape<8>>;
  static_assert(!takes_constant<view> && !takes_tile<view>);
  static_assert(stores<view, ct::tile<float, ct::shape<8>>> && !stores<view, ct::tile<double, ct::shape<8>>>);
  static_assert(!stores<view, ct::tile<int, ct::shape<8>>> && !stores<view, float> && !stores<view, ct::tile<float, ct::shape<1>>>);
  using fixed = ct::partition_view<ct::tensor_span<float const, ct::extents<ct::uint32_t, 64>>, ct::shape<8>>;
  static_assert(!stores<fixed, ct::tile<float, ct::shape<8>>>);
  using ints = ct::partition_view<ct::tensor_span<int, ct::extents<ct::uint32_t, 64>>, ct::shape<8>>;
  static_assert(pads<ints, ct::view_padding::zero> && !pads<ints, ct::view_padding::nan> && pads<view, ct::view_padding::nan>);
}

int main() {
  edges();
  paddings();
  outside();
  far_outside();
  memory_orders();
  column_major();
  ranks();
  overlapping();
  gathered();
  program_order();
  refusals();
  return report();
}
