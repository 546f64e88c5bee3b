// What one chart draws of several runs taken together: a statistic of their lines, with a band around it.
//
// The lines are those that the runs' own charts show: smoothed each over its own series, without void points. They are
// compared at every x that any of them has, where those count that have begun and not ended there, between their
// points on the straight line. A line whose point there is no number, or that has ended in such points before, has no
// value and is counted apart.
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
  std::vector<ChartRequest> members;  // their run ids mean nothing
  uint32_t id;
};

// The blocks of many groups, one after another and in as many pieces as threads were worth it. A group whose runs have
// nothing to draw gives an empty one. Not all of them, and the last one not whole, when told to stop. Errors as
// `draw_series`.
std::vector<std::string> draw_groups(std::span<const GroupRequest> groups, const ChartSpec& spec, Statistic statistic,
                                     Band band, Stop stop = {});

}  // namespace lightboard
