// A line as a function of x: its finite points in ascending order of x (the last one if several share an x), joined by
// straight lines. Undefined before the first point and after the last. Where the line has non-finite points is stored
// separately.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "view.hpp"

namespace lightboard {

struct Axis;

// y at x on the straight line through two points, x0 <= x <= x1. Also works if a difference or the slope overflows.
inline double interpolate(double x0, double y0, double x1, double y1, double x) noexcept {
  const double width = x1 - x0, slope = (y1 - y0) / width;
  if (std::isfinite(slope) && std::isfinite(width)) [[likely]]
    return slope * (x - x0) + y0;
  const double share = (x / 2 - x0 / 2) / (x1 / 2 - x0 / 2);
  return y0 * (1 - share) + y1 * share;
}

class Curve {
 public:
  bool empty() const noexcept { return xs_.empty(); }
  size_t size() const noexcept { return xs_.size(); }
  const std::vector<double>& xs() const noexcept { return xs_; }
  const std::vector<double>& ys() const noexcept { return ys_; }

  // Every x in ascending order at which no point is finite. Of those after the last finite point, only the first.
  const std::vector<double>& nonfinite_xs() const noexcept { return nonfinite_xs_; }
  // The first x from which the line has only non-finite points until its end. Infinite if the line ends in a finite
  // point.
  double nonfinite_from() const noexcept { return nonfinite_from_; }

  bool covers(double x) const noexcept { return !empty() && x >= xs_.front() && x <= xs_.back(); }

  // y at a covered x. Fast if x is near the x of the call before. Not thread-safe.
  double at(double x) const noexcept;

  // Appends a point. x must not be less than that of the last point.
  void add(double x, double y);

  void reserve(size_t points);

  // Must be called after the last point was added.
  void finish();

  // Keeps the points of [x0, x1] and one neighbour on either side, even if no point lies in the range; x0 <= x1.
  // Non-finite points outside the range are dropped, and so is nonfinite_from() if it is greater than x1.
  void clip(double x0, double x1);

 private:
  std::vector<double> xs_, ys_, nonfinite_xs_;
  double nonfinite_from_ = std::numeric_limits<double>::infinity();
  mutable size_t hint_ = 0;
};

// The curve of a view along an axis, clipped to [x0, x1] and smoothed if the weight is positive. Throws std::bad_alloc.
Curve make_curve(const View& view, const Axis& axis, double x0, double x1, double weight);

}  // namespace lightboard
