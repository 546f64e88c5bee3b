// The function of Python that decodes xplanes.
#pragma once

#include "python.hpp"

namespace lightboard::python {

PyObject* decode_xplane(PyObject* module, PyObject* args, PyObject* kwargs);

}  // namespace lightboard::python
