// The Python module lightboard._native._core: converts arguments and results, without logic of its own.
#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "../engine/crc32c.hpp"
#include "../engine/files.hpp"
#include "../engine/listing.hpp"
#include "../engine/smoothing.hpp"
#include "../engine/stats.hpp"
#include "../engine/table.hpp"
#include "capture_objects.hpp"
#include "charts.hpp"
#include "decoder_type.hpp"
#include "nesting_functions.hpp"
#include "parts.hpp"
#include "python.hpp"
#include "trace_decoder_type.hpp"
#include "xplane_functions.hpp"

namespace lightboard::python {
namespace {

// The columns of a result, as a tuple of bytes.
template <class... Columns>
PyObject* to_tuple(const Columns&... columns) {
  OwnedRef tuple(PyTuple_New(sizeof...(columns)));
  if (!tuple) return nullptr;
  Py_ssize_t at = 0;
  bool made = true;
  auto put = [&](const std::string& column) {
    PyObject* bytes = to_bytes(column);
    made = made && bytes != nullptr;
    PyTuple_SetItem(tuple.get(), at++, bytes);
  };
  (put(columns), ...);
  return made ? tuple.release() : nullptr;
}

// Packs statistics as 8-byte fields in the order of Stats.
void put_stats(const Stats& found, char* at) {
  auto put = [&](auto field) {
    static_assert(sizeof field == 8);
    std::memcpy(at, &field, 8);
    at += 8;
  };
  put(found.held), put(found.superseded);
  put(found.first_step), put(found.first_wall), put(found.first_value);
  put(found.last_step), put(found.last_wall), put(found.last_value);
  put(found.min_value), put(found.min_step), put(found.max_value), put(found.max_step);
  put(found.mean), put(found.nonfinite), put(found.nonfinite_tail), put(found.nonfinite_from);
}

constexpr size_t stats_bytes = 16 * 8;

// Many series, each passed from Python as a sequence of parts.
class SeriesList {
 public:
  explicit SeriesList(PyObject* module) : converter_(module) {}

  // Returns false with an exception set if the argument is invalid.
  bool convert(PyObject* sequence) {
    const OwnedRef items(PySequence_Tuple(sequence));
    if (!items) return false;
    const Py_ssize_t count = PyTuple_Size(items.get());
    for (Py_ssize_t i = 0; i < count; i++) {
      if (!converter_.add(PyTuple_GetItem(items.get(), i), parts_)) return false;
      if (set_exception(run_catching([&] { ends_.push_back(parts_.size()); }))) return false;
    }
    return true;
  }

  size_t count() const noexcept { return ends_.size(); }

  // Calls `work` with the parts of each series.
  template <class Work>
  void each(Work&& work) const {
    size_t begin = 0;
    for (const size_t end : ends_) {
      work(std::span(parts_).subspan(begin, end - begin));
      begin = end;
    }
  }

 private:
  PartConverter converter_;
  std::vector<Part> parts_;
  std::vector<size_t> ends_;
};

PyObject* stats_many(PyObject* module, PyObject* args) {
  PyObject* sequence;
  int purge;
  if (!PyArg_ParseTuple(args, "Op:stats_many", &sequence, &purge)) return nullptr;
  SeriesList all(module);
  if (!all.convert(sequence)) return nullptr;
  OwnedRef out(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(all.count() * stats_bytes)));
  if (!out) return nullptr;
  char* at = PyBytes_AsString(out.get());
  const Failure failure = without_lock([&] {
    all.each([&](std::span<const Part> parts) {
      put_stats(series_stats(parts, purge != 0), at);
      at += stats_bytes;
    });
  });
  return set_exception(failure) ? nullptr : out.release();
}

PyObject* count_rows(PyObject* module, PyObject* sequence) {
  SeriesList all(module);
  if (!all.convert(sequence)) return nullptr;
  std::vector<size_t> counts;
  const Failure failure = without_lock([&] {
    counts.reserve(all.count());
    all.each([&](std::span<const Part> parts) {
      const DecoderLocks locks(parts);
      size_t rows = 0;
      for (const Part& part : parts)
        if (const Series* series = part.get()) rows += series->rows();
      counts.push_back(rows);
    });
  });
  if (set_exception(failure)) return nullptr;
  OwnedRef list(PyList_New(static_cast<Py_ssize_t>(counts.size())));
  for (size_t i = 0; list && i < counts.size(); i++) {
    PyObject* const rows = PyLong_FromSize_t(counts[i]);
    if (rows == nullptr || PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), rows) != 0) return nullptr;
  }
  return list.release();
}

PyObject* points(PyObject* module, PyObject* args) {
  PyObject* sequence;
  int purge;
  if (!PyArg_ParseTuple(args, "Op:series_points", &sequence, &purge)) return nullptr;
  PartConverter converter(module);
  std::vector<Part> parts;
  if (!converter.add(sequence, parts)) return nullptr;
  PointColumns columns;
  if (set_exception(without_lock([&] { columns = list_points(parts, purge != 0); }))) return nullptr;
  return to_tuple(columns.steps, columns.walls, columns.values, columns.superseded);
}

PyObject* samples(PyObject* module, PyObject* args) {
  PyObject* sequence;
  int purge;
  Py_ssize_t limit;
  if (!PyArg_ParseTuple(args, "Opn:series_samples", &sequence, &purge, &limit)) return nullptr;
  PartConverter converter(module);
  std::vector<Part> parts;
  if (!converter.add(sequence, parts)) return nullptr;
  PointColumns columns;
  const size_t wanted = limit < 0 ? 0 : static_cast<size_t>(limit);
  if (set_exception(without_lock([&] { columns = list_samples(parts, purge != 0, wanted); }))) return nullptr;
  return to_tuple(columns.steps, columns.walls, columns.values, columns.superseded);
}

PyObject* part_points(PyObject* module, PyObject* args) {
  PyObject* sequence;
  Py_ssize_t part, first, limit;
  if (!PyArg_ParseTuple(args, "Onnn:part_points", &sequence, &part, &first, &limit)) return nullptr;
  if (part < 0 || first < 0 || limit < 0) {
    PyErr_SetString(PyExc_ValueError, "part, first and limit must not be negative");
    return nullptr;
  }
  PartConverter converter(module);
  std::vector<Part> parts;
  if (!converter.add(sequence, parts)) return nullptr;
  PointColumns columns;
  if (set_exception(without_lock([&] {
        columns = list_rows(parts, static_cast<size_t>(part), static_cast<size_t>(first), static_cast<size_t>(limit));
      })))
    return nullptr;
  return to_tuple(columns.steps, columns.walls, columns.values, columns.superseded);
}

PyObject* references(PyObject* module, PyObject* args) {
  PyObject* sequence;
  int purge;
  if (!PyArg_ParseTuple(args, "Op:references", &sequence, &purge)) return nullptr;
  PartConverter converter(module);
  std::vector<Part> parts;
  if (!converter.add(sequence, parts)) return nullptr;
  ReferenceColumns columns;
  if (set_exception(without_lock([&] { columns = list_references(parts, purge != 0); }))) return nullptr;
  return to_tuple(columns.parts, columns.offsets, columns.lengths, columns.steps, columns.walls);
}

PyObject* smooth_column(PyObject*, PyObject* args) {
  PyObject* values;
  double weight;
  if (!PyArg_ParseTuple(args, "Od:smooth", &values, &weight)) return nullptr;
  if (!(weight >= 0 && weight <= 1)) {
    PyErr_SetString(PyExc_ValueError, "smoothing weight must be between 0 and 1");
    return nullptr;
  }
  Buffer buffer;
  if (!buffer.acquire(values)) return nullptr;
  const size_t count = buffer.size() / sizeof(double);
  if (buffer.size() % sizeof(double) != 0) {
    PyErr_SetString(PyExc_ValueError, "values must be packed float64 numbers");
    return nullptr;
  }
  if (count == 0) return PyBytes_FromStringAndSize(nullptr, 0);
  OwnedRef out(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(buffer.size())));
  if (!out) return nullptr;
  char* const to = PyBytes_AsString(out.get());
  const Failure failure = without_lock([&] {
    std::vector<double> column(count);  // the input may be unaligned
    std::memcpy(column.data(), buffer.data(), buffer.size());
    smooth(column.data(), count, weight, column.data());
    std::memcpy(to, column.data(), buffer.size());
  });
  return set_exception(failure) ? nullptr : out.release();
}

template <uint32_t (*extend)(uint32_t, const uint8_t*, size_t) noexcept>
PyObject* crc(PyObject*, PyObject* args) {
  PyObject* data;
  unsigned int before = 0;
  if (!PyArg_ParseTuple(args, "O|I:crc32c", &data, &before)) return nullptr;
  Buffer buffer;
  if (!buffer.acquire(data)) return nullptr;
  uint32_t found = 0;
  if (buffer.size() < 4096)
    found = extend(before, buffer.data(), buffer.size());
  else if (set_exception(without_lock([&] { found = extend(before, buffer.data(), buffer.size()); })))
    return nullptr;
  return PyLong_FromUnsignedLong(found);
}

PyObject* set_info_type(PyObject* module, PyObject* type) {
  State& state = state_of(module);
  Py_INCREF(type);
  const OwnedRef before(std::exchange(state.info_type, type));
  Py_RETURN_NONE;
}

// A file to read, given by its path or by a descriptor of the caller, and the result.
struct ReadRequest {
  OwnedRef path, decoder;
  int fd = -1;
  bool ok = false;
  FileReadResult read;
};

bool to_read_requests(PyObject* module, PyObject* sequence, std::vector<ReadRequest>& requests) {
  OwnedRef items(PySequence_Tuple(sequence));
  if (!items) return false;
  const Py_ssize_t count = PyTuple_Size(items.get());
  if (set_exception(run_catching([&] { requests.resize(static_cast<size_t>(count)); }))) return false;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *source, *decoder;
    const OwnedRef pair(PySequence_Tuple(PyTuple_GetItem(items.get(), i)));
    auto* const type = reinterpret_cast<PyTypeObject*>(state_of(module).decoder_type);
    if (!pair ||
        !PyArg_ParseTuple(pair.get(), "OO!;an item must be (path or descriptor, Decoder)", &source, type, &decoder))
      return false;
    ReadRequest& request = requests[static_cast<size_t>(i)];
    if (PyLong_Check(source)) {
      const long fd = PyLong_AsLong(source);
      if (fd == -1 && PyErr_Occurred()) return false;
      request.fd = fd >= 0 && fd <= std::numeric_limits<int>::max() ? static_cast<int>(fd) : -1;
    } else {
      PyObject* path;
      if (!PyUnicode_FSConverter(source, &path)) return false;
      request.path = OwnedRef(path);
    }
    Py_INCREF(decoder);
    request.decoder = OwnedRef(decoder);
  }
  return true;
}

PyObject* read_files(PyObject* module, PyObject* args) {
  PyObject* sequence;
  long long limit, sample_bytes;
  if (!PyArg_ParseTuple(args, "OLL:read_files", &sequence, &limit, &sample_bytes)) return nullptr;
  std::vector<ReadRequest> requests;
  if (!to_read_requests(module, sequence, requests)) return nullptr;
  const auto byte_limit = static_cast<uint64_t>(std::max(limit, 0LL)),
             sampled = static_cast<uint64_t>(std::max(sample_bytes, 0LL));
  const Failure failure = without_lock([&] {
    for (ReadRequest& request : requests) {
      Decoder& decoder = decoder_of(request.decoder.get());
      request.ok = request.path
                       ? read_file(PyBytes_AsString(request.path.get()), decoder, byte_limit, sampled, request.read)
                       : read_open_file(request.fd, decoder, byte_limit, sampled, request.read);
    }
  });
  if (set_exception(failure)) return nullptr;
  OwnedRef list(PyList_New(static_cast<Py_ssize_t>(requests.size())));
  if (!list) return nullptr;
  for (size_t i = 0; i < requests.size(); i++) {
    const FileReadResult& read = requests[i].read;
    PyObject* made = requests[i].ok ? Py_BuildValue("(KKLKKII)", static_cast<unsigned long long>(read.consumed),
                                                    static_cast<unsigned long long>(read.size),
                                                    static_cast<long long>(read.mtime_ns),
                                                    static_cast<unsigned long long>(read.device),
                                                    static_cast<unsigned long long>(read.inode), read.head, read.tail)
                                    : Py_NewRef(Py_None);
    if (made == nullptr || PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), made) != 0) return nullptr;
  }
  return list.release();
}

PyObject* table(PyObject*, PyObject* args) {
  PyObject* text;
  Py_ssize_t columns;
  if (!PyArg_ParseTuple(args, "On:parse_table", &text, &columns)) return nullptr;
  if (columns < 1) {
    PyErr_SetString(PyExc_ValueError, "columns must be at least 1");
    return nullptr;
  }
  Buffer buffer;
  if (!buffer.acquire(text)) return nullptr;
  const std::span<const char> given(reinterpret_cast<const char*>(buffer.data()), buffer.size());
  std::vector<float> numbers;
  size_t count = 0;
  if (set_exception(without_lock([&] {
        numbers.resize(count_numbers(given));
        count = parse_table(given, static_cast<size_t>(columns), numbers.data());
      })))
    return nullptr;
  if (count == unsupported_table) Py_RETURN_NONE;
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(numbers.data()),
                                   static_cast<Py_ssize_t>(count * sizeof(float)));
}

PyMethodDef functions[] = {
    {"parse_table", table, METH_VARARGS, "parse_table(text, columns) -> bytes of float32, or None"},
    {"stats_many", stats_many, METH_VARARGS, "stats_many(series, purge) -> bytes: the fields of Stats, 8 bytes each"},
    {"count_rows", count_rows, METH_O, "count_rows(series) -> list of int: the number of points of each"},
    {"series_points", points, METH_VARARGS, "series_points(parts, purge) -> (steps, walls, values, superseded)"},
    {"series_samples", samples, METH_VARARGS,
     "series_samples(parts, purge, limit) -> (steps, walls, values, superseded)"},
    {"part_points", part_points, METH_VARARGS,
     "part_points(parts, part, first, limit) -> (steps, walls, values, superseded)"},
    {"references", references, METH_VARARGS, "references(parts, purge) -> (parts, offsets, lengths, steps, walls)"},
    {"series_chart", series_chart, METH_VARARGS,
     "series_chart(parts, purge, run, axis, x0, x1, px, smoothing, aux, x_parts=None) -> bytes"},
    {"chart_many", chart_many, METH_VARARGS,
     "chart_many(requests, purge, axis, x0, x1, px, smoothing, aux, stop=None) -> bytes"},
    {"group_many", group_many, METH_VARARGS,
     "group_many(groups, statistic, band, purge, axis, x0, x1, px, smoothing, stop=None) -> bytes"},
    {"smooth", smooth_column, METH_VARARGS, "smooth(values, weight) -> bytes"},
    {"crc32c", crc<crc32c>, METH_VARARGS, "crc32c(data, crc=0) -> int"},
    {"crc32c_by_table", crc<crc32c_by_table>, METH_VARARGS, "crc32c(data, crc=0) -> int, never by the processor"},
    {"read_files", read_files, METH_VARARGS,
     "read_files(items, limit, sample_bytes) -> list of (consumed, size, mtime_ns, device, inode, head, tail) or None"},
    {"self_times", slice_self_times, METH_VARARGS, "self_times(tracks, starts, durations) -> bytearray of int64"},
    {"enclosing", slice_enclosing, METH_VARARGS,
     "enclosing(tracks, starts, durations, marked, max_depth) -> bytearray of int32"},
    {"innermost", slice_innermost, METH_VARARGS,
     "innermost(tracks, starts, durations, groups) -> bytearrays of int32, int64 and int64: slices, begins and ends"},
    {"decode_xplane", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(decode_xplane)),
     METH_VARARGS | METH_KEYWORDS,
     "decode_xplane(read, size, *, limits, is_due=None, take=None) -> ((has planes, cut, skipped, left out, other names, host), names, processes, "
     "tracks, steps, columns, names of operations, list of (program, operation, name), index of those for each slice). Whenever is_due(slices), take(host, names, "
     "processes, tracks, steps, copies of columns, where the last event begins) gets what has been decoded so far"},
    {"arrange", slice_arrange, METH_VARARGS,
     "arrange(tracks, starts, durations, groups, track count, most rows, most modules, (order, depths, self times, by "
     "time, modules or None), columns to let go): fill the order, the depths, the self times, and the modules"},
    {"new_column", new_column, METH_VARARGS,
     "new_column(bytes, folder, bytes in memory) -> Column of anything, in an unnamed file of the folder if large"},
    {"set_info_type", set_info_type, METH_O, "set_info_type(type): the type that Decoder.describe returns"},
    {nullptr, nullptr, 0, nullptr},
};

int initialise(PyObject* module) {
  State& state = state_of(module);
  state.info_type = Py_None;
  Py_INCREF(Py_None);
  state.decoder_type = make_decoder_type(module);
  state.column_type = make_column_type(module);
  if (state.decoder_type == nullptr || state.column_type == nullptr) return -1;
  const OwnedRef trace_decoder_type(make_trace_decoder_type(module));
  for (PyObject* type : {state.decoder_type, trace_decoder_type.get()})
    if (type == nullptr || PyModule_AddType(module, reinterpret_cast<PyTypeObject*>(type)) != 0) return -1;
  return 0;
}

int traverse(PyObject* module, visitproc visit, void* arg) {
  const State* state = static_cast<State*>(PyModule_GetState(module));
  if (state == nullptr) return 0;
  Py_VISIT(state->decoder_type);
  Py_VISIT(state->column_type);
  Py_VISIT(state->info_type);
  return 0;
}

int clear(PyObject* module) {
  State* state = static_cast<State*>(PyModule_GetState(module));
  if (state == nullptr) return 0;
  Py_CLEAR(state->decoder_type);
  Py_CLEAR(state->column_type);
  Py_CLEAR(state->info_type);
  return 0;
}

PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, reinterpret_cast<void*>(initialise)},
    {0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "_core",
    "The compiled core of lightboard.",
    sizeof(State),
    functions,
    module_slots,
    traverse,
    clear,
    nullptr,
};

}  // namespace
}  // namespace lightboard::python

PyMODINIT_FUNC PyInit__core() { return PyModuleDef_Init(&lightboard::python::definition); }
