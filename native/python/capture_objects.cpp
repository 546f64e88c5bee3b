#include "capture_objects.hpp"

#include <utility>
#include <vector>

namespace lightboard::python {
namespace {

// The memory of a column, as a writable buffer.
struct ColumnObject {
  PyObject_HEAD FileColumn* column;
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

PyObject* let_go(PyObject* self, PyObject*) {
  reinterpret_cast<ColumnObject*>(self)->column->let_go();
  Py_RETURN_NONE;
}

PyMethodDef column_methods[] = {
    {"let_go", let_go, METH_NOARGS, "let_go(): let what is in a file out of memory until it is used"},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot column_slots[] = {
    {Py_tp_methods, column_methods},
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy_column)},
    {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
    {Py_tp_doc, const_cast<char*>("The memory of a column.")},
    {0, nullptr},
};

PyType_Spec column_spec = {"lightboard._native._core.Column", sizeof(ColumnObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, column_slots};

// An object that owns the column of this size that `make()` gives.
template <class Make>
PyObject* column_object(const State& state, size_t size_bytes, Make&& make) {
  auto* const type = reinterpret_cast<PyTypeObject*>(state.column_type);
  PyObject* self = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type, 0);
  if (self == nullptr) return nullptr;
  auto* object = reinterpret_cast<ColumnObject*>(self);
  object->column = nullptr;
  object->size_bytes = size_bytes;
  if (set_exception(run_catching([&] { object->column = new FileColumn(make()); }))) {
    Py_DECREF(self);
    return nullptr;
  }
  return self;
}

template <class Number>
PyObject* release(const State& state, NumberColumn<Number>& column) {
  return column_object(state, column.size() * sizeof(Number), [&] { return column.release(); });
}

PyObject* release_points(const State& state, PointRows& points) {
  return Py_BuildValue("(NNNN)", release(state, points.track), release(state, points.time_ns),
                       release(state, points.name), release(state, points.value));
}

}  // namespace

PyObject* make_column_type(PyObject* module) { return PyType_FromModuleAndSpec(module, &column_spec, nullptr); }

FileColumn* column_of(const State& state, PyObject* object) {
  if (Py_TYPE(object) == reinterpret_cast<PyTypeObject*>(state.column_type))
    return reinterpret_cast<ColumnObject*>(object)->column;
  PyErr_SetString(PyExc_TypeError, "it must be a column");
  return nullptr;
}

PyObject* new_column(PyObject* module, PyObject* args) {
  Py_ssize_t size, kept_bytes;
  const char* folder;
  if (!PyArg_ParseTuple(args, "nyn:new_column", &size, &folder, &kept_bytes)) return nullptr;
  if (size < 0) {
    PyErr_SetString(PyExc_ValueError, "a column must have a size");
    return nullptr;
  }
  return column_object(*static_cast<State*>(PyModule_GetState(module)), static_cast<size_t>(size), [&] {
    FileColumn column;
    if (*folder != '\0' && size > kept_bytes) column.move_to_file(folder);
    column.resize(static_cast<size_t>(size));
    return column;
  });
}

int to_limits(PyObject* object, void* out) {
  unsigned long long slices, points, tracks, names, names_bytes, flows, steps, name_chars;
  long long longest_ns, epoch_ns;
  const char *other_name, *folder;
  Py_ssize_t kept_bytes;
  if (!PyArg_ParseTuple(object, "KKKKKKKKLLsyn:limits", &slices, &points, &tracks, &names, &names_bytes, &flows, &steps,
                        &name_chars, &longest_ns, &epoch_ns, &other_name, &folder, &kept_bytes))
    return 0;
  const auto kept = static_cast<size_t>(std::max<Py_ssize_t>(kept_bytes, sizeof(int64_t)));
  return !set_exception(run_catching([&] {
    *static_cast<CaptureLimits*>(out) = {slices, points, tracks, names, names_bytes, flows, steps, name_chars,
                                         longest_ns, epoch_ns, other_name, {folder, kept}};
  }));
}

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

std::vector<ColumnCopy> copy_columns(CaptureBuilder& builder) {
  std::vector<ColumnCopy> copies;
  const auto add = [&](auto&... columns) {
    (copies.push_back({columns.copy(), columns.size() * sizeof columns[0]}), ...);
  };
  SliceColumns& slices = builder.slices;
  add(slices.track, slices.start_ns, slices.duration_ns, slices.name, slices.kind, slices.args);
  for (PointRows* points : {&builder.instants, &builder.counters, &builder.flow_begins, &builder.flow_ends})
    add(points->track, points->time_ns, points->name, points->value);
  return copies;
}

PyObject* list_copies(const State& state, std::vector<ColumnCopy> copies) {
  auto next = copies.begin();
  const auto object = [&] {
    ColumnCopy& copy = *next++;
    return column_object(state, copy.size_bytes, [&] { return std::move(copy.column); });
  };
  const auto tuple = [&](Py_ssize_t size, auto&& make) -> PyObject* {
    OwnedRef made(PyTuple_New(size));
    for (Py_ssize_t at = 0; made && at < size; at++) {
      PyObject* const item = make();
      if (item == nullptr || PyTuple_SetItem(made.get(), at, item) != 0) return nullptr;
    }
    return made.release();
  };
  bool is_first = true;
  return tuple(5, [&] { return tuple(std::exchange(is_first, false) ? 6 : 4, object); });
}

}  // namespace lightboard::python
