// What one chart draws of one series, as a series block. Exact for the pixels drawn: see extremes.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "line.hpp"
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

// Append the block of one series to `out`. Takes the locks of its decoders. Throws std::bad_alloc and
// WrongForm.
void draw_series(std::span<const Part> parts, uint32_t run, const ChartSpec& spec, std::string& out);

struct ChartRequest {
  std::vector<Part> parts;
  uint32_t run;
};

// The blocks of many series, one after another and in as many pieces as threads were worth it. Errors as `draw_series`.
std::vector<std::string> draw_many(std::span<const ChartRequest> requests, const ChartSpec& spec);

}  // namespace lightboard
