// Python's C interface, limited to what stays the same from 3.11 on, and the few things every file of the binding uses.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <new>
#include <string>
#include <utility>

#include "../engine/view.hpp"

namespace lightboard::python {

// How a piece of work without the interpreter's lock ended.
enum class Failure { none, memory, form, other };

template <class Work>
Failure attempt(Work&& work) noexcept {
  try {
    work();
    return Failure::none;
  } catch (const std::bad_alloc&) {
    return Failure::memory;
  } catch (const WrongForm&) {
    return Failure::form;
  } catch (...) {
    return Failure::other;
  }
}

// Do `work` with the lock released. Not to be called inside a try block: a thread that outlives the interpreter is
// ended by unwinding its stack from here.
template <class Work>
Failure without_lock(Work&& work) {
  PyThreadState* const state = PyEval_SaveThread();
  const Failure failure = attempt(work);
  PyEval_RestoreThread(state);
  return failure;
}

// Raise what a failure means; true if there was one.
inline bool raised(Failure failure) {
  if (failure == Failure::none) return false;
  if (failure == Failure::memory)
    PyErr_NoMemory();
  else if (failure == Failure::form)
    PyErr_SetString(PyExc_ValueError, "the series is of the other form");
  else
    PyErr_SetString(PyExc_RuntimeError, "the compiled core failed");
  return true;
}

// One reference to an object, given up at the end.
class Owned {
 public:
  Owned() noexcept = default;
  explicit Owned(PyObject* object) noexcept : object_(object) {}
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { Py_XDECREF(object_); }

  PyObject* get() const noexcept { return object_; }
  PyObject* release() noexcept { return std::exchange(object_, nullptr); }
  explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

// The bytes of a buffer argument, given back at the end.
class Buffer {
 public:
  Buffer() noexcept = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (held_) PyBuffer_Release(&view_);
  }

  bool take(PyObject* object) {
    held_ = PyObject_GetBuffer(object, &view_, PyBUF_SIMPLE) == 0;
    return held_;
  }
  const uint8_t* data() const noexcept { return static_cast<const uint8_t*>(view_.buf); }
  size_t size() const noexcept { return static_cast<size_t>(view_.len); }

 private:
  Py_buffer view_{};
  bool held_ = false;
};

inline PyObject* to_bytes(const std::string& data) {
  return PyBytes_FromStringAndSize(data.data(), static_cast<Py_ssize_t>(data.size()));
}

// What the module keeps between calls.
struct State {
  PyObject* decoder_type;
  PyObject* info_type;  // what `describe` answers with; None for a plain tuple
};

}  // namespace lightboard::python
