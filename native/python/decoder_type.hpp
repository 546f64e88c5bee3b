// The Python type for lightboard::Decoder.
#pragma once

#include "../engine/decoder.hpp"
#include "python.hpp"

namespace lightboard::python {

PyObject* make_decoder_type(PyObject* module);

// The decoder of a Decoder object. The type is not checked.
Decoder& decoder_of(PyObject* object);

}  // namespace lightboard::python
