// Series given from Python as sequences of parts.
#pragma once

#include <vector>

#include "decoder_type.hpp"
#include "python.hpp"

namespace lightboard::python {

inline State& state_of(PyObject* module) { return *static_cast<State*>(PyModule_GetState(module)); }

// Parts given from Python, with a reference to each decoder for as long as the work takes.
class Parts {
 public:
  explicit Parts(PyObject* module) : decoder_type_(state_of(module).decoder_type) {}

  // Append a sequence of (decoder, series number); false with an exception raised if it is none.
  bool add(PyObject* sequence, std::vector<Part>& out) {
    Owned items(PySequence_Tuple(sequence));
    if (!items) return false;
    const Py_ssize_t count = PyTuple_Size(items.get());
    if (raised(attempt([&] {
          make_room(out, static_cast<size_t>(count));
          make_room(held_, static_cast<size_t>(count));
        })))
      return false;
    for (Py_ssize_t i = 0; i < count; i++)
      if (!add_one(PyTuple_GetItem(items.get(), i), out)) return false;
    return true;
  }

 private:
  // Room for so many more; by doubling, as this is asked again and again.
  template <class Item>
  static void make_room(std::vector<Item>& items, size_t more) {
    if (items.capacity() - items.size() < more) items.reserve(std::max(items.size() + more, 2 * items.capacity()));
  }

  bool add_one(PyObject* item, std::vector<Part>& out) {
    Owned pair(PySequence_Tuple(item));
    if (!pair) return false;
    PyObject* decoder = PyTuple_Size(pair.get()) == 2 ? PyTuple_GetItem(pair.get(), 0) : nullptr;
    if (decoder == nullptr || reinterpret_cast<PyObject*>(Py_TYPE(decoder)) != decoder_type_) {
      PyErr_SetString(PyExc_TypeError, "a part is (Decoder, series number)");
      return false;
    }
    const Py_ssize_t series = PyNumber_AsSsize_t(PyTuple_GetItem(pair.get(), 1), PyExc_IndexError);
    if (series == -1 && PyErr_Occurred()) return false;
    const Decoder& held = decoder_of(decoder);
    if (series < -1 || (series >= 0 && static_cast<uint64_t>(series) >= held.progress().series)) {
      PyErr_SetString(PyExc_IndexError, "no such series");
      return false;
    }
    Py_INCREF(decoder);
    held_.emplace_back(decoder);
    out.push_back({&decoder_of(decoder), series});
    return true;
  }

  PyObject* decoder_type_;
  std::vector<Owned> held_;
};

}  // namespace lightboard::python
