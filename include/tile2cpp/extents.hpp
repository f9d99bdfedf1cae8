// extents.hpp: lists of sizes, some known when the kernel is compiled: extents, strides, offsets.
#pragma once

#include "tile2cpp/constant.hpp"

namespace tile2cpp {

inline constexpr size_t dynamic_extent = static_cast<size_t>(-1);
inline constexpr size_t dynamic_stride = static_cast<size_t>(-1);
inline constexpr size_t dynamic_offset = static_cast<size_t>(-1);

namespace meta {

/// What an argument says about a static value: that of a constant, or "at run time".
template <class T> inline constexpr size_t static_value = static_cast<size_t>(-1);
template <auto V> inline constexpr size_t static_value<integral_constant<V>> = static_cast<size_t>(V);

/// The values of `extents` and its kin; only those not known statically are stored.
template <class I, size_t... V> class value_list {
  static constexpr size_t dynamic = static_cast<size_t>(-1);
  static constexpr size_t stored = (size_t{0} + ... + (V == dynamic ? 1 : 0));

 public:
  T2C_BOTH static constexpr size_t rank() { return sizeof...(V); }
  T2C_BOTH static constexpr size_t rank_dynamic() { return stored; }
  T2C_BOTH static constexpr size_t static_value(size_t i) {
    constexpr size_t values[] = {V..., 0};
    return values[i];
  }

  constexpr value_list() = default;

  template <class... T>
    requires(sizeof...(T) == sizeof...(V) || sizeof...(T) == stored)
  T2C_BOTH constexpr void assign(T... value) {
    I const given[] = {static_cast<I>(value)..., I{}};
    if constexpr (sizeof...(T) == stored) {
      for (size_t i = 0; i < stored; ++i) at_[i] = given[i];
    } else {
      size_t next = 0;
      for (size_t i = 0; i < rank(); ++i)
        if (static_value(i) == dynamic) at_[next++] = given[i];
    }
  }

  T2C_BOTH constexpr I value(size_t i) const {
    if constexpr (stored == 0) return static_cast<I>(static_value(i));
    size_t place = 0;
    for (size_t k = 0; k < i; ++k) place += static_value(k) == dynamic;
    return static_value(i) == dynamic ? at_[place] : static_cast<I>(static_value(i));
  }

 private:
  I at_[stored == 0 ? 1 : stored] = {};
};

template <class A, class B> T2C_BOTH constexpr bool values_equal(A const& a, B const& b) {
  if (A::rank() != B::rank()) return false;
  for (size_t i = 0; i < A::rank(); ++i) {
    auto x = a.value(i);
    auto y = b.value(i);
    if ((x < 0) != (y < 0) || static_cast<unsigned long long>(x) != static_cast<unsigned long long>(y)) return false;
  }
  return true;
}

}  // namespace meta

// The three lists differ in the names of their members only.
#define T2C_VALUE_LIST(list, one, dynamic_value, other_types)                                          \
  template <class Index, size_t... V> class list {                                                     \
   public:                                                                                             \
    static_assert(integral<Index>, #list ": the first argument is an integral type");                 \
    other_types;                                                                                       \
    using rank_type = size_t;                                                                          \
    T2C_BOTH static constexpr size_t rank() noexcept { return sizeof...(V); }                          \
    T2C_BOTH static constexpr size_t rank_dynamic() noexcept { return values::rank_dynamic(); }        \
    T2C_BOTH static constexpr size_t static_##one(size_t i) noexcept { return values::static_value(i); } \
    constexpr list() = default;                                                                        \
    template <class... T>                                                                              \
      requires(sizeof...(T) > 0 && (sizeof...(T) == sizeof...(V) ||                                    \
               sizeof...(T) == meta::value_list<Index, V...>::rank_dynamic()) &&                       \
               (meta::is_convertible<T, Index> && ...))                                                \
    T2C_BOTH explicit constexpr list(T... value) {                                                     \
      values_.assign(value...);                                                                        \
    }                                                                                                  \
    T2C_BOTH constexpr Index one(size_t i) const noexcept { return values_.value(i); }                 \
    template <class J, size_t... W>                                                                    \
    T2C_BOTH friend constexpr bool operator==(list const& a, list<J, W...> const& b) noexcept {        \
      return meta::values_equal(a.all(), b.all());                                                     \
    }                                                                                                  \
    T2C_BOTH constexpr meta::value_list<Index, V...> const& all() const noexcept { return values_; }   \
                                                                                                       \
   private:                                                                                            \
    using values = meta::value_list<Index, V...>;                                                      \
    values values_;                                                                                    \
  }

/// Sizes of an array or a tile: `extents<I, 8, dynamic_extent>` stores one `I`.
T2C_VALUE_LIST(extents, extent, dynamic_extent, using index_type = Index);
/// Distances between neighbours along each axis, in elements.
T2C_VALUE_LIST(strides, stride, dynamic_stride, using stride_type = Index; using index_type = Index);
/// Where the first tile of a view starts, in elements.
T2C_VALUE_LIST(offsets, offset, dynamic_offset, using offset_type = Index; using index_type = Index);
#undef T2C_VALUE_LIST

// Deduction ignores the types of the arguments. The second guide of each is what `shape{8_ic, 16_ic}` needs
// in g++, which deduces through an alias only from parameters.
template <class... T> extents(T...) -> extents<uint32_t, meta::static_value<T>...>;
template <size_t... N> extents(meta::constant_base<N>...) -> extents<uint32_t, N...>;
template <class... T> strides(T...) -> strides<uint32_t, meta::static_value<T>...>;
template <class... T> offsets(T...) -> offsets<int32_t, meta::static_value<T>...>;

template <class A, class B> T2C_BOTH constexpr bool extents_equal(A const& a, B const& b) { return a == b; }
template <class A, class B> T2C_BOTH constexpr bool strides_equal(A const& a, B const& b) { return a == b; }
template <class A, class B> T2C_BOTH constexpr bool offsets_equal(A const& a, B const& b) { return a == b; }

template <class T>
concept extents_like = requires(T const t, size_t i) {
  typename T::index_type;
  requires same_as<decltype(T::rank()), size_t>;
  requires same_as<decltype(T::rank_dynamic()), size_t>;
  requires same_as<decltype(T::static_extent(i)), size_t>;
  requires same_as<decltype(t.extent(i)), typename T::index_type>;
};

template <class T>
concept strides_like = requires(T const t, size_t i) {
  typename T::stride_type;
  requires same_as<decltype(T::static_stride(i)), size_t>;
  requires same_as<decltype(t.stride(i)), typename T::stride_type>;
};

template <class T>
concept offsets_like = requires(T const t, size_t i) {
  typename T::offset_type;
  requires same_as<decltype(T::static_offset(i)), size_t>;
  requires same_as<decltype(t.offset(i)), typename T::offset_type>;
};

}  // namespace tile2cpp
