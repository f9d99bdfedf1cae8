// The same checks under an emulated block of several threads: moves, broadcasts, reductions and scans
// against plain loops. Compiled for several schedules by test_core.py.
#define T2C_BACKEND_HEADER "emulated_block.hpp"
#include "emulated_block.hpp"

#include <tile2cpp/cast.hpp>
#include <tile2cpp/create.hpp>
#include <tile2cpp/math.hpp>
#include <tile2cpp/reduce.hpp>
#include <tile2cpp/repack.hpp>
#include <tile2cpp/scan.hpp>
#include <tile2cpp/slices.hpp>

#include "check.hpp"

namespace ct = tile2cpp;
using namespace ct::literals;
template <class E, size_t... N> using T = ct::tile<E, ct::shape<N...>>;

/// Gathers a tile from all threads; every holder of an element must agree with its owner.
template <class E, class S> struct gathered {
  std::vector<E> at = std::vector<E>(ct::shape_size_v<S>);
  std::vector<int> owners = std::vector<int>(ct::shape_size_v<S>);
};

template <class Make> auto block_result(Make make) {
  using Tile = decltype(make());
  using E = ct::tile_element_t<Tile>;
  using S = ct::tile_shape_t<Tile>;
  using L = ct::layout<S>;
  std::vector<Tile> all(ct::backend::threads);
  ct::backend::run_block([&] { all[ct::backend::thread()] = make(); });
  gathered<E, S> result;
  for (int t = 0; t < ct::backend::threads; ++t)
    for (int s = 0; s < L::slots; ++s)
      if (L::owner(t)) {
        result.at[L::base(t) + L::offset(s)] = all[t].own[s];
        ++result.owners[L::base(t) + L::offset(s)];
      }
  for (int t = 0; t < ct::backend::threads; ++t)
    for (int s = 0; s < L::slots; ++s) CHECK_EQUAL(all[t].own[s], result.at[L::base(t) + L::offset(s)]);
  for (int owners : result.owners) CHECK_EQUAL(owners, 1);
  return result.at;
}

/// Numbers without an order, exact in float.
template <class E, class S> auto scrambled() {
  return ct::element_cast<E>((ct::iota<ct::tile<int, S>>() * 7919 + 13) % 1009);
}
int number(int i) { return (i * 7919 + 13) % 1009; }

template <size_t R, size_t C> void check_matrix() {
  using M = ct::shape<R, C>;
  auto transposed = block_result([] { return ct::transpose(scrambled<float, M>()); });
  auto flat = block_result([] { return ct::reshape<ct::shape<R * C>>(scrambled<int, M>()); });
  auto folded = block_result([] { return ct::reshape<ct::shape<C, R>>(scrambled<short, M>()); });
  for (size_t r = 0; r < R; ++r)
    for (size_t c = 0; c < C; ++c) {
      CHECK_EQUAL(transposed[c * R + r], number(r * C + c));
      CHECK_EQUAL(flat[r * C + c], number(r * C + c));
      CHECK_EQUAL(folded[r * C + c], number(r * C + c));
    }

  auto rows = block_result([] { return ct::sum(scrambled<float, M>(), 1_ic); });
  auto columns = block_result([] { return ct::sum<0>(scrambled<int, M>()); });
  auto largest = block_result([] { return ct::max_element<1>(scrambled<double, M>()); });
  auto smallest = block_result([] { return ct::reduce_min<0>(scrambled<long long, M>() * 10000000000ll); });
  for (size_t r = 0; r < R; ++r) {
    long total = 0;
    size_t best = 0;
    for (size_t c = 0; c < C; ++c) {
      total += number(r * C + c);
      if (number(r * C + c) > number(r * C + best)) best = c;
    }
    CHECK_EQUAL(rows[r], total);
    CHECK_EQUAL(largest[r], best);
  }
  for (size_t c = 0; c < C; ++c) {
    int total = 0, least = 1 << 30;
    for (size_t r = 0; r < R; ++r) {
      total += number(r * C + c);
      least = std::min(least, number(r * C + c));
    }
    CHECK_EQUAL(columns[c], total);
    CHECK_EQUAL(smallest[c], least * 10000000000ll);
  }

  auto running = block_result([] { return ct::partial_sum<1>(scrambled<int, M>()); });
  auto backward = block_result([] { return ct::partial_sum(scrambled<long long, M>(), 0_ic, ct::scan_backward_t{}); });
  for (size_t r = 0; r < R; ++r)
    for (size_t c = 0, total = 0; c < C; ++c) CHECK_EQUAL(size_t(running[r * C + c]), total += number(r * C + c));
  for (size_t c = 0; c < C; ++c)
    for (size_t r = R, total = 0; r-- > 0;) CHECK_EQUAL(size_t(backward[r * C + c]), total += number(r * C + c));

  auto spread = block_result([] {
    auto x = scrambled<float, M>();
    return x - ct::reduce_max<1>(x) + ct::iota<ct::tile<int, ct::shape<C>>>() * ct::iota<ct::tile<int, ct::shape<R, 1>>>();
  });
  for (size_t r = 0; r < R; ++r) {
    int top = 0;
    for (size_t c = 0; c < C; ++c) top = std::max(top, number(r * C + c));
    for (size_t c = 0; c < C; ++c) CHECK_EQUAL(spread[r * C + c], number(r * C + c) - top + int(c * r));
  }
}

void check_three_axes() {
  using S = ct::shape<4, 8, 16>;
  auto permuted = block_result([] { return ct::permute(scrambled<int, S>(), ct::dimension_map<2, 0, 1>{}); });
  auto middle = block_result([] { return ct::sum<1>(scrambled<int, S>()); });
  auto spread = block_result([] { return scrambled<int, ct::shape<4, 1, 16>>() + ct::zeros<ct::tile<int, S>>(); });
  auto scanned = block_result([] { return ct::partial_sum<1>(scrambled<int, S>()); });
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 16; ++k) {
      int total = 0;
      for (int j = 0; j < 8; ++j) {
        CHECK_EQUAL(permuted[(k * 4 + i) * 8 + j], number((i * 8 + j) * 16 + k));
        CHECK_EQUAL(spread[(i * 8 + j) * 16 + k], number(i * 16 + k));
        total += number((i * 8 + j) * 16 + k);
        CHECK_EQUAL(scanned[(i * 8 + j) * 16 + k], total);
      }
      CHECK_EQUAL(middle[i * 16 + k], total);
    }
}

template <size_t R, size_t C> void check_slices() {
  using M = ct::shape<R, C>;
  using Q = ct::shape<R / 2, C / 4>;
  auto wide = block_result([] { return ct::cat<1>(scrambled<int, M>(), -scrambled<int, M>()); });
  auto tall = block_result([] { return ct::cat(scrambled<int, M>(), -scrambled<int, M>(), 0_ic); });
  for (size_t r = 0; r < R; ++r)
    for (size_t c = 0; c < C; ++c) {
      CHECK_EQUAL(wide[r * 2 * C + c], number(r * C + c));
      CHECK_EQUAL(wide[r * 2 * C + C + c], -number(r * C + c));
      CHECK_EQUAL(tall[r * C + c], number(r * C + c));
      CHECK_EQUAL(tall[(R + r) * C + c], -number(r * C + c));
    }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) {
      auto slice = block_result([=] { return ct::extract(scrambled<int, M>(), Q{}, i, j); });
      auto patched = block_result([=] { return ct::insert(ct::zeros<ct::tile<int, M>>(), scrambled<int, Q>(), i, j); });
      for (size_t r = 0; r < R; ++r)
        for (size_t c = 0; c < C; ++c) {
          bool const inside = r / (R / 2) == size_t(i) && c / (C / 4) == size_t(j);
          size_t const within = (r % (R / 2)) * (C / 4) + c % (C / 4);
          if (inside) CHECK_EQUAL(slice[within], number(r * C + c));
          CHECK_EQUAL(patched[r * C + c], inside ? number(within) : 0);
        }
    }
}

/// Neighbouring blocks along an axis change places, in shapes with few elements behind the axis.
template <size_t Pairs, size_t Block, size_t After> void check_swap() {
  using Whole = ct::shape<Pairs, 2, Block, After>;
  using Half = ct::shape<Pairs, 1, Block, After>;
  auto swapped = block_result([] {
    auto x = scrambled<int, Whole>();
    return ct::cat(ct::extract(x, Half{}, 0, 1, 0, 0), ct::extract(x, Half{}, 0, 0, 0, 0), 1_ic);
  });
  for (size_t i = 0; i < swapped.size(); ++i) CHECK_EQUAL(swapped[i], number(int(i ^ Block * After)));
}

void check_constants() {
  static constexpr int table[2][8] = {{1, 2, 3, 4, 5, 6, 7, 8}, {9, 8, 7, 6, 5, 4, 3, 2}};
  auto filled = block_result([] { return T<int, 2, 8>(table); });
  for (int i = 0; i < 16; ++i) CHECK_EQUAL(filled[i], table[i / 8][i % 8]);
  auto total = block_result([] { return ct::sum<0>(ct::sum<1>(ct::ones<T<short, 16, 64>>())); });
  CHECK_EQUAL(total[0], 1024);
  auto one = block_result([] {
    auto t = ct::sum<0>(ct::iota<T<int, 64>>());
    return ct::tile{int(t)};
  });
  CHECK_EQUAL(one[0], 64 * 63 / 2);
}

void check_repacking() {
  using M = ct::shape<8, 64>;
  auto bytes = [] { return scrambled<unsigned char, M>(); };
  auto wide = block_result([=] { return ct::repack<unsigned>(bytes(), 1_ic); });
  auto tall = block_result([=] { return ct::repack<unsigned short, 0>(bytes()); });
  auto back = block_result([=] { return ct::repack<unsigned char>(ct::repack<double>(bytes(), 0_ic), 0_ic); });
  auto bits = block_result([=] { return ct::repack<bool>(bytes(), 1_ic); });
  auto byte = [](size_t i) { return unsigned((number(int(i))) & 255); };
  for (size_t r = 0; r < 8; ++r)
    for (size_t c = 0; c < 64; ++c) {
      size_t const i = r * 64 + c;
      CHECK_EQUAL(wide[i / 4] >> 8 * (c % 4) & 255, byte(i));
      CHECK_EQUAL(tall[r / 2 * 64 + c] >> 8 * (r % 2) & 255, int(byte(i)));
      CHECK_EQUAL(back[i], byte(i));
      for (size_t k = 0; k < 8; ++k) CHECK_EQUAL(bits[r * 512 + c * 8 + k], bool(byte(i) >> k & 1));
    }
}

int main() {
  check_matrix<16, 128>();
  check_matrix<64, 2>();
  check_matrix<1, 512>();
  check_matrix<512, 1>();
  check_matrix<4096, 2>();   // spread over idle column threads
  check_matrix<128, 128>();  // beyond the scratch memory in 64-bit elements
  check_three_axes();
  check_slices<8, 64>();
  check_slices<32, 8>();
  check_slices<64, 128>();  // joined, beyond the scratch memory
  check_swap<32, 1, 1>();
  check_swap<4, 16, 1>();
  check_swap<16, 2, 2>();
  check_swap<1, 8, 64>();
  check_constants();
  check_repacking();
  return failures() != 0;
}
