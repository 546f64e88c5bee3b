#include "curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "line.hpp"
#include "smoothed_line.hpp"

namespace lightboard {
namespace {

// Give (row, value) of all rows of a segment, smoothed or as they are.
template <class Use>
void walk_values(const Segment& segment, SmoothedLine* smoothed, Use use) {
  if (smoothed == nullptr) {
    for (size_t row = segment.begin; row < segment.end; row++) use(row, segment.series->value(row));
    return;
  }
  smoothed->walk(segment.place, segment.place + (segment.end - segment.begin),
                 [&](const double* values, size_t count, uint64_t place) {
                   const size_t row = segment.begin + static_cast<size_t>(place - segment.place);
                   for (size_t i = 0; i < count; i++) use(row + i, values[i]);
                 });
}

bool is_finite_at(const Segment& segment, size_t row) noexcept { return std::isfinite(segment.series->value(row)); }

// What a single monotone_run has in [x0, x1] and right beside it, and perhaps a little more.
std::vector<Segment> around(const std::vector<Segment>& all, const Axis& axis, double x0, double x1) {
  if (all.empty()) return all;
  const Segment& first = all.front();
  const Segment& last = all.back();
  const double left = axis.x(*first.series, first.begin), right = axis.x(*last.series, last.end - 1);
  if (left > x1) x0 = x1 = left;
  if (right < x0) x0 = x1 = right;
  std::vector<Segment> served = serve(all, axis, x0, x1);
  const double end = axis.x(*served.back().series, served.back().end - 1);
  if (end > x1) served = serve(all, axis, x0, end);  // all of the points at the x of the neighbour
  const bool sure =
      is_finite_at(served.front(), served.front().begin) && is_finite_at(served.back(), served.back().end - 1);
  return sure ? served : all;  // a neighbour that is no number has neighbours of its own; that is rare
}

Curve ascending(const View& view, const std::vector<Segment>& all, const Axis& axis, double x0, double x1,
                double weight) {
  const std::vector<Segment> served = around(all, axis, x0, x1);
  Curve curve;
  size_t rows = 0;
  for (const Segment& segment : served) rows += segment.end - segment.begin;
  curve.reserve(rows);
  SmoothedLine line(view, weight);
  for (const Segment& segment : served)
    walk_values(segment, weight > 0 ? &line : nullptr,
                [&](size_t row, double value) { curve.add(axis.x(*segment.series, row), value); });
  return curve;
}

Curve sorted(const View& view, const Axis& axis, double weight) {
  struct Point {
    double x, y;
  };
  std::vector<Point> points;
  points.reserve(view.held);
  SmoothedLine line(view, weight);
  uint64_t place = 0;
  for (const RowRange& piece : view.pieces) {
    const Segment segment{piece.series, piece.begin, piece.end, place, 0};
    walk_values(segment, weight > 0 ? &line : nullptr, [&](size_t row, double value) {
      if (axis.has(*piece.series, row)) points.push_back({axis.x(*piece.series, row), value});
    });
    place += piece.rows();
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
  if (!(x >= xs_[near_] && (near_ == last || x < xs_[near_ + 1]))) {
    const bool next = near_ + 1 < last && x >= xs_[near_ + 1] && x < xs_[near_ + 2];
    near_ = next ? near_ + 1 : static_cast<size_t>(std::upper_bound(xs_.begin(), xs_.end(), x) - xs_.begin()) - 1;
  }
  if (x == xs_[near_]) return ys_[near_];
  return between(xs_[near_], ys_[near_], xs_[near_ + 1], ys_[near_ + 1], x);
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
  // A point that is no number adds nothing where the one before it at the same x is one.
  std::erase_if(nonfinite_xs_, [&](double x) { return std::binary_search(xs_.begin(), xs_.end(), x); });
  const auto tail =
      xs_.empty() ? nonfinite_xs_.begin() : std::upper_bound(nonfinite_xs_.begin(), nonfinite_xs_.end(), xs_.back());
  if (tail == nonfinite_xs_.end()) return;
  lost_from_ = *tail;
  nonfinite_xs_.erase(tail + 1, nonfinite_xs_.end());
}

void Curve::cut(double x0, double x1) {
  auto low = static_cast<size_t>(std::lower_bound(xs_.begin(), xs_.end(), x0) - xs_.begin());
  auto high = static_cast<size_t>(std::upper_bound(xs_.begin(), xs_.end(), x1) - xs_.begin());
  if (low > 0) low--;
  if (high < xs_.size()) high++;
  for (std::vector<double>* column : {&xs_, &ys_}) {
    column->resize(high);
    column->erase(column->begin(), column->begin() + static_cast<std::ptrdiff_t>(low));
  }
  std::erase_if(nonfinite_xs_, [&](double x) { return x < x0 || x > x1; });
  if (lost_from_ > x1) lost_from_ = std::numeric_limits<double>::infinity();
  near_ = 0;
}

Curve make_curve(const View& view, const Axis& axis, double x0, double x1, double weight) {
  std::vector<Segment> segments;
  const bool in_order = make_segments(view, axis, segments) && (segments.empty() || segments.back().monotone_run == 0);
  Curve curve = in_order ? ascending(view, segments, axis, x0, x1, weight) : sorted(view, axis, weight);
  curve.finish();
  curve.cut(x0, x1);
  return curve;
}

}  // namespace lightboard
