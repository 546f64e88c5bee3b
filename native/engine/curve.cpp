#include "curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "segments.hpp"
#include "smoothed_line.hpp"

namespace lightboard {
namespace {

// Calls `callback(row, value)` for all rows of a segment, with the smoothed values if `smoothed` is not null.
template <class Callback>
void for_each_value(const Segment& segment, SmoothedLine* smoothed, Callback callback) {
  if (smoothed == nullptr) {
    for (size_t row = segment.begin; row < segment.end; row++) callback(row, segment.series->value(row));
    return;
  }
  smoothed->for_each_batch(segment.first_index, segment.first_index + (segment.end - segment.begin),
                           [&](const double* values, size_t count, uint64_t index) {
                             const size_t row = segment.begin + static_cast<size_t>(index - segment.first_index);
                             for (size_t i = 0; i < count; i++) callback(row + i, values[i]);
                           });
}

bool is_finite_at(const Segment& segment, size_t row) noexcept { return std::isfinite(segment.series->value(row)); }

// The part of a single monotone run in [x0, x1] with its neighbours, and perhaps a little more.
std::vector<Segment> clip_with_neighbours(const std::vector<Segment>& all, const Axis& axis, double x0, double x1) {
  if (all.empty()) return all;
  const Segment& first = all.front();
  const Segment& last = all.back();
  const double left = axis.x(*first.series, first.begin), right = axis.x(*last.series, last.end - 1);
  if (left > x1) x0 = x1 = left;
  if (right < x0) x0 = x1 = right;
  std::vector<Segment> clipped = clip_segments(all, axis, x0, x1);
  const double end = axis.x(*clipped.back().series, clipped.back().end - 1);
  if (end > x1) clipped = clip_segments(all, axis, x0, end);  // all points at the x of the neighbour
  const bool has_finite_ends =
      is_finite_at(clipped.front(), clipped.front().begin) && is_finite_at(clipped.back(), clipped.back().end - 1);
  return has_finite_ends ? clipped : all;  // rare: a neighbour is not finite, so the next finite point is needed
}

Curve make_ordered_curve(const View& view, const std::vector<Segment>& all, const Axis& axis, double x0, double x1,
                         double weight) {
  const std::vector<Segment> clipped = clip_with_neighbours(all, axis, x0, x1);
  Curve curve;
  size_t rows = 0;
  for (const Segment& segment : clipped) rows += segment.end - segment.begin;
  curve.reserve(rows);
  SmoothedLine line(view, weight);
  for (const Segment& segment : clipped)
    for_each_value(segment, weight > 0 ? &line : nullptr,
                   [&](size_t row, double value) { curve.add(axis.x(*segment.series, row), value); });
  return curve;
}

Curve make_sorted_curve(const View& view, const Axis& axis, double weight) {
  struct Point {
    double x, y;
  };
  std::vector<Point> points;
  points.reserve(view.held);
  SmoothedLine line(view, weight);
  uint64_t index = 0;
  for (const RowRange& range : view.ranges) {
    const Segment segment{range.series, range.begin, range.end, index, 0};
    for_each_value(segment, weight > 0 ? &line : nullptr, [&](size_t row, double value) {
      if (axis.can_draw(*range.series, row)) points.push_back({axis.x(*range.series, row), value});
    });
    index += range.rows();
  }
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  Curve curve;
  curve.reserve(points.size());
  for (const Point& point : points) curve.add(point.x, point.y);
  return curve;
}

}  // namespace

double Curve::at(double x) const noexcept {
  const size_t last = xs_.size() - 1;
  if (!(x >= xs_[hint_] && (hint_ == last || x < xs_[hint_ + 1]))) {
    const bool next = hint_ + 1 < last && x >= xs_[hint_ + 1] && x < xs_[hint_ + 2];
    hint_ = next ? hint_ + 1 : static_cast<size_t>(std::upper_bound(xs_.begin(), xs_.end(), x) - xs_.begin()) - 1;
  }
  if (x == xs_[hint_]) return ys_[hint_];
  return interpolate(xs_[hint_], ys_[hint_], xs_[hint_ + 1], ys_[hint_ + 1], x);
}

void Curve::add(double x, double y) {
  if (!std::isfinite(y)) {
    if (nonfinite_xs_.empty() || nonfinite_xs_.back() < x) nonfinite_xs_.push_back(x);
    return;
  }
  if (!nonfinite_xs_.empty() && nonfinite_xs_.back() == x) nonfinite_xs_.pop_back();
  if (!xs_.empty() && xs_.back() == x) {
    ys_.back() = y;
    return;
  }
  xs_.push_back(x);
  ys_.push_back(y);
}

void Curve::reserve(size_t points) {
  xs_.reserve(points);
  ys_.reserve(points);
}

void Curve::finish() {
  // A non-finite point does not count if the point before it at the same x is finite.
  std::erase_if(nonfinite_xs_, [&](double x) { return std::binary_search(xs_.begin(), xs_.end(), x); });
  const auto tail =
      xs_.empty() ? nonfinite_xs_.begin() : std::upper_bound(nonfinite_xs_.begin(), nonfinite_xs_.end(), xs_.back());
  if (tail == nonfinite_xs_.end()) return;
  nonfinite_from_ = *tail;
  nonfinite_xs_.erase(tail + 1, nonfinite_xs_.end());
}

void Curve::clip(double x0, double x1) {
  auto low = static_cast<size_t>(std::lower_bound(xs_.begin(), xs_.end(), x0) - xs_.begin());
  auto high = static_cast<size_t>(std::upper_bound(xs_.begin(), xs_.end(), x1) - xs_.begin());
  if (low > 0) low--;
  if (high < xs_.size()) high++;
  for (std::vector<double>* column : {&xs_, &ys_}) {
    column->resize(high);
    column->erase(column->begin(), column->begin() + static_cast<std::ptrdiff_t>(low));
  }
  std::erase_if(nonfinite_xs_, [&](double x) { return x < x0 || x > x1; });
  if (nonfinite_from_ > x1) nonfinite_from_ = std::numeric_limits<double>::infinity();
  hint_ = 0;
}

Curve make_curve(const View& view, const Axis& axis, double x0, double x1, double weight) {
  std::vector<Segment> segments;
  const bool in_order = make_segments(view, axis, segments) && (segments.empty() || segments.back().monotone_run == 0);
  Curve curve =
      in_order ? make_ordered_curve(view, segments, axis, x0, x1, weight) : make_sorted_curve(view, axis, weight);
  curve.finish();
  curve.clip(x0, x1);
  return curve;
}

}  // namespace lightboard
