// layout_mapping.hpp: from the extents of an array to the stride of each axis.
//
// `layout_right` is row-major, `layout_left` column-major; `layout_strided` is told every stride. The padded
// forms are in layout_padded.hpp.
#pragma once

#include "tile2cpp/config.hpp"
#include "tile2cpp/constant.hpp"
#include "tile2cpp/shape.hpp"

namespace tile2cpp {

namespace detail {

inline constexpr size_t run_time = dynamic_extent;

T2C_BOTH constexpr size_t times(size_t a, size_t b) { return a == run_time || b == run_time ? run_time : a * b; }

}  // namespace detail

/// The static stride of an axis of mapping `M`, or `dynamic_extent`; a place to specialise for own mappings.
template <class M>
struct layout_mapping_static_stride {
  T2C_BOTH constexpr size_t operator()(typename M::rank_type axis) const { return M::static_stride(axis); }
};

struct layout_right;
struct layout_left;
template <class S>
struct layout_strided;

/// What every mapping has; `Layout` is the name under which a span finds it again.
template <class Extents, class Layout>
class mapping_base {
  static_assert(same_as<Extents, meta::remove_cv_t<Extents>>, "layout mapping: the extents may not be const or volatile");

 public:
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using rank_type = typename Extents::rank_type;
  using layout_type = Layout;

  T2C_BOTH constexpr extents_type const& extents() const { return extents_; }
  T2C_BOTH static constexpr bool is_always_strided() { return true; }

 protected:
  T2C_BOTH explicit constexpr mapping_base(Extents const& extents) : extents_(extents) {}

 private:
  Extents extents_;
};

/// Row-major: the last axis is adjacent in memory, each earlier one strides over all later ones.
template <class Extents>
class layout_right_mapping : public mapping_base<Extents, layout_right> {
  using base = mapping_base<Extents, layout_right>;

 public:
  using typename base::index_type;
  using typename base::rank_type;
  T2C_BOTH explicit constexpr layout_right_mapping(Extents const& extents) : base(extents) {}

  T2C_BOTH static constexpr size_t static_stride(rank_type axis) {
    size_t stride = 1;
    for (rank_type a = Extents::rank(); a-- > axis + 1;) stride = detail::times(stride, Extents::static_extent(a));
    return stride;
  }
  T2C_BOTH constexpr index_type stride(rank_type axis) const {
    index_type stride = 1;
    for (rank_type a = Extents::rank(); a-- > axis + 1;) stride *= this->extents().extent(a);
    return stride;
  }
};

/// Column-major: the first axis is adjacent in memory.
template <class Extents>
class layout_left_mapping : public mapping_base<Extents, layout_left> {
  using base = mapping_base<Extents, layout_left>;

 public:
  using typename base::index_type;
  using typename base::rank_type;
  T2C_BOTH explicit constexpr layout_left_mapping(Extents const& extents) : base(extents) {}

  T2C_BOTH static constexpr size_t static_stride(rank_type axis) {
    size_t stride = 1;
    for (rank_type a = 0; a < axis; ++a) stride = detail::times(stride, Extents::static_extent(a));
    return stride;
  }
  T2C_BOTH constexpr index_type stride(rank_type axis) const {
    index_type stride = 1;
    for (rank_type a = 0; a < axis; ++a) stride *= this->extents().extent(a);
    return stride;
  }
};

/// Every stride is given, as `strides` or as `extents`, in the index type of the extents.
template <class Extents, class Strides>
class layout_strided_mapping : public mapping_base<Extents, layout_strided<Strides>> {
  using base = mapping_base<Extents, layout_strided<Strides>>;
  static constexpr bool as_strides = requires(Strides s) { s.stride(0); };

 public:
  using typename base::index_type;
  using typename base::rank_type;
  using strides_type = Strides;
  static_assert(Extents::rank() == Strides::rank(), "layout_strided: one stride is needed for each axis");

  T2C_BOTH constexpr layout_strided_mapping(Extents const& extents, Strides const& strides)
      : base(extents), strides_(strides) {}

  T2C_BOTH static constexpr size_t static_stride(rank_type axis) {
    if constexpr (as_strides) return Strides::static_stride(axis);
    else return Strides::static_extent(axis);
  }
  T2C_BOTH constexpr index_type stride(rank_type axis) const {
    if constexpr (as_strides) return strides_.stride(axis);
    else return strides_.extent(axis);
  }
  T2C_BOTH constexpr strides_type const& strides() const { return strides_; }

 private:
  Strides strides_;
};

struct layout_right {
  template <class Extents>
  using mapping = layout_right_mapping<Extents>;
};
struct layout_left {
  template <class Extents>
  using mapping = layout_left_mapping<Extents>;
};
template <class S>
struct layout_strided {
  template <class Extents>
  using mapping = layout_strided_mapping<Extents, S>;
};
/// Anything that has extents and a stride for each axis.
template <class M>
concept layout_mapping = requires(M const& mapping, typename M::rank_type axis) {
  typename M::extents_type;
  typename M::index_type;
  typename M::layout_type;
  mapping.extents();
  mapping.stride(axis);
  layout_mapping_static_stride<M>{}(axis);
  M::is_always_strided();
};

/// Whether two mappings have equal extents and equal strides.
template <layout_mapping A, layout_mapping B>
T2C_BOTH constexpr bool layout_mapping_equal(A const& a, B const& b) {
  if constexpr (A::extents_type::rank() != B::extents_type::rank()) {
    return false;
  } else {
    bool equal = true;
    for (size_t axis = 0; axis < A::extents_type::rank(); ++axis)
      equal = equal && a.extents().extent(axis) == b.extents().extent(axis) && a.stride(axis) == b.stride(axis);
    return equal;
  }
}

template <layout_mapping A, layout_mapping B>
T2C_BOTH constexpr bool operator==(A const& a, B const& b) {
  return layout_mapping_equal(a, b);
}

}  // namespace tile2cpp
