// check.hpp: runs kernels block by block and reports what differs from the expected numbers.
//
// With T2C_BACKEND_HEADER naming the emulated block, every block runs on T2C_THREADS host threads.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class Body>
void run_block(unsigned x, unsigned y, unsigned nx, unsigned ny, Body const& body) {
  auto const in_block = [&] {
    tile2cpp::backend::set_block(x, y, 0, nx, ny, 1);
    body();
  };
#ifdef T2C_BACKEND_HEADER
  tile2cpp::backend::run_block(in_block);
#else
  in_block();
#endif
}

/// Runs `body` for every block of a grid of nx by ny blocks.
template <class Body>
void launch(unsigned nx, unsigned ny, Body const& body) {
  for (unsigned x = 0; x < nx; ++x)
    for (unsigned y = 0; y < ny; ++y) run_block(x, y, nx, ny, body);
}

inline int failures = 0;

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);       \
      ++failures;                                                               \
    }                                                                           \
  } while (false)

/// Element by element, equal or both NaN.
template <class T, class F>
bool all_are(std::vector<T> const& found, F expected, char const* file, int line) {
  for (size_t i = 0; i < found.size(); ++i) {
    T const want = static_cast<T>(expected(static_cast<int>(i)));
    if (found[i] == want || (found[i] != found[i] && want != want)) continue;
    std::printf("%s:%d: element %zu is %g, not %g\n", file, line, i, double(found[i]), double(want));
    ++failures;
    return false;
  }
  return true;
}
#define CHECK_ALL(found, expected) all_are(found, [&]([[maybe_unused]] int i) { return expected; }, __FILE__, __LINE__)

/// `n` numbers 0, 1, 2, ...
template <class T = float>
std::vector<T> counting(int n) {
  std::vector<T> v(n);
  for (int i = 0; i < n; ++i) v[i] = static_cast<T>(i);
  return v;
}

inline int report() {
  if (failures == 0) std::printf("ok\n");
  return failures == 0 ? 0 : 1;
}
