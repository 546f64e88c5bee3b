#include "trace_decoder_type.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "../engine/trace_decoder.hpp"

namespace lightboard::python {
namespace {

// The memory of a column, as a writable buffer.
struct ColumnObject {
  PyObject_HEAD Column* column;
  size_t size_bytes;
};

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  static char nothing;
  auto* const object = reinterpret_cast<ColumnObject*>(self);
  void* const data = object->size_bytes > 0 ? object->column->as<void>() : &nothing;
  return PyBuffer_FillInfo(view, self, data, static_cast<Py_ssize_t>(object->size_bytes), 0, flags);
}

void destroy_column(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  delete reinterpret_cast<ColumnObject*>(self)->column;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyType_Slot column_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy_column)},
    {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
    {Py_tp_doc, const_cast<char*>("The memory of a column.")},
    {0, nullptr},
};

PyType_Spec column_spec = {"lightboard._native._core.Column", sizeof(ColumnObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, column_slots};

// A decoder, and what keeps threads from using it at the same time.
struct LockedDecoder {
  explicit LockedDecoder(JsonCaptureLimits limits) : decoder(std::move(limits)) {}
  JsonCaptureDecoder decoder;
  std::mutex mutex;
};

struct JsonCaptureDecoderObject {
  PyObject_HEAD LockedDecoder* locked;
};

LockedDecoder& locked_of(PyObject* self) { return *reinterpret_cast<JsonCaptureDecoderObject*>(self)->locked; }

// Runs `work(decoder)` without the GIL. Returns false with an exception set if it failed.
template <class Work>
bool with_decoder(PyObject* self, Work&& work) {
  LockedDecoder& locked = locked_of(self);
  return !set_exception(without_lock([&] {
    const std::lock_guard lock(locked.mutex);
    work(locked.decoder);
  }));
}

bool add_texts(PyObject* sequence, std::vector<std::string>& out) {
  const OwnedRef items(PySequence_Tuple(sequence));
  if (!items) return false;
  const Py_ssize_t count = PyTuple_Size(items.get());
  if (count > 60) {
    PyErr_SetString(PyExc_ValueError, "too many categories");
    return false;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(items.get(), i), &size);
    if (text == nullptr) return false;
    if (set_exception(run_catching([&] { out.emplace_back(text, static_cast<size_t>(size)); }))) return false;
  }
  return true;
}

PyObject* create(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  JsonCaptureLimits limits;
  unsigned long long slices, tracks, names, flows, name_chars, value_bytes;
  long long longest_ns, epoch_ns;
  const char* other_name;
  PyObject* categories;
  static const char* words[] = {"slices",   "tracks",     "names",       "flows",      "name_chars", "longest_ns",
                                "epoch_ns", "other_name", "value_bytes", "categories", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "$KKKKKLLsKO:JsonCaptureDecoder", const_cast<char**>(words), &slices,
                                   &tracks, &names, &flows, &name_chars, &longest_ns, &epoch_ns, &other_name,
                                   &value_bytes, &categories))
    return nullptr;
  if (!add_texts(categories, limits.categories)) return nullptr;
  limits.value_bytes = value_bytes;
  if (set_exception(run_catching([&] {
        limits.capture = {slices, tracks, names, flows, name_chars, longest_ns, epoch_ns, other_name};
      })))
    return nullptr;
  PyObject* self = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type, 0);
  if (self == nullptr) return nullptr;
  auto* object = reinterpret_cast<JsonCaptureDecoderObject*>(self);
  object->locked = nullptr;
  if (set_exception(run_catching([&] { object->locked = new LockedDecoder(std::move(limits)); }))) {
    Py_DECREF(self);
    return nullptr;
  }
  return self;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  LockedDecoder* const locked = reinterpret_cast<JsonCaptureDecoderObject*>(self)->locked;
  Py_BEGIN_ALLOW_THREADS delete locked;
  Py_END_ALLOW_THREADS reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* feed(PyObject* self, PyObject* data) {
  Buffer buffer;
  if (!buffer.acquire(data)) return nullptr;
  const std::string_view piece(reinterpret_cast<const char*>(buffer.data()), buffer.size());
  bool done = false;
  if (!with_decoder(self, [&](JsonCaptureDecoder& decoder) {
        decoder.feed(piece);
        done = decoder.done();
      }))
    return nullptr;
  return PyBool_FromLong(done);
}

PyObject* finish(PyObject* self, PyObject*) {
  if (!with_decoder(self, [&](JsonCaptureDecoder& decoder) { decoder.finish(); })) return nullptr;
  Py_RETURN_NONE;
}

PyObject* to_text(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
}

template <class Items, class Make>
PyObject* to_list(const Items& items, Make&& make) {
  OwnedRef list(PyList_New(static_cast<Py_ssize_t>(items.size())));
  if (!list) return nullptr;
  Py_ssize_t at = 0;
  for (const auto& item : items) {
    PyObject* const made = make(item);
    if (made == nullptr || PyList_SetItem(list.get(), at++, made) != 0) return nullptr;
  }
  return list.release();
}

PyObject* facts(PyObject* self, PyObject*) {
  const std::lock_guard lock(locked_of(self).mutex);
  JsonCaptureDecoder& decoder = locked_of(self).decoder;
  OwnedRef host(to_text(decoder.host()));
  if (!host) return nullptr;
  return Py_BuildValue("(OOKKKKLO)", decoder.found() ? Py_True : Py_False, decoder.cut_off() ? Py_True : Py_False,
                       static_cast<unsigned long long>(decoder.malformed()),
                       static_cast<unsigned long long>(decoder.unfinished()),
                       static_cast<unsigned long long>(decoder.builder().skipped),
                       static_cast<unsigned long long>(decoder.builder().left_out),
                       static_cast<long long>(decoder.rank()), host.get());
}

PyObject* names(PyObject* self, PyObject*) {
  const std::lock_guard lock(locked_of(self).mutex);
  std::vector<std::string_view> texts;
  if (set_exception(run_catching([&] { texts = locked_of(self).decoder.builder().names.texts(); }))) return nullptr;
  return to_list(texts, to_text);
}

PyObject* processes(PyObject* self, PyObject*) {
  const std::lock_guard lock(locked_of(self).mutex);
  return to_list(locked_of(self).decoder.builder().processes, [](const CaptureProcess& process) {
    return Py_BuildValue("(NN)", to_text(process.id), to_text(process.name));
  });
}

PyObject* tracks(PyObject* self, PyObject*) {
  const std::lock_guard lock(locked_of(self).mutex);
  return to_list(locked_of(self).decoder.builder().tracks, [](const CaptureTrack& track) {
    return Py_BuildValue("(iNN)", static_cast<int>(track.process), to_text(track.id), to_text(track.name));
  });
}

PyObject* steps(PyObject* self, PyObject*) {
  const std::lock_guard lock(locked_of(self).mutex);
  return to_list(locked_of(self).decoder.builder().steps, [](const StepMarker& marker) {
    return Py_BuildValue("(LL)", static_cast<long long>(marker.slice), static_cast<long long>(marker.step));
  });
}

// A column as an object of Python, which owns its memory.
template <class Number>
PyObject* release(PyTypeObject* type, NumberColumn<Number>& column) {
  PyObject* self = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type, 0);
  if (self == nullptr) return nullptr;
  auto* object = reinterpret_cast<ColumnObject*>(self);
  object->column = nullptr;
  object->size_bytes = column.size() * sizeof(Number);
  if (set_exception(run_catching([&] { object->column = new Column(column.release()); }))) {
    Py_DECREF(self);
    return nullptr;
  }
  return self;
}

PyObject* release_points(PyTypeObject* type, PointRows& points) {
  return Py_BuildValue("(NNNN)", release(type, points.track), release(type, points.time_ns),
                       release(type, points.name), release(type, points.value));
}

PyObject* columns(PyObject* self, PyObject*) {
  const std::lock_guard lock(locked_of(self).mutex);
  const auto* const state = static_cast<State*>(PyType_GetModuleState(Py_TYPE(self)));
  auto* const type = reinterpret_cast<PyTypeObject*>(state->column_type);
  CaptureBuilder& builder = locked_of(self).decoder.builder();
  SliceColumns& slices = builder.slices;
  OwnedRef rows(Py_BuildValue("(NNNNNN)", release(type, slices.track), release(type, slices.start_ns),
                              release(type, slices.duration_ns), release(type, slices.name),
                              release(type, slices.kind), release(type, slices.args)));
  if (!rows) return nullptr;
  return Py_BuildValue("(NNNNN)", rows.release(), release_points(type, builder.instants),
                       release_points(type, builder.counters), release_points(type, builder.flow_begins),
                       release_points(type, builder.flow_ends));
}

PyMethodDef methods[] = {
    {"feed", feed, METH_O, "feed(piece) -> bool: decode a further piece of the text; whether nothing after it is read"},
    {"finish", finish, METH_NOARGS, "finish(): there are no more pieces"},
    {"facts", facts, METH_NOARGS,
     "facts() -> (has a list of events, cut off, malformed, unfinished, skipped, left out, rank or -1, host)"},
    {"names", names, METH_NOARGS, "names() -> list of str"},
    {"processes", processes, METH_NOARGS, "processes() -> list of (id, name)"},
    {"tracks", tracks, METH_NOARGS, "tracks() -> list of (process, id, name)"},
    {"steps", steps, METH_NOARGS, "steps() -> list of (slice, step)"},
    {"columns", columns, METH_NOARGS,
     "columns() -> those of slices, instants, counters, begins and ends of flows; the decoder has none afterwards"},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(create)},
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
    {Py_tp_methods, methods},
    {Py_tp_doc, const_cast<char*>("Turns traces as JSON into columns; see profiles/native_trace_json.py.")},
    {0, nullptr},
};

PyType_Spec spec = {"lightboard._native._core.JsonCaptureDecoder", sizeof(JsonCaptureDecoderObject), 0,
                    Py_TPFLAGS_DEFAULT, slots};

}  // namespace

PyObject* make_trace_decoder_type(PyObject* module) { return PyType_FromModuleAndSpec(module, &spec, nullptr); }

PyObject* make_column_type(PyObject* module) { return PyType_FromModuleAndSpec(module, &column_spec, nullptr); }

}  // namespace lightboard::python
