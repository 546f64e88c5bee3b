// A view along one axis: segments in which x does not decrease, the monotone runs they form, and pixel columns.
//
// A monotone run is a sequence of segments over which x does not decrease. A few monotone runs are caused by restarts
// and are drawn separately. With too many, the series is treated as unsorted.
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

inline bool is_drawable(double wall) noexcept { return std::fabs(wall) < drawable_secs; }

// How x is computed from a row. x is compared as a double and sent as a step, as microseconds, or as the bits of a
// double.
struct Axis {
  AxisKind kind;
  double origin = 0;           // wall time at x 0, for a relative axis
  const Curve* tag = nullptr;  // over steps, if x is another tag

  Axis(AxisKind kind, const View& view, const Curve* tag = nullptr) noexcept;

  bool by_step() const noexcept { return kind == AxisKind::step; }
  bool by_tag() const noexcept { return kind == AxisKind::tag; }
  bool can_draw(const Series& series, size_t row) const noexcept {
    if (by_tag()) return tag->covers(static_cast<double>(series.steps()[row]));
    return by_step() || is_drawable(series.walls()[row]);
  }
  double x(const Series& series, size_t row) const noexcept {
    if (by_tag()) return tag->at(static_cast<double>(series.steps()[row]));
    return by_step() ? static_cast<double>(series.steps()[row]) : series.walls()[row] - origin;
  }
  int64_t encode_x(const Series& series, size_t row) const noexcept {
    return by_step() ? series.steps()[row] : encode_x(x(series, row));
  }
  int64_t encode_x(double x) const noexcept;
};

// Rows [begin, end) of a range. `first_index` is the index of the first one in the view.
struct Segment {
  const Series* series;
  size_t begin, end;
  uint64_t first_index;
  uint32_t monotone_run;
};

// Splits a view into segments. Returns false if there are too many monotone runs or if some points cannot be drawn.
bool make_segments(const View& view, const Axis& axis, std::vector<Segment>& out);

// Keeps the rows of [x0, x1] and one neighbour on either side in each monotone run.
std::vector<Segment> clip_segments(const std::vector<Segment>& all, const Axis& axis, double x0, double x1);

// The pixel columns of a chart: `px` columns over [left, right], and one for the points outside on each side.
class PixelGrid {
 public:
  PixelGrid(double left, double right, uint32_t px) noexcept : left_(left), right_(right), px_(px) {
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
