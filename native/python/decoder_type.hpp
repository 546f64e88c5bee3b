// The Python type around lightboard::Decoder.
#pragma once

#include "../engine/decoder.hpp"
#include "python.hpp"

namespace lightboard::python {

PyObject* make_decoder_type(PyObject* module);

// The decoder inside an object that is known to be one.
Decoder& decoder_of(PyObject* object);

}  // namespace lightboard::python
