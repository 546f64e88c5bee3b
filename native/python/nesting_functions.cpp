#include "nesting_functions.hpp"

#include <algorithm>
#include <limits>

#include "../engine/nesting.hpp"
#include "../engine/slice_rows.hpp"
#include "capture_objects.hpp"

namespace lightboard::python {
namespace {

// Columns of slices passed from Python, which must be of the same length.
class SliceArguments {
 public:
  // Returns false with an exception set if they are invalid.
  bool acquire(PyObject* tracks, PyObject* starts, PyObject* durations) {
    if (!tracks_.acquire(tracks) || !starts_.acquire(starts) || !durations_.acquire(durations)) return false;
    const size_t count = tracks_.size() / sizeof(int32_t);
    if (tracks_.size() != count * sizeof(int32_t) || starts_.size() != count * sizeof(int64_t) ||
        durations_.size() != count * sizeof(int64_t) || count > std::numeric_limits<int32_t>::max()) {
      PyErr_SetString(PyExc_ValueError, "columns of slices must be int32, int64 and int64, and of the same length");
      return false;
    }
    range_ = {{reinterpret_cast<const int32_t*>(tracks_.data()), count},
              {reinterpret_cast<const int64_t*>(starts_.data()), count},
              {reinterpret_cast<const int64_t*>(durations_.data()), count}};
    return true;
  }
  const SliceRange& range() const noexcept { return range_; }

 private:
  Buffer tracks_, starts_, durations_;
  SliceRange range_;
};

// A column of numbers, one for each slice, that `fill` writes without the GIL.
template <class Number, class Fill>
PyObject* column_of(size_t count, Fill&& fill) {
  OwnedRef out(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(count * sizeof(Number))));
  if (!out) return nullptr;
  auto* const numbers = reinterpret_cast<Number*>(PyByteArray_AsString(out.get()));
  return set_exception(without_lock([&] { fill(numbers); })) ? nullptr : out.release();
}

// A column of numbers.
template <class Number>
PyObject* column_of(const std::vector<Number>& numbers) {
  return PyByteArray_FromStringAndSize(reinterpret_cast<const char*>(numbers.data()),
                                       static_cast<Py_ssize_t>(numbers.size() * sizeof(Number)));
}

// Columns that a function fills, for so many slices.
class RowArguments {
 public:
  // Returns false with an exception set if they are invalid.
  bool acquire(PyObject* tuple, size_t count) {
    PyObject *order, *depth, *self_ns, *by_time, *module;
    if (!PyArg_ParseTuple(tuple, "OOOOO", &order, &depth, &self_ns, &by_time, &module)) return false;
    columns_ = {add<int32_t>(order, count), add<int8_t>(depth, count), add<int64_t>(self_ns, count),
                add<int32_t>(by_time, count), module == Py_None ? nullptr : add<int32_t>(module, count)};
    if (!failed_) return true;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "there must be a place for each slice");
    return false;
  }
  const SliceRowColumns& columns() const noexcept { return columns_; }

 private:
  template <class Number>
  Number* add(PyObject* object, size_t count) {
    if (failed_) return nullptr;
    Buffer& buffer = buffers_[used_++];
    failed_ = !buffer.acquire(object, PyBUF_WRITABLE) || buffer.size() != count * sizeof(Number);
    return buffer.numbers<Number>();
  }

  Buffer buffers_[5];
  size_t used_ = 0;
  bool failed_ = false;
  SliceRowColumns columns_{};
};

// The columns of a sequence, which `kept` keeps. Returns false with an exception set if it is invalid.
bool columns_in(PyObject* module, PyObject* sequence, OwnedRef& kept, std::vector<FileColumn*>& out) {
  const State& state = *static_cast<State*>(PyModule_GetState(module));
  kept = OwnedRef(PySequence_Tuple(sequence));
  if (!kept) return false;
  const Py_ssize_t count = PyTuple_Size(kept.get());
  if (set_exception(run_catching([&] { out.resize(static_cast<size_t>(count)); }))) return false;
  for (Py_ssize_t i = 0; i < count; i++)
    if ((out[static_cast<size_t>(i)] = column_of(state, PyTuple_GetItem(kept.get(), i))) == nullptr) return false;
  return true;
}

}  // namespace

PyObject* slice_self_times(PyObject*, PyObject* args) {
  PyObject *tracks, *starts, *durations;
  if (!PyArg_ParseTuple(args, "OOO:self_times", &tracks, &starts, &durations)) return nullptr;
  SliceArguments slices;
  if (!slices.acquire(tracks, starts, durations)) return nullptr;
  return column_of<int64_t>(slices.range().tracks.size(), [&](int64_t* out) { self_times(slices.range(), out); });
}

PyObject* slice_enclosing(PyObject*, PyObject* args) {
  PyObject *tracks, *starts, *durations, *marked;
  Py_ssize_t max_depth;
  if (!PyArg_ParseTuple(args, "OOOOn:enclosing", &tracks, &starts, &durations, &marked, &max_depth)) return nullptr;
  SliceArguments slices;
  Buffer marks;
  if (!slices.acquire(tracks, starts, durations) || !marks.acquire(marked)) return nullptr;
  const size_t count = slices.range().tracks.size();
  if (marks.size() != count || max_depth < 0) {
    PyErr_SetString(PyExc_ValueError, "there must be a mark for each slice, and no negative depth");
    return nullptr;
  }
  return column_of<int32_t>(count, [&](int32_t* out) {
    enclosing(slices.range(), {marks.data(), count}, static_cast<size_t>(max_depth), out);
  });
}

PyObject* slice_innermost(PyObject*, PyObject* args) {
  PyObject *tracks, *starts, *durations, *groups;
  if (!PyArg_ParseTuple(args, "OOOO:innermost", &tracks, &starts, &durations, &groups)) return nullptr;
  SliceArguments slices;
  Buffer kinds;
  if (!slices.acquire(tracks, starts, durations) || !kinds.acquire(groups)) return nullptr;
  const size_t count = slices.range().tracks.size();
  if (kinds.size() != count) {
    PyErr_SetString(PyExc_ValueError, "there must be a group for each slice");
    return nullptr;
  }
  Segments found;
  const std::span of_slices{reinterpret_cast<const int8_t*>(kinds.data()), count};
  if (set_exception(without_lock([&] { found = innermost(slices.range(), of_slices); }))) return nullptr;
  OwnedRef slice(column_of(found.slice)), begin(column_of(found.begin)), end(column_of(found.end));
  if (!slice || !begin || !end) return nullptr;
  return PyTuple_Pack(3, slice.get(), begin.get(), end.get());
}

PyObject* slice_arrange(PyObject* module, PyObject* args) {
  PyObject *tracks, *starts, *durations, *groups, *out, *used;
  Py_ssize_t track_count, max_modules;
  int max_rows;
  if (!PyArg_ParseTuple(args, "OOOOninOO:arrange", &tracks, &starts, &durations, &groups, &track_count, &max_rows,
                        &max_modules, &out, &used))
    return nullptr;
  SliceArguments slices;
  RowArguments rows;
  Buffer kinds;
  OwnedRef kept;
  std::vector<FileColumn*> columns;
  if (!slices.acquire(tracks, starts, durations) || !kinds.acquire(groups) || !columns_in(module, used, kept, columns))
    return nullptr;
  const size_t count = slices.range().tracks.size();
  if (!rows.acquire(out, count)) return nullptr;
  UsedPages pages(std::move(columns));
  bool are_tracks = true;
  if (set_exception(without_lock([&] {
        for (size_t at = 0; at < count; at++) {
          pages.use(at);
          const int32_t track = slices.range().tracks[at];
          are_tracks = are_tracks && track >= 0 && track < track_count;
        }
      })))
    return nullptr;
  if (kinds.size() != count || max_rows < 1 || max_rows > std::numeric_limits<int8_t>::max() || max_modules < 0 ||
      !are_tracks) {
    PyErr_SetString(PyExc_ValueError, "there must be a group for each slice, 127 rows at most, and no other tracks");
    return nullptr;
  }
  if (set_exception(without_lock([&] {
        arrange_slices(slices.range(), {reinterpret_cast<const int8_t*>(kinds.data()), count},
                       static_cast<size_t>(track_count), {max_rows, static_cast<size_t>(max_modules)}, pages,
                       rows.columns());
      })))
    return nullptr;
  Py_RETURN_NONE;
}

}  // namespace lightboard::python
