// backend/sm90/factor_places.hpp: where the factors of a product wait, by what the entry lists.
#pragma once

#include "tile2cpp/backend/sm90/placed_factor.hpp"
#include "tile2cpp/placed.hpp"

namespace tile2cpp::backend {

/// A factor in registers (a only): its slots are those that the instruction wants, if all warps lie along the rows.
struct held_factor {
  static constexpr factor_form form = no_factor;
};

template <class T, role Role> struct factor_of {
  using type = absent_factor;
  static constexpr bool usable = false;
};
template <class E, class Shape, class Source, bool Masked, role Role> struct factor_of<placed_tile<E, Shape, Source, Masked>, Role> {
  using type = placed_factor<Source, Role>;
  static constexpr bool usable = type::exists;
};
template <class E, class Shape>
  requires(sizeof(E) == 2)
struct factor_of<tile<E, Shape>, role::a> {
  using type = held_factor;
  static constexpr bool usable = true;
};

/// Where the factors of a product wait: numbers of a ring and of residents, -1 for none.
template <class A, class B> struct warpgroup_plan {
  using a = typename factor_of<A, role::a>::type;
  using b = typename factor_of<B, role::b>::type;
  static constexpr bool held = !meta::is_placed<A>;
  static constexpr int together = held ? -1 : find_ring(a::form, b::form);
  static constexpr int a_resident = held || together >= 0 ? -1 : find_resident(role::a, a::form);
  static constexpr int b_alone = together >= 0 ? -1 : find_ring(no_factor, b::form);
  static constexpr int a_alone = held || together >= 0 ? -1 : find_ring(a::form, no_factor);
  static constexpr int b_resident = together >= 0 || b_alone >= 0 ? -1 : find_resident(role::b, b::form);
  static constexpr bool a_in_ring = together >= 0 || (!held && a_resident < 0);
  static constexpr bool b_in_ring = together >= 0 || b_alone >= 0;
  static constexpr int ring = together >= 0 ? together : b_in_ring ? b_alone : a_in_ring ? a_alone : -1;
  // Every factor has one place, and one ring at most is needed.
  static constexpr bool complete = (held || a_resident >= 0 || (a_in_ring && ring >= 0 && (together >= 0 || !b_in_ring))) &&
                                   (b_in_ring || b_resident >= 0);
};

}  // namespace tile2cpp::backend
