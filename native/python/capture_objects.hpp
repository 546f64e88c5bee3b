// What a capture consists of, as objects of Python.
#pragma once

#include <string_view>
#include <vector>

#include "../engine/capture.hpp"
#include "python.hpp"

namespace lightboard::python {

// The type of columns that are released to Python.
PyObject* make_column_type(PyObject* module);

// The column of an object of that type, which keeps it. Null with an exception set if it is none.
FileColumn* column_of(const State& state, PyObject* object);

// A column of so many bytes, whose contents are not set.
PyObject* new_column(PyObject* module, PyObject* args);

// Converts what `native_columns.native_limits` makes, for PyArg_ParseTuple with "O&", to CaptureLimits.
int to_limits(PyObject* object, void* out);

PyObject* to_text(std::string_view text);

// A list of `make(item)` for each item.
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

PyObject* list_texts(const TextIndex& index);
PyObject* list_names(CaptureBuilder& builder);
PyObject* list_processes(CaptureBuilder& builder);
PyObject* list_tracks(CaptureBuilder& builder);
PyObject* list_steps(CaptureBuilder& builder);

// A column as an object of Python, which owns its memory.
PyObject* release_column(const State& state, NumberColumn<int32_t>& column);

// The columns of slices, instants, counters, begins and ends of flows. The builder has none afterwards.
PyObject* release_columns(const State& state, CaptureBuilder& builder);

// A column that no object of Python owns yet.
struct ColumnCopy {
  FileColumn column;
  size_t size_bytes;
};

// Copies of the columns of a builder, which is not changed. Needs no GIL. Throws std::bad_alloc and DiskError.
std::vector<ColumnCopy> copy_columns(CaptureBuilder& builder);

// These copies, arranged as those of `release_columns`.
PyObject* list_copies(const State& state, std::vector<ColumnCopy> copies);

}  // namespace lightboard::python
