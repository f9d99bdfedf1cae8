// backend/sm80/ahead.hpp: the fragments with which the next product is expected to begin.
//
// They are read while the last step of a product multiplies, so the next one need not wait for them. Between the two they stay in
// registers that the entry declares in PTX, and products find by their names: there is no object that all of them could reach. ptxas
// follows their values, so they stay where they were read.
#pragma once

#include "tile2cpp/config.hpp"
#include "tile2cpp/meta.hpp"

namespace tile2cpp::backend {

inline constexpr int most_words_ahead = 64;

/// Once, in the entry, in front of all products.
T2C_FN void declare_ahead() {
#if T2C_READS_AHEAD
  asm volatile(".reg .b32 t2c_ahead_<64>, t2c_head, t2c_regular, t2c_index_a, t2c_index_b; .reg .b64 t2c_next_a, t2c_next_b; mov.b32 t2c_head, 0;");
#endif
}

template <size_t Number> T2C_FN unsigned word_ahead() {
  unsigned word;
  asm volatile("mov.b32 %0, t2c_ahead_%1;" : "=r"(word) : "n"(int(Number)));
  return word;
}
template <size_t Number> T2C_FN void keep_ahead(unsigned word) { asm volatile("mov.b32 t2c_ahead_%1, %0;" ::"r"(word), "n"(int(Number))); }

template <class Position> T2C_FN Position position_ahead() {
  Position position;
  asm volatile("mov.b32 %0, t2c_head; mov.b32 %1, t2c_regular; mov.b32 %2, t2c_index_a; mov.b32 %3, t2c_index_b;"
               : "=r"(position.head), "=r"(position.regular), "=r"(position.a_index), "=r"(position.b_index));
  return position;
}
template <class Position> T2C_FN void keep_position(Position const& position) {
  asm volatile("mov.b32 t2c_head, %0; mov.b32 t2c_regular, %1; mov.b32 t2c_index_a, %2; mov.b32 t2c_index_b, %3;"
               ::"r"(position.head), "r"(position.regular), "r"(position.a_index), "r"(position.b_index));
}
template <class Pointers> T2C_FN Pointers pointers_ahead() {
  Pointers pointers;
  asm volatile("mov.b64 %0, t2c_next_a; mov.b64 %1, t2c_next_b;" : "=l"(pointers.a), "=l"(pointers.b));
  return pointers;
}
template <class Pointers> T2C_FN void keep_pointers(Pointers const& pointers) {
  asm volatile("mov.b64 t2c_next_a, %0; mov.b64 t2c_next_b, %1;" ::"l"(pointers.a), "l"(pointers.b));
}

/// The fragments of one step, word by word.
template <class Fragments, size_t... Number> T2C_FN void take_ahead(Fragments& fragments, meta::index_list<Number...>) {
  ((fragments.word_at(int(Number)) = word_ahead<Number>()), ...);
}
template <class Fragments, size_t... Number> T2C_FN void leave_ahead(Fragments& fragments, meta::index_list<Number...>) {
  (keep_ahead<Number>(fragments.word_at(int(Number))), ...);
}

}  // namespace tile2cpp::backend
