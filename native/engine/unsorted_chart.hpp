// Charts of unsorted series, and of series that can be drawn only in part. Slow and general: works on copied columns.
#pragma once

#include <vector>

#include "chart.hpp"
#include "extremes.hpp"

namespace lightboard {

// The points of a chart, with indices into the view.
struct Drawing {
  bool raw = true;
  uint64_t in_range = 0;
  std::vector<ChartPoint> points;
  std::vector<ChartPoint> smoothed;  // if `raw`, one per point
};

void draw_unsorted(const View& view, const Axis& axis, const ChartSpec& spec, Drawing& out);

}  // namespace lightboard
