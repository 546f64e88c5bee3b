// A line as a function of x: its finite points in ascending order of x, the last one where several share an x, and
// straight lines between them. Nothing before the first and after the last. Where a line has points that are no numbers
// is kept apart.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "view.hpp"

namespace lightboard {

struct Axis;

// y at x on the straight line between two points, x0 <= x <= x1; also where a difference or the slope is beyond all numbers.
inline double between(double x0, double y0, double x1, double y1, double x) noexcept {
  const double width = x1 - x0, slope = (y1 - y0) / width;
  if (std::isfinite(slope) && std::isfinite(width)) [[likely]] return slope * (x - x0) + y0;
  const double share = (x / 2 - x0 / 2) / (x1 / 2 - x0 / 2);
  return y0 * (1 - share) + y1 * share;
}

class Curve {
 public:
  bool empty() const noexcept { return xs_.empty(); }
  size_t size() const noexcept { return xs_.size(); }
  const std::vector<double>& xs() const noexcept { return xs_; }
  const std::vector<double>& ys() const noexcept { return ys_; }

  // Every x in ascending order at which no point is finite, of those that follow the last finite point only the first.
  const std::vector<double>& nonfinite_xs() const noexcept { return nonfinite_xs_; }
  // From here on the line has no more numbers, because it ends in points that are none; infinite if it does not.
  double lost_from() const noexcept { return lost_from_; }

  bool covers(double x) const noexcept { return !empty() && x >= xs_.front() && x <= xs_.back(); }

  // y at an x that is covered. Quick for x near the one asked for before; not for two threads at once.
  double at(double x) const noexcept;

  // Append a point, x not below the last one's.
  void add(double x, double y);

  void reserve(size_t points);

  // Know the end of the line: no point will be added.
  void finish();

  // Keep the points of [x0, x1] and one neighbour on either side, also where none lies in the range; x0 <= x1. Of what is
  // not finite only what lies in the range is kept, and that the line is lost if it is by x1.
  void cut(double x0, double x1);

 private:
  std::vector<double> xs_, ys_, nonfinite_xs_;
  double lost_from_ = std::numeric_limits<double>::infinity();
  mutable size_t near_ = 0;
};

// The curve of a view along an axis, cut to [x0, x1]; smoothed if the weight is above 0. Throws std::bad_alloc.
Curve make_curve(const View& view, const Axis& axis, double x0, double x1, double weight);

}  // namespace lightboard
