// span.hpp: spans: a pointer with extents, and the mappings that say where an element of it lies.
//
// A mapping turns extents into one stride per axis, counted in elements and computed in the index
// type of the extents. Nothing here reads memory; views and their loads do.
#pragma once

#include "tile2cpp/config.hpp"
#include "tile2cpp/constant.hpp"
#include "tile2cpp/element.hpp"
#include "tile2cpp/layout_padded.hpp"
#include "tile2cpp/shape.hpp"
#include "tile2cpp/standard_integers.hpp"

namespace tile2cpp {

/// How a span reads its memory: through a plain pointer, the only way there is.
template <class E>
struct default_accessor {
  using element_type = E;
  using data_handle_type = E*;
  using reference = E&;
  using offset_policy = default_accessor;
};

template <class A>
inline constexpr bool enable_contiguous_accessor_policy = false;
template <class E>
inline constexpr bool enable_contiguous_accessor_policy<default_accessor<E>> = true;

/// An accessor that names its element and reaches it through a plain pointer.
template <class A>
concept accessor_policy = requires {
  typename A::element_type;
  typename A::data_handle_type;
  typename A::reference;
} && enable_contiguous_accessor_policy<A>;

/// An array that the caller owns: where it begins, its extents and the strides of its axes.
template <class E, class Extents, class Layout = layout_right, class Accessor = default_accessor<E>>
class tensor_span {
 public:
  using element_type = E;
  using value_type = meta::remove_cv_t<E>;
  using extents_type = Extents;
  using layout_type = Layout;
  using accessor_type = Accessor;
  using mapping_type = typename Layout::template mapping<Extents>;
  using index_type = typename Extents::index_type;
  using rank_type = typename Extents::rank_type;
  using data_handle_type = typename Accessor::data_handle_type;
  using reference = typename Accessor::reference;

  T2C_BOTH constexpr tensor_span(data_handle_type data, mapping_type const& mapping, accessor_type const& accessor = {})
      : mapping_(mapping), data_(data), accessor_(accessor) {}
  T2C_BOTH constexpr tensor_span(data_handle_type data, extents_type const& extents, layout_type const& = {},
                               accessor_type const& accessor = {})
    requires(requires { mapping_type(extents); })
      : mapping_(extents), data_(data), accessor_(accessor) {}

  T2C_BOTH static constexpr rank_type rank() { return extents_type::rank(); }
  T2C_BOTH static constexpr rank_type rank_dynamic() { return extents_type::rank_dynamic(); }
  T2C_BOTH static constexpr size_t static_extent(rank_type axis) { return extents_type::static_extent(axis); }
  T2C_BOTH constexpr extents_type const& extents() const { return mapping_.extents(); }
  T2C_BOTH constexpr index_type extent(rank_type axis) const { return extents().extent(axis); }
  T2C_BOTH constexpr mapping_type const& mapping() const { return mapping_; }
  T2C_BOTH constexpr accessor_type const& accessor() const { return accessor_; }
  T2C_BOTH constexpr data_handle_type const& data_handle() const { return data_; }

 private:
  mapping_type mapping_;
  data_handle_type data_;
  [[no_unique_address]] accessor_type accessor_;
};

template <class E, class M, class A = default_accessor<E>>
  requires layout_mapping<M>
tensor_span(E*, M const&, A const& = {}) -> tensor_span<E, typename M::extents_type, typename M::layout_type, A>;
template <class E, class X, class L = layout_right, class A = default_accessor<E>>
  requires extents_like<X>
tensor_span(E*, X const&, L const& = {}, A const& = {}) -> tensor_span<E, X, L, A>;

/// Anything with the members of a span; views ask for no more.
template <class S>
concept tensor_span_like = requires(S const& span, typename S::rank_type axis) {
  typename S::element_type;
  typename S::value_type;
  typename S::index_type;
  typename S::extents_type;
  typename S::layout_type;
  typename S::mapping_type;
  typename S::accessor_type;
  requires layout_mapping<typename S::mapping_type>;
  span.extents();
  span.extent(axis);
  span.mapping();
  span.data_handle();
};

/// A span whose elements may be written.
template <class S>
concept storeable_tensor_span = tensor_span_like<S> && !meta::is_const<typename S::element_type> &&
                                 !meta::is_volatile<typename S::element_type>;

}  // namespace tile2cpp
