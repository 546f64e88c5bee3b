// The Python functions that draw charts; see events/decode.py.
#pragma once

#include "python.hpp"

namespace lightboard::python {

PyObject* series_chart(PyObject* module, PyObject* args);
PyObject* chart_many(PyObject* module, PyObject* args);
PyObject* group_many(PyObject* module, PyObject* args);

}  // namespace lightboard::python
