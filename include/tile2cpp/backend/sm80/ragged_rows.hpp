// backend/sm80/ragged_rows.hpp: matrices whose rows begin anywhere, from an array to shared memory.
//
// A piece of 16 bytes lies in two aligned words of 16 bytes, which are read whole and shifted together. Neighbouring pieces
// share words, so most of them come from the cache. No word is read that does not hold an element of the piece or does not
// lie wholly in the array: at its very ends, as for elements that are not adjacent, they are picked one by one.
#pragma once

#include "tile2cpp/backend/byte_shift.hpp"
#include "tile2cpp/backend/memory.hpp"
#include "tile2cpp/backend/sm80/matrix_rows.hpp"

namespace tile2cpp::backend {

T2C_FN void store_piece(unsigned to, four_words const& piece) {
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(piece.x), "r"(piece.y), "r"(piece.z), "r"(piece.w) : "memory");
}

/// A piece whose elements are picked one by one.
template <class E> T2C_FN void gather_piece(unsigned to, matrix_rows<E> const& from, int row, int column) {
  constexpr int count = 16 / int(sizeof(E));
  elements<E, count> piece = meta::bit_cast<elements<E, count>>(four_words{});
  E const* place = from.origin + row * from.row_stride + column * from.element_stride;
  int const exist = row < from.rows ? from.columns - column : 0;
  T2C_UNROLL
  for (int i = 0; i < count; ++i, place += from.element_stride) read_run_if<1>(i < exist, &piece.at[i], place);
  store_piece(to, meta::bit_cast<four_words>(piece));
}

/// How threads share the pieces of a matrix: neighbours along a row, each with every `row_step`th row of `columns` columns
/// of pieces.
template <class Matrix, int Threads> struct column_share {
  static constexpr int lanes = Matrix::pieces < Threads ? Matrix::pieces : Threads;
  static constexpr int columns = Matrix::pieces / lanes, row_step = Threads / lanes;
  static constexpr int rows = Matrix::rows < row_step ? 1 : Matrix::rows / row_step;
  static constexpr bool idles = Matrix::rows < row_step;
};

/// One thread's column of pieces in an array: `Count` of them, every `RowStep`th row.
template <class E, int Count, int RowStep> struct ragged_column {
  static constexpr int size = int(sizeof(E));
  unsigned long long place;  // the address of the first piece
  long long step;            // from one to the next, in bytes
  int bytes;                 // of a piece that exist
  int rows;                  // that exist, from that of the first piece on

  T2C_FN ragged_column(matrix_rows<E> const& from, int row, int column)
      : place(reinterpret_cast<unsigned long long>(from.origin + row * from.row_stride + column)),
        step(RowStep * size * from.row_stride),
        bytes(from.columns - column < 16 / size ? (from.columns - column) * size : 16),
        rows(bytes > 0 ? from.rows - row : 0) {}

  T2C_FN static unsigned long long first_word(unsigned long long place) { return place & ~15ull; }
  T2C_FN unsigned long long last_word(unsigned long long place) const { return (place + static_cast<unsigned>(bytes - 1)) & ~15ull; }

  /// Whether elements are adjacent and all words that hold some lie in the array. If those of the first and of the last row do, so
  /// do the others.
  T2C_FN bool lies_in_words(matrix_rows<E> const& from) const {
    unsigned const last = rows > 0 ? static_cast<unsigned>(rows - 1) / RowStep : 0;
    bool const begins = first_word(place) >= reinterpret_cast<unsigned long long>(from.array_begin);
    bool const ends = last_word(place + last * step) + 16 <= reinterpret_cast<unsigned long long>(from.array_end);
    return rows <= 0 | (from.element_stride == 1 & step >= 0 & begins & ends);
  }

  /// Moves all pieces to shared memory; `target(first, i)` is where piece `first + i` goes. Some are read before the first one is
  /// waited for.
  template <class Target> T2C_FN void move(Target const& target) const {
    constexpr int batch = Count < 4 ? Count : 4;
    four_words const mask = first_bytes(bytes);
    unsigned long long at = place;
    T2C_KEEP_LOOP
    for (int first = 0; first < Count; first += batch) {
      four_words low[batch], high[batch];
      unsigned start[batch];
      T2C_UNROLL
      for (int i = 0; i < batch; ++i, at += step) {
        bool const exists = (first + i) * RowStep < rows;
        low[i] = read_word(exists, first_word(at));
        high[i] = read_word(exists, last_word(at));
        start[i] = static_cast<unsigned>(at);
      }
      T2C_UNROLL
      for (int i = 0; i < batch; ++i) store_piece(target(first, i), bytes_from(low[i], high[i], start[i]) & mask);
    }
  }

 private:
  T2C_FN static four_words read_word(bool wanted, unsigned long long place) {
    uint4 word{0, 0, 0, 0};
    load_pack_if<read_only<E const>>(wanted, reinterpret_cast<uint4 const*>(place), word);
    return {word.x, word.y, word.z, word.w};
  }
};

/// All pieces of a matrix by `Threads` threads, of which this is number `number`.
template <class Matrix, int Threads, class E> T2C_FN void gather_matrix(unsigned to, matrix_rows<E> const& from, int number) {
  using share = column_share<Matrix, Threads>;
  int const row = number / share::lanes;
  if (share::idles && row >= Matrix::rows) return;
  T2C_KEEP_LOOP
  for (int n = 0; n < share::columns; ++n) {
    int const byte = (number % share::lanes + n * share::lanes) * 16, column = byte / Matrix::size;
    ragged_column<E, share::rows, share::row_step> const mine(from, row, column);
    if (mine.lies_in_words(from)) {
      // Rows without common bits.
      mine.move([&](int first, int i) {
        int const between = Matrix::place(i * share::row_step, 0), place = Matrix::place(row + first * share::row_step, byte);
        return (between & 0x70) == 0 ? to + place + between : to + (place ^ between);
      });
    } else {
      T2C_KEEP_LOOP
      for (int i = 0; i < share::rows; ++i)
        gather_piece(to + Matrix::place(row + i * share::row_step, byte), from, row + i * share::row_step, column);
    }
  }
}

}  // namespace tile2cpp::backend
