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

  /// Starts to fetch the tile `ahead` steps from `index`. What has to be written at once is there for the tensor cores, too.
  T2C_FN static void fetch(Source const& source, unsigned to, int const* index, int const* step, int ahead) {
    int place[rank];
    T2C_UNROLL
    for (int axis = 0; axis < rank; ++axis) place[axis] = index[axis] + ahead * step[axis];
    auto const from = source.storage_rows(place);
    bool const aligned = pieces_align(from);
    // Seldom needed, so one small loop for all pieces.
    T2C_KEEP_LOOP
    for (int piece = thread(); piece < share::total; piece += threads) {
      int const row = share::row(piece), column = share::column(piece);
      unsigned const target = to + matrix::place(row, column * matrix::size);
      if (aligned) {
        int const room = row < from.rows && column < from.columns ? from.columns - column : 0;
        copy_piece(target, from.origin + row * from.row_stride + column, room < share::elements ? room * matrix::size : 16);
      } else {
        gather_piece(target, from, row, column);
      }
    }
    if (!aligned) fence_for_tensor_cores();
  }

  /// The same for a tile that lies whole where 16 bytes can be copied, from this thread's first piece on.
  T2C_FN static void fetch_plain(Source const& source, unsigned to, char const* from) {
    if (has_pieces<matrix>()) copy_pieces<matrix, true, char>(to, from, source.storage_stride(), 0, 0);
  }

  /// The descriptor of the array, for the copy engine; null if there is none.
  T2C_FN static tensor_map const* find_map(Source const& source) { return find_map(source, meta::make_index_list<size_t(map_count)>{}); }

  static constexpr int boxes = matrix::row_bytes / matrix::width;

  /// Box `box` of a tile: its first element, how far `step` tiles are, and where it lies in shared memory.
  T2C_FN static void describe_box(int box, int const* index, int const* step, box_note& n) {
    T2C_UNROLL
    for (int axis = 0; axis < most_axes; ++axis) n.at[axis] = n.step[axis] = 0;
    T2C_UNROLL
    for (int axis = 0; axis < rank; ++axis) {
      int const extent = int(Source::shape::static_extent(axis));
      n.at[place_in_map(axis)] = index[axis] * extent, n.step[place_in_map(axis)] = step[axis] * extent;
    }
    n.at[0] += box * (matrix::width / matrix::size);
    n.offset = box * (matrix::rows * matrix::width);
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

 private:
  /// Descriptors have the axis along the rows first, the rows second, then the others, last axis first.
  T2C_BOTH static constexpr int place_in_map(int axis) {
    if (axis == Source::storage_column) return 0;
    if (axis == Source::storage_row) return 1;
    int place = 2;
    for (int other = rank - 1; other > axis; --other) place += other != Source::storage_column && other != Source::storage_row;
    return place;
  }

  template <size_t... I> T2C_FN static tensor_map const* find_map(Source const& source, meta::index_list<I...>) {
    long long extent[rank], stride[rank];
    T2C_UNROLL
    for (int axis = 0; axis < rank; ++axis)
      extent[axis] = static_cast<long long>(source.span.extent(axis)), stride[axis] = static_cast<long long>(source.span.mapping().stride(axis));
    unsigned long long const key = map_key(source.span.data_handle(), extent, stride);
    tensor_map const* found = nullptr;
    ((fits(maps[I]) && memory_of_rings().map_keys[I] == key ? void(found = memory_of_rings().map_places[I]) : void()), ...);
    return found;
  }
  T2C_BOTH static constexpr bool fits(map_form const& m) {
    return m.form == form && m.row == Source::storage_row && m.column == Source::storage_column && rank <= 4;
  }
};

/// Stands for a factor that is not in the ring.
struct absent_factor {
  static constexpr factor_form form = no_factor;
};

}  // namespace tile2cpp::backend
