// tile_source.hpp: where in an array a tile was read, and how that place is described in full.
#pragma once

#ifdef T2C_WARPGROUPS
#include "tile2cpp/backend/sm90/key.hpp"
#endif
#include "tile2cpp/span.hpp"

namespace tile2cpp {

inline constexpr int most_slices = 4;  // in which a product fetches its factors, along the summed axis

template <class Span, class Shape>
class partition_view;

/// A tile of a partition view: its index along each axis.
template <class E, class Shape, class Span>
struct tile_source {
  static constexpr int rank = int(Shape::rank());
  Span span;
  int index[rank];

  /// Where the tile `count` tiles further along `axis` lies.
  template <int Axis> T2C_FN auto locate(int count) const { return locate_at<Axis>(count, meta::make_index_list<rank>{}); }

 private:
  template <int Axis, size_t... I> T2C_FN auto locate_at(int count, meta::index_list<I...>) const {
    return partition_view<Span, Shape>(span, Shape{}).locate((index[I] + (int(I) == Axis ? count : 0))...);
  }
};

namespace meta {

/// Views whose tiles are told by their span and index alone.
template <class View> inline constexpr bool is_partition = false;
template <class Span, class Shape> inline constexpr bool is_partition<partition_view<Span, Shape>> = true;

/// The span of a view as plain words: address, extents, and strides where extents do not give them.
template <class Span> struct span_words {
  static constexpr bool dense = is_same<typename Span::layout_type, layout_right>;
  static constexpr int number = int(sizeof(typename Span::index_type)) > 4 ? 2 : 1;  // words of an extent
  static constexpr int count = 2 + int(Span::rank()) * number * (dense ? 1 : 2);

  T2C_FN static void append(unsigned*& to, unsigned long long value, int words) {
    *to++ = static_cast<unsigned>(value);
    if (words > 1) *to++ = static_cast<unsigned>(value >> 32);
  }
  T2C_FN static void write(Span const& span, unsigned* to) {
    append(to, reinterpret_cast<unsigned long long>(span.data_handle()), 2);
    T2C_UNROLL
    for (int axis = 0; axis < int(Span::rank()); ++axis) append(to, static_cast<unsigned long long>(span.extent(axis)), number);
    if constexpr (!dense) {
      T2C_UNROLL
      for (int axis = 0; axis < int(Span::rank()); ++axis)
        append(to, static_cast<unsigned long long>(span.mapping().stride(axis)), number);
    }
  }
};

#ifdef T2C_WARPGROUPS
/// A number for an array: a sum over address, extents and strides, each with a weight of its own. Views hold it, so that
/// it is computed before the loops that load from them.
template <class Span> struct span_identity {
  unsigned long long key;
  T2C_BOTH constexpr explicit span_identity(Span const& span) : key(0) {
#ifdef __CUDA_ARCH__
    using words = span_words<Span>;
    constexpr auto weight = backend::key_weights<words::count>();
    unsigned word[words::count];
    words::write(span, word);
    key = backend::key_weight(1000 + words::count);
    T2C_UNROLL
    for (int i = 0; i < words::count; ++i) key += word[i] * weight.at[i];
    asm volatile("" : "+l"(key));  // to be kept, not computed again where it is used
#endif
  }
};
#else
template <class Span> struct span_identity {
  T2C_BOTH constexpr explicit span_identity(Span const&) {}
};
#endif

}  // namespace meta
}  // namespace tile2cpp
