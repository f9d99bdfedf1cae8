// backend/sm80/note.hpp: what a block remembers of the factors it has fetched ahead, between two products.
#pragma once

#include "tile2cpp/backend/primitives.hpp"
#include "tile2cpp/backend/sm80/ahead.hpp"

namespace tile2cpp::backend {

inline constexpr int most_words = 36;

/// What changes from one product to the next.
struct alignas(16) ring_position {
  int head;     // the stage
  int regular;  // how many products can be fetched without a look at edges
  int a_index;  // of the factors' tiles along the summed axis
  int b_index;
};

/// The factors that the next product is expected to have, and the stage where they are.
struct alignas(16) ring_note {
  ring_position position;
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

/// What changes waits in shared memory, or where products read ahead in registers, as they have them anyway: then nothing is in front
/// of the first instruction but the comparison.
template <bool InRegisters> T2C_FN ring_position noted_position() {
  if constexpr (InRegisters) return position_ahead<ring_position>();
  else return note_of_warp().position;
}
template <bool InRegisters> T2C_FN void note_position(ring_position const& position) {
  if constexpr (InRegisters) {
    keep_position(position);
  } else {
    __syncwarp();
    if (thread() % 32 == 0) note_of_warp().position = position;
  }
}
template <bool InRegisters> T2C_FN ring_pointers noted_pointers() {
  if constexpr (InRegisters) return pointers_ahead<ring_pointers>();
  else return pointers_of_thread();
}
template <bool InRegisters> T2C_FN void note_pointers(ring_pointers const& pointers) {
  if constexpr (InRegisters) keep_pointers(pointers);
  else pointers_of_thread() = pointers;
}

/// Before the first product of a block.
T2C_FN void forget_stages() {
  declare_ahead();
  if (thread() % 32 == 0) note_of_warp().kind = note_of_warp().position.head = 0;
  __syncwarp();
}

T2C_FN unsigned char* stage_memory() {
  extern __shared__ __align__(128) unsigned char dynamic_shared_memory[];
  return dynamic_shared_memory;
}

}  // namespace tile2cpp::backend
