// What swift.py says about a prepared launch.
#pragma once

#include "python.hpp"

namespace {

// The members are those of the ctypes structures in entries.py.

using getter = object* (*)(object*, object*, object*);

/// An attribute of a class: what reads it, and the descriptor that this takes.
struct attribute {
  object* descriptor;
  getter get;
};

/// DLTensor of DLPack: what torch says of a tensor. Shape and strides are the tensor's own and are not kept.
struct described {
  char* data;
  int32_t device_type, device, ndim;
  uint32_t dtype;
  const int64_t *shape, *strides;
  uint64_t byte_offset;
};

/// How arrays and the world around a launch are asked.
struct world {
  attribute dtype, size, ndim, contiguous, shape, strides, data, address, device;
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, intptr_t, void**, void**);
  int (*encode)(void*, int, unsigned, void*, const void*, const void*, const void*, const void*, int, int, int, int);
  intptr_t (*stream)();  // the current one; where it is missing, a Python function knows
  int (*current_device)(int);
  // Functions that torch offers; where they are missing, methods of its class and a Python function know.
  int (*describe)(object*, described*);
  int (*stream_of)(int, int32_t, void**);
  object *stride, *get_device, *data_ptr;
  object *ask_stream, *ask_device;
  object* handles[2];  // the attributes of a stream one of which holds its handle
  object *int_type, *none;
  int tensor_device;
};

enum kind : int { constant_int, constant_bool, constant_float, integer, natural, boolean, single, real, array, tensor, asked_tensor };

struct argument {
  int what, place, ndim, contiguous;
  object *type, *expected, *shape, *strides;
  const int64_t* extents;  // of a tensor, and behind them its strides
  int64_t low, high;  // the range of an integer, the value of a constant; of an array the size (of a tensor DLPack's dtype), and the address modulo 16
  int64_t rows;       // of an array of two axes that has no `shape`
  double value;
};

struct watched {
  object *mapping, *key, *value;
};

constexpr int remembered = 4;

/// A descriptor of an array for the copy engine: what encodes it, and the latest ones.
struct map {
  int place, type, rank, swizzle, promotion, next;
  const void *extents, *strides, *box, *steps;
  uint64_t addresses[remembered];
  unsigned char made[remembered][128];
};

struct entry {
  world* around;
  argument* arguments;
  watched* globals;
  map* maps;
  const unsigned char* contents;
  const int32_t* offsets;
  object* owner;
  void* handle;
  int32_t argument_count, watched_count, map_count, bytes, parameters, threads, shared, device;  // device: -1 where there is one GPU only
  int32_t most_blocks;  // of a launch, where each walks over the grid; else 0
  int32_t least_blocks;  // of a launch that has work for all multiprocessors, where blocks deal rows out among each other; else 0
  int32_t multiprocessors;
};

constexpr int most_entries = 4, most_bytes = 1024, most_parameters = 96, most_maps = 12;

struct table {
  entry* entries[most_entries];
  object* general;  // kernel._start_in_python(grid, stream, backend, dependent, args, named)
  object* kernel;
  int count;
};

}  // namespace
