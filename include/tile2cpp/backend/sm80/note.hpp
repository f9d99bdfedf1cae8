// backend/sm80/note.hpp: what a block remembers of the factors it has fetched ahead, between two products.
//
// In shared memory, a copy for each warp; where products read ahead in registers. They have most of it there anyway, and nothing but the
// comparison is then in front of their first instruction: reading the note took longer than that.
#pragma once

#include "tile2cpp/backend/primitives.hpp"
#include "tile2cpp/backend/sm80/ahead.hpp"

namespace tile2cpp::backend {

/// The factors that the next product is expected to have, and the stage where they are.
struct alignas(16) ring_note {
  ring_position position;
  ring_course course;
  unsigned word[most_words];  // arrays, extents, strides and the other indices
};

T2C_FN ring_note& note_of_warp() {
  __shared__ ring_note notes[threads < 32 ? 1 : threads / 32];
  return notes[thread() / 32];
}

T2C_FN ring_pointers& pointers_of_thread() {
  __shared__ ring_pointers pointers[threads];
  return pointers[thread()];
}

/// The note of products that read ahead, or do not; who writes the one makes the other void.
template <bool InRegisters> struct ring_notes {
  T2C_FN static ring_position position() { return note_of_warp().position; }
  T2C_FN static ring_pointers pointers() { return pointers_of_thread(); }
  T2C_FN static void note(ring_pointers const& pointers) { pointers_of_thread() = pointers; }
  T2C_FN static void note(ring_position const& position) {
    __syncwarp();
    if (thread() % 32 == 0) note_of_warp().position = position;
  }

  template <int Words> T2C_FN static ring_course course(unsigned (&words)[Words]) {
    ring_note const& note = note_of_warp();
    T2C_UNROLL
    for (int i = 0; i < Words; ++i) words[i] = note.word[i];
    return note.course;
  }
  template <int Words> T2C_FN static void note(ring_course const& course, unsigned const (&words)[Words]) {
    if (thread() % 32 == 0) {
      ring_note& note = note_of_warp();
      note.course = course;
      T2C_UNROLL
      for (int i = 0; i < Words; ++i) note.word[i] = words[i];
    }
    forget_ahead();
    __syncwarp();
  }
};

template <> struct ring_notes<true> {
  T2C_FN static ring_position position() {
    ring_position position;
    take_ahead(position);
    return position;
  }
  T2C_FN static ring_pointers pointers() {
    ring_pointers pointers;
    take_ahead(pointers);
    return pointers;
  }
  T2C_FN static void note(ring_pointers const& pointers) { leave_ahead(pointers); }
  T2C_FN static void note(ring_position const& position) { leave_ahead(position); }

  template <int Words> T2C_FN static ring_course course(unsigned (&words)[Words]) {
    ring_course course;
    take_words(words, meta::make_index_list<size_t(Words)>{});
    take_ahead(course);
    return course;
  }
  template <int Words> T2C_FN static void note(ring_course const& course, unsigned const (&words)[Words]) {
    leave_words(words, meta::make_index_list<size_t(Words)>{});
    leave_ahead(course);
    if (thread() % 32 == 0) note_of_warp().course.kind = 0;  // of products that do not read ahead
  }
};

/// Before the first product of a block.
T2C_FN void forget_stages() {
  declare_ahead();
  if (thread() % 32 == 0) note_of_warp().course.kind = note_of_warp().position.head = 0;
}

T2C_FN unsigned char* stage_memory() {
  extern __shared__ __align__(128) unsigned char dynamic_shared_memory[];
  return dynamic_shared_memory;
}

}  // namespace tile2cpp::backend
