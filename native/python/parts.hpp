// Series passed from Python as sequences of parts.
#pragma once

#include <vector>

#include "decoder_type.hpp"
#include "python.hpp"

namespace lightboard::python {

inline State& state_of(PyObject* module) { return *static_cast<State*>(PyModule_GetState(module)); }

// Converts parts and keeps references to their decoders.
class PartConverter {
 public:
  explicit PartConverter(PyObject* module) : decoder_type_(state_of(module).decoder_type) {}

  // Appends a sequence of (decoder, series index). Returns false with an exception set if it is invalid.
  bool add(PyObject* sequence, std::vector<Part>& out) {
    OwnedRef items(PySequence_Tuple(sequence));
    if (!items) return false;
    const Py_ssize_t count = PyTuple_Size(items.get());
    if (set_exception(run_catching([&] {
          make_room(out, static_cast<size_t>(count));
          make_room(decoders_, static_cast<size_t>(count));
        })))
      return false;
    for (Py_ssize_t i = 0; i < count; i++)
      if (!add_one(PyTuple_GetItem(items.get(), i), out)) return false;
    return true;
  }

 private:
  // Reserves space for more items. Doubles the capacity, because it is called repeatedly.
  template <class Item>
  static void make_room(std::vector<Item>& items, size_t more) {
    if (items.capacity() - items.size() < more) items.reserve(std::max(items.size() + more, 2 * items.capacity()));
  }

  bool add_one(PyObject* item, std::vector<Part>& out) {
    OwnedRef pair(PySequence_Tuple(item));
    if (!pair) return false;
    PyObject* decoder = PyTuple_Size(pair.get()) == 2 ? PyTuple_GetItem(pair.get(), 0) : nullptr;
    if (decoder == nullptr || reinterpret_cast<PyObject*>(Py_TYPE(decoder)) != decoder_type_) {
      PyErr_SetString(PyExc_TypeError, "a part must be (Decoder, series index)");
      return false;
    }
    const Py_ssize_t series = PyNumber_AsSsize_t(PyTuple_GetItem(pair.get(), 1), PyExc_IndexError);
    if (series == -1 && PyErr_Occurred()) return false;
    const Decoder& converted = decoder_of(decoder);
    if (series < -1 || (series >= 0 && static_cast<uint64_t>(series) >= converted.progress().series)) {
      PyErr_SetString(PyExc_IndexError, "no such series");
      return false;
    }
    Py_INCREF(decoder);
    decoders_.emplace_back(decoder);
    out.push_back({&decoder_of(decoder), series});
    return true;
  }

  PyObject* decoder_type_;
  std::vector<OwnedRef> decoders_;
};

}  // namespace lightboard::python
