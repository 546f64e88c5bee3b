// The Python types for lightboard::JsonCaptureDecoder and for columns that are released to Python.
#pragma once

#include "python.hpp"

namespace lightboard::python {

PyObject* make_trace_decoder_type(PyObject* module);

PyObject* make_column_type(PyObject* module);

}  // namespace lightboard::python
