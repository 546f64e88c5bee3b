// Charts of series whose x jumps back and forth, or can only partly be drawn: laid out flat, the slow and general way.
#pragma once

#include <vector>

#include "chart.hpp"
#include "extremes.hpp"

namespace lightboard {

// What a chart draws; places are counted in the view.
struct Drawing {
  bool raw = true;
  uint64_t in_range = 0;
  std::vector<Spot> points;
  std::vector<Spot> smoothed;  // with a raw drawing, one for each point
};

void draw_disorder(const View& view, const Axis& axis, const ChartSpec& spec, Drawing& out);

}  // namespace lightboard
