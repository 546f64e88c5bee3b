// Python's stable ABI of 3.11, and helpers that all files of the binding use.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <cerrno>
#include <new>
#include <string>
#include <utility>

#include "../engine/file_column.hpp"
#include "../engine/view.hpp"

namespace lightboard::python {

// The result of work done without the GIL.
enum class Failure { none, memory, disk, form, other };

template <class Work>
Failure run_catching(Work&& work) noexcept {
  try {
    work();
    return Failure::none;
  } catch (const std::bad_alloc&) {
    return Failure::memory;
  } catch (const DiskError& error) {
    errno = error.number;  // which the functions of Python keep
    return Failure::disk;
  } catch (const FormMismatch&) {
    return Failure::form;
  } catch (...) {
    return Failure::other;
  }
}

// Runs `work` with the GIL released. Must not be called inside a try block: a thread that outlives the interpreter is
// terminated by unwinding its stack from here.
template <class Work>
Failure without_lock(Work&& work) {
  PyThreadState* const state = PyEval_SaveThread();
  const Failure failure = run_catching(work);
  PyEval_RestoreThread(state);
  return failure;
}

// Sets the Python exception for a failure. Returns false if there was none.
inline bool set_exception(Failure failure) {
  if (failure == Failure::none) return false;
  if (failure == Failure::memory)
    PyErr_NoMemory();
  else if (failure == Failure::disk)
    PyErr_SetFromErrno(PyExc_OSError);
  else if (failure == Failure::form)
    PyErr_SetString(PyExc_ValueError, "the series has the wrong form");
  else
    PyErr_SetString(PyExc_RuntimeError, "unexpected C++ exception in the compiled core");
  return true;
}

// An owned reference to an object.
class OwnedRef {
 public:
  OwnedRef() noexcept = default;
  explicit OwnedRef(PyObject* object) noexcept : object_(object) {}
  OwnedRef(OwnedRef&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  OwnedRef& operator=(OwnedRef&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  OwnedRef(const OwnedRef&) = delete;
  OwnedRef& operator=(const OwnedRef&) = delete;
  ~OwnedRef() { Py_XDECREF(object_); }

  PyObject* get() const noexcept { return object_; }
  PyObject* release() noexcept { return std::exchange(object_, nullptr); }
  explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

// The bytes of a buffer argument, released on destruction.
class Buffer {
 public:
  Buffer() noexcept = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (acquired_) PyBuffer_Release(&view_);
  }

  bool acquire(PyObject* object, int flags = PyBUF_SIMPLE) {
    acquired_ = PyObject_GetBuffer(object, &view_, flags) == 0;
    return acquired_;
  }

  // The memory of a buffer that was acquired as writable.
  template <class Number>
  Number* numbers() const noexcept {
    return static_cast<Number*>(view_.buf);
  }
  const uint8_t* data() const noexcept { return static_cast<const uint8_t*>(view_.buf); }
  size_t size() const noexcept { return static_cast<size_t>(view_.len); }

 private:
  Py_buffer view_{};
  bool acquired_ = false;
};

inline PyObject* to_bytes(const std::string& data) {
  return PyBytes_FromStringAndSize(data.data(), static_cast<Py_ssize_t>(data.size()));
}

// The state of the module.
struct State {
  PyObject* decoder_type;
  PyObject* column_type;  // of buffers that own a column
  PyObject* info_type;  // the type that `describe` returns; None for a plain tuple
};

}  // namespace lightboard::python
