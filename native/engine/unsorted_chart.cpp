#include "unsorted_chart.hpp"

#include <algorithm>

#include "smoothed_line.hpp"

namespace lightboard {
namespace {

constexpr size_t most_followed = 16;  // points a pixel

// The rows that can be drawn, side by side.
struct Flat {
  std::vector<uint64_t> places;
  std::vector<double> xs, ys, smoothed;
  std::vector<uint32_t> monotone_runs;  // of each row; counting stops beyond what is drawn by monotone_run
  bool by_monotone_run = true;

  size_t size() const noexcept { return xs.size(); }
};

Flat flatten(const View& view, const Axis& axis, double weight) {
  Flat flat;
  flat.places.reserve(view.held);
  flat.xs.reserve(view.held);
  flat.ys.reserve(view.held);
  if (weight > 0) flat.smoothed.reserve(view.held);
  flat.monotone_runs.reserve(view.held);
  Smoother smoother(weight, weight > 0 && is_constant(view));
  uint64_t place = 0;
  size_t monotone_run = 0;
  int64_t step_before = 0;
  for (const RowRange& piece : view.pieces) {
    const Series& series = *piece.series;
    for (size_t row = piece.begin; row < piece.end; row++, place++) {
      const double value = series.value(row);
      const double smoothed = weight > 0 ? smoother.next(value) : value;
      if (!axis.has(series, row)) continue;
      const double x = axis.x(series, row);
      const int64_t step = series.steps()[row];
      const bool back = axis.by_step() ? step < step_before : !flat.xs.empty() && x < flat.xs.back();
      if (!flat.xs.empty() && back) monotone_run = std::min(monotone_run + 1, max_monotone_runs);
      step_before = step;
      flat.places.push_back(place);
      flat.xs.push_back(x);
      flat.ys.push_back(value);
      if (weight > 0) flat.smoothed.push_back(smoothed);
      flat.monotone_runs.push_back(static_cast<uint32_t>(monotone_run));
    }
  }
  flat.by_monotone_run = monotone_run < max_monotone_runs && !axis.by_tag();
  return flat;
}

void serve_monotone_run(const Flat& flat, size_t begin, size_t end, double x0, double x1, std::vector<size_t>& out) {
  const double* xs = flat.xs.data();
  const auto low = static_cast<size_t>(std::lower_bound(xs + begin, xs + end, x0) - xs);
  const auto high = static_cast<size_t>(std::upper_bound(xs + begin, xs + end, x1) - xs);
  if (low == end || high == begin || x0 > x1) return;
  const size_t from = low > begin ? low - 1 : begin, to = high < end ? high + 1 : end;
  for (size_t i = from; i < to; i++) out.push_back(i);
}

std::vector<size_t> serve_flat(const Flat& flat, double x0, double x1) {
  std::vector<size_t> out;
  const size_t size = flat.size();
  if (flat.by_monotone_run) {
    for (size_t begin = 0, end; begin < size; begin = end) {
      for (end = begin; end < size && flat.monotone_runs[end] == flat.monotone_runs[begin];) end++;
      serve_monotone_run(flat, begin, end, x0, x1, out);
    }
    return out;
  }
  auto inside = [&](size_t i) { return i < size && flat.xs[i] >= x0 && flat.xs[i] <= x1; };
  for (size_t i = 0; i < size; i++)
    if (inside(i) || inside(i + 1) || (i > 0 && inside(i - 1))) out.push_back(i);
  return out;
}

// The points of each column, and where monotone_runs count of each column of a monotone_run.
std::vector<ChartPoint> thin(const Flat& flat, const std::vector<size_t>& chosen, const Grid& grid, uint32_t px,
                       const std::vector<double>& ys) {
  std::vector<ChartPoint> out;
  std::vector<Extremes> columns(size_t{px} + 2);
  auto drain = [&] {
    for (Extremes& column : columns) {
      column.drain(out);
      column = Extremes();
    }
  };
  uint32_t monotone_run = 0;
  for (const size_t i : chosen) {
    if (flat.by_monotone_run && flat.monotone_runs[i] != monotone_run) {
      drain();
      monotone_run = flat.monotone_runs[i];
    }
    columns[static_cast<size_t>(grid.column(flat.xs[i]) + 1)].add(&ys[i], 0, 1, flat.places[i]);
  }
  drain();
  std::sort(out.begin(), out.end(), [](const ChartPoint& a, const ChartPoint& b) { return a.place < b.place; });
  return out;
}

// The points of each segment of neighbours that stay in one column; false if they are more than `most`.
bool thin_in_order(const Flat& flat, const std::vector<size_t>& chosen, const Grid& grid, const std::vector<double>& ys,
                   size_t most, std::vector<ChartPoint>& out) {
  Extremes here;
  int64_t column = 0;
  for (const size_t i : chosen) {
    const int64_t next = grid.column(flat.xs[i]);
    if (next != column && !here.empty()) {
      here.drain(out);
      if (out.size() > most) return false;
      here = Extremes();
    }
    column = next;
    here.add(&ys[i], 0, 1, flat.places[i]);
  }
  here.drain(out);
  return out.size() <= most;
}

// Where x is another tag a line may go back and forth, and is followed as long as that does not take too many points.
std::vector<ChartPoint> thin_line(const Flat& flat, const std::vector<size_t>& chosen, const Axis& axis, const Grid& grid,
                            uint32_t px, const std::vector<double>& ys) {
  std::vector<ChartPoint> out;
  if (axis.by_tag() && thin_in_order(flat, chosen, grid, ys, most_followed * px, out)) return out;
  return thin(flat, chosen, grid, px, ys);
}

}  // namespace

void draw_unsorted(const View& view, const Axis& axis, const ChartSpec& spec, Drawing& out) {
  const Flat flat = flatten(view, axis, spec.smoothing);
  const std::vector<size_t> chosen = serve_flat(flat, spec.x0, spec.x1);
  out.in_range = chosen.size();
  out.raw = chosen.size() <= 2 * uint64_t{spec.px};
  if (out.raw) {
    for (const size_t i : chosen) {
      out.points.push_back({flat.places[i], flat.ys[i]});
      if (spec.smoothing > 0 && out.in_range < view.held) out.smoothed.push_back({flat.places[i], flat.smoothed[i]});
    }
    return;
  }
  auto [low, high] = std::minmax_element(chosen.begin(), chosen.end(),
                                         [&](size_t a, size_t b) { return flat.xs[a] < flat.xs[b]; });
  const Grid grid(std::isfinite(spec.x0) ? spec.x0 : flat.xs[*low], std::isfinite(spec.x1) ? spec.x1 : flat.xs[*high],
                  spec.px);
  out.points = thin_line(flat, chosen, axis, grid, spec.px, flat.ys);
  if (spec.smoothing > 0) out.smoothed = thin_line(flat, chosen, axis, grid, spec.px, flat.smoothed);
}

}  // namespace lightboard
