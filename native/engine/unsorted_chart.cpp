#include "unsorted_chart.hpp"

#include <algorithm>

#include "smoothed_line.hpp"

namespace lightboard {
namespace {

constexpr size_t max_points_per_pixel = 16;

// The rows that can be drawn, as columns.
struct DrawableRows {
  std::vector<uint64_t> indices;
  std::vector<double> xs, ys, smoothed;
  std::vector<uint32_t> monotone_runs;  // of each row, up to the maximum that is drawn separately
  bool by_monotone_run = true;

  size_t size() const noexcept { return xs.size(); }
};

DrawableRows collect_drawable_rows(const View& view, const Axis& axis, double weight) {
  DrawableRows rows;
  rows.indices.reserve(view.held);
  rows.xs.reserve(view.held);
  rows.ys.reserve(view.held);
  if (weight > 0) rows.smoothed.reserve(view.held);
  rows.monotone_runs.reserve(view.held);
  Smoother smoother(weight, weight > 0 && is_constant(view));
  uint64_t index = 0;
  size_t monotone_run = 0;
  int64_t step_before = 0;
  for (const RowRange& range : view.ranges) {
    const Series& series = *range.series;
    for (size_t row = range.begin; row < range.end; row++, index++) {
      const double value = series.value(row);
      const double smoothed = weight > 0 ? smoother.next(value) : value;
      if (!axis.can_draw(series, row)) continue;
      const double x = axis.x(series, row);
      const int64_t step = series.steps()[row];
      const bool back = axis.by_step() ? step < step_before : !rows.xs.empty() && x < rows.xs.back();
      if (!rows.xs.empty() && back) monotone_run = std::min(monotone_run + 1, max_monotone_runs);
      step_before = step;
      rows.indices.push_back(index);
      rows.xs.push_back(x);
      rows.ys.push_back(value);
      if (weight > 0) rows.smoothed.push_back(smoothed);
      rows.monotone_runs.push_back(static_cast<uint32_t>(monotone_run));
    }
  }
  rows.by_monotone_run = monotone_run < max_monotone_runs && !axis.by_tag();
  return rows;
}

void clip_monotone_run(const DrawableRows& rows, size_t begin, size_t end, double x0, double x1,
                       std::vector<size_t>& out) {
  const double* xs = rows.xs.data();
  const auto low = static_cast<size_t>(std::lower_bound(xs + begin, xs + end, x0) - xs);
  const auto high = static_cast<size_t>(std::upper_bound(xs + begin, xs + end, x1) - xs);
  if (low == end || high == begin || x0 > x1) return;
  const size_t from = low > begin ? low - 1 : begin, to = high < end ? high + 1 : end;
  for (size_t i = from; i < to; i++) out.push_back(i);
}

std::vector<size_t> select_rows(const DrawableRows& rows, double x0, double x1) {
  std::vector<size_t> out;
  const size_t size = rows.size();
  if (rows.by_monotone_run) {
    for (size_t begin = 0, end; begin < size; begin = end) {
      for (end = begin; end < size && rows.monotone_runs[end] == rows.monotone_runs[begin];) end++;
      clip_monotone_run(rows, begin, end, x0, x1, out);
    }
    return out;
  }
  auto inside = [&](size_t i) { return i < size && rows.xs[i] >= x0 && rows.xs[i] <= x1; };
  for (size_t i = 0; i < size; i++)
    if (inside(i) || inside(i + 1) || (i > 0 && inside(i - 1))) out.push_back(i);
  return out;
}

// The points of each column, separately for each monotone run if there are few.
std::vector<ChartPoint> downsample(const DrawableRows& rows, const std::vector<size_t>& selected, const PixelGrid& grid,
                                   uint32_t px, const std::vector<double>& ys) {
  std::vector<ChartPoint> out;
  std::vector<Extremes> columns(size_t{px} + 2);
  auto drain = [&] {
    for (Extremes& column : columns) {
      column.drain(out);
      column = Extremes();
    }
  };
  uint32_t monotone_run = 0;
  for (const size_t i : selected) {
    if (rows.by_monotone_run && rows.monotone_runs[i] != monotone_run) {
      drain();
      monotone_run = rows.monotone_runs[i];
    }
    columns[static_cast<size_t>(grid.column(rows.xs[i]) + 1)].add(&ys[i], 0, 1, rows.indices[i]);
  }
  drain();
  std::sort(out.begin(), out.end(), [](const ChartPoint& a, const ChartPoint& b) { return a.index < b.index; });
  return out;
}

// The points of each sequence of neighbours in the same column. Returns false if there are more than `limit`.
bool downsample_in_order(const DrawableRows& rows, const std::vector<size_t>& selected, const PixelGrid& grid,
                         const std::vector<double>& ys, size_t limit, std::vector<ChartPoint>& out) {
  Extremes here;
  int64_t column = 0;
  for (const size_t i : selected) {
    const int64_t next = grid.column(rows.xs[i]);
    if (next != column && !here.empty()) {
      here.drain(out);
      if (out.size() > limit) return false;
      here = Extremes();
    }
    column = next;
    here.add(&ys[i], 0, 1, rows.indices[i]);
  }
  here.drain(out);
  return out.size() <= limit;
}

// If x is another tag, a line may go back and forth. It is followed as long as that does not take too many points.
std::vector<ChartPoint> downsample_line(const DrawableRows& rows, const std::vector<size_t>& selected, const Axis& axis,
                                        const PixelGrid& grid, uint32_t px, const std::vector<double>& ys) {
  std::vector<ChartPoint> out;
  if (axis.by_tag() && downsample_in_order(rows, selected, grid, ys, max_points_per_pixel * px, out)) return out;
  return downsample(rows, selected, grid, px, ys);
}

}  // namespace

void draw_unsorted(const View& view, const Axis& axis, const ChartSpec& spec, Drawing& out) {
  const DrawableRows rows = collect_drawable_rows(view, axis, spec.smoothing);
  const std::vector<size_t> selected = select_rows(rows, spec.x0, spec.x1);
  out.in_range = selected.size();
  out.raw = selected.size() <= 2 * uint64_t{spec.px};
  if (out.raw) {
    for (const size_t i : selected) {
      out.points.push_back({rows.indices[i], rows.ys[i]});
      if (spec.smoothing > 0 && out.in_range < view.held) out.smoothed.push_back({rows.indices[i], rows.smoothed[i]});
    }
    return;
  }
  auto [low, high] = std::minmax_element(selected.begin(), selected.end(),
                                         [&](size_t a, size_t b) { return rows.xs[a] < rows.xs[b]; });
  const PixelGrid grid(std::isfinite(spec.x0) ? spec.x0 : rows.xs[*low],
                       std::isfinite(spec.x1) ? spec.x1 : rows.xs[*high], spec.px);
  out.points = downsample_line(rows, selected, axis, grid, spec.px, rows.ys);
  if (spec.smoothing > 0) out.smoothed = downsample_line(rows, selected, axis, grid, spec.px, rows.smoothed);
}

}  // namespace lightboard
