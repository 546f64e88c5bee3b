// A line as a function of x: its finite points in ascending order of x, the last one where several share an x, and
// straight lines between them. Nothing before the first and after the last.
#pragma once

#include <cstddef>
#include <vector>

#include "view.hpp"

namespace lightboard {

struct Axis;

class Curve {
 public:
  bool empty() const noexcept { return xs_.empty(); }
  size_t size() const noexcept { return xs_.size(); }
  const std::vector<double>& xs() const noexcept { return xs_; }
  const std::vector<double>& ys() const noexcept { return ys_; }

  bool covers(double x) const noexcept { return !empty() && x >= xs_.front() && x <= xs_.back(); }

  // y at an x that is covered. Quick for x near the one asked for before; not for two threads at once.
  double at(double x) const noexcept;

  // Append a point, x not below the last one's; what is not finite is left out.
  void add(double x, double y);

  void reserve(size_t points);

  // Keep the points of [x0, x1] and one neighbour on either side, also where none lies in the range; x0 <= x1.
  void cut(double x0, double x1);

 private:
  std::vector<double> xs_, ys_;
  mutable size_t near_ = 0;
};

// The curve of a view along an axis, cut to [x0, x1]; smoothed if the weight is above 0. Throws std::bad_alloc.
Curve make_curve(const View& view, const Axis& axis, double x0, double x1, double weight);

}  // namespace lightboard
