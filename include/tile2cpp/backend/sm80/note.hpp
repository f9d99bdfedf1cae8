// backend/sm80/note.hpp: what a block remembers of the factors it has fetched ahead, between two products.
#pragma once

#include "tile2cpp/backend/primitives.hpp"
#include "tile2cpp/backend/sm80/ahead.hpp"

namespace tile2cpp::backend {

inline constexpr int most_words = 36;

/// The factors that the next product is expected to have, and the stage where they are.
struct alignas(16) ring_note {
  int head;     // the stage
  int regular;  // how many products can be fetched without a look at edges
  int a_index;  // of the factors' tiles along the summed axis
  int b_index;
  int kind;  // which stages these are; 0: none
  int step;  // tiles between products along the summed axis
  long long a_bytes, b_bytes;  // the same in memory
  unsigned word[most_words];  // arrays, extents, strides and the other indices
};

T2C_FN ring_note& note_of_warp() {
  __shared__ ring_note notes[threads < 32 ? 1 : threads / 32];
  return notes[thread() / 32];
}

/// Where a thread's next regular copies begin.
struct alignas(16) ring_pointers {
  char const* a;
  char const* b;
};

T2C_FN ring_pointers& pointers_of_thread() {
  __shared__ ring_pointers pointers[threads];
  return pointers[thread()];
}

/// Before the first product of a block.
T2C_FN void forget_stages() {
  declare_words_ahead();
  if (thread() % 32 == 0) note_of_warp().kind = note_of_warp().head = 0;
}

T2C_FN unsigned char* stage_memory() {
  extern __shared__ __align__(128) unsigned char dynamic_shared_memory[];
  return dynamic_shared_memory;
}

}  // namespace tile2cpp::backend
