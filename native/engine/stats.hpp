// Statistics of one series.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "view.hpp"

namespace lightboard {

struct Stats {
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  uint64_t held = 0, superseded = 0;
  int64_t first_step = 0;
  double first_wall = nan, first_value = nan;
  int64_t last_step = 0;
  double last_wall = nan, last_value = nan;
  double min_value = nan;
  int64_t min_step = 0;
  double max_value = nan;
  int64_t max_step = 0;
  double mean = nan;
  uint64_t nonfinite = 0;
  // The number of non-finite points at the end of the series, and the step of the first of them.
  uint64_t nonfinite_tail = 0;
  int64_t nonfinite_from = 0;
};

// Minimum, maximum and mean are of the finite values. Locks the decoders.
Stats series_stats(std::span<const Part> parts, bool purge);

}  // namespace lightboard
