#include "chart.hpp"

#include <algorithm>
#include <limits>

#include "block.hpp"
#include "unsorted_chart.hpp"
#include "extremes.hpp"
#include "last_of_step.hpp"
#include "parallel.hpp"
#include "smoothed_line.hpp"

namespace lightboard {
namespace {

constexpr size_t max_restarts = 256;

// The points of one pixel column of one monotone run: indices [begin, end) of the view.
struct ColumnSpan {
  uint64_t begin, end;
};

// The end of the rows from `row` on that share its column. Columns are about as wide as the one before (`guess` rows),
// so look there first, then in growing steps away from it.
size_t column_end(const Segment& segment, size_t row, const Axis& axis, const PixelGrid& grid, int64_t column,
                  size_t guess) {
  auto past = [&](size_t r) { return grid.column(axis.x(*segment.series, r)) > column; };
  size_t inside = row, outside = segment.end, step = 1;
  const size_t start = std::min(row + guess, segment.end - 1);
  if (start > row && past(start)) {
    outside = start;
    while (outside - row > step && past(outside - step)) {
      outside -= step;
      step *= 2;
    }
    inside = outside - row > step ? outside - step : row;
  } else {
    inside = std::max(inside, start);
    while (inside + step < segment.end && !past(inside + step)) {
      inside += step;
      step *= 2;
    }
    outside = std::min(inside + step, segment.end);
  }
  while (outside - inside > 1) {
    const size_t middle = inside + (outside - inside) / 2;
    (past(middle) ? outside : inside) = middle;
  }
  return outside;
}

// Downsamples clipped segments. `spans` receives the indices of each column, which the smoothed line uses too.
void downsample(const std::vector<Segment>& clipped, const Axis& axis, const PixelGrid& grid,
                std::vector<ChartPoint>& out, std::vector<ColumnSpan>& spans) {
  Extremes column;
  int64_t number = 0;
  uint32_t monotone_run = 0;
  size_t width = 1;
  for (const Segment& segment : clipped) {
    for (size_t row = segment.begin; row < segment.end;) {
      const int64_t here = grid.column(axis.x(*segment.series, row));
      const uint64_t index = segment.first_index + (row - segment.begin);
      if (column.empty() || here != number || segment.monotone_run != monotone_run) {
        column.drain(out);
        column = Extremes();
        spans.push_back({index, index});
        number = here;
        monotone_run = segment.monotone_run;
      }
      const size_t end = column_end(segment, row, axis, grid, here, width);
      width = end - row;
      column.add(*segment.series, row, end, index);
      spans.back().end = index + (end - row);
      row = end;
    }
  }
  column.drain(out);
}

void draw_raw(const View& view, const std::vector<Segment>& clipped, double weight, Drawing& out) {
  out.points.resize(out.in_range);
  ChartPoint* point = out.points.data();
  for (const Segment& segment : clipped)
    for (size_t row = segment.begin; row < segment.end; row++)
      *point++ = {segment.first_index + (row - segment.begin), segment.series->value(row)};
  // A client that has the whole series can smooth it.
  if (weight <= 0 || out.in_range == view.held) return;
  out.smoothed.reserve(out.in_range);
  SmoothedLine line(view, weight);
  for (const Segment& segment : clipped)
    line.for_each_batch(segment.first_index, segment.first_index + (segment.end - segment.begin),
                        [&](const double* values, size_t count, uint64_t index) {
                          for (size_t i = 0; i < count; i++) out.smoothed.push_back({index + i, values[i]});
                        });
}

void draw_downsampled(const View& view, const std::vector<Segment>& clipped, const Axis& axis, const ChartSpec& spec,
                      Drawing& out) {
  double left = spec.x0, right = spec.x1;
  if (!std::isfinite(left)) left = std::numeric_limits<double>::infinity();
  if (!std::isfinite(right)) right = -std::numeric_limits<double>::infinity();
  for (const Segment& segment : clipped) {
    if (!std::isfinite(spec.x0)) left = std::min(left, axis.x(*segment.series, segment.begin));
    if (!std::isfinite(spec.x1)) right = std::max(right, axis.x(*segment.series, segment.end - 1));
  }
  std::vector<ColumnSpan> spans;
  downsample(clipped, axis, PixelGrid(left, right, spec.px), out.points, spans);
  if (spec.smoothing <= 0) return;
  if (is_constant(view)) {
    out.smoothed = out.points;
    return;
  }
  SmoothedLine line(view, spec.smoothing);
  for (const ColumnSpan& span : spans) {
    Extremes column;
    line.add(span.begin, span.end, column);
    column.drain(out.smoothed);
  }
}

// Looks up rows by index. Indices must be requested in ascending order.
class RowLookup {
 public:
  explicit RowLookup(const View& view) noexcept : next_(view.ranges.data()) {}

  template <class Callback>
  void at(uint64_t index, Callback callback) noexcept {
    while (index - first_ >= rows_) {
      first_ += rows_;
      rows_ = next_->rows();
      begin_ = next_->begin;
      series_ = (next_++)->series;
    }
    callback(*series_, begin_ + static_cast<size_t>(index - first_));
  }

 private:
  const RowRange* next_;
  const Series* series_ = nullptr;
  size_t begin_ = 0;
  uint64_t first_ = 0, rows_ = 0;
};

void fill_xs(const View& view, const Axis& axis, const std::vector<ChartPoint>& points, std::vector<int64_t>& xs) {
  xs.resize(points.size());
  RowLookup lookup(view);
  int64_t* x = xs.data();
  for (const ChartPoint& point : points)
    lookup.at(point.index, [&](const Series& series, size_t row) { *x++ = axis.encode_x(series, row); });
}

// What a tooltip shows besides x and y: the wall time in milliseconds on the step axis, the step on the others.
void fill_aux(const View& view, const Axis& axis, const std::vector<ChartPoint>& points, Block& block) {
  block.aux.reserve(points.size());
  RowLookup lookup(view);
  int64_t millis = 0;
  for (const ChartPoint& point : points)
    lookup.at(point.index, [&](const Series& series, size_t row) {
      const double wall = series.walls()[row];
      const int64_t step = series.steps()[row];
      if (block.aux.empty()) block.first_aux = axis.by_step() ? wall : static_cast<double>(step);
      if (axis.by_step() && is_drawable(wall)) millis = static_cast<int64_t>(std::nearbyint(wall * 1e3));
      block.aux.push_back(axis.by_step() ? millis : step);
    });
}

// x of each point that follows a START, a step back, or superseded points.
void fill_restarts(const View& view, const Axis& axis, const ChartSpec& spec, std::vector<int64_t>& out) {
  auto add = [&](const Series& series, size_t row) {
    if (!axis.can_draw(series, row)) return;
    const double x = axis.x(series, row);
    if (x >= spec.x0 && x <= spec.x1) out.push_back(axis.encode_x(series, row));
  };
  const RowRange* before = nullptr;
  for (size_t i = 0; i < view.ranges.size() && out.size() < max_restarts; i++) {
    const RowRange& range = view.ranges[i];
    const Series& series = *range.series;
    if (before != nullptr && (view.gap[i] || range.restarts != before->restarts ||
                              series.steps()[range.begin] < before->series->steps()[before->end - 1]))
      add(series, range.begin);
    const auto& breaks = series.marks().breaks;
    for (auto next = std::upper_bound(breaks.begin(), breaks.end(), range.begin);
         next != breaks.end() && *next < range.end && out.size() < max_restarts; ++next)
      add(series, *next);
    before = &range;
  }
}

Drawing draw(const View& view, const Axis& axis, const ChartSpec& spec) {
  Drawing drawing;
  std::vector<Segment> segments;
  if (!make_segments(view, axis, segments)) {
    draw_unsorted(view, axis, spec, drawing);
    return drawing;
  }
  const std::vector<Segment> clipped = clip_segments(segments, axis, spec.x0, spec.x1);
  for (const Segment& segment : clipped) drawing.in_range += segment.end - segment.begin;
  drawing.raw = drawing.in_range <= 2 * uint64_t{spec.px};
  if (drawing.raw)
    draw_raw(view, clipped, spec.smoothing, drawing);
  else
    draw_downsampled(view, clipped, axis, spec, drawing);
  return drawing;
}

std::vector<double> values_of(const std::vector<ChartPoint>& points) {
  std::vector<double> values(points.size());
  for (size_t i = 0; i < points.size(); i++) values[i] = points[i].value;
  return values;
}

void draw_view(const View& view, bool repeated, const Curve& tag, uint32_t run, const ChartSpec& spec,
               std::string& out) {
  const Axis axis(spec.axis, view, &tag);
  const Drawing drawing = draw(view, axis, spec);
  Block block;
  block.run = run;
  block.flags = (drawing.raw ? block_flag::raw : 0u) | (view.wide ? block_flag::wide : 0u) |
                (spec.aux ? block_flag::aux : 0u) | (repeated ? block_flag::repeats : 0u) | axis_flag(spec.axis);
  block.held = view.held;
  block.in_range = drawing.in_range;
  fill_xs(view, axis, drawing.points, block.xs);
  block.ys = values_of(drawing.points);
  if (!drawing.raw) fill_xs(view, axis, drawing.smoothed, block.smoothed_xs);
  block.smoothed_ys = values_of(drawing.smoothed);
  fill_restarts(view, axis, spec, block.restarts);
  if (spec.aux) fill_aux(view, axis, drawing.points, block);
  block.encode(out);
}

// Whether a second thread is worth starting: there are many series, or long ones.
bool needs_second_thread(std::span<const ChartRequest> requests) {
  constexpr size_t min_rows = 32'000;
  constexpr size_t rows_per_request = 1'000;  // the cost of a series besides its rows
  size_t rows = 0;
  for (const ChartRequest& request : requests) {
    rows += rows_per_request + extend_indexes(request.parts);
    if (rows >= min_rows) return true;
  }
  return false;
}

}  // namespace

void draw_series(const ChartRequest& request, const ChartSpec& spec, std::string& out) {
  const Curve tag = tag_curve(request, spec);
  with_drawn_view(request.parts, spec.purge, spec.last_of_step, spec.smoothing,
                  [&](const View& view, bool repeated) { draw_view(view, repeated, tag, request.run, spec, out); });
}

std::vector<std::string> draw_many(std::span<const ChartRequest> requests, const ChartSpec& spec, Stop stop) {
  return run_parallel(requests.size(), needs_second_thread(requests), stop,
                      [&](size_t i, std::string& out) { draw_series(requests[i], spec, out); });
}

Curve tag_curve(const ChartRequest& request, const ChartSpec& spec) {
  Curve curve;
  if (spec.axis != AxisKind::tag) return curve;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  with_view(request.x_parts, spec.purge, 0,
            [&](const View& view) { curve = make_curve(view, Axis(AxisKind::step, view), -infinity, infinity, 0); });
  return curve;
}

uint32_t axis_flag(AxisKind axis) noexcept {
  if (axis == AxisKind::step) return 0;
  return axis == AxisKind::tag ? block_flag::real : block_flag::microseconds;
}

}  // namespace lightboard
