// backend/sm90/placed_factor.hpp: a factor that lies in an array: its form, its key, and how it is fetched.
#pragma once

#include "tile2cpp/backend/sm80/fetch.hpp"
#include "tile2cpp/backend/sm90/operand_matrix.hpp"
#include "tile2cpp/backend/sm90/rings.hpp"
#include "tile2cpp/matrix_source.hpp"

namespace tile2cpp::backend {

/// What a source is in the role of a factor.
template <class Source, role Role> struct placed_factor {
  using source_type = Source;
  using element = typename Source::element;
  static constexpr int rank = Source::rank;
  static constexpr int lines = Role == role::a ? Source::rows : Source::columns, depth = Role == role::a ? Source::columns : Source::rows;
  static constexpr bool turned = (Role == role::a) == Source::mirrored;
  using matrix = operand_matrix<element, lines, depth, turned ? row_holds::outer_axis : row_holds::summed_axis>;
  using share = piece_share<matrix>;
  static constexpr factor_form form{lines, depth, int(sizeof(element)), turned};
  static constexpr bool exists = matrix::exists && rank <= most_axes;
  static constexpr int summed_axis = Role == role::a ? Source::column_axis : Source::row_axis;
  static constexpr int outer_axis = Role == role::a ? Source::row_axis : Source::column_axis;

  /// Tells arrays and ways to see them apart.
  T2C_FN static unsigned long long array_key(Source const& source) {
    return source.identity + key_weight(300 + Source::row_axis + 8 * Source::column_axis + 64 * rank);
  }

  /// Tells tiles of an array apart; keys of tiles in a row are evenly spaced. Only indices of billions could meet.
  T2C_FN static unsigned long long index_key(int const* index) {
    constexpr auto weight = key_weights<rank>(100);
    unsigned long long key = 0;
    T2C_UNROLL
    for (int axis = 0; axis < rank; ++axis) {
      // A narrow weight for the axes that loops run along, which is one instruction.
      if (axis == Source::row_axis) key += static_cast<unsigned long long>(static_cast<unsigned>(index[axis])) * 0x9e3779b1u;
      else if (axis == Source::column_axis) key += static_cast<unsigned long long>(static_cast<unsigned>(index[axis])) * 0xc2b2ae3du;
      else key += static_cast<unsigned long long>(static_cast<unsigned>(index[axis])) * weight.at[axis];
    }
    return key;
  }

  /// Starts to fetch the tile `ahead` steps from `index`. The tensor cores see it after a fence, when the copies are there.
  T2C_FN static void fetch(Source const& source, unsigned to, int const* index, int const* step, int ahead) {
    int place[rank];
    T2C_UNROLL
    for (int axis = 0; axis < rank; ++axis) place[axis] = index[axis] + ahead * step[axis];
    auto const from = source.storage_rows(place);
    if (!pieces_align(from)) {
      gather_matrix<matrix, threads>(to, from, thread());
      fence_for_tensor_cores();
      return;
    }
    // Seldom needed, so one small loop for all pieces.
    T2C_KEEP_LOOP
    for (int piece = thread(); piece < share::total; piece += threads) {
      int const row = share::row(piece), column = share::column(piece);
      int const room = row < from.rows && column < from.columns ? from.columns - column : 0;
      copy_piece(to + matrix::place(row, column * matrix::size), from.origin + row * from.row_stride + column,
                 room < share::elements ? room * matrix::size : 16);
    }
  }

  /// The tile at `index` by the lanes of one warp, from an array whose rows begin where 16 bytes can be copied.
  T2C_FN static void fetch_by_warp(Source const& source, unsigned to, int const (&index)[rank]) {
    auto const from = source.storage_rows(index);
    T2C_KEEP_LOOP
    for (int piece = thread() % 32; piece < share::total; piece += 32) {
      int const row = share::row(piece), column = share::column(piece);
      int const room = row < from.rows && column < from.columns ? from.columns - column : 0;
      copy_piece(to + matrix::place(row, column * matrix::size), from.origin + row * from.row_stride + column, room < share::elements ? room * matrix::size : 16);
    }
    wait_all_copies();
    if constexpr (meta::is_same<element, float>) round_pieces(to);
    fence_for_tensor_cores();
    __syncwarp();
  }

  /// Rounds what this lane has copied, as the copy engine does by itself.
  T2C_FN static void round_pieces(unsigned to) {
    T2C_KEEP_LOOP
    for (int piece = thread() % 32; piece < share::total; piece += 32) {
      unsigned const place = to + matrix::place(share::row(piece), share::column(piece) * matrix::size);
      float x[4];
      asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x[0]), "=f"(x[1]), "=f"(x[2]), "=f"(x[3]) : "r"(place) : "memory");
      T2C_UNROLL
      for (int i = 0; i < 4; ++i) x[i] = meta::convert<float>(meta::convert<__nv_tf32>(x[i]));
      asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(place), "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3]) : "memory");
    }
  }

  /// The same for a tile that lies whole where 16 bytes can be copied, from this thread's first piece on.
  T2C_FN static void fetch_plain(Source const& source, unsigned to, char const* from) {
    copy_part<matrix, 1>(has_pieces<matrix>(), to, from, source.storage_stride(), 0);
  }

  /// Boxes that the copy engine copies for a tile, and bytes of one. Where a box lies in shared memory and in its rows: by its number.
  static constexpr int boxes = matrix::row_bytes / matrix::width, box_bytes = matrix::rows * matrix::width, box_elements = matrix::width / matrix::size;

  /// The places of the axes in descriptors: the axis along the rows first, the rows second, then the others, last axis first.
  T2C_BOTH static constexpr meta::table<rank> places_in_map() {
    meta::table<rank> places{};
    for (int axis = rank - 1, next = 2; axis >= 0; --axis)
      places.at[axis] = axis == Source::storage_column ? 0 : axis == Source::storage_row ? 1 : next++;
    return places;
  }

  /// The step that is most likely when nothing is known: along the summed axis, unless one tile spans it all.
  T2C_FN static void guess(Source const& source, int (&step)[most_axes]) {
    bool const along = source.span.extent(summed_axis) > depth;
    T2C_UNROLL
    for (int axis = 0; axis < most_axes; ++axis) step[axis] = axis == (along ? summed_axis : outer_axis) ? 1 : 0;
  }

  /// How many tiles from this one on are whole and can be copied by 16 bytes; how far apart they are, and where this thread begins.
  T2C_FN static int plain_tiles(Source const& source, int const (&step)[most_axes], long long& bytes, char const*& start) {
    auto const rows = source.storage_rows(source.index);
    start = first_piece<matrix>(rows);
    bytes = 0;
    if (!pieces_align(rows) || !is_whole<matrix>(rows)) return 0;
    int left = 0x3fffffff;
    T2C_UNROLL
    for (int axis = 0; axis < rank; ++axis) {
      if (step[axis] == 0) continue;
      if (step[axis] < 0) return 0;
      bytes += step[axis] * source.tile_distance(axis) * matrix::size;
      int const tiles = (source.tiles_left(axis) - 1) / step[axis] + 1;
      left = tiles < left ? tiles : left;
    }
    return bytes % 16 == 0 ? left : 0;
  }
};

/// Tells factors that stay apart; never zero.
template <class Factor> T2C_FN unsigned long long resident_key(typename Factor::source_type const& source) {
  return (Factor::array_key(source) + 2 * Factor::index_key(source.index)) | 1;
}

/// Stands for a factor that is not in the ring.
struct absent_factor {
  static constexpr factor_form form = no_factor;
};

}  // namespace tile2cpp::backend
