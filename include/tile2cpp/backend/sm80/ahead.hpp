// backend/sm80/ahead.hpp: what a product that reads ahead leaves to the next one, in registers.
//
// While its last step multiplies it reads the fragments with which the next product is expected to begin. These, and the note of what is
// expected, stay in registers that the entry declares in PTX, and products find by their names: there is no object that all of them could
// reach. ptxas follows their values: fragments stay where they were read, and what no product changes is compared with itself.
#pragma once

#include "tile2cpp/config.hpp"
#include "tile2cpp/meta.hpp"

namespace tile2cpp::backend {

inline constexpr int most_words_ahead = 64;  // of fragments
inline constexpr int most_words = 36;        // of a note

/// What changes from one product to the next.
struct alignas(16) ring_position {
  int head;     // the stage
  int regular;  // how many products can be fetched without a look at edges
  int a_index;  // of the factors' tiles along the summed axis
  int b_index;
};

/// What stays as long as products are the expected ones, beside the words that describe their factors.
struct alignas(8) ring_course {
  int kind;  // which stages these are; 0: none
  int step;  // tiles between products along the summed axis
  long long a_bytes, b_bytes;  // the same in memory
};

/// Where a thread's next regular copies begin.
struct alignas(16) ring_pointers {
  char const* a;
  char const* b;
};

/// Once, in the entry, in front of all products. As many registers as the two constants above say.
T2C_FN void declare_ahead() {
#if T2C_READS_AHEAD
  asm volatile(".reg .b32 t2c_ahead_<64>, t2c_word_<36>, t2c_head, t2c_regular, t2c_index_a, t2c_index_b, t2c_kind, t2c_step;"
               ".reg .b64 t2c_next_a, t2c_next_b, t2c_bytes_a, t2c_bytes_b; mov.b32 t2c_head, 0; mov.b32 t2c_kind, 0;");
#endif
}

/// A value of the note from its registers, or to them.
T2C_FN void take_ahead(ring_position& to) {
  asm volatile("mov.b32 %0, t2c_head; mov.b32 %1, t2c_regular; mov.b32 %2, t2c_index_a; mov.b32 %3, t2c_index_b;"
               : "=r"(to.head), "=r"(to.regular), "=r"(to.a_index), "=r"(to.b_index));
}
T2C_FN void leave_ahead(ring_position const& from) {
  asm volatile("mov.b32 t2c_head, %0; mov.b32 t2c_regular, %1; mov.b32 t2c_index_a, %2; mov.b32 t2c_index_b, %3;"
               ::"r"(from.head), "r"(from.regular), "r"(from.a_index), "r"(from.b_index));
}
T2C_FN void take_ahead(ring_course& to) {
  asm volatile("mov.b32 %0, t2c_kind; mov.b32 %1, t2c_step; mov.b64 %2, t2c_bytes_a; mov.b64 %3, t2c_bytes_b;"
               : "=r"(to.kind), "=r"(to.step), "=l"(to.a_bytes), "=l"(to.b_bytes));
}
T2C_FN void leave_ahead(ring_course const& from) {
  asm volatile("mov.b32 t2c_kind, %0; mov.b32 t2c_step, %1; mov.b64 t2c_bytes_a, %2; mov.b64 t2c_bytes_b, %3;"
               ::"r"(from.kind), "r"(from.step), "l"(from.a_bytes), "l"(from.b_bytes));
}
T2C_FN void take_ahead(ring_pointers& to) { asm volatile("mov.b64 %0, t2c_next_a; mov.b64 %1, t2c_next_b;" : "=l"(to.a), "=l"(to.b)); }
T2C_FN void leave_ahead(ring_pointers const& from) { asm volatile("mov.b64 t2c_next_a, %0; mov.b64 t2c_next_b, %1;" ::"l"(from.a), "l"(from.b)); }

/// The stages hold something else now.
T2C_FN void forget_ahead() {
#if T2C_READS_AHEAD
  asm volatile("mov.b32 t2c_kind, 0;");
#endif
}

/// Word `Number` of a note.
template <size_t Number> T2C_FN void take_word(unsigned& to) { asm volatile("mov.b32 %0, t2c_word_%1;" : "=r"(to) : "n"(int(Number))); }
template <size_t Number> T2C_FN void leave_word(unsigned from) { asm volatile("mov.b32 t2c_word_%1, %0;" ::"r"(from), "n"(int(Number))); }
template <size_t... Number> T2C_FN void take_words(unsigned* to, meta::index_list<Number...>) { (take_word<Number>(to[Number]), ...); }
template <size_t... Number> T2C_FN void leave_words(unsigned const* from, meta::index_list<Number...>) { (leave_word<Number>(from[Number]), ...); }

/// The fragments of one step, word by word.
template <size_t Number> T2C_FN void take_fragment(unsigned& to) { asm volatile("mov.b32 %0, t2c_ahead_%1;" : "=r"(to) : "n"(int(Number))); }
template <size_t Number> T2C_FN void leave_fragment(unsigned from) { asm volatile("mov.b32 t2c_ahead_%1, %0;" ::"r"(from), "n"(int(Number))); }
template <class Fragments, size_t... Number> T2C_FN void take_fragments(Fragments& to, meta::index_list<Number...>) {
  (take_fragment<Number>(to.word_at(int(Number))), ...);
}
template <class Fragments, size_t... Number> T2C_FN void leave_fragments(Fragments& from, meta::index_list<Number...>) {
  (leave_fragment<Number>(from.word_at(int(Number))), ...);
}

}  // namespace tile2cpp::backend
