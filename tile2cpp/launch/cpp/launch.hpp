// One launch: is it just like an earlier one? Then it is under way, without Python.
#pragma once

#include "arguments.hpp"

namespace {

/// The descriptor for an address, in memory of this launch alone: zeros where there can be none.
void write_map(entry const& e, map& m, unsigned char const* slots, unsigned char* to) {
  uint64_t address;
  memcpy(&address, slots + m.place, 8);
  for (int i = 0; i < remembered; ++i)
    if (m.addresses[i] == address && address) {
      memcpy(to, m.made[i], 128);
      return;
    }
  if (!m.rank) {  // the array has none
    memset(to, 0, 128);
    return;
  }
  if (e.around->encode(to, m.type, m.rank, reinterpret_cast<void*>(address), m.extents, m.strides, m.box, m.steps, 0, m.swizzle, m.promotion, 0)) memset(to, 0, 128);
  memcpy(m.made[m.next], to, 128);
  m.addresses[m.next] = address;
  m.next = (m.next + 1) % remembered;
}

bool current_stream(world const& w, intptr_t& stream) {
  if (w.stream_of) {
    void* found;
    if (w.stream_of(on_cuda, w.tensor_device, &found)) return false;
    stream = reinterpret_cast<intptr_t>(found);
    return true;
  }
  if (w.stream) {
    stream = w.stream();
    return !PyErr_Occurred();
  }
  held found(PyObject_CallFunctionObjArgs(w.ask_stream, nullptr));
  int overflow = 0;
  if (found.o) stream = PyLong_AsLongLongAndOverflow(found.o, &overflow);
  return found.o && !overflow;
}

bool is_current(world const& w, int device) {
  if (w.current_device) return w.current_device(0) == device && !PyErr_Occurred();
  held found(PyObject_CallFunctionObjArgs(w.ask_device, nullptr));
  int overflow = 0;
  return found.o && PyLong_AsLongLongAndOverflow(found.o, &overflow) == device;
}

/// The driver's handle of a stream that the caller named: an int, or what has one as an attribute.
bool handle_of(world const& w, object* given, intptr_t& stream) {
  if (given == w.none) return current_stream(w, stream);
  int overflow = 0;
  if (given->type == w.int_type) {
    stream = PyLong_AsLongLongAndOverflow(given, &overflow);
    return !overflow;
  }
  for (object* name : w.handles) {
    held found(PyObject_GetAttr(given, name));
    if (!found.o) PyErr_Clear();
    if (!found.o || found.o->type != w.int_type) continue;
    stream = PyLong_AsLongLongAndOverflow(found.o, &overflow);
    return !overflow;
  }
  return false;
}

struct grid {
  unsigned x, y, z;
};

/// The blocks of a launch for a grid: all of it, one for each row that it deals out, or those that walk over it.
grid launched(entry const& e, grid const& g) {
  uint64_t const most = e.most_blocks, plane = uint64_t{g.x} * g.y;
  if (!most) {
    unsigned const least = static_cast<unsigned>(e.least_blocks);
    bool const deals = g.x < least && g.x >= static_cast<unsigned>(e.multiprocessors);
    return {deals ? least : g.x, g.y, g.z};
  }
  uint64_t const blocks = (plane < most ? plane : most) * g.z;
  return {static_cast<unsigned>(blocks < most ? blocks : most), 1, 1};
}

/// Whether this entry is for such arguments and they are under way.
bool try_entry(entry& e, grid const& g, object* stream, object* const* args, intptr_t count) {
  if (count != e.argument_count) return false;
  for (int i = 0; i < e.watched_count; ++i)
    if (PyDict_GetItemWithError(e.globals[i].mapping, e.globals[i].key) != e.globals[i].value) return false;
  alignas(16) unsigned char slots[most_bytes];
  memcpy(slots, e.contents, e.bytes);
  for (int i = 0; i < e.argument_count; ++i)
    if (!read(e, e.arguments[i], args[i], slots)) return false;
  alignas(128) unsigned char maps[most_maps][128];
  void* parameters[most_parameters + most_maps + 1];
  for (int i = 0; i < e.parameters; ++i) parameters[i] = slots + e.offsets[i];
  for (int i = 0; i < e.map_count; ++i) {
    write_map(e, e.maps[i], slots, maps[i]);
    parameters[e.parameters + i] = maps[i];
  }
  grid extents = g, blocks = launched(e, g);
  if (e.most_blocks) parameters[e.parameters + e.map_count] = &extents;
  if (e.device >= 0 && !is_current(*e.around, e.device)) return false;
  intptr_t handle;
  if (!handle_of(*e.around, stream, handle)) return false;
  auto launch = e.around->launch;
  void *function = e.handle, *state = PyEval_SaveThread();
  // Where the driver refuses, the general way asks it again and says why.
  int code = launch(function, blocks.x, blocks.y, blocks.z, e.threads, 1, 1, e.shared, handle, parameters, nullptr);
  PyEval_RestoreThread(state);
  return code == 0;
}

bool try_all(table& t, grid const& g, object* stream, object* const* args, intptr_t count) {
  for (int i = 0; i < t.count; ++i) {
    entry* e = t.entries[i];
    held owner(e->owner);  // another thread may replace the entry meanwhile
    Py_IncRef(e->owner);
    if (try_entry(*e, g, stream, args, count)) return true;
    if (PyErr_Occurred()) PyErr_Clear();
  }
  return false;
}

/// A grid of one to three ints that are neither zero nor too many; all others are for the general way.
bool read_grid(object* given, object* int_type, grid& g) {
  if (given->type != &PyTuple_Type) return false;
  intptr_t rank = PyTuple_Size(given);
  unsigned found[3] = {1, 1, 1};
  if (rank < 1 || rank > 3) return false;
  for (intptr_t i = 0; i < rank; ++i) {
    object* item = PyTuple_GetItem(given, i);
    int overflow = 0;
    if (item->type != int_type) return false;
    long long number = PyLong_AsLongLongAndOverflow(item, &overflow);
    if (overflow || number < 1 || number >= 1 << 24) return false;
    found[i] = static_cast<unsigned>(number);
  }
  g = {found[0], found[1], found[2]};
  return true;
}

}  // namespace
