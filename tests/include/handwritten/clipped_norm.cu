// Rows scaled to a largest length, and how many were: types chosen by traits, limits and fixed-width integers of the standard
// library, structs and arrays of tiles, lambdas, a switch, a table of constants, short vectors behind a pointer.
#include <cfloat>
#include <climits>
#include <cstdint>
#include <type_traits>

#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

enum class Length : int { largest, sum, euclid };

template <class E>
using wide = std::conditional_t<std::is_same_v<std::remove_cv_t<E>, __half>, float, E>;

template <class E, int Columns>
struct Rows {
  using tile = ct::tile<wide<E>, ct::shape<1, Columns>>;
  tile part[2];

  template <class F>
  __tile__ tile joined(F combine) const { return combine(part[0], part[1]); }
};

template <class Tile>
__tile__ float length_of(Tile row, Length kind) {
  switch (kind) {
    case Length::largest: return static_cast<float>(ct::reduce_max<1>(ct::abs(row)));
    case Length::sum: return static_cast<float>(ct::sum<1>(ct::abs(row)));
    default: break;
  }
  return ct::sqrt(static_cast<float>(ct::sum<1>(row * row)));
}

template <class E, int Columns>
__tile_global__ void clipped_norm(E* __restrict__ out, E const* __restrict__ x, float const* __restrict__ limits,
                                  std::int32_t* count, std::uint32_t* steps, int rows, int columns, int kind) {
  static_assert(std::is_integral_v<std::int64_t> && sizeof(std::int64_t) == 8 && INT_MAX == 2147483647);
  dim3 const grid = ct::num_blocks();
  uint3 const block = ct::bid();
  auto in = ct::partition_view{ct::tensor_span{ct::assume_aligned(x, 16_ic), ct::extents{rows, columns}}, ct::shape<1, Columns>{}};
  auto to = ct::partition_view{ct::tensor_span{ct::assume_aligned(out, 16_ic), ct::extents{rows, columns}}, ct::shape<1, Columns>{}};
  float4 const four = *reinterpret_cast<float4 const*>(limits);
  float const limit = ct::min(four.x, ct::min(four.y, four.z));
  static constexpr int weight[3] = {1, 10, 100};
  ct::tile<int, ct::shape<4>> const powers({1, 2, 4, 8});
  for (int row = block.x; row < rows; row += grid.x) {
    Rows<E, Columns> r;
    for (int half = 0; half < 2; ++half) r.part[half] = ct::element_cast<wide<E>>(in.load_masked(row, half));
    auto larger = [](auto a, auto b) { return ct::max(ct::abs(a), ct::abs(b)); };
    float length = -FLT_MAX;
    if (kind == int(Length::largest)) length = length_of(r.joined(larger), Length::largest);
    else length = length_of(ct::cat(r.part[0], r.part[1], 1_ic), static_cast<Length>(kind));
    if (length <= limit) {
      for (int half = 0; half < 2; ++half) to.store_masked(ct::element_cast<E>(r.part[half]), row, half);
      continue;
    }
    for (int half = 0; half < 2; ++half) to.store_masked(ct::element_cast<E>(r.part[half] * (limit / length)), row, half);
    ct::atomic_add(count, weight[kind], ct::memory_order_relaxed_t{});
  }
  if (block.x == 0) ct::store(steps + ct::iota<ct::tile<int, ct::shape<4>>>(), ct::element_cast<std::uint32_t>(powers * static_cast<int>(grid.x)));
}
