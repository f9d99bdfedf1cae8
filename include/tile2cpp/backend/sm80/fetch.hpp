// backend/sm80/fetch.hpp: a factor of a product from an array to shared memory, by all threads of the block.
#pragma once

#include "tile2cpp/backend/memory.hpp"
#include "tile2cpp/backend/sm80/cp_async.hpp"
#include "tile2cpp/backend/sm80/ldmatrix.hpp"
#include "tile2cpp/backend/sm80/matrix_rows.hpp"
#include "tile2cpp/backend/sm80/ragged_rows.hpp"
#include "tile2cpp/backend/sm80/shared_matrix.hpp"

namespace tile2cpp::backend {

/// The pieces of 16 bytes that a thread copies: it steps over all pieces with a stride of the block.
template <class Matrix> struct piece_share {
  static constexpr int total = Matrix::rows * Matrix::pieces;
  static constexpr int count = total < threads ? 1 : total / threads;
  static constexpr int elements = 16 / Matrix::size;

  T2C_BOTH static constexpr int row(int piece) { return piece / Matrix::pieces; }
  T2C_BOTH static constexpr int column(int piece) { return piece % Matrix::pieces * elements; }
};

/// Whether every piece begins where 16 bytes may be copied at once.
template <class E> T2C_FN bool pieces_align(matrix_rows<E> const& from) {
  auto const bits = reinterpret_cast<unsigned long long>(from.origin) | static_cast<unsigned long long>(from.row_stride) * sizeof(E);
  return from.element_stride == 1 && bits % 16 == 0;
}

/// Where the pieces of a thread lie, told by its first one: `target(i)` in shared memory, `rows_between` rows apart in the array
/// where `by_rows`, which means that they all lie in one column.
template <class Matrix> struct piece_places {
  using share = piece_share<Matrix>;
  T2C_BOTH static constexpr int row(int i) { return share::row(i * threads); }
  T2C_BOTH static constexpr int column(int i) { return share::column(i * threads); }
  T2C_BOTH static constexpr int offset(int i) { return Matrix::place(row(i), column(i) * Matrix::size); }
  static constexpr bool by_rows = share::column((share::count - 1) * threads) == 0;
  static constexpr int rows_between = share::count > 1 ? share::row((share::count - 1) * threads) / (share::count - 1) : 0;
  unsigned to;
  int place;

  T2C_FN explicit piece_places(unsigned to) : to(to), place(Matrix::place(share::row(thread()), share::column(thread()) * Matrix::size)) {}

  /// Without common bits the exclusive or is a sum, which the instruction does.
  T2C_FN unsigned target(int i) const { return (offset(i) & 0x70) == 0 ? to + place + offset(i) : to + (place ^ offset(i)); }
  T2C_FN static long long distance(int i, long long row_stride) { return (row(i) * row_stride + column(i)) * Matrix::size; }
};

/// The copies of pieces that all lie where 16 bytes may be copied at once; `start` is the address of the thread's first one.
template <class Matrix>
T2C_FN void copy_pieces(unsigned to, char const* start, long long row_stride, int rows_left, int columns_left) {
  using share = piece_share<Matrix>;
  piece_places<Matrix> const at(to);
  int const row = share::row(thread()), column = share::column(thread());
  T2C_UNROLL
  for (int i = 0; i < share::count; ++i) {
    int const room = columns_left - column - at.column(i);
    int const wanted = row + at.row(i) < rows_left && room > 0 ? room : 0;
    copy_piece(at.target(i), start + at.distance(i, row_stride), wanted < share::elements ? wanted * Matrix::size : 16);
  }
}

/// Part `part` of `Parts` of the copies of a whole matrix, if `wanted`. `next` moves on from part to part: it is the address of the
/// thread's next piece, or, where pieces lie in several columns, of its first one.
template <class Matrix, int Parts>
T2C_FN void copy_part(bool wanted, unsigned to, char const*& next, long long row_stride, int part) {
  using share = piece_share<Matrix>;
  constexpr int count = share::count < Parts ? 1 : share::count / Parts;
  if (part * count >= share::count) return;
  piece_places<Matrix> const at(to);
  long long const step = at.rows_between * row_stride * Matrix::size;
  T2C_UNROLL
  for (int n = 0; n < count; ++n) {
    int const i = part * count + n;
    copy_piece_if(wanted, at.target(i), at.by_rows ? next : next + at.distance(i, row_stride));
    if (at.by_rows) next += step;
  }
}

/// The address of the thread's first piece.
template <class Matrix, class E> T2C_FN char const* first_piece(matrix_rows<E> const& from) {
  using share = piece_share<Matrix>;
  return reinterpret_cast<char const*>(from.origin + share::row(thread()) * from.row_stride + share::column(thread()));
}

template <class Matrix> T2C_FN bool has_pieces() { return piece_share<Matrix>::total >= threads || thread() < piece_share<Matrix>::total; }

/// Whether all elements of a matrix exist.
template <class Matrix, class E> T2C_FN bool is_whole(matrix_rows<E> const& from) {
  return from.rows >= Matrix::rows && from.columns * Matrix::size >= Matrix::row_bytes;
}

/// Starts the copies of one matrix; those that cannot run on by themselves are done at once.
template <class Matrix, class E> T2C_FN void fetch_matrix(unsigned to, matrix_rows<E> const& from) {
  if (!has_pieces<Matrix>()) return;
  if (pieces_align(from)) {
    copy_pieces<Matrix>(to, first_piece<Matrix>(from), from.row_stride, from.rows, from.columns);
  } else {
    gather_matrix<Matrix, threads>(to, from, thread());
  }
}

}  // namespace tile2cpp::backend
