// backend/sm90/rings.hpp: the shared memory in which factors of products wait, and what a block remembers of them.
//
// A product of a loop has a ring of stages, which hold those of its factors that change from turn to turn. Factors
// that stay have a place of their own. The generated entry lists both, with their offsets in dynamic shared memory.
#pragma once

#include "tile2cpp/backend/primitives.hpp"
#include "tile2cpp/backend/sm80/cp_async.hpp"
#include "tile2cpp/backend/sm80/ldmatrix.hpp"
#include "tile2cpp/backend/sm90/key.hpp"
#include "tile2cpp/backend/sm90/mbarrier.hpp"
#include "tile2cpp/backend/sm90/tma.hpp"

namespace tile2cpp::backend {

enum class role { a, b };

/// The form of a factor: `lines` rows (a) or columns (b) of the product, `depth` elements of `size` bytes along the summed
/// axis. `turned`: rows in memory run across the summed axis.
struct factor_form {
  int lines, depth, size, turned;
  T2C_BOTH constexpr bool operator==(factor_form const& o) const {
    return lines == o.lines && depth == o.depth && size == o.size && turned == o.turned;
  }
  T2C_BOTH constexpr int bytes() const { return lines * depth * size; }
};
inline constexpr factor_form no_factor{};

/// The stages of a product; `no_factor` for a factor that is not in them. `mapped`: descriptors of the arrays are
/// expected, so that the copy engine fills the stages; else the threads do.
struct ring {
  factor_form a, b;
  int offset, stages;
  bool mapped;
  T2C_BOTH constexpr int stage_bytes() const { return a.bytes() + b.bytes(); }
};
/// The place of a factor that stays. The left and the right one of a product have two, even if their forms are equal.
struct resident {
  role of;
  factor_form form;
  int offset;
};

inline constexpr ring rings[] = {T2C_RINGS ring{}};
inline constexpr resident residents[] = {T2C_RESIDENTS resident{role::a, no_factor, 0}};
inline constexpr int ring_count = int(sizeof(rings) / sizeof(ring)) - 1;
inline constexpr int resident_count = int(sizeof(residents) / sizeof(resident)) - 1;
inline constexpr int ring_warps = threads < 32 ? 1 : threads / 32;

/// Their numbers; -1 where there is none.
T2C_BOTH constexpr int find_ring(factor_form const& a, factor_form const& b) {
  for (int i = 0; i < ring_count; ++i)
    if (rings[i].a == a && rings[i].b == b) return i;
  return -1;
}
T2C_BOTH constexpr int find_resident(role of, factor_form const& form) {
  for (int i = 0; i < resident_count; ++i)
    if (residents[i].of == of && residents[i].form == form) return i;
  return -1;
}

/// Whether products take factors of 32 bits, which are rounded on their way.
T2C_BOTH constexpr bool has_wide_factors() {
  for (ring const& r : rings)
    if (r.a.size == 4 || r.b.size == 4) return true;
  for (resident const& r : residents)
    if (r.form.size == 4) return true;
  return false;
}

/// Whether products take factors of one byte, and others wider ones.
T2C_BOTH constexpr bool has_factors_of_other_sizes() {
  bool narrow = false, wide = false;
  for (ring const& r : rings) {
    narrow = narrow || r.a.size == 1 || r.b.size == 1;
    wide = wide || r.a.size > 1 || r.b.size > 1;
  }
  return narrow && wide;
}

T2C_BOTH constexpr int most_stages() {
  int most = 1;
  for (ring const& r : rings) most = r.stages > most ? r.stages : most;
  return most;
}

inline constexpr int most_axes = T2C_FED ? 5 : 4;

struct ring_barriers {
  unsigned long long full[most_stages()];   // the factors have arrived
  unsigned long long empty[most_stages()];  // all warps are done
};

T2C_FN int warp() { return steady_thread() / 32; }
T2C_FN bool leads_warp() { return steady_thread() % 32 == 0; }

/// Aligned as the swizzled matrices must be.
T2C_FN unsigned ring_memory() {
  extern __shared__ __align__(128) unsigned char dynamic_shared_memory[];
  return (shared_address(dynamic_shared_memory) + 1023) & ~1023u;
}

}  // namespace tile2cpp::backend
