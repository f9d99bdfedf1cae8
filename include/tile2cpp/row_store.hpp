// row_store.hpp: stores of 16-bit elements that lie as matrix instructions leave them.
//
// Four lanes hold the pairs of eight neighbouring columns. They exchange pairs until each holds eight neighbours of one
// row: then a store is 16 bytes wide, and a warp fills whole sectors of memory.
#pragma once

#include "tile2cpp/backend/memory.hpp"
#include "tile2cpp/backend/primitives.hpp"
#include "tile2cpp/tile.hpp"

namespace tile2cpp::meta {

/// Whether slots come as pair, row + 8, column + 8, and no element is held twice.
template <class E, class Shape> T2C_BOTH constexpr bool stores_rows() {
  using map = layout<Shape>;
  constexpr int columns = static_cast<int>(extent_from_end<Shape>(0));
  return this_schedule.product && sizeof(E) == 2 && backend::threads >= 32 && map::bits.slot_bits >= 3 && map::bits.slot[0] == 1 &&
         map::bits.slot[1] == 8 * columns && map::bits.slot[2] == 8 && replica_mask(map::bits) == 0;
}

/// Eight neighbours of a row.
struct row_piece {
  unsigned word[4];
};

/// Word i of lane t becomes word t of lane i, among four neighbouring lanes.
T2C_FN void turn_four(row_piece& piece, int lane) {
  T2C_UNROLL
  for (int bit = 1; bit < 4; bit *= 2) {
    T2C_UNROLL
    for (int i = 0; i < 4; ++i) {
      if (i & bit) continue;
      bool const upper = (lane & bit) != 0;
      unsigned const received = backend::shuffle_xor(upper ? piece.word[i] : piece.word[i | bit], bit);
      if (upper) piece.word[i] = received;
      else piece.word[i | bit] = received;
    }
  }
}

/// Calls `visit(element, step, piece)` for each piece of 8 elements that this thread has after the exchange. `step` is the
/// first of its slots, whose part of the coordinates the piece shares.
template <class E, class Shape, class Visit> T2C_FN void for_each_row_piece(tile<E, Shape> const& value, Visit const& visit) {
  struct pair {
    E at[2];
  };
  int const lane = backend::thread() & 3;
  T2C_UNROLL
  for (int slot = 0; slot < layout<Shape>::slots; slot += 8) {
    row_piece piece;
    T2C_UNROLL
    for (int i = 0; i < 4; ++i) piece.word[i] = bit_cast<unsigned>(pair{{value.own[slot + 2 * i], value.own[slot + 2 * i + 1]}});
    turn_four(piece, lane);
    struct pieces {
      E at[8];
    };
    pieces const row = bit_cast<pieces>(piece);
    visit(slot, &row.at[0]);
  }
}

#ifdef T2C_WARPGROUPS
/// Rows of a tile on their way through shared memory: each warp has room for 16 rows of 32 columns, or of 64, lines of memory, where tiles
/// are wide and need the memory for nothing else (`T2C_WIDE_LINES`). A row is padded, so that the pairs that come do not meet in a bank.
inline constexpr int staged_rows = 16;
T2C_BOTH constexpr int staged_columns(int columns) { return T2C_WIDE_LINES && columns >= 256 ? 64 : 32; }
T2C_BOTH constexpr int staged_stride(int columns) { return staged_columns(columns) + 8; }

template <class E, int Columns> T2C_FN E* staging_of_warp() {
  __shared__ alignas(16) unsigned char bytes[backend::threads / 32][staged_rows * staged_stride(Columns) * 2];
  return reinterpret_cast<E*>(&bytes[backend::thread() / 32][0]);
}

/// Whether tiles leave in parts of rows of 64 bytes or more: all warps lie along the rows.
template <class E, class Shape> T2C_BOTH constexpr bool stages_rows() {
  return stores_rows<E, Shape>() && this_schedule.column_threads == 4 && is_matrix<Shape>() && extent_from_end<Shape>(0) % 32 == 0 &&
         extent_from_end<Shape>(1) % (backend::threads / 2) == 0;
}

/// Writes 16 bytes at once. Said as PTX, since compilers take a store apart and put it together again, or not; and without a branch.
T2C_FN void write_piece_if(bool exists, void* to, uint4 const& piece) {
  asm volatile("{ .reg .pred exists; setp.ne.b32 exists, %5, 0; @exists st.global.v4.b32 [%0], {%1, %2, %3, %4}; }"
               ::"l"(__cvta_generic_to_global(to)), "r"(piece.x), "r"(piece.y), "r"(piece.z), "r"(piece.w), "r"(int(exists)) : "memory");
}

/// Calls `visit(row, column, piece)` for pieces of 8 elements, of rows of the tile one after the other.
template <class E, class Shape, class Visit> T2C_FN void for_each_staged_piece(tile<E, Shape> const& value, Visit const& visit) {
  constexpr int columns = static_cast<int>(extent_from_end<Shape>(0)), rows = static_cast<int>(extent_from_end<Shape>(1));
  constexpr int width = staged_columns(columns), stride = staged_stride(columns), across = width / 8;  // lanes along a row
  constexpr int pieces = staged_rows * across / 32;                                                   // of a lane
  struct alignas(2 * sizeof(E)) pair {
    E at[2];
  };
  E* const staging = staging_of_warp<E, columns>();
  int const lane = backend::thread() % 32, first_row = backend::thread() / 32 * staged_rows;
  E* const mine = staging + lane / 4 * stride + lane % 4 * 2;
  T2C_UNROLL
  for (int block = 0; block < rows / (backend::threads / 2); ++block) {
    T2C_UNROLL
    for (int start = 0; start < columns; start += width) {
      T2C_UNROLL
      for (int i = 0; i < width / 4; ++i) {  // slots come as pair, row + 8, column + 8
        int const slot = block * (columns / 2) + start / 2 + 2 * i;
        *reinterpret_cast<pair*>(mine + i % 2 * 8 * stride + i / 2 * 8) = pair{{value.own[slot], value.own[slot + 1]}};
      }
      __syncwarp();
      T2C_UNROLL
      for (int i = 0; i < pieces; ++i) {
        int const row = i * (32 / across) + lane / across, column = lane % across * 8;
        visit(block * (backend::threads / 2) + first_row + row, start + column, *reinterpret_cast<uint4 const*>(staging + row * stride + column));
      }
      __syncwarp();
    }
  }
}
#endif

/// The row-major number of the first element of this thread's piece of slots 0 to 7.
template <class Shape> T2C_FN int first_of_piece() {
  int const lane = backend::thread() & 3;
  int const rows_apart = 8 * static_cast<int>(extent_from_end<Shape>(0));
  return layout<Shape>::base(backend::thread() & ~3) + (lane & 1) * rows_apart + (lane >> 1) * 8;
}

}  // namespace tile2cpp::meta
