// What this needs of CPython, declared here so that none of its headers has to be installed. All of it is the same in every
// release since 3.10 that has a global lock.
#pragma once

#include <cstdint>

struct object {
  intptr_t references;
  object* type;
};
struct method {
  const char* name;
  void* function;
  int flags;
  const char* doc;
};

extern "C" {
void Py_IncRef(object*);
void Py_DecRef(object*);
object* PyErr_Occurred();
void PyErr_Clear();
object* PyObject_CallFunctionObjArgs(object*, ...);
object* PyObject_GetAttr(object*, object*);
intptr_t PyObject_Size(object*);
int PyObject_RichCompareBool(object*, object*, int);
object* PyDict_GetItemWithError(object*, object*);
object* PyDict_New();
int PyDict_SetItem(object*, object*, object*);
object* PyTuple_New(intptr_t);
intptr_t PyTuple_Size(object*);
object* PyTuple_GetItem(object*, intptr_t);
int PyTuple_SetItem(object*, intptr_t, object*);
object* PyLong_FromLong(long);
long long PyLong_AsLongLongAndOverflow(object*, int*);
unsigned long long PyLong_AsUnsignedLongLong(object*);
double PyFloat_AsDouble(object*);
object* PyCFunction_NewEx(method*, object*, object*);
object* PyCapsule_New(void*, const char*, void (*)(object*));
void* PyCapsule_GetPointer(object*, const char*);
void* PyEval_SaveThread();
void PyEval_RestoreThread(void*);
extern object _Py_NoneStruct, _Py_TrueStruct, _Py_FalseStruct, PyLong_Type, PyTuple_Type;
}
