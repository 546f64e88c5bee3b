// The functions of Python on slices that contain others.
#pragma once

#include "python.hpp"

namespace lightboard::python {

PyObject* slice_self_times(PyObject*, PyObject* args);

PyObject* slice_enclosing(PyObject*, PyObject* args);

PyObject* slice_innermost(PyObject*, PyObject* args);

PyObject* slice_arrange(PyObject*, PyObject* args);

}  // namespace lightboard::python
