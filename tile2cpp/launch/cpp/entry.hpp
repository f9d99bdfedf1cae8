// What swift.py writes about a prepared launch, and whether arguments are like those it was made for.
#pragma once

#include <cstring>

#include "python.hpp"

namespace {

// --- what swift.py writes: the members are those of its ctypes structures

using getter = object* (*)(object*, object*, object*);

/// An attribute of a class: what reads it, and the descriptor that this takes.
struct attribute {
  object* descriptor;
  getter get;
};

/// How arrays and the world around a launch are asked.
struct world {
  attribute dtype, size, ndim, contiguous, shape, strides, data, address, device;
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, intptr_t, void**, void**);
  int (*encode)(void*, int, unsigned, void*, const void*, const void*, const void*, const void*, int, int, int, int);
  intptr_t (*stream)();      // the current one; where it is missing, a Python function knows
  int (*current_device)(int);
  object *ask_stream, *ask_device, *ptr, *int_type, *none;
};

enum kind : int { constant_int, constant_bool, constant_float, integer, natural, boolean, single, real, array };

struct argument {
  int what, place, ndim, contiguous;
  object *type, *expected, *shape, *strides;
  int64_t low, high;  // the range of an integer, the value of a constant; of an array the size, and the address modulo 16
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
};

constexpr int most_entries = 4, most_bytes = 1024, most_parameters = 96, most_maps = 12;

struct table {
  entry* entries[most_entries];
  object* general;  // kernel._start_in_python(grid, stream, backend, dependent, args, named)
  object* kernel;
  int count;
};

// --- arguments --------------------------------------------------------------------------------------

/// An object that a getter made, given back at the end.
struct held {
  object* o;
  explicit held(object* made) : o(made) {}
  held(held const&) = delete;
  ~held() { if (o) Py_DecRef(o); }
};

object* get(attribute const& a, object* of) { return a.get(a.descriptor, of, of->type); }

bool is_number(attribute const& a, object* of, long long wanted) {
  held found(get(a, of));
  int overflow = 0;
  return found.o && PyLong_AsLongLongAndOverflow(found.o, &overflow) == wanted && !overflow;
}

bool is_equal(attribute const& a, object* of, object* wanted) {
  held found(get(a, of));
  return found.o && PyObject_RichCompareBool(found.o, wanted, 2 /* == */) == 1;
}

/// Whether an array is like the one the launch was made for; its address.
bool read_array(world const& w, argument const& a, int device, object* of, uint64_t& address) {
  {
    held dtype(get(w.dtype, of));
    if (dtype.o != a.expected) return false;
  }
  if (a.shape ? !is_equal(w.shape, of, a.shape) : !(is_number(w.size, of, a.low) && is_number(w.ndim, of, 1))) return false;
  if (a.contiguous) {
    held flag(get(w.contiguous, of));
    if (flag.o != &_Py_TrueStruct) return false;
  } else if (!is_equal(w.strides, of, a.strides)) {
    return false;
  }
  held memory(get(w.data, of));
  if (!memory.o) return false;
  if (device >= 0 && !is_number(w.device, memory.o, device)) return false;
  held number(get(w.address, memory.o));
  if (!number.o) return false;
  address = PyLong_AsUnsignedLongLong(number.o);
  return (address & 15) == static_cast<uint64_t>(a.high);
}

/// Whether an argument fits; its number in `slots`, where it has one.
bool read(entry const& e, argument const& a, object* given, unsigned char* slots) {
  if (given->type != a.type) return false;
  unsigned char* slot = slots + a.place;
  int overflow = 0;
  switch (a.what) {
    case constant_bool: return given == a.expected;
    case constant_float: return PyFloat_AsDouble(given) == a.value;
    case constant_int: return given == a.expected || (PyLong_AsLongLongAndOverflow(given, &overflow) == a.low && !overflow);
    case boolean: *slot = given == &_Py_TrueStruct; return true;
    case integer: {
      long long number = PyLong_AsLongLongAndOverflow(given, &overflow);
      if (overflow || number < a.low || number > a.high) return false;
      memcpy(slot, &number, 8);  // the lower bytes stand first
      return true;
    }
    case natural: {
      unsigned long long number = PyLong_AsUnsignedLongLong(given);
      memcpy(slot, &number, 8);
      return !PyErr_Occurred();
    }
    case single: {
      double number = PyFloat_AsDouble(given);
      float narrow = static_cast<float>(number);
      if (narrow - narrow != 0) return false;  // infinite, or not a number: rarely, and the general way knows
      memcpy(slot, &narrow, 4);
      return true;
    }
    case real: {
      double number = PyFloat_AsDouble(given);
      memcpy(slot, &number, 8);
      return true;
    }
    default: {
      uint64_t address;
      if (!read_array(*e.around, a, e.device, given, address)) return false;
      memcpy(slot, &address, 8);
      return true;
    }
  }
}

}  // namespace
