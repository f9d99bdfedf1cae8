// restrict_pointer.hpp: `T* __restrict__` counts as `T*`, as kernels' parameters are spelled.
#pragma once

#include "tile2cpp/meta.hpp"

namespace tile2cpp::meta {

template <class T> struct remove_cv<T* __restrict__> { using type = T*; };
template <class T> struct remove_cv<T* const __restrict__> { using type = T*; };
template <class T> inline constexpr bool is_pointer<T* __restrict__> = true;
template <class T> struct remove_pointer<T* __restrict__> { using type = T; };

}  // namespace tile2cpp::meta
