// What one chart draws of one series, as a series block. Exact for the pixels drawn: see extremes.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "curve.hpp"
#include "line.hpp"
#include "parallel.hpp"
#include "view.hpp"

namespace lightboard {

struct ChartSpec {
  bool purge;
  AxisKind axis;
  double x0, x1;  // not NaN
  uint32_t px;    // 1 to max_px
  double smoothing;  // 0 to 1
  bool aux;
};

constexpr uint32_t max_px = 1 << 16;

struct ChartRequest {
  std::vector<Part> parts;
  uint32_t run;
  std::vector<Part> x_parts = {};  // with the axis of another tag: that tag's series of the same run
};

// Append the block of one series to `out`. Takes the locks of its decoders. Throws std::bad_alloc and
// WrongForm.
void draw_series(const ChartRequest& request, const ChartSpec& spec, std::string& out);

// The blocks of many series, one after another and in as many pieces as threads were worth it; not all of
// them when told to stop. Errors as `draw_series`.
std::vector<std::string> draw_many(std::span<const ChartRequest> requests, const ChartSpec& spec, Stop stop);

// x over the steps of a run, where that is another tag; else empty. Takes locks and throws as `draw_series`.
Curve tag_curve(const ChartRequest& request, const ChartSpec& spec);

// How x is sent, as flags of a block.
uint32_t axis_flag(AxisKind axis) noexcept;

}  // namespace lightboard
