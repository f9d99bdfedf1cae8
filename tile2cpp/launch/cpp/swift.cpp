// The functions that Python gets for a kernel: `kernel[grid]`, and the start of a launch. swift.py builds this file.
#include <cstdlib>

#include "launch.hpp"

namespace {

/// `kernel[grid]`: a grid, and the kernel's table.
struct launcher {
  table* of;
  grid blocks;
};

void forget(object* capsule) {
  auto* l = static_cast<launcher*>(PyCapsule_GetPointer(capsule, nullptr));
  Py_DecRef(l->of->kernel);
  free(l);
}

object* general(launcher const& l, object* const* args, intptr_t count, object* names) {
  held blocks(PyTuple_New(3)), given(PyTuple_New(count)), named(PyDict_New());
  if (!blocks.o || !given.o || !named.o) return nullptr;
  unsigned numbers[] = {l.blocks.x, l.blocks.y, l.blocks.z};
  for (int i = 0; i < 3; ++i) PyTuple_SetItem(blocks.o, i, PyLong_FromLong(numbers[i]));
  for (intptr_t i = 0; i < count; ++i) {
    Py_IncRef(args[i]);
    PyTuple_SetItem(given.o, i, args[i]);
  }
  for (intptr_t i = 0; names && i < PyTuple_Size(names); ++i)
    if (PyDict_SetItem(named.o, PyTuple_GetItem(names, i), args[count + i])) return nullptr;
  object* none = &_Py_NoneStruct;
  return PyObject_CallFunctionObjArgs(l.of->general, blocks.o, none, none, &_Py_FalseStruct, given.o, named.o, nullptr);
}

object* call_launcher(object* self, object* const* args, intptr_t count, object* names) {
  auto& l = *static_cast<launcher*>(PyCapsule_GetPointer(self, nullptr));
  if (names || !try_all(*l.of, l.blocks, &_Py_NoneStruct, args, count)) return general(l, args, count, names);
  Py_IncRef(&_Py_NoneStruct);
  return &_Py_NoneStruct;
}

constexpr int fastcall = 0x80, keywords = 2, one_object = 8;
method launcher_method{"launcher", reinterpret_cast<void*>(call_launcher), fastcall | keywords, nullptr};

/// `launcher(grid)`, or None for a grid that the general way has to look at.
object* make_launcher(object* self, object* given) {
  auto* t = static_cast<table*>(PyCapsule_GetPointer(self, nullptr));
  grid g;
  if (!read_grid(given, &PyLong_Type, g)) {
    Py_IncRef(&_Py_NoneStruct);
    return &_Py_NoneStruct;
  }
  auto* l = static_cast<launcher*>(malloc(sizeof(launcher)));
  *l = {t, g};
  held capsule(PyCapsule_New(l, nullptr, forget));
  if (!capsule.o) return nullptr;
  Py_IncRef(t->kernel);
  return PyCFunction_NewEx(&launcher_method, capsule.o, nullptr);
}

constexpr intptr_t most_arguments = 64;

/// `start(grid, stream, args)`: whether one of the latest launches was like that, and is under way.
object* start(object* self, object* const* given, intptr_t count) {
  auto* t = static_cast<table*>(PyCapsule_GetPointer(self, nullptr));
  grid g;
  object* args[most_arguments];
  bool done = false;
  if (t->count && count == 3 && read_grid(given[0], &PyLong_Type, g) && given[2]->type == &PyTuple_Type) {
    intptr_t arguments = PyTuple_Size(given[2]);
    for (intptr_t i = 0; i < arguments && i < most_arguments; ++i) args[i] = PyTuple_GetItem(given[2], i);
    done = arguments <= most_arguments && try_all(*t, g, given[1], args, arguments);
  }
  object* answer = done ? &_Py_TrueStruct : &_Py_FalseStruct;
  Py_IncRef(answer);
  return answer;
}

method make_method{"launcher_for", reinterpret_cast<void*>(make_launcher), one_object, nullptr};
method start_method{"start", reinterpret_cast<void*>(start), fastcall, nullptr};

}  // namespace

#if defined(_WIN32)
#define EXPORTED extern "C" __declspec(dllexport)
#else
#define EXPORTED extern "C" __attribute__((visibility("default")))
#endif

/// The two functions of a kernel, as a pair. The table lies in memory of `kernel`, which must keep it.
EXPORTED object* tile2cpp_functions(table* t) {
  held capsule(PyCapsule_New(t, nullptr, nullptr)), pair(PyTuple_New(2));
  if (!capsule.o || !pair.o) return nullptr;
  PyTuple_SetItem(pair.o, 0, PyCFunction_NewEx(&make_method, capsule.o, nullptr));
  PyTuple_SetItem(pair.o, 1, PyCFunction_NewEx(&start_method, capsule.o, nullptr));
  Py_IncRef(pair.o);
  return pair.o;
}
