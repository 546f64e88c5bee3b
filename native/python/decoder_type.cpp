#include "decoder_type.hpp"

#include <cerrno>
#include <cmath>
#include <mutex>
#include <vector>

namespace lightboard::python {
namespace {

struct DecoderObject {
  PyObject_HEAD Decoder* decoder;
};

State& state_of_type(PyObject* self) { return *static_cast<State*>(PyType_GetModuleState(Py_TYPE(self))); }

PyObject* create(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  if (PyTuple_Size(args) != 0 || (kwargs != nullptr && PyDict_Size(kwargs) != 0)) {
    PyErr_SetString(PyExc_TypeError, "Decoder takes no arguments");
    return nullptr;
  }
  const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* self = allocate(type, 0);
  if (self == nullptr) return nullptr;
  auto* object = reinterpret_cast<DecoderObject*>(self);
  object->decoder = nullptr;
  if (set_exception(run_catching([&] { object->decoder = new Decoder; }))) {
    Py_DECREF(self);
    return nullptr;
  }
  return self;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Decoder* decoder = reinterpret_cast<DecoderObject*>(self)->decoder;
  // Freeing the columns of a large file takes a while, and no other reference to this decoder exists.
  Py_BEGIN_ALLOW_THREADS delete decoder;
  Py_END_ALLOW_THREADS reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* feed(PyObject* self, PyObject* data) {
  Buffer buffer;
  if (!buffer.acquire(data)) return nullptr;
  uint64_t consumed = 0;
  if (set_exception(without_lock([&] { consumed = decoder_of(self).feed(buffer.data(), buffer.size()); })))
    return nullptr;
  return PyLong_FromUnsignedLongLong(consumed);
}

PyObject* read(PyObject* self, PyObject* args) {
  int fd;
  long long limit;
  if (!PyArg_ParseTuple(args, "iL:read", &fd, &limit)) return nullptr;
  int64_t consumed = 0;
  int error = 0;
  const Failure failure = without_lock([&] {
    consumed = decoder_of(self).read(fd, limit > 0 ? static_cast<uint64_t>(limit) : 0);
    error = errno;
  });
  if (set_exception(failure)) return nullptr;
  if (consumed < 0) {
    errno = error;
    return PyErr_SetFromErrno(PyExc_OSError);
  }
  return PyLong_FromLongLong(consumed);
}

// Runs `work` while the decoder is locked. Usually no thread is reading; then the GIL is kept, because reacquiring it
// may take long.
template <class Work>
Failure under_lock(PyObject* self, Work&& work) {
  const Decoder& decoder = decoder_of(self);
  if (const std::shared_lock lock(decoder.mutex(), std::try_to_lock); lock) return run_catching([&] { work(decoder); });
  return without_lock([&] {
    const std::shared_lock lock(decoder.mutex());
    work(decoder);
  });
}

// Copies data that is protected by the decoder's lock.
template <class Item, class Copy>
bool copy_locked(PyObject* self, std::vector<Item>& out, Copy copy) {
  return !set_exception(under_lock(self, [&](const Decoder& decoder) { copy(decoder, out); }));
}

PyObject* to_list(size_t count, auto&& item) {
  OwnedRef list(PyList_New(static_cast<Py_ssize_t>(count)));
  if (!list) return nullptr;
  for (size_t i = 0; i < count; i++) {
    PyObject* made = item(i);
    if (made == nullptr || PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), made) != 0) return nullptr;
  }
  return list.release();
}

PyObject* damage(PyObject* self, PyObject*) {
  std::vector<Damage> ranges;
  if (!copy_locked(self, ranges, [](const Decoder& decoder, auto& out) { out = decoder.damage(); })) return nullptr;
  return to_list(ranges.size(), [&](size_t i) {
    return Py_BuildValue("(KKI)", static_cast<unsigned long long>(ranges[i].offset),
                         static_cast<unsigned long long>(ranges[i].length), ranges[i].crc);
  });
}

PyObject* to_starts(const std::vector<Start>& found) {
  return to_list(found.size(), [&](size_t i) {
    return Py_BuildValue("(LdK)", static_cast<long long>(found[i].step), found[i].wall_time,
                         static_cast<unsigned long long>(found[i].offset));
  });
}

PyObject* starts(PyObject* self, PyObject*) {
  std::vector<Start> found;
  if (!copy_locked(self, found, [](const Decoder& decoder, auto& out) { out = decoder.starts(); })) return nullptr;
  return to_starts(found);
}

PyObject* regressions(PyObject* self, PyObject*) {
  std::vector<Start> found;
  if (!copy_locked(self, found, [](const Decoder& decoder, auto& out) { out = decoder.regressions(); })) return nullptr;
  return to_starts(found);
}

PyObject* session_logs(PyObject* self, PyObject*) {
  std::vector<SessionLog> found;
  if (!copy_locked(self, found, [](const Decoder& decoder, auto& out) { out = decoder.session_logs(); }))
    return nullptr;
  return to_list(found.size(), [&](size_t i) {
    return Py_BuildValue("(KL)", static_cast<unsigned long long>(found[i].status),
                         static_cast<long long>(found[i].step));
  });
}

PyObject* series_count(PyObject* self, PyObject*) {
  return PyLong_FromUnsignedLongLong(decoder_of(self).progress().series);
}

// Converts a series index. Returns false with IndexError set if there is no such series.
bool series_number(PyObject* self, PyObject* argument, size_t& number) {
  const Py_ssize_t given = PyNumber_AsSsize_t(argument, PyExc_IndexError);
  if (given == -1 && PyErr_Occurred()) return false;
  if (given < 0 || static_cast<uint64_t>(given) >= decoder_of(self).progress().series) {
    PyErr_SetString(PyExc_IndexError, "no such series");
    return false;
  }
  number = static_cast<size_t>(given);
  return true;
}

PyObject* text(const std::string& bytes) {
  return PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace");
}

PyObject* describe(PyObject* self, PyObject* argument) {
  size_t number;
  if (!series_number(self, argument, number)) return nullptr;
  std::string tag, plugin, metadata;
  int32_t data_class = 0;
  bool is_scalar = false;
  const Failure failure = under_lock(self, [&](const Decoder& decoder) {
    const Series& series = decoder.series()[number];
    tag = decoder.tag_of(series).name;
    metadata = decoder.tag_of(series).metadata;
    plugin = series.plugin;
    data_class = series.data_class;
    is_scalar = series.form == Form::scalar;
  });
  if (set_exception(failure)) return nullptr;
  OwnedRef fields(PyTuple_New(5));
  if (!fields) return nullptr;
  PyObject* items[] = {text(tag), text(plugin), PyUnicode_FromString(is_scalar ? "scalar" : "reference"),
                       to_bytes(metadata), PyLong_FromLong(data_class)};
  bool made = true;
  for (Py_ssize_t i = 0; i < 5; i++) {
    made = made && items[i] != nullptr;
    PyTuple_SetItem(fields.get(), i, items[i]);
  }
  if (!made) return nullptr;
  PyObject* type = state_of_type(self).info_type;
  return type == Py_None ? fields.release() : PyObject_CallObject(type, fields.get());
}

PyObject* lengths(PyObject* self, PyObject* argument) {
  OwnedRef indices(PySequence_Tuple(argument));
  if (!indices) return nullptr;
  const auto count = static_cast<size_t>(PyTuple_Size(indices.get()));
  std::vector<size_t> numbers, rows;
  if (set_exception(run_catching([&] { numbers.resize(count); }))) return nullptr;
  for (size_t i = 0; i < count; i++)
    if (!series_number(self, PyTuple_GetItem(indices.get(), static_cast<Py_ssize_t>(i)), numbers[i])) return nullptr;
  auto copy = [&](const Decoder& decoder, auto& out) {
    for (const size_t number : numbers) out.push_back(decoder.series()[number].rows());
  };
  if (!copy_locked(self, rows, copy)) return nullptr;
  return to_list(count, [&](size_t i) { return PyLong_FromSize_t(rows[i]); });
}

struct StepBounds {
  int64_t first_step;
  double first_wall;
  int64_t last_step;
};

PyObject* ends(PyObject* self, PyObject*) {
  std::vector<StepBounds> found;
  auto copy = [](const Decoder& decoder, auto& out) {
    for (const Series& series : decoder.series())
      out.push_back({series.steps()[0], series.walls()[0], series.steps()[series.rows() - 1]});
  };
  if (!copy_locked(self, found, copy)) return nullptr;
  return to_list(found.size(), [&](size_t i) {
    return Py_BuildValue("(LdL)", static_cast<long long>(found[i].first_step), found[i].first_wall,
                         static_cast<long long>(found[i].last_step));
  });
}

PyObject* nonfinite_ends(PyObject* self, PyObject*) {
  std::vector<size_t> found;
  auto copy = [](const Decoder& decoder, auto& out) {
    const std::vector<Series>& all = decoder.series();
    for (size_t i = 0; i < all.size(); i++)
      if (all[i].form == Form::scalar && !std::isfinite(all[i].value(all[i].rows() - 1))) out.push_back(i);
  };
  if (!copy_locked(self, found, copy)) return nullptr;
  return to_list(found.size(), [&](size_t i) { return PyLong_FromSize_t(found[i]); });
}

template <class Read>
PyObject* get_progress(PyObject* self, Read read) {
  return read(decoder_of(self).progress());
}

PyMethodDef methods[] = {
    {"feed", feed, METH_O, "feed(data) -> int: decode bytes that lie at `offset`"},
    {"read", read, METH_VARARGS, "read(fd, limit) -> int: decode bytes of an open file from `offset` on"},
    {"damage", damage, METH_NOARGS, "damage() -> list of (offset, length, crc32c)"},
    {"starts", starts, METH_NOARGS, "starts() -> list of (step, wall time, file offset)"},
    {"regressions", regressions, METH_NOARGS, "regressions() -> list of (step, wall time, file offset)"},
    {"session_logs", session_logs, METH_NOARGS, "session_logs() -> list of (status, step)"},
    {"series_count", series_count, METH_NOARGS, "series_count() -> int"},
    {"describe", describe, METH_O, "describe(index) -> SeriesInfo"},
    {"ends", ends, METH_NOARGS, "ends() -> list of (first step, first wall time, last step)"},
    {"nonfinite_ends", nonfinite_ends, METH_NOARGS, "nonfinite_ends() -> list of int"},
    {"lengths", lengths, METH_O, "lengths(indices) -> list of int"},
    {nullptr, nullptr, 0, nullptr},
};

#define LIGHTBOARD_GETTER(name, make, field)                                                                        \
  {name, [](PyObject* self, void*) { return get_progress(self, [](const Progress& p) { return make(p.field); }); }, \
   nullptr, nullptr, nullptr}

PyGetSetDef getters[] = {
    LIGHTBOARD_GETTER("offset", PyLong_FromUnsignedLongLong, offset),
    LIGHTBOARD_GETTER("records", PyLong_FromUnsignedLongLong, records),
    LIGHTBOARD_GETTER("points", PyLong_FromUnsignedLongLong, points),
    LIGHTBOARD_GETTER("size_bytes", PyLong_FromUnsignedLongLong, size_bytes),
    LIGHTBOARD_GETTER("file_version", PyLong_FromLong, file_version),
    LIGHTBOARD_GETTER("first_wall_time", PyFloat_FromDouble, first_wall_time),
    LIGHTBOARD_GETTER("last_wall_time", PyFloat_FromDouble, last_wall_time),
    LIGHTBOARD_GETTER("first_scalar_wall_time", PyFloat_FromDouble, first_scalar_wall_time),
    LIGHTBOARD_GETTER("last_scalar_wall_time", PyFloat_FromDouble, last_scalar_wall_time),
    LIGHTBOARD_GETTER("regression_count", PyLong_FromUnsignedLongLong, regressions),
    LIGHTBOARD_GETTER("highest_step", PyLong_FromLongLong, highest_step),
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot type_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(create)},
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {Py_tp_doc, const_cast<char*>("Turns the bytes of one event file into columns; see events/protocol.py.")},
    {0, nullptr},
};

PyType_Spec spec = {"lightboard._native._core.Decoder", sizeof(DecoderObject), 0, Py_TPFLAGS_DEFAULT, type_slots};

}  // namespace

PyObject* make_decoder_type(PyObject* module) { return PyType_FromModuleAndSpec(module, &spec, nullptr); }

Decoder& decoder_of(PyObject* object) { return *reinterpret_cast<DecoderObject*>(object)->decoder; }

}  // namespace lightboard::python
