#include "nesting_functions.hpp"

#include <algorithm>
#include <limits>

#include "../engine/nesting.hpp"
#include "../engine/slice_rows.hpp"

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

PyObject* slice_arrange(PyObject*, PyObject* args) {
  PyObject *tracks, *starts, *durations, *groups;
  Py_ssize_t track_count;
  int max_rows;
  if (!PyArg_ParseTuple(args, "OOOOni:arrange", &tracks, &starts, &durations, &groups, &track_count, &max_rows))
    return nullptr;
  SliceArguments slices;
  Buffer kinds;
  if (!slices.acquire(tracks, starts, durations) || !kinds.acquire(groups)) return nullptr;
  const size_t count = slices.range().tracks.size();
  const auto is_track = [&](int32_t track) { return track >= 0 && track < track_count; };
  if (kinds.size() != count || max_rows < 1 || max_rows > std::numeric_limits<int8_t>::max() ||
      !std::ranges::all_of(slices.range().tracks, is_track)) {
    PyErr_SetString(PyExc_ValueError, "there must be a group for each slice, 127 rows at most, and no other tracks");
    return nullptr;
  }
  SliceRowColumns out{};
  OwnedRef self_times(column_of<int64_t>(count, [&](int64_t* column) { out.self_ns = column; }));
  if (!self_times) return nullptr;
  OwnedRef depths(column_of<int8_t>(count, [&](int8_t* column) { out.depth = column; }));
  if (!depths) return nullptr;
  OwnedRef order(column_of<int32_t>(count, [&](int32_t* column) {
    out.order = column;
    arrange_slices(slices.range(), {reinterpret_cast<const int8_t*>(kinds.data()), count},
                   static_cast<size_t>(track_count), max_rows, out);
  }));
  if (!order) return nullptr;
  return Py_BuildValue("(NNN)", order.release(), depths.release(), self_times.release());
}

}  // namespace lightboard::python
