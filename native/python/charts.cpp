#include "charts.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "../engine/chart.hpp"
#include "../engine/group.hpp"
#include "parts.hpp"

namespace lightboard::python {
namespace {

// The arguments that say what a chart is like; false with ValueError raised if no chart is like that.
bool to_spec(int purge, int axis, double x0, double x1, long long px, double smoothing, int aux, ChartSpec& spec) {
  if (axis < 0 || axis > 3 || std::isnan(x0) || std::isnan(x1) || px < 1 || px > max_px) {
    PyErr_SetString(PyExc_ValueError, "no such chart");
    return false;
  }
  if (!(smoothing >= 0 && smoothing <= 1)) {
    PyErr_SetString(PyExc_ValueError, "smoothing weight must lie in 0..1");
    return false;
  }
  spec = {purge != 0, static_cast<AxisKind>(axis), x0, x1, static_cast<uint32_t>(px), smoothing, aux != 0};
  return true;
}

bool to_run(long long given, uint32_t& run) {
  if (given < 0 || given > 0xFFFFFFFFll) {
    PyErr_SetString(PyExc_ValueError, "a run id is an unsigned 32-bit number");
    return false;
  }
  run = static_cast<uint32_t>(given);
  return true;
}

// A request from its items; `x_parts` may be null or None.
bool to_request(PyObject* parts, long long run, PyObject* x_parts, Parts& held, ChartRequest& request) {
  if (!to_run(run, request.run) || !held.add(parts, request.parts)) return false;
  return x_parts == nullptr || x_parts == Py_None || held.add(x_parts, request.x_parts);
}

// A sequence of requests, (parts, run id) or (parts, run id, x parts).
bool to_requests(PyObject* sequence, Parts& held, std::vector<ChartRequest>& requests) {
  Owned items(PySequence_Tuple(sequence));
  if (!items) return false;
  const Py_ssize_t count = PyTuple_Size(items.get());
  if (raised(attempt([&] { requests.resize(static_cast<size_t>(count)); }))) return false;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject* parts;
    PyObject* x_parts = nullptr;
    long long run;
    const Owned request(PySequence_Tuple(PyTuple_GetItem(items.get(), i)));
    if (!request || !PyArg_ParseTuple(request.get(), "OL|O;a request is (parts, run) or (parts, run, x parts)", &parts,
                                      &run, &x_parts))
      return false;
    if (!to_request(parts, run, x_parts, held, requests[static_cast<size_t>(i)])) return false;
  }
  return true;
}

// A sequence of groups, (requests, group id).
bool to_groups(PyObject* sequence, Parts& held, std::vector<GroupRequest>& groups) {
  Owned items(PySequence_Tuple(sequence));
  if (!items) return false;
  const Py_ssize_t count = PyTuple_Size(items.get());
  if (raised(attempt([&] { groups.resize(static_cast<size_t>(count)); }))) return false;
  for (Py_ssize_t i = 0; i < count; i++) {
    GroupRequest& group = groups[static_cast<size_t>(i)];
    PyObject* members;
    long long id;
    const Owned pair(PySequence_Tuple(PyTuple_GetItem(items.get(), i)));
    if (!pair || !PyArg_ParseTuple(pair.get(), "OL;a group is (requests, id)", &members, &id)) return false;
    if (!to_run(id, group.id) || !to_requests(members, held, group.members)) return false;
  }
  return true;
}

// The byte that says to stop, which must be held as long as it is looked at; `given` may be null or None.
bool to_stop(PyObject* given, Buffer& held, Stop& stop) {
  if (given == nullptr || given == Py_None) return true;
  if (!held.take(given)) return false;
  if (held.size() != 1) {
    PyErr_SetString(PyExc_ValueError, "what says to stop is one byte");
    return false;
  }
  stop = Stop(held.data());
  return true;
}

// What threads made, in one piece.
PyObject* to_bytes(const std::vector<std::string>& shares) {
  size_t size = 0;
  for (const std::string& share : shares) size += share.size();
  PyObject* blocks = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (blocks == nullptr) return nullptr;
  char* at = PyBytes_AsString(blocks);
  for (const std::string& share : shares) at = std::copy(share.begin(), share.end(), at);
  return blocks;
}

}  // namespace

PyObject* series_chart(PyObject* module, PyObject* args) {
  PyObject* parts;
  PyObject* x_parts = nullptr;
  int purge, axis, aux;
  long long run, px;
  double x0, x1, smoothing;
  if (!PyArg_ParseTuple(args, "OpLiddLdp|O:series_chart", &parts, &purge, &run, &axis, &x0, &x1, &px, &smoothing, &aux,
                        &x_parts))
    return nullptr;
  ChartSpec spec;
  Parts held(module);
  ChartRequest request;
  if (!to_spec(purge, axis, x0, x1, px, smoothing, aux, spec) || !to_request(parts, run, x_parts, held, request))
    return nullptr;
  std::string block;
  if (raised(without_lock([&] { draw_series(request, spec, block); }))) return nullptr;
  return to_bytes(block);
}

PyObject* chart_many(PyObject* module, PyObject* args) {
  PyObject* sequence;
  PyObject* stop_flag = nullptr;
  int purge, axis, aux;
  long long px;
  double x0, x1, smoothing;
  if (!PyArg_ParseTuple(args, "OpiddLdp|O:chart_many", &sequence, &purge, &axis, &x0, &x1, &px, &smoothing, &aux,
                        &stop_flag))
    return nullptr;
  ChartSpec spec;
  if (!to_spec(purge, axis, x0, x1, px, smoothing, aux, spec)) return nullptr;
  Buffer held_flag;
  Stop stop;
  if (!to_stop(stop_flag, held_flag, stop)) return nullptr;
  Parts held(module);
  std::vector<ChartRequest> requests;
  if (!to_requests(sequence, held, requests)) return nullptr;
  std::vector<std::string> shares;
  if (raised(without_lock([&] { shares = draw_many(requests, spec, stop); }))) return nullptr;
  return to_bytes(shares);
}

PyObject* group_many(PyObject* module, PyObject* args) {
  PyObject* sequence;
  PyObject* stop_flag = nullptr;
  int statistic, band, purge, axis;
  long long px;
  double x0, x1, smoothing;
  if (!PyArg_ParseTuple(args, "OiipiddLd|O:group_many", &sequence, &statistic, &band, &purge, &axis, &x0, &x1, &px,
                        &smoothing, &stop_flag))
    return nullptr;
  ChartSpec spec;
  if (!to_spec(purge, axis, x0, x1, px, smoothing, 0, spec)) return nullptr;
  if (statistic < 0 || statistic > 1 || band < 0 || band > 3) {
    PyErr_SetString(PyExc_ValueError, "no such statistic or band");
    return nullptr;
  }
  Buffer held_flag;
  Stop stop;
  if (!to_stop(stop_flag, held_flag, stop)) return nullptr;
  Parts held(module);
  std::vector<GroupRequest> asked;
  if (!to_groups(sequence, held, asked)) return nullptr;
  std::vector<std::string> shares;
  const Failure failure = without_lock(
      [&] { shares = draw_groups(asked, spec, static_cast<Statistic>(statistic), static_cast<Band>(band), stop); });
  return raised(failure) ? nullptr : to_bytes(shares);
}

}  // namespace lightboard::python
