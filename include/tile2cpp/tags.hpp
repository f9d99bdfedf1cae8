// tags.hpp: the modes of operations, each as an enumeration and as one empty type per value.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp {

#define T2C_TAG(enumeration)                                                     \
  template <enumeration Value> struct enumeration##_constant {                   \
    using value_type = enumeration;                                              \
    using type = enumeration##_constant;                                         \
    static constexpr enumeration value = Value;                                  \
    T2C_BOTH constexpr operator enumeration() const noexcept { return Value; }   \
    T2C_BOTH constexpr enumeration operator()() const noexcept { return Value; } \
  }

/// How a result that is not representable is rounded.
enum class rounding_mode {
  round_ties_to_even = 0,
  round_toward_zero = 1,
  round_toward_negative = 2,
  round_toward_positive = 3,
  round_approximate = 4,
  round_full = 5,
  round_ties_to_away = 6,
};
T2C_TAG(rounding_mode);
using round_ties_to_even_t = rounding_mode_constant<rounding_mode::round_ties_to_even>;
using round_toward_zero_t = rounding_mode_constant<rounding_mode::round_toward_zero>;
using round_toward_negative_t = rounding_mode_constant<rounding_mode::round_toward_negative>;
using round_toward_positive_t = rounding_mode_constant<rounding_mode::round_toward_positive>;
using round_approximate_t = rounding_mode_constant<rounding_mode::round_approximate>;
using round_full_t = rounding_mode_constant<rounding_mode::round_full>;
using round_ties_to_away_t = rounding_mode_constant<rounding_mode::round_ties_to_away>;
T2C_BOTH constexpr rounding_mode default_rounding_mode() { return rounding_mode::round_ties_to_even; }
using default_rounding_mode_t = round_ties_to_even_t;

/// Whether subnormal inputs and results are kept or replaced by zero of the same sign.
enum class subnormals_rounding_mode { preserve_subnormals = 0, round_subnormals_to_zero = 1 };
T2C_TAG(subnormals_rounding_mode);
using preserve_subnormals_t = subnormals_rounding_mode_constant<subnormals_rounding_mode::preserve_subnormals>;
using round_subnormals_to_zero_t = subnormals_rounding_mode_constant<subnormals_rounding_mode::round_subnormals_to_zero>;
T2C_BOTH constexpr subnormals_rounding_mode default_subnormals_rounding_mode() {
  return subnormals_rounding_mode::preserve_subnormals;
}
using default_subnormals_rounding_mode_t = preserve_subnormals_t;

/// What `max` and `min` make of NaN: the other operand, or NaN.
enum class nan_propagation_mode { suppress_nan = 0, propagate_nan = 1 };
T2C_TAG(nan_propagation_mode);
using suppress_nan_t = nan_propagation_mode_constant<nan_propagation_mode::suppress_nan>;
using propagate_nan_t = nan_propagation_mode_constant<nan_propagation_mode::propagate_nan>;
T2C_BOTH constexpr nan_propagation_mode default_nan_propagation_mode() { return nan_propagation_mode::suppress_nan; }
using default_nan_propagation_mode_t = suppress_nan_t;

/// Whether a cast to integers clamps to their range.
enum class saturation_mode { saturate_none = 0, saturate_finite = 1 };
T2C_TAG(saturation_mode);
using saturate_none_t = saturation_mode_constant<saturation_mode::saturate_none>;
using saturate_finite_t = saturation_mode_constant<saturation_mode::saturate_finite>;
T2C_BOTH constexpr saturation_mode default_saturation_mode() { return saturation_mode::saturate_none; }
using default_saturation_mode_t = saturate_none_t;

/// From which end a scan starts.
enum class scan_direction { forward = 0, backward = 1 };
T2C_TAG(scan_direction);
using scan_forward_t = scan_direction_constant<scan_direction::forward>;
using scan_backward_t = scan_direction_constant<scan_direction::backward>;
T2C_BOTH constexpr scan_direction default_scan_direction() { return scan_direction::forward; }
using default_scan_direction_t = scan_forward_t;

/// Ordering of an atomic access with respect to other memory.
enum class memory_order { relaxed = 0, acquire = 1, release = 2, acq_rel = 3 };
T2C_TAG(memory_order);
using memory_order_relaxed_t = memory_order_constant<memory_order::relaxed>;
using memory_order_acquire_t = memory_order_constant<memory_order::acquire>;
using memory_order_release_t = memory_order_constant<memory_order::release>;
using memory_order_acq_rel_t = memory_order_constant<memory_order::acq_rel>;
template <memory_order O> concept read_memory_order = O == memory_order::relaxed || O == memory_order::acquire;
template <memory_order O> concept write_memory_order = O == memory_order::relaxed || O == memory_order::release;

/// Which threads an atomic access is atomic for.
enum class thread_scope { system = 0, device = 1, block = 2 };
T2C_TAG(thread_scope);
using thread_scope_system_t = thread_scope_constant<thread_scope::system>;
using thread_scope_device_t = thread_scope_constant<thread_scope::device>;
using thread_scope_block_t = thread_scope_constant<thread_scope::block>;
T2C_BOTH constexpr thread_scope default_thread_scope() { return thread_scope::system; }
using default_thread_scope_t = thread_scope_system_t;

/// What a masked load of a view yields outside of the span.
enum class view_padding { zero = 0, negative_zero = 1, positive_inf = 2, negative_inf = 3, nan = 4 };
T2C_TAG(view_padding);
using view_padding_zero_t = view_padding_constant<view_padding::zero>;
using view_padding_negative_zero_t = view_padding_constant<view_padding::negative_zero>;
using view_padding_positive_inf_t = view_padding_constant<view_padding::positive_inf>;
using view_padding_negative_inf_t = view_padding_constant<view_padding::negative_inf>;
using view_padding_nan_t = view_padding_constant<view_padding::nan>;
T2C_BOTH constexpr view_padding default_view_padding() { return view_padding::zero; }
using default_view_padding_t = view_padding_zero_t;

#undef T2C_TAG

}  // namespace tile2cpp
