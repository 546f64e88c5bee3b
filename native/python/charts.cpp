#include "charts.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "../engine/chart.hpp"
#include "../engine/group.hpp"
#include "parts.hpp"

namespace lightboard::python {
namespace {

// Checks and converts the arguments of a chart. Returns false with ValueError set if they are invalid.
bool to_spec(int purge, int axis, double x0, double x1, long long px, double smoothing, int aux, int last_of_step,
             ChartSpec& spec) {
  if (axis < 0 || axis > 3 || std::isnan(x0) || std::isnan(x1) || px < 1 || px > max_px) {
    PyErr_SetString(PyExc_ValueError, "invalid axis, range or width of a chart");
    return false;
  }
  if (!(smoothing >= 0 && smoothing <= 1)) {
    PyErr_SetString(PyExc_ValueError, "smoothing weight must be between 0 and 1");
    return false;
  }
  spec = {purge != 0, static_cast<AxisKind>(axis), x0, x1, static_cast<uint32_t>(px), smoothing, aux != 0, last_of_step != 0};
  return true;
}

bool to_run(long long given, uint32_t& run) {
  if (given < 0 || given > 0xFFFFFFFFll) {
    PyErr_SetString(PyExc_ValueError, "a run id must be an unsigned 32-bit integer");
    return false;
  }
  run = static_cast<uint32_t>(given);
  return true;
}

// Converts a request. `x_parts` may be null or None.
bool to_request(PyObject* parts, long long run, PyObject* x_parts, PartConverter& converter, ChartRequest& request) {
  if (!to_run(run, request.run) || !converter.add(parts, request.parts)) return false;
  return x_parts == nullptr || x_parts == Py_None || converter.add(x_parts, request.x_parts);
}

// Converts a sequence of requests: (parts, run id) or (parts, run id, x parts).
bool to_requests(PyObject* sequence, PartConverter& converter, std::vector<ChartRequest>& requests) {
  OwnedRef items(PySequence_Tuple(sequence));
  if (!items) return false;
  const Py_ssize_t count = PyTuple_Size(items.get());
  if (set_exception(run_catching([&] { requests.resize(static_cast<size_t>(count)); }))) return false;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject* parts;
    PyObject* x_parts = nullptr;
    long long run;
    const OwnedRef request(PySequence_Tuple(PyTuple_GetItem(items.get(), i)));
    if (!request || !PyArg_ParseTuple(request.get(), "OL|O;a request must be (parts, run) or (parts, run, x parts)",
                                      &parts, &run, &x_parts))
      return false;
    if (!to_request(parts, run, x_parts, converter, requests[static_cast<size_t>(i)])) return false;
  }
  return true;
}

// Converts a sequence of groups: (requests, group id).
bool to_groups(PyObject* sequence, PartConverter& converter, std::vector<GroupRequest>& groups) {
  OwnedRef items(PySequence_Tuple(sequence));
  if (!items) return false;
  const Py_ssize_t count = PyTuple_Size(items.get());
  if (set_exception(run_catching([&] { groups.resize(static_cast<size_t>(count)); }))) return false;
  for (Py_ssize_t i = 0; i < count; i++) {
    GroupRequest& group = groups[static_cast<size_t>(i)];
    PyObject* members;
    long long id;
    const OwnedRef pair(PySequence_Tuple(PyTuple_GetItem(items.get(), i)));
    if (!pair || !PyArg_ParseTuple(pair.get(), "OL;a group must be (requests, id)", &members, &id)) return false;
    if (!to_run(id, group.id) || !to_requests(members, converter, group.members)) return false;
  }
  return true;
}

// Converts the stop flag, one byte, which `buffer` keeps alive. `given` may be null or None.
bool to_stop(PyObject* given, Buffer& buffer, Stop& stop) {
  if (given == nullptr || given == Py_None) return true;
  if (!buffer.acquire(given)) return false;
  if (buffer.size() != 1) {
    PyErr_SetString(PyExc_ValueError, "the stop flag must be one byte");
    return false;
  }
  stop = Stop(buffer.data());
  return true;
}

// Concatenates the output of several threads.
PyObject* joined_bytes(const std::vector<std::string>& chunks) {
  size_t size = 0;
  for (const std::string& chunk : chunks) size += chunk.size();
  PyObject* blocks = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (blocks == nullptr) return nullptr;
  char* at = PyBytes_AsString(blocks);
  for (const std::string& chunk : chunks) at = std::copy(chunk.begin(), chunk.end(), at);
  return blocks;
}

}  // namespace

PyObject* series_chart(PyObject* module, PyObject* args) {
  PyObject* parts;
  PyObject* x_parts = nullptr;
  int purge, axis, aux, last_of_step = 0;
  long long run, px;
  double x0, x1, smoothing;
  if (!PyArg_ParseTuple(args, "OpLiddLdp|Op:series_chart", &parts, &purge, &run, &axis, &x0, &x1, &px, &smoothing, &aux,
                        &x_parts, &last_of_step))
    return nullptr;
  ChartSpec spec;
  PartConverter converter(module);
  ChartRequest request;
  if (!to_spec(purge, axis, x0, x1, px, smoothing, aux, last_of_step, spec) ||
      !to_request(parts, run, x_parts, converter, request))
    return nullptr;
  std::string block;
  if (set_exception(without_lock([&] { draw_series(request, spec, block); }))) return nullptr;
  return to_bytes(block);
}

PyObject* chart_many(PyObject* module, PyObject* args) {
  PyObject* sequence;
  PyObject* stop_flag = nullptr;
  int purge, axis, aux, last_of_step = 0;
  long long px;
  double x0, x1, smoothing;
  if (!PyArg_ParseTuple(args, "OpiddLdp|Op:chart_many", &sequence, &purge, &axis, &x0, &x1, &px, &smoothing, &aux,
                        &stop_flag, &last_of_step))
    return nullptr;
  ChartSpec spec;
  if (!to_spec(purge, axis, x0, x1, px, smoothing, aux, last_of_step, spec)) return nullptr;
  Buffer stop_buffer;
  Stop stop;
  if (!to_stop(stop_flag, stop_buffer, stop)) return nullptr;
  PartConverter converter(module);
  std::vector<ChartRequest> requests;
  if (!to_requests(sequence, converter, requests)) return nullptr;
  std::vector<std::string> chunks;
  if (set_exception(without_lock([&] { chunks = draw_many(requests, spec, stop); }))) return nullptr;
  return joined_bytes(chunks);
}

PyObject* group_many(PyObject* module, PyObject* args) {
  PyObject* sequence;
  PyObject* stop_flag = nullptr;
  int statistic, band, purge, axis, last_of_step = 0;
  long long px;
  double x0, x1, smoothing;
  if (!PyArg_ParseTuple(args, "OiipiddLd|Op:group_many", &sequence, &statistic, &band, &purge, &axis, &x0, &x1, &px,
                        &smoothing, &stop_flag, &last_of_step))
    return nullptr;
  ChartSpec spec;
  if (!to_spec(purge, axis, x0, x1, px, smoothing, 0, last_of_step, spec)) return nullptr;
  if (statistic < 0 || statistic > 1 || band < 0 || band > 3) {
    PyErr_SetString(PyExc_ValueError, "invalid statistic or band");
    return nullptr;
  }
  Buffer stop_buffer;
  Stop stop;
  if (!to_stop(stop_flag, stop_buffer, stop)) return nullptr;
  PartConverter converter(module);
  std::vector<GroupRequest> groups;
  if (!to_groups(sequence, converter, groups)) return nullptr;
  std::vector<std::string> chunks;
  const Failure failure = without_lock(
      [&] { chunks = draw_groups(groups, spec, static_cast<Statistic>(statistic), static_cast<Band>(band), stop); });
  return set_exception(failure) ? nullptr : joined_bytes(chunks);
}

}  // namespace lightboard::python
