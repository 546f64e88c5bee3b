// A view laid out along one axis: segments in which x does not go back, the monotone_runs they form, and pixel columns.
//
// A monotone_run is a run of segments over which x does not go back; a new one begins where it does. Few monotone_runs are
// restarts and are drawn one by one; very many are disorder.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "curve.hpp"
#include "view.hpp"

namespace lightboard {

enum class AxisKind : uint8_t { step = 0, relative = 1, wall = 2, tag = 3 };

constexpr size_t max_monotone_runs = 8;

inline bool drawable(double wall) noexcept { return std::fabs(wall) < drawable_secs; }

// How x is taken from a row. x is compared as a double and sent as steps, microseconds, or the bits of a double.
struct Axis {
  AxisKind kind;
  double start = 0;          // wall time at x 0, for a relative axis
  const Curve* tag = nullptr;  // over steps, for the axis of another tag

  Axis(AxisKind kind, const View& view, const Curve* tag = nullptr) noexcept;

  bool by_step() const noexcept { return kind == AxisKind::step; }
  bool by_tag() const noexcept { return kind == AxisKind::tag; }
  bool has(const Series& series, size_t row) const noexcept {
    if (by_tag()) return tag->covers(static_cast<double>(series.steps()[row]));
    return by_step() || drawable(series.walls()[row]);
  }
  double x(const Series& series, size_t row) const noexcept {
    if (by_tag()) return tag->at(static_cast<double>(series.steps()[row]));
    return by_step() ? static_cast<double>(series.steps()[row]) : series.walls()[row] - start;
  }
  int64_t sent(const Series& series, size_t row) const noexcept {
    return by_step() ? series.steps()[row] : sent(x(series, row));
  }
  int64_t sent(double x) const noexcept;
};

// Rows [begin, end) of a piece; the first is the `place`th of the view.
struct Segment {
  const Series* series;
  size_t begin, end;
  uint64_t place;
  uint32_t monotone_run;
};

// Cut a view into segments; false if it is in too much disorder for that, or not all of it can be drawn.
bool make_segments(const View& view, const Axis& axis, std::vector<Segment>& out);

// Keep the rows of [x0, x1] and, in each monotone_run, one neighbour on either side.
std::vector<Segment> serve(const std::vector<Segment>& all, const Axis& axis, double x0, double x1);

// The pixel columns of a chart: `px` of them over [left, right], one more for what lies outside on each side.
class Grid {
 public:
  Grid(double left, double right, uint32_t px) noexcept : left_(left), right_(right), px_(px) {
    const double scale = right > left ? px / (right - left) : 0.0;
    scale_ = scale < std::numeric_limits<double>::infinity() ? scale : 0.0;
  }

  int64_t column(double x) const noexcept {
    if (x < left_) return -1;
    if (x > right_) return px_;
    if (scale_ == 0) return 0;
    const auto at = static_cast<int64_t>((x - left_) * scale_);
    return at < px_ - 1 ? at : px_ - 1;
  }

 private:
  double left_, right_;
  int64_t px_;
  double scale_;
};

}  // namespace lightboard
