// The chart of several runs combined: a statistic of their lines, with a band around it.
//
// The lines are the same as in the charts of the runs: without superseded points, each smoothed over its own series.
// They are evaluated at every x that any of them has. A line counts from its first to its last point, with linear
// interpolation in between. A line that is not finite at an x, or that has ended in non-finite points before, has no
// value there and is counted separately.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "chart.hpp"

namespace lightboard {

enum class Statistic : uint8_t { mean = 0, median = 1 };
enum class Band : uint8_t { none = 0, deviation = 1, error = 2, range = 3 };

struct GroupRequest {
  std::vector<ChartRequest> members;  // their run ids are ignored
  uint32_t id;
};

// The blocks of many groups, to be concatenated. The block of a group without points to draw has no points. Returns
// only some of the blocks, the last one possibly incomplete, if stopped. Throws like `draw_series`.
std::vector<std::string> draw_groups(std::span<const GroupRequest> groups, const ChartSpec& spec, Statistic statistic,
                                     Band band, Stop stop = {});

}  // namespace lightboard
