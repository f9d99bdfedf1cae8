// program_order.hpp: keeps the memory accesses of a block in the order of the program.
//
// The block is one logical thread to its author: what a store wrote, a later load sees, whichever
// thread holds the element. So the threads meet before a store (its array may still be read) and after it; where
// nobody loads what is stored, before it is enough: of two stores, the later one stays.
#pragma once

#include "tile2cpp/tile.hpp"

namespace tile2cpp {

/// While one of these lives, the block is between two meetings of its threads.
/// `Before` and `After` are false where the entry has shown that no two threads touch one element.
template <bool Before = T2C_ORDERED, bool After = Before>
class program_order {
 public:
  T2C_FN program_order() { meet<Before || T2C_STORES_MEET>(); }
  T2C_FN ~program_order() { meet<After>(); }
  program_order(program_order const&) = delete;
  program_order& operator=(program_order const&) = delete;

 private:
  template <bool Now>
  T2C_FN static void meet() {
    if constexpr (Now) backend::sync();
  }
};

}  // namespace tile2cpp
