#include "trace_decoder_type.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "../engine/trace_decoder.hpp"
#include "capture_objects.hpp"

namespace lightboard::python {
namespace {

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
  unsigned long long value_bytes;
  PyObject* categories;
  static const char* words[] = {"limits", "value_bytes", "categories", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&$KO:JsonCaptureDecoder", const_cast<char**>(words), to_limits,
                                   &limits.capture, &value_bytes, &categories))
    return nullptr;
  if (!add_texts(categories, limits.categories)) return nullptr;
  limits.value_bytes = value_bytes;
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

PyObject* facts(PyObject* self, PyObject*) {
  const std::lock_guard lock(locked_of(self).mutex);
  JsonCaptureDecoder& decoder = locked_of(self).decoder;
  OwnedRef host(to_text(decoder.host()));
  if (!host) return nullptr;
  return Py_BuildValue("(OOKKKKOLO)", decoder.found() ? Py_True : Py_False, decoder.cut_off() ? Py_True : Py_False,
                       static_cast<unsigned long long>(decoder.malformed()),
                       static_cast<unsigned long long>(decoder.unfinished()),
                       static_cast<unsigned long long>(decoder.builder().skipped),
                       static_cast<unsigned long long>(decoder.builder().left_out),
                       decoder.builder().has_other_names ? Py_True : Py_False,
                       static_cast<long long>(decoder.rank()), host.get());
}

// `make(builder)` while no other thread uses the decoder.
template <PyObject* make(CaptureBuilder&)>
PyObject* made_of_builder(PyObject* self, PyObject*) {
  const std::lock_guard lock(locked_of(self).mutex);
  return make(locked_of(self).decoder.builder());
}

PyObject* columns(PyObject* self, PyObject*) {
  const std::lock_guard lock(locked_of(self).mutex);
  const auto* const state = static_cast<State*>(PyType_GetModuleState(Py_TYPE(self)));
  return release_columns(*state, locked_of(self).decoder.builder());
}

PyObject* count_slices(PyObject* self, PyObject*) {
  const std::lock_guard lock(locked_of(self).mutex);
  return PyLong_FromSize_t(locked_of(self).decoder.builder().slices.track.size());
}

PyObject* copied_columns(PyObject* self, PyObject*) {
  std::vector<ColumnCopy> copies;
  if (!with_decoder(self, [&](JsonCaptureDecoder& decoder) { copies = copy_columns(decoder.builder()); }))
    return nullptr;
  return list_copies(*static_cast<const State*>(PyType_GetModuleState(Py_TYPE(self))), std::move(copies));
}

PyMethodDef methods[] = {
    {"feed", feed, METH_O, "feed(piece) -> bool: decode a further piece of the text; whether nothing after it is read"},
    {"finish", finish, METH_NOARGS, "finish(): there are no more pieces"},
    {"facts", facts, METH_NOARGS,
     "facts() -> (has a list of events, cut off, malformed, unfinished, skipped, left out, whether there "
     "are other names, rank or -1, host)"},
    {"names", made_of_builder<list_names>, METH_NOARGS, "names() -> list of str"},
    {"processes", made_of_builder<list_processes>, METH_NOARGS, "processes() -> list of (id, name)"},
    {"tracks", made_of_builder<list_tracks>, METH_NOARGS, "tracks() -> list of (process, id, name)"},
    {"steps", made_of_builder<list_steps>, METH_NOARGS, "steps() -> list of (slice, step)"},
    {"columns", columns, METH_NOARGS,
     "columns() -> those of slices, instants, counters, begins and ends of flows; the decoder has none afterwards"},
    {"slices", count_slices, METH_NOARGS, "slices() -> int: how many have been decoded"},
    {"copied_columns", copied_columns, METH_NOARGS, "copied_columns() -> as columns(), of what has been decoded so far"},
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

}  // namespace lightboard::python
