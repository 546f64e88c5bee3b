// The Python type for lightboard::JsonCaptureDecoder.
#pragma once

#include "python.hpp"

namespace lightboard::python {

PyObject* make_trace_decoder_type(PyObject* module);

}  // namespace lightboard::python
