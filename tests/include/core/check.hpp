// check.hpp: CHECK counts what fails and prints where; main returns `failures()`.
#pragma once

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

inline int& failures() {
  static int count = 0;
  return count;
}

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition) && ++failures() < 20)                                      \
      std::printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);     \
  } while (0)

#define CHECK_EQUAL(a, b)                                                                       \
  do {                                                                                          \
    auto const left_ = (a);                                                                     \
    auto const right_ = (b);                                                                    \
    if (!(left_ == right_) && ++failures() < 20)                                                \
      std::printf("%s:%d: %s is %g, not %g\n", __FILE__, __LINE__, #a, double(left_), double(right_)); \
  } while (0)

#define CHECK_NEAR(a, b, tolerance)                                                             \
  do {                                                                                          \
    double const left_ = double(a), right_ = double(b);                                         \
    if (!(std::fabs(left_ - right_) <= (tolerance) * (1 + std::fabs(right_))) && ++failures() < 20) \
      std::printf("%s:%d: %s is %g, not %g\n", __FILE__, __LINE__, #a, left_, right_);          \
  } while (0)
