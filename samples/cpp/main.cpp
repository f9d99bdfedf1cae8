// main.cpp: starts both kernels and checks what they compute. An ordinary C++ file: it holds no kernel.
#include <cmath>
#include <cstdio>

#include "memory.hpp"
#include "running_mean.hpp"
#include "softmax.hpp"  // generated from ../softmax.py

constexpr int rows = 4, columns = 1000;

bool is_softmax(float const* x, float const* y) {
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int j = 0; j < columns; ++j) sum += std::exp(double(x[row * columns + j]));
    for (int j = 0; j < columns; ++j)
      if (std::abs(std::exp(double(x[row * columns + j])) / sum - y[row * columns + j]) > 1e-6) return false;
  }
  return true;
}

bool is_running_mean(float const* x, float const* y, int count) {
  for (int i = 0; i < count; ++i) {
    float const before = i > 0 ? x[i - 1] : 0, after = i + 1 < count ? x[i + 1] : 0;
    if (std::abs((before + x[i] + after) / 3 - y[i]) > 1e-5f) return false;
  }
  return true;
}

/// Says what is wrong, if anything is.
bool check(char const* what, bool holds) {
  std::printf("%s: %s\n", what, holds ? "as expected" : "WRONG");
  return holds;
}

int main() {
  auto const x = memory<float>(rows * columns), y = memory<float>(rows * columns), z = memory<float>(rows * columns);
  if (!x || !y || !z) return std::puts("there is no GPU here; made with -DTILE2CPP_MACHINE=cpu, this program needs none"), 2;
  for (int i = 0; i < rows * columns; ++i) x[i] = std::sin(0.01f * i);

  bool good = launch_softmax(rows, nullptr, x, rows, columns, y, rows, columns) == 0;
  good &= running_mean(nullptr, x, z, rows * columns) == 0;
  good &= wait();
  good &= check("softmax, from Python", is_softmax(x, y));
  good &= check("running mean, from C++", is_running_mean(x, z, rows * columns));

  // The kernel was made for arrays at multiples of 16 bytes, and its launcher says so.
  good &= check("an address off by one", launch_softmax(rows, nullptr, x + 1, rows, columns, y, rows, columns) == tile2cpp::launch_refused);
  std::printf("  %s\n", refusal_softmax(x + 1, rows, columns, y, rows, columns));
  return good ? 0 : 1;
}
