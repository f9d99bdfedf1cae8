// Whether arguments are like those a launch was made for, and the numbers that it passes on.
#pragma once

#include "arrays.hpp"

namespace {

/// Whether an array fits, of whichever kind; its address.
bool read_memory(entry const& e, argument const& a, object* given, uint64_t& address) {
  if (a.what == tensor) return read_tensor(*e.around, a, given, address);
  if (a.what == asked_tensor) return ask_tensor(*e.around, a, given, address);
  return read_array(*e.around, a, e.device, given, address);
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
      if (!read_memory(e, a, given, address)) return false;
      memcpy(slot, &address, 8);
      return true;
    }
  }
}

}  // namespace
