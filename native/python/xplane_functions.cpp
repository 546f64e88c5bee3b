#include "xplane_functions.hpp"

#include <cstring>
#include <exception>
#include <memory>

#include "../engine/xplane_decoder.hpp"
#include "capture_objects.hpp"

namespace lightboard::python {
namespace {

// The function of Python that reads the file has set an exception.
class ReadFailed : public std::exception {};

// Calls `read(offset, length) -> bytes` from code that runs without the GIL, in the thread that has released it. Before
// that, hands out what has been decoded, if it is due.
class RangeCall {
 public:
  RangeCall(const State& state, PyObject* read, PyObject* is_due, PyObject* take)
      : module_state_(state), read_(read), is_due_(is_due), take_(take) {}
  void set_decoder(XplaneDecoder& decoder) noexcept { decoder_ = &decoder; }
  void release_gil() { state_ = PyEval_SaveThread(); }
  void acquire_gil() { PyEval_RestoreThread(state_); }

  size_t operator()(uint64_t offset, uint8_t* into, size_t size) {
    acquire_gil();
    const Py_ssize_t count = hand_out() ? copy(offset, into, size) : -1;
    release_gil();
    if (count < 0) throw ReadFailed();
    return static_cast<size_t>(count);
  }

 private:
  Py_ssize_t copy(uint64_t offset, uint8_t* into, size_t size) const {
    const OwnedRef data(PyObject_CallFunction(read_, "KK", static_cast<unsigned long long>(offset),
                                              static_cast<unsigned long long>(size)));
    Buffer buffer;
    if (!data || !buffer.acquire(data.get())) return -1;
    if (buffer.size() > size) {
      PyErr_SetString(PyExc_ValueError, "read has returned more than it was asked for");
      return -1;
    }
    if (buffer.size() > 0) std::memcpy(into, buffer.data(), buffer.size());
    return static_cast<Py_ssize_t>(buffer.size());
  }

  // Calls `take` with what there is so far, if `is_due(slices)`. Returns false with an exception set.
  bool hand_out() {
    CaptureBuilder& builder = decoder_->builder();
    if (is_due_ == Py_None) return true;
    const OwnedRef due(PyObject_CallFunction(is_due_, "n", static_cast<Py_ssize_t>(builder.slices.track.size())));
    const int is_due = due ? PyObject_IsTrue(due.get()) : -1;
    if (is_due <= 0) return is_due == 0;
    std::vector<ColumnCopy> copies;
    const Failure failure = without_lock([&] { copies = copy_columns(builder); });
    if (failure == Failure::disk) return true;  // which has no space for copies
    if (set_exception(failure)) return false;
    const OwnedRef taken(PyObject_CallFunction(
        take_, "NNNNNNK", to_text(decoder_->host()), list_names(builder), list_processes(builder), list_tracks(builder),
        list_steps(builder), list_copies(module_state_, std::move(copies)),
        static_cast<unsigned long long>(decoder_->decoded())));
    return static_cast<bool>(taken);
  }

  const State& module_state_;
  PyObject *read_, *is_due_, *take_;
  XplaneDecoder* decoder_ = nullptr;
  PyThreadState* state_ = nullptr;
};

enum class Result { done, raised, memory, disk, other };

// Catches no exception that it does not know: at the end of the interpreter, a thread that reads is terminated by
// unwinding its stack.
Result decode_all(XplaneDecoder& decoder) {
  try {
    decoder.decode();
    return Result::done;
  } catch (const ReadFailed&) {
    return Result::raised;
  } catch (const std::bad_alloc&) {
    return Result::memory;
  } catch (const DiskError& error) {
    errno = error.number;
    return Result::disk;
  } catch (const std::exception&) {
    return Result::other;
  }
}

PyObject* list_hlo_keys(const XplaneDecoder& decoder) {
  return to_list(decoder.hlo_keys(), [](const HloKey& key) {
    return Py_BuildValue("(Lii)", static_cast<long long>(key.program), static_cast<int>(key.op),
                         static_cast<int>(key.name));
  });
}

}  // namespace

PyObject* decode_xplane(PyObject* module, PyObject* args, PyObject* kwargs) {
  PyObject *read, *is_due = Py_None, *take = Py_None;
  XplaneLimits limits;
  unsigned long long size, lines, event_bytes, text_bytes;
  static const char* words[] = {"read", "size", "limits", "lines", "event_bytes", "text_bytes", "is_due", "take",
                                nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OKO&$KKKOO:decode_xplane", const_cast<char**>(words), &read, &size,
                                   to_limits, &limits.capture, &lines, &event_bytes, &text_bytes, &is_due, &take))
    return nullptr;
  const State& state = *static_cast<State*>(PyModule_GetState(module));
  RangeCall call(state, read, is_due, take);
  std::unique_ptr<XplaneDecoder> decoder;
  if (set_exception(run_catching([&] {
        limits.lines = lines;
        limits.event_bytes = event_bytes;
        limits.text_bytes = text_bytes;
        decoder = std::make_unique<XplaneDecoder>(std::move(limits), size, std::ref(call));
        call.set_decoder(*decoder);
      })))
    return nullptr;
  call.release_gil();
  const Result result = decode_all(*decoder);
  call.acquire_gil();
  if (result == Result::raised) return nullptr;
  if (result != Result::done) {
    set_exception(result == Result::memory ? Failure::memory
                  : result == Result::disk ? Failure::disk
                                           : Failure::other);
    return nullptr;
  }
  CaptureBuilder& builder = decoder->builder();
  OwnedRef facts(Py_BuildValue("(OOKKON)", decoder->found() ? Py_True : Py_False, decoder->cut() ? Py_True : Py_False,
                               static_cast<unsigned long long>(builder.skipped),
                               static_cast<unsigned long long>(builder.left_out),
                               builder.has_other_names ? Py_True : Py_False, to_text(decoder->host())));
  if (!facts) return nullptr;
  return Py_BuildValue("(NNNNNNNNN)", facts.release(), list_names(builder), list_processes(builder),
                       list_tracks(builder), list_steps(builder), release_columns(state, builder),
                       list_texts(decoder->ops()), list_hlo_keys(*decoder), release_column(state, decoder->hlo()));
}

}  // namespace lightboard::python
