// layout_padded.hpp: row-major and column-major arrays whose rows or columns begin a multiple of elements apart: the
// extent that lies innermost in memory is rounded up when strides are computed.
#pragma once

#include "tile2cpp/layout_mapping.hpp"

namespace tile2cpp {

template <size_t Pad>
struct layout_right_padded;
template <size_t Pad>
struct layout_left_padded;

namespace detail {

/// `extent` rounded up to a multiple of `pad`, when both are known.
T2C_BOTH constexpr size_t padded(size_t extent, size_t pad) {
  return extent == run_time || pad == run_time ? run_time : (extent + pad - 1) / pad * pad;
}

/// A padding that is part of the type, or one that is carried along.
template <class Index, size_t Pad>
struct pad_size {
  T2C_BOTH explicit constexpr pad_size(Index) {}
  T2C_BOTH constexpr Index value() const { return Index(Pad); }
};
template <class Index>
struct pad_size<Index, run_time> {
  T2C_BOTH explicit constexpr pad_size(Index pad) : pad(pad) {}
  T2C_BOTH constexpr Index value() const { return pad; }
  Index pad;
};

template <class P>
struct pad_constant { static constexpr size_t value = run_time; };
template <auto P>
struct pad_constant<integral_constant<P>> { static constexpr size_t value = size_t(P); };

template <class Index>
T2C_BOTH constexpr Index round_up(Index extent, Index pad) { return (extent + pad - 1) / pad * pad; }

}  // namespace detail

/// Row-major with rows that begin a multiple of `Pad` elements apart.
template <class Extents, size_t Pad>
class layout_right_padded_mapping : public mapping_base<Extents, layout_right_padded<Pad>> {
  using base = mapping_base<Extents, layout_right_padded<Pad>>;
  static constexpr size_t last = Extents::rank() - 1;

 public:
  using typename base::index_type;
  using typename base::rank_type;
  template <class P>
  T2C_BOTH constexpr layout_right_padded_mapping(Extents const& extents, P pad) : base(extents), pad_(index_type(pad)) {}

  T2C_BOTH static constexpr size_t static_stride(rank_type axis) {
    if (axis == last) return 1;
    size_t stride = detail::padded(Extents::static_extent(last), Pad);
    for (rank_type a = last; a-- > axis + 1;) stride = detail::times(stride, Extents::static_extent(a));
    return stride;
  }
  T2C_BOTH constexpr index_type stride(rank_type axis) const {
    if (axis == last) return 1;
    index_type stride = detail::round_up<index_type>(this->extents().extent(last), pad_.value());
    for (rank_type a = last; a-- > axis + 1;) stride *= this->extents().extent(a);
    return stride;
  }

 private:
  detail::pad_size<index_type, Pad> pad_;
};

/// Column-major with columns that begin a multiple of `Pad` elements apart.
template <class Extents, size_t Pad>
class layout_left_padded_mapping : public mapping_base<Extents, layout_left_padded<Pad>> {
  using base = mapping_base<Extents, layout_left_padded<Pad>>;

 public:
  using typename base::index_type;
  using typename base::rank_type;
  template <class P>
  T2C_BOTH constexpr layout_left_padded_mapping(Extents const& extents, P pad) : base(extents), pad_(index_type(pad)) {}

  T2C_BOTH static constexpr size_t static_stride(rank_type axis) {
    if (axis == 0) return 1;
    size_t stride = detail::padded(Extents::static_extent(0), Pad);
    for (rank_type a = 1; a < axis; ++a) stride = detail::times(stride, Extents::static_extent(a));
    return stride;
  }
  T2C_BOTH constexpr index_type stride(rank_type axis) const {
    if (axis == 0) return 1;
    index_type stride = detail::round_up<index_type>(this->extents().extent(0), pad_.value());
    for (rank_type a = 1; a < axis; ++a) stride *= this->extents().extent(a);
    return stride;
  }

 private:
  detail::pad_size<index_type, Pad> pad_;
};

template <class X, class P>
layout_right_padded_mapping(X const&, P) -> layout_right_padded_mapping<X, detail::pad_constant<P>::value>;
template <class X, class P>
layout_left_padded_mapping(X const&, P) -> layout_left_padded_mapping<X, detail::pad_constant<P>::value>;

template <size_t Pad>
struct layout_right_padded {
  template <class Extents>
  using mapping = layout_right_padded_mapping<Extents, Pad>;
};
template <size_t Pad>
struct layout_left_padded {
  template <class Extents>
  using mapping = layout_left_padded_mapping<Extents, Pad>;
};

}  // namespace tile2cpp
