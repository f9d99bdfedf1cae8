// backend/sm90/notes.hpp: what a warp that multiplies remembers from one product to the next.
//
// Registers that the entry declares in PTX, and products find by their names: there is no object that all of them could reach. All lanes
// have the same values, and ptxas sees that, since it can follow them from the entry on: descriptors are then made of uniform registers.
// Notes in shared memory cost an access and a move for each instruction of a warpgroup.
#pragma once

#include "tile2cpp/backend/sm90/rings.hpp"
#include "tile2cpp/meta.hpp"

namespace tile2cpp::backend {

/// The stage of a ring that is used next, and the parity of the phase in which it fills.
struct ring_place {
  int stage, phase;
  template <int Stages> T2C_FN void advance() {
    bool const last = stage == Stages - 1;
    stage = last ? 0 : stage + 1;
    phase ^= last;
  }
};
template <int Ring> T2C_FN ring_place noted_place() {
  ring_place place;
  asm volatile("mov.b32 %0, t2c_stage_%2; mov.b32 %1, t2c_phase_%2;" : "=r"(place.stage), "=r"(place.phase) : "n"(Ring));
  return place;
}
template <int Ring> T2C_FN void note_place(ring_place place) {
  asm volatile("mov.b32 t2c_stage_%2, %0; mov.b32 t2c_phase_%2, %1;" ::"r"(place.stage), "r"(place.phase), "n"(Ring));
}

/// The barrier that frees the stage of the last product, when that is complete; 0: none.
T2C_FN unsigned noted_finish() {
  unsigned barrier;
  asm volatile("mov.b32 %0, t2c_finished;" : "=r"(barrier));
  return barrier;
}
T2C_FN void note_finish(unsigned barrier) { asm volatile("mov.b32 t2c_finished, %0;" ::"r"(barrier)); }

/// Which factor lies in a place for one that stays, and the parity of the phase in which the next one arrives.
struct resident_state {
  unsigned long long key;
  int phase;
};
template <int Resident> T2C_FN resident_state noted_resident() {
  resident_state state;
  asm volatile("mov.b64 %0, t2c_resident_%2; mov.b32 %1, t2c_resident_phase_%2;" : "=l"(state.key), "=r"(state.phase) : "n"(Resident));
  return state;
}
template <int Resident> T2C_FN void note_resident(resident_state const& state) {
  asm volatile("mov.b64 t2c_resident_%2, %0; mov.b32 t2c_resident_phase_%2, %1;" ::"l"(state.key), "r"(state.phase), "n"(Resident));
}

/// The number of the thread's warpgroup in the block.
T2C_FN int warpgroup() {
  int number;
  asm volatile("mov.b32 %0, t2c_warpgroup;" : "=r"(number));
  return number;
}

template <int Ring> T2C_FN void declare_ring_notes() {
  asm volatile(".reg .b32 t2c_stage_%0, t2c_phase_%0; mov.b32 t2c_stage_%0, 0; mov.b32 t2c_phase_%0, 0;" ::"n"(Ring));
}
template <int Resident> T2C_FN void declare_resident_notes() {
  asm volatile(".reg .b64 t2c_resident_%0; .reg .b32 t2c_resident_phase_%0; mov.b64 t2c_resident_%0, 0; mov.b32 t2c_resident_phase_%0, 0;" ::"n"(Resident));
}

/// Once, in the entry, in front of all else that is here.
template <size_t... Ring, size_t... Resident> T2C_FN void declare_notes(meta::index_list<Ring...>, meta::index_list<Resident...>) {
  int const number = __shfl_sync(0xffffffffu, threadIdx.x / 128, 0);  // by a shuffle, so that ptxas knows it to be the same for all lanes
  asm volatile(".reg .b32 t2c_finished, t2c_warpgroup; mov.b32 t2c_finished, 0; mov.b32 t2c_warpgroup, %0;" ::"r"(number));
  (declare_ring_notes<int(Ring)>(), ...);
  (declare_resident_notes<int(Resident)>(), ...);
}

}  // namespace tile2cpp::backend
