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

/// The row-major number of the first element of this thread's piece of slots 0 to 7.
template <class Shape> T2C_FN int first_of_piece() {
  int const lane = backend::thread() & 3;
  int const rows_apart = 8 * static_cast<int>(extent_from_end<Shape>(0));
  return layout<Shape>::base(backend::thread() & ~3) + (lane & 1) * rows_apart + (lane >> 1) * 8;
}

}  // namespace tile2cpp::meta
