#include "nesting_functions.hpp"

#include <limits>

#include "../engine/nesting.hpp"

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

}  // namespace lightboard::python
