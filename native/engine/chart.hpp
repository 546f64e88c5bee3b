// The chart of one series, encoded as a series block. Exact for the pixels drawn: see extremes.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "curve.hpp"
#include "segments.hpp"
#include "parallel.hpp"
#include "view.hpp"

namespace lightboard {

struct ChartSpec {
  bool purge;
  AxisKind axis;
  double x0, x1;     // not NaN
  uint32_t px;       // 1 to max_px
  double smoothing;  // 0 to 1
  bool aux;
  bool last_of_step = false;  // draw only the last point of each step
};

constexpr uint32_t max_px = 1 << 16;

struct ChartRequest {
  std::vector<Part> parts;
  uint32_t run;
  std::vector<Part> x_parts = {};  // if x is another tag: that tag's series of the same run
};

// Appends the block of one series to `out`. Locks its decoders. Throws std::bad_alloc and FormMismatch.
void draw_series(const ChartRequest& request, const ChartSpec& spec, std::string& out);

// The blocks of many series, to be concatenated. Returns only some of them if stopped. Throws like `draw_series`.
std::vector<std::string> draw_many(std::span<const ChartRequest> requests, const ChartSpec& spec, Stop stop);

// x as a function of the steps of a run if x is another tag, else an empty curve. Locks and throws like `draw_series`.
Curve tag_curve(const ChartRequest& request, const ChartSpec& spec);

// The block flag that says how x is encoded.
uint32_t axis_flag(AxisKind axis) noexcept;

}  // namespace lightboard
