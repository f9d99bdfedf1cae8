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
T2C_FN void declare_words_ahead() {
#if T2C_READS_AHEAD
  asm volatile(".reg .b32 t2c_ahead_<64>;");
#endif
}

template <size_t Number> T2C_FN unsigned word_ahead() {
  unsigned word;
  asm volatile("mov.b32 %0, t2c_ahead_%1;" : "=r"(word) : "n"(int(Number)));
  return word;
}
template <size_t Number> T2C_FN void keep_ahead(unsigned word) { asm volatile("mov.b32 t2c_ahead_%1, %0;" ::"r"(word), "n"(int(Number))); }

/// The fragments of one step, word by word.
template <class Fragments, size_t... Number> T2C_FN void take_ahead(Fragments& fragments, meta::index_list<Number...>) {
  ((fragments.word_at(int(Number)) = word_ahead<Number>()), ...);
}
template <class Fragments, size_t... Number> T2C_FN void leave_ahead(Fragments& fragments, meta::index_list<Number...>) {
  (keep_ahead<Number>(fragments.word_at(int(Number))), ...);
}

}  // namespace tile2cpp::backend
