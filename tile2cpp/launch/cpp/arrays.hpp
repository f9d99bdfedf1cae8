// Whether arrays are like those a launch was made for: of CuPy by their attributes, of torch by its functions for DLPack.
#pragma once

#include <cstring>

#include "entry.hpp"

namespace {

constexpr int equal = 2;  // CPython's number of ==

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
  return found.o && PyObject_RichCompareBool(found.o, wanted, equal) == 1;
}

/// One or two axes are known by rank, size and length, for which CuPy makes no tuple.
bool has_shape(world const& w, argument const& a, object* of) {
  if (a.shape) return is_equal(w.shape, of, a.shape);
  return is_number(w.size, of, a.low) && is_number(w.ndim, of, a.ndim) && (a.ndim < 2 || PyObject_Size(of) == a.rows);
}

/// Whether an array of CuPy is like the one the launch was made for; its address.
bool read_array(world const& w, argument const& a, int device, object* of, uint64_t& address) {
  {
    held dtype(get(w.dtype, of));
    if (dtype.o != a.expected) return false;
  }
  if (!has_shape(w, a, of)) return false;
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

constexpr int on_cuda = 2;  // DLPack's number of the kind of device

/// The same for a tensor of torch, which describes itself at once.
bool read_tensor(world const& w, argument const& a, object* of, uint64_t& address) {
  described found;
  if (w.describe(of, &found)) return false;
  if (found.device_type != on_cuda || found.device != w.tensor_device || found.dtype != a.low || found.ndim != a.ndim) return false;
  size_t const bytes = 8 * static_cast<size_t>(a.ndim);
  if (memcmp(found.shape, a.extents, bytes) || memcmp(found.strides, a.extents + a.ndim, bytes)) return false;
  address = reinterpret_cast<uint64_t>(found.data) + found.byte_offset;
  return (address & 15) == static_cast<uint64_t>(a.high);
}

/// The same by attributes and methods.
bool ask_tensor(world const& w, argument const& a, object* of, uint64_t& address) {
  {
    held dtype(get(w.dtype, of));
    if (dtype.o != a.expected) return false;
  }
  if (!is_equal(w.shape, of, a.shape)) return false;
  held strides(PyObject_CallFunctionObjArgs(w.stride, of, nullptr));
  if (!strides.o || PyObject_RichCompareBool(strides.o, a.strides, equal) != 1) return false;
  held device(PyObject_CallFunctionObjArgs(w.get_device, of, nullptr));
  int overflow = 0;
  if (!device.o || PyLong_AsLongLongAndOverflow(device.o, &overflow) != w.tensor_device || overflow) return false;
  held number(PyObject_CallFunctionObjArgs(w.data_ptr, of, nullptr));
  if (!number.o) return false;
  address = PyLong_AsUnsignedLongLong(number.o);
  return (address & 15) == static_cast<uint64_t>(a.high);
}

}  // namespace
