// layout.hpp: which thread of the block holds which element of a tile, as constexpr data.
//
// All extents are powers of two, so a layout deals out the bits of the row-major element index: each bit
// belongs either to the number of a slot (a register of the thread) or to the number of the thread. A thread
// bit that got no index bit is a replica bit: the threads it distinguishes hold the same elements.
#pragma once

#include "tile2cpp/shape.hpp"

namespace tile2cpp {

/// How the threads of a block are laid over a tile; all members are powers of two.
struct schedule {
  int threads;         // threads of the block
  int vector;          // most elements of the last axis that one thread holds side by side
  int column_threads;  // threads along the last axis
  bool product = false;  // the elements lie as matrix instructions hold them; `vector` is not used
  bool turned = false;   // the same, where warpgroups compute the result with rows and columns swapped
};

inline constexpr schedule this_schedule{T2C_THREADS, T2C_VECTOR, T2C_COLUMN_THREADS, T2C_PRODUCT != 0, T2C_TURNED != 0};

namespace meta {

/// The deal: `slot[k]` and `thread[k]` are the index weights (powers of two, 0 for a replica) of bit k.
struct bit_map {
  int slot_bits = 0;
  int thread_bits = 0;
  int slot[25] = {};
  int thread[11] = {};
  T2C_BOTH constexpr void give_slot(int weight) { slot[slot_bits++] = weight; }
  T2C_BOTH constexpr void give_thread(int weight) { thread[thread_bits++] = weight; }
};

template <int N> struct table {
  int at[N];
};

/// What bit `Bit` of a number counts, in the sum below: an enumerator, since variables would be stored in the module.
template <class Weights, size_t Bit> struct bit_weight {
  enum : int { value = Weights::of(static_cast<int>(Bit)) };
};

/// A number in which each bit of `number` counts as `Weights::of` tells. Loops over slots ask this and not a table: where they
/// call a function, compilers carry a table for each slot along until the loop is unrolled, which costs as much as all that is computed.
template <class Weights, size_t... Bit> T2C_BOTH constexpr int sum_of_bits([[maybe_unused]] int number, index_list<Bit...>) {
  return (0 | ... | ((number >> Bit & 1) * int(bit_weight<Weights, Bit>::value)));
}
template <class Weights, int Bits> T2C_BOTH constexpr int sum_of_bits(int number) {
  return sum_of_bits<Weights>(number, make_index_list<size_t(Bits)>{});
}

/// With more slots than this, threads take elements of their own rather than copies. A small block has small tiles,
/// whose rows need few slots; in larger blocks, too, the rows of M x N need more than 16 only when M x N has hundreds. Four lanes share
/// the columns of a product, so a row of 128 of them takes 32.
T2C_BOTH constexpr int most_slots_beside_replicas(schedule s) { return s.product ? 32 : s.threads >= 128 ? 16 : (s.threads + 7) / 8; }

/// Long narrow tiles (4096 x 4) leave column threads idle, wide flat ones (1 x 16384) row threads: where a thread
/// would hold too many elements, all those threads take the lowest slot bits above the vector. Smaller tiles are left
/// alone, because M x 1 should lie as the rows of M x N do.
T2C_BOTH constexpr void employ_replicas(bit_map& bits, int vector_bits, schedule s) {
  if (1 << bits.slot_bits <= most_slots_beside_replicas(s)) return;
  for (int k = 0; k < bits.thread_bits; ++k) {
    if (bits.thread[k] != 0 || bits.slot_bits <= vector_bits) continue;
    bits.thread[k] = bits.slot[vector_bits];
    for (int j = vector_bits + 1; j < bits.slot_bits; ++j) bits.slot[j - 1] = bits.slot[j];
    bits.slot[--bits.slot_bits] = 0;
  }
}

/// Sees the tile as a matrix, columns = last extent, and deals its bits as the schedule says:
/// vector slots, column threads, further column slots; row threads, further row slots.
T2C_BOTH constexpr bit_map canonical_bits(size_t rows, size_t columns, schedule s) {
  bit_map bits;
  int const row_weight = static_cast<int>(columns);
  int const row_bits = log2(rows), column_bits = log2(columns);
  int const vector_bits = s.threads == 1 ? column_bits : log2(static_cast<size_t>(s.vector));
  int const column_threads = log2(static_cast<size_t>(s.column_threads));
  int const row_threads = log2(static_cast<size_t>(s.threads)) - column_threads;
  int column = 0, row = 0;
  while (column < column_bits && column < vector_bits) bits.give_slot(1 << column++);
  for (int k = 0; k < column_threads; ++k) bits.give_thread(column < column_bits ? 1 << column++ : 0);
  while (column < column_bits) bits.give_slot(1 << column++);
  for (int k = 0; k < row_threads; ++k) bits.give_thread(row < row_bits ? row_weight << row++ : 0);
  while (row < row_bits) bits.give_slot(row_weight << row++);
  employ_replicas(bits, column_bits < vector_bits ? column_bits : vector_bits, s);
  return bits;
}

/// Deals the bits as tensor cores hold the result of a product. A warp holds blocks of 16 rows by 8 columns:
/// pairs of columns in slots, four pairs and eight rows over the lanes, the ninth row in slots again. Warps lie
/// along the columns and the rows in steps of 16; the remaining bits are slots.
T2C_BOTH constexpr bit_map product_bits(size_t rows, size_t columns, schedule s) {
  bit_map bits;
  int const row_weight = static_cast<int>(columns);
  int const row_bits = log2(rows), column_bits = log2(columns);
  int const column_warps = log2(static_cast<size_t>(s.column_threads)) - 2;
  int const row_warps = log2(static_cast<size_t>(s.threads)) - 5 - column_warps;
  int column = 0, row = 0;
  if (column < column_bits) bits.give_slot(1 << column++);
  for (int k = 0; k < 2; ++k) bits.give_thread(column < column_bits ? 1 << column++ : 0);
  for (int k = 0; k < 3; ++k) bits.give_thread(row < row_bits ? row_weight << row++ : 0);
  if (row < row_bits) bits.give_slot(row_weight << row++);
  if (column < column_bits) bits.give_slot(1 << column++);
  for (int k = 0; k < column_warps; ++k) bits.give_thread(column < column_bits ? 1 << column++ : 0);
  for (int k = 0; k < row_warps; ++k) bits.give_thread(row < row_bits ? row_weight << row++ : 0);
  while (column < column_bits) bits.give_slot(1 << column++);
  while (row < row_bits) bits.give_slot(row_weight << row++);
  if (rows < 16 || columns < 8) employ_replicas(bits, columns > 1, s);  // no result of a matrix instruction
  return bits;
}

/// Whether each thread of a turned product holds four neighbours of a row, not two: its warpgroup computes at least two blocks.
T2C_BOTH constexpr bool turned_in_fours(size_t columns, schedule s) { return columns > static_cast<size_t>(s.threads) / 2; }

/// Deals the bits as warpgroups hold a result whose columns are the rows of their instructions, 64 of them for each in a block. The
/// instruction's row and the block that a column belongs to may be chosen; so neighbours come from the two halves of a block
/// (and from two blocks), and lanes lie such that they read the right factor without bank conflicts, and store whole lines.
T2C_BOTH constexpr bit_map turned_bits(size_t rows, size_t columns, schedule s) {
  bit_map bits;
  int const row_weight = static_cast<int>(columns);
  int const row_bits = log2(rows), column_bits = log2(columns);
  bool const fours = turned_in_fours(columns, s);
  int const lanes_and_warps[2][5] = {{1, 4, 2, 3, 5}, {4, 2, 3, 5, 6}};
  int column = fours ? 7 : 6;
  if (column_bits > 0) bits.give_slot(1);
  if (fours) bits.give_slot(2);
  if (row_bits > 0) bits.give_slot(row_weight);
  for (int row = 1; row < 3; ++row) bits.give_thread(row < row_bits ? row_weight << row : 0);
  for (int const bit : lanes_and_warps[fours]) bits.give_thread(bit < column_bits ? 1 << bit : 0);
  for (int groups = s.threads / 128; groups > 1; groups /= 2, ++column) bits.give_thread(column < column_bits ? 1 << column : 0);
  for (int row = 3; row < row_bits; ++row) bits.give_slot(row_weight << row);
  while (column < column_bits) bits.give_slot(1 << column++);
  if (rows < 8 || columns < 64) employ_replicas(bits, columns > 1, s);
  return bits;
}

template <class Shape> T2C_BOTH constexpr bit_map bits_for(schedule s) {
  size_t const columns = extent_from_end<Shape>(0), rows = product_of_extents<Shape>() / columns;
  if (s.turned) return turned_bits(rows, columns, s);
  return s.product ? product_bits(rows, columns, s) : canonical_bits(rows, columns, s);
}

/// Length of the runs of slots that are neighbours in the last axis.
template <class Shape> T2C_BOTH constexpr int run_for(schedule s) {
  int const columns = static_cast<int>(extent_from_end<Shape>(0));
  int const most = s.threads == 1 ? columns : s.turned && turned_in_fours(extent_from_end<Shape>(0), s) ? 4 : s.product ? 2 : s.vector;
  return columns < most ? columns : most;
}

/// Neighbouring thread bits with neighbouring weights move together: index |= (thread >> from & mask) << to.
struct field {
  int from, mask, to;
};
struct field_list {
  int count = 0;
  field at[11] = {};
};

T2C_BOTH constexpr field_list fields_of(bit_map const& bits) {
  field_list list;
  for (int k = 0; k < bits.thread_bits; ++k) {
    if (bits.thread[k] == 0) continue;
    bool const joins = k > 0 && bits.thread[k - 1] != 0 && bits.thread[k] == 2 * bits.thread[k - 1];
    if (joins) {
      field& last = list.at[list.count - 1];
      last.mask = 2 * last.mask + 1;
    } else {
      list.at[list.count++] = field{k, 1, log2(static_cast<size_t>(bits.thread[k]))};
    }
  }
  return list;
}

T2C_BOTH constexpr int replica_mask(bit_map const& bits) {
  int mask = 0;
  for (int k = 0; k < bits.thread_bits; ++k) mask |= bits.thread[k] == 0 ? 1 << k : 0;
  return mask;
}

T2C_BOTH constexpr int weights_of(int const* weight, int count) {
  int sum = 0;
  for (int k = 0; k < count; ++k) sum |= weight[k];
  return sum;
}

T2C_BOTH constexpr int spread(int number, int const* weight, int count) {
  int index = 0;
  for (int k = 0; k < count; ++k)
    if (number >> k & 1) index |= weight[k];
  return index;
}

}  // namespace meta

/// A layout given by its bits. Slot s of thread t is the element at row-major index `base(t) + offset(s)`.
template <meta::bit_map Bits> struct bit_layout {
  static constexpr meta::bit_map bits = Bits;
  static constexpr int slots = 1 << Bits.slot_bits;

  T2C_BOTH static constexpr int base(int thread) {
    constexpr meta::field_list fields = meta::fields_of(Bits);
    int index = 0;
    T2C_UNROLL
    for (int k = 0; k < fields.count; ++k) index |= (thread >> fields.at[k].from & fields.at[k].mask) << fields.at[k].to;
    return index;
  }

  T2C_BOTH static constexpr int offset(int slot) {
    if constexpr (is_identity()) return slot;
    else return meta::sum_of_bits<slot_weights, Bits.slot_bits>(slot);
  }

  /// True for exactly one holder of each element.
  T2C_BOTH static constexpr bool owner(int thread) {
    constexpr int replicas = meta::replica_mask(Bits);
    return (thread & replicas) == 0;
  }

 private:
  T2C_BOTH static constexpr bool is_identity() {
    for (int k = 0; k < Bits.slot_bits; ++k)
      if (Bits.slot[k] != 1 << k) return false;
    return true;
  }

  struct slot_weights {
    T2C_BOTH static constexpr int of(int bit) { return Bits.slot[bit]; }
  };
};

/// The layout that every tile of this shape has, in every kernel with this schedule.
template <class Shape, schedule S = this_schedule> struct layout : bit_layout<meta::bits_for<Shape>(S)> {
  /// Elements of the tile.
  static constexpr int size = static_cast<int>(meta::product_of_extents<Shape>());
  /// Length of the runs of slots that are neighbours in the last axis.
  static constexpr int vector = meta::run_for<Shape>(S);
};

}  // namespace tile2cpp
