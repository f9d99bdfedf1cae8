// Laws of layouts, for many shapes and schedules: every element has exactly one owner, replicas hold the same
// elements, slots of a thread are distinct, and base + offset never carries.
#include <tile2cpp/layout.hpp>
#include <tile2cpp/exchange.hpp>
#include <tile2cpp/reshape.hpp>

#include "check.hpp"

namespace ct = tile2cpp;

template <class L> void check_layout(int size, int threads) {
  std::vector<int> owners(size), holders(size);
  for (int t = 0; t < threads; ++t)
    for (int s = 0; s < L::slots; ++s) {
      int const index = L::base(t) + L::offset(s);
      CHECK(0 <= index && index < size);
      CHECK((L::base(t) & L::offset(s)) == 0);
      ++holders[index];
      owners[index] += L::owner(t);
    }
  for (int index = 0; index < size; ++index) {
    CHECK_EQUAL(owners[index], 1);
    CHECK_EQUAL(holders[index], L::slots * threads / size);
  }
}

template <ct::schedule S, size_t... N> void check_shape() {
  using L = ct::layout<ct::shape<N...>, S>;
  constexpr int size = int((N * ... * 1));
  static_assert(L::size == size);
  check_layout<L>(size, S.threads);
  int const most = ct::meta::most_slots_beside_replicas(S);
  CHECK(S.threads == 1 || L::slots <= most || L::slots == L::vector || ct::meta::replica_mask(L::bits) == 0);
  // Runs of neighbours: within a run of `vector` slots offsets count up by one.
  for (int s = 0; s < L::slots; ++s) CHECK_EQUAL(L::offset(s), L::offset(s / L::vector * L::vector) + s % L::vector);
}

/// The rows of M x 1 and the columns of 1 x N lie where those of M x N do, so keeping an axis moves nothing;
/// only where a thread would hold many elements beside idle threads, they are spread further.
template <ct::schedule S, size_t M, size_t N> void check_alignment() {
  int const row_threads = S.threads / S.column_threads;
  int const reached = S.threads == 1 ? int(N) : S.vector * S.column_threads;
  int const rows_each = int(M) > row_threads ? int(M) / row_threads : 1;
  int const columns_each = int(N) > reached ? int(N) / reached * S.vector : S.vector;
  int const most = ct::meta::most_slots_beside_replicas(S);
  bool const idle = int(M) < row_threads || int(N) < reached;
  if (S.threads > 1 && (rows_each > most || (columns_each > most && columns_each > S.vector))) return;
  if (S.threads > 1 && idle && rows_each * columns_each > most) return;
  using Whole = ct::layout<ct::shape<M, N>, S>;
  using Rows = ct::layout<ct::shape<M, 1>, S>;
  using Columns = ct::layout<ct::shape<1, N>, S>;
  for (int t = 0; t < S.threads; ++t) {
    CHECK_EQUAL(Whole::base(t) / int(N), Rows::base(t));
    CHECK_EQUAL(Whole::base(t) % int(N), Columns::base(t));
  }
  CHECK(S.threads == 1 || ct::meta::weights_of(Rows::bits.slot, Rows::bits.slot_bits) * int(N) ==
                                      (ct::meta::weights_of(Whole::bits.slot, Whole::bits.slot_bits) & ~int(N - 1)));
}

template <ct::schedule S> void check_schedule() {
  check_shape<S>();
  check_shape<S, 1>();
  check_shape<S, 2>();
  check_shape<S, 64>();
  check_shape<S, 4096>();
  check_shape<S, 1, 1>();
  check_shape<S, 1, 1024>();
  check_shape<S, 256, 1>();
  check_shape<S, 16, 16>();
  check_shape<S, 64, 128>();
  check_shape<S, 128, 2>();
  check_shape<S, 4, 8, 32>();
  check_shape<S, 2, 1, 4, 1, 8>();
  check_shape<S, 4096, 4>();
  check_shape<S, 1, 16384>();
  check_alignment<S, 64, 128>();
  check_alignment<S, 2, 4>();
  check_alignment<S, 1, 256>();
  check_alignment<S, 64, 8>();
}

/// Places in scratch memory are a permutation, and a column of any power of two lands in distinct banks.
void check_places() {
  std::vector<bool> seen(8192);
  for (int i = 0; i < 8192; ++i) {
    int const place = ct::meta::scratch_place<float>(i);
    CHECK(0 <= place && place < 8192 && !seen[place]);
    seen[place] = true;
  }
  for (int stride = 1; stride <= 256; stride *= 2) {
    std::vector<int> used(32);
    for (int lane = 0; lane < 32; ++lane) ++used[ct::meta::scratch_place<float>(lane * stride) % 32];
    for (int count : used) CHECK_EQUAL(count, 1);
  }
}

int main() {
  check_schedule<ct::schedule{1, 4, 1}>();
  check_schedule<ct::schedule{32, 4, 32}>();
  check_schedule<ct::schedule{128, 4, 32}>();
  check_schedule<ct::schedule{128, 1, 4}>();
  check_schedule<ct::schedule{256, 8, 16}>();
  check_schedule<ct::schedule{512, 2, 512}>();
  check_schedule<ct::schedule{1024, 16, 32}>();
  check_schedule<ct::schedule{32, 1, 4, true}>();
  check_schedule<ct::schedule{128, 2, 8, true}>();
  check_schedule<ct::schedule{256, 2, 16, true}>();
  check_places();
  return failures() != 0;
}
