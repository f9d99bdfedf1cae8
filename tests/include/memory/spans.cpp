// spans.cpp: extents, strides and mappings of spans; which constructions deduce what.
#include "check.hpp"

template <class A, class B>
constexpr bool same = tile2cpp::same_as<A, B>;

void strides_of_mappings() {
  ct::extents e{3, 4_ic, 5};
  ct::layout_right_mapping right{e};
  CHECK(right.stride(0) == 20 && right.stride(1) == 5 && right.stride(2) == 1);
  static_assert(ct::layout_right_mapping<decltype(e)>::static_stride(2) == 1);
  static_assert(ct::layout_right_mapping<decltype(e)>::static_stride(1) == ct::dynamic_extent);
  ct::layout_left_mapping left{e};
  CHECK(left.stride(0) == 1 && left.stride(1) == 3 && left.stride(2) == 12);
  ct::layout_right_padded_mapping padded{e, 8_ic};
  CHECK(padded.stride(2) == 1 && padded.stride(1) == 8 && padded.stride(0) == 32);
  ct::layout_left_padded_mapping left_padded{e, 8};
  CHECK(left_padded.stride(0) == 1 && left_padded.stride(1) == 8 && left_padded.stride(2) == 32);
  ct::layout_strided_mapping strided{e, ct::extents{100, 10, 2_ic}};
  CHECK(strided.stride(0) == 100 && strided.stride(1) == 10 && strided.stride(2) == 2);
  ct::layout_strided_mapping by_strides{e, ct::strides{20, 5, 1_ic}};
  CHECK(by_strides == right);
  CHECK(!(strided == right));
  CHECK(ct::layout_mapping_equal(right, right));
}

void deduction() {
  float data[60] = {};
  float const* fixed = data;
  ct::tensor_span a{data, ct::extents{3, 20_ic}};
  static_assert(same<decltype(a), ct::tensor_span<float, ct::extents<ct::uint32_t, ct::dynamic_extent, 20>>>);
  ct::tensor_span b{fixed, ct::extents{60}};
  static_assert(same<decltype(b)::element_type, float const> && same<decltype(b)::value_type, float>);
  static_assert(!ct::storeable_tensor_span<decltype(b)> && ct::storeable_tensor_span<decltype(a)>);
  ct::tensor_span c{data, ct::extents{3, 20}, ct::layout_left{}};
  CHECK(c.mapping().stride(1) == 3);
  ct::tensor_span d{data, ct::layout_right_padded_mapping{ct::extents{3, 17}, 4_ic}};
  CHECK(d.mapping().stride(0) == 20 && d.extent(1) == 17);
  ct::tensor_span e{data, ct::layout_strided_mapping{ct::extents{3, 17}, ct::extents{20, 1}}};
  static_assert(ct::tensor_span_like<decltype(e)> && decltype(e)::rank() == 2);
  CHECK(a.extent(0) == 3 && a.data_handle() == data && a.static_extent(1) == 20);
  ct::tensor_span wide{data, ct::extents<ct::int64_t, ct::dynamic_extent>{60}};
  static_assert(same<decltype(wide)::index_type, ct::int64_t>);
  CHECK(wide.extent(0) == 60);
}

int main() {
  strides_of_mappings();
  deduction();
  return report();
}
