// backend/sm90/key.hpp: numbers that tell things apart, cheaply: sums of their parts, each with a weight of its own.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp::backend {

/// Odd numbers without a pattern, so that sums of their multiples tell what was multiplied (splitmix64).
T2C_BOTH constexpr unsigned long long key_weight(int n) {
  unsigned long long z = (n + 1ull) * 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return (z ^ z >> 31) | 1;
}
template <int N> struct key_table {
  unsigned long long at[N];
};
template <int N> T2C_BOTH constexpr key_table<N> key_weights(int first = 0) {
  key_table<N> table{};
  for (int i = 0; i < N; ++i) table.at[i] = key_weight(first + i);
  return table;
}

}  // namespace tile2cpp::backend
