// A summary of 64 consecutive numbers, sufficient to find the few that are drawn without reading all of them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace lightboard {

constexpr size_t index_rows = 64;
constexpr uint8_t index_none = 0xFF;

// The lowest and highest finite number and their positions, the positions of the first NaN and the first infinity (0xFF
// if there is none), and the number of non-finite numbers.
struct Summary {
  double lowest = 0, highest = 0;
  uint8_t lowest_at = index_none, highest_at = index_none, nan_at = index_none, infinity_at = index_none;
  uint8_t nonfinite = 0;
};

template <class Number>
Summary summarise(const Number* numbers) noexcept {
  Summary summary;
  for (size_t i = 0; i < index_rows; i++) {
    const auto number = static_cast<double>(numbers[i]);
    const auto at = static_cast<uint8_t>(i);
    if (!std::isfinite(number)) [[unlikely]] {
      summary.nonfinite++;
      uint8_t& first = std::isnan(number) ? summary.nan_at : summary.infinity_at;
      if (first == index_none) first = at;
      continue;
    }
    if (summary.lowest_at == index_none || number < summary.lowest) {
      summary.lowest = number;
      summary.lowest_at = at;
    }
    if (summary.highest_at == index_none || number > summary.highest) {
      summary.highest = number;
      summary.highest_at = at;
    }
  }
  return summary;
}

}  // namespace lightboard
