#include "capture_objects.hpp"

#include <vector>

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

template <class Number>
PyObject* release(const State& state, NumberColumn<Number>& column) {
  auto* const type = reinterpret_cast<PyTypeObject*>(state.column_type);
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

PyObject* release_points(const State& state, PointRows& points) {
  return Py_BuildValue("(NNNN)", release(state, points.track), release(state, points.time_ns),
                       release(state, points.name), release(state, points.value));
}

}  // namespace

PyObject* make_column_type(PyObject* module) { return PyType_FromModuleAndSpec(module, &column_spec, nullptr); }

PyObject* to_text(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
}

PyObject* list_texts(const TextIndex& index) {
  std::vector<std::string_view> texts;
  if (set_exception(run_catching([&] { texts = index.texts(); }))) return nullptr;
  return to_list(texts, to_text);
}

PyObject* list_names(CaptureBuilder& builder) { return list_texts(builder.names); }

PyObject* list_processes(CaptureBuilder& builder) {
  return to_list(builder.processes, [](const CaptureProcess& process) {
    return Py_BuildValue("(NN)", to_text(process.id), to_text(process.name));
  });
}

PyObject* list_tracks(CaptureBuilder& builder) {
  return to_list(builder.tracks, [](const CaptureTrack& track) {
    return Py_BuildValue("(iNN)", static_cast<int>(track.process), to_text(track.id), to_text(track.name));
  });
}

PyObject* list_steps(CaptureBuilder& builder) {
  return to_list(builder.steps, [](const StepMarker& marker) {
    return Py_BuildValue("(LL)", static_cast<long long>(marker.slice), static_cast<long long>(marker.step));
  });
}

PyObject* release_column(const State& state, NumberColumn<int32_t>& column) { return release(state, column); }

PyObject* release_columns(const State& state, CaptureBuilder& builder) {
  SliceColumns& slices = builder.slices;
  OwnedRef rows(Py_BuildValue("(NNNNNN)", release(state, slices.track), release(state, slices.start_ns),
                              release(state, slices.duration_ns), release(state, slices.name),
                              release(state, slices.kind), release(state, slices.args)));
  if (!rows) return nullptr;
  return Py_BuildValue("(NNNNN)", rows.release(), release_points(state, builder.instants),
                       release_points(state, builder.counters), release_points(state, builder.flow_begins),
                       release_points(state, builder.flow_ends));
}

}  // namespace lightboard::python
