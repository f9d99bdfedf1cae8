// gather.cpp: loads and stores through tiles of pointers and through single pointers.
#include "check.hpp"

using i32x64 = ct::tile<int, ct::shape<64>>;

void adjacent_and_scattered() {
  std::vector<float> in = counting(200), out(200, -1.0f), reversed(64), every_third(64);
  launch(1, 1, [&] {
    auto i = ct::iota<i32x64>();
    float const* source = in.data();
    ct::store(out.data() + 3 + i, ct::load(source + 3 + i));
    ct::store(reversed.data() + i, ct::load(source + 63 - i));
    ct::store(every_third.data() + i, ct::load(source + 3 * i));
  });
  CHECK_ALL(out, i >= 3 && i < 67 ? i : -1);
  CHECK_ALL(reversed, 63 - i);
  CHECK_ALL(every_third, 3 * i);
}

void masks() {
  std::vector<int> in = counting<int>(50), out(64, -1), padded(64), by_tile(64);
  launch(1, 1, [&] {
    auto i = ct::iota<i32x64>();
    auto inside = i < 50;
    ct::store_masked(out.data() + i, ct::load_masked(in.data() + i, inside), inside);
    ct::store(padded.data() + i, ct::load_masked(in.data() + i, inside, 7));
    ct::store(by_tile.data() + i, ct::load_masked(in.data() + i, inside, i * 10));
  });
  CHECK_ALL(out, i < 50 ? i : -1);
  CHECK_ALL(padded, i < 50 ? i : 7);
  CHECK_ALL(by_tile, i < 50 ? i : i * 10);
}

/// Masked-off elements may point anywhere; masks and paddings broadcast.
void wild_pointers() {
  std::vector<int> in = counting<int>(32), out(4 * 8, -1);
  launch(1, 1, [&] {
    using matrix = ct::tile<int, ct::shape<4, 8>>;
    auto offsets = ct::iota<matrix>();
    auto row = ct::reshape<ct::shape<4, 1>>(ct::iota<ct::tile<int, ct::shape<4>>>());
    auto wild = ct::select(row < 2, offsets, ct::full<matrix>(1 << 30));
    ct::store(out.data() + offsets, ct::load_masked(in.data() + wild, row < 2, 100 + row));
    ct::store_masked(out.data() + wild, ct::full<matrix>(55), false);
  });
  CHECK_ALL(out, i < 16 ? i : 100 + i / 8);
}

void scalars() {
  int values[4] = {5, 6, 7, 8};
  launch(1, 1, [&] {
    int x = ct::load(&values[0]);
    ct::store(&values[1], x + 1);
    ct::store(&values[1], ct::load(&values[1]) + 10);
    ct::store_masked(&values[2], 99, x == 0);
    ct::store(&values[3], ct::load_masked(&values[2], x == 0, 3));
  });
  CHECK(values[1] == 16 && values[2] == 7 && values[3] == 3);
}

/// Half tiles and ranks above one keep their elements; replicated elements are written once.
void small_tiles() {
  std::vector<double> out(3, -1.0);
  launch(1, 1, [&] {
    ct::store(out.data() + ct::iota<ct::tile<int, ct::shape<1>>>(), ct::full<ct::tile<double, ct::shape<1>>>(2.5));
    ct::store(out.data() + ct::iota<ct::tile<int, ct::shape<1>>>() + 1, ct::full<ct::tile<float, ct::shape<1>>>(1.5f));
  });
  CHECK_ALL(out, i == 0 ? 2.5 : i == 1 ? 1.5 : -1.0);
}

/// Data moves through memory between threads: a rotation repeated in place.
void program_order() {
  std::vector<int> data = counting<int>(64);
  launch(1, 1, [&] {
    auto i = ct::iota<i32x64>();
    for (int step = 0; step < 5; ++step) ct::store(data.data() + i, ct::load(data.data() + (i + 1) % 64));
  });
  CHECK_ALL(data, (i + 5) % 64);
}

template <class P, class V>
concept stores = requires(P p, V v) { ct::store(p, v); };
template <class P, class V>
concept pads = requires(P p, V v) { ct::load_masked(p, true, v); };

void refusals() {
  using floats = ct::tile<float*, ct::shape<8>>;
  static_assert(stores<floats, ct::tile<float, ct::shape<8>>> && !stores<floats, float> && !stores<floats, ct::tile<int, ct::shape<8>>>);
  static_assert(!stores<ct::tile<float const*, ct::shape<8>>, ct::tile<float, ct::shape<8>>>);
  static_assert(stores<double*, float> && !stores<float*, double> && !stores<float*, ct::tile<float, ct::shape<1>>>);
  static_assert(pads<floats, float> && !pads<floats, int> && !pads<floats, double>);
}

int main() {
  adjacent_and_scattered();
  masks();
  wild_pointers();
  scalars();
  small_tiles();
  program_order();
  refusals();
  return report();
}
