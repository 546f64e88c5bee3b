// The few points of a pixel column that suffice to draw it exactly: the first, lowest, highest and last, the first NaN
// and the first infinity.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "series.hpp"

namespace lightboard {

constexpr uint64_t no_index = std::numeric_limits<uint64_t>::max();

// A point to draw: its index among the visible points, and its y.
struct ChartPoint {
  uint64_t index = no_index;
  double value = 0;
};

class Extremes {
 public:
  bool empty() const noexcept { return first_.index == no_index; }

  // Adds rows [begin, end) of `values`. `index` is the index of the first. Indices must ascend from call to call.
  template <class Number>
  void add(const Number* values, size_t begin, size_t end, uint64_t index) noexcept {
    if (begin >= end) return;
    note_ends({index, static_cast<double>(values[begin])},
              {index + (end - begin - 1), static_cast<double>(values[end - 1])});
    scan(values, begin, end, index);
  }

  // Adds rows of a series, using its index blocks where possible.
  void add(const Series& series, size_t begin, size_t end, uint64_t index) noexcept;

  // Adds rows of the series from `row` on, given by `count` summaries. They must not include the first or last row of
  // the column.
  template <class SummaryOf>
  void add_summaries(size_t count, SummaryOf summary_of, const Series& series, size_t row, uint64_t index) noexcept {
    if (count == 0) return;
    size_t low = 0, high = 0;
    double lowest = summary_of(0).lowest, highest = summary_of(0).highest;
    unsigned odd = summary_of(0).nonfinite;
    for (size_t i = 1; i < count; i++) {  // branchless, because branches on the values are unpredictable
      const Summary& summary = summary_of(i);
      odd |= summary.nonfinite;
      low = summary.lowest < lowest ? i : low;
      high = summary.highest > highest ? i : high;
      lowest = summary.lowest < lowest ? summary.lowest : lowest;
      highest = summary.highest > highest ? summary.highest : highest;
    }
    if (odd != 0) [[unlikely]] {
      for (size_t i = 0; i < count; i++) add(summary_of(i), series, row + i * index_rows, index + i * index_rows);
      return;
    }
    note({index + low * index_rows + summary_of(low).lowest_at, lowest});
    note({index + high * index_rows + summary_of(high).highest_at, highest});
  }

  // Appends the points to draw to `out`, in order and without duplicates.
  void drain(std::vector<ChartPoint>& out) const;

 private:
  void add(const Summary& summary, const Series& series, size_t row, uint64_t index) noexcept {
    if (summary.lowest_at != index_none) {
      note({index + summary.lowest_at, summary.lowest});
      note({index + summary.highest_at, summary.highest});
    }
    for (const uint8_t at : {summary.nan_at, summary.infinity_at})
      if (at != index_none) note({index + at, series.value(row + at)});
  }
  void note_ends(ChartPoint first, ChartPoint last) noexcept {
    if (empty()) first_ = first;
    last_ = last;
  }
  // Finds the lowest and highest value of a long run first, and their rows only if they are new extremes. The loop is
  // branchless, because branches on the values are unpredictable.
  template <class Number>
  void scan(const Number* values, size_t begin, size_t end, uint64_t index) noexcept {
    constexpr size_t lanes = 8;
    if (end - begin < 2 * lanes) return scan_short(values, begin, end, index);
    Number low[lanes], high[lanes], odd[lanes] = {};
    std::copy_n(values + begin, lanes, low);
    std::copy_n(values + begin, lanes, high);
    size_t row = begin;
    for (; row + lanes <= end; row += lanes)
      for (size_t lane = 0; lane < lanes; lane++) {
        const Number value = values[row + lane];
        low[lane] = value < low[lane] ? value : low[lane];
        high[lane] = value > high[lane] ? value : high[lane];
        odd[lane] += value - value;  // stays 0 if all values are finite
      }
    for (size_t lane = 1; lane < lanes; lane++) {
      low[0] = low[lane] < low[0] ? low[lane] : low[0];
      high[0] = high[lane] > high[0] ? high[lane] : high[0];
      odd[0] += odd[lane];
    }
    if (odd[0] != 0) return scan_short(values, begin, end, index);
    if (low[0] < lowest_.value) lowest_ = {index + (find(values + begin, low[0])), static_cast<double>(low[0])};
    if (high[0] > highest_.value) highest_ = {index + (find(values + begin, high[0])), static_cast<double>(high[0])};
    scan_short(values, row, end, index + (row - begin));
  }

  // The offset of the first value equal to `wanted`, which must exist.
  template <class Number>
  static size_t find(const Number* values, Number wanted) noexcept {
    size_t at = 0;
    while (values[at] != wanted) at++;
    return at;
  }

  template <class Number>
  void scan_short(const Number* values, size_t begin, size_t end, uint64_t index) noexcept {
    for (size_t row = begin; row < end; row++) note({index + (row - begin), static_cast<double>(values[row])});
  }

  void note(const ChartPoint& point) noexcept {
    if (point.value >= lowest_.value && point.value <= highest_.value) return;
    if (!std::isfinite(point.value)) [[unlikely]] {
      ChartPoint& first = std::isnan(point.value) ? nan_ : infinity_;
      if (first.index == no_index) first = point;
      return;
    }
    if (point.value < lowest_.value) lowest_ = point;
    if (point.value > highest_.value) highest_ = point;
  }

  template <class Number>
  void add_indexed(const Series& series, const Number* values, size_t begin, size_t end, uint64_t index) noexcept;

  ChartPoint first_, last_;
  ChartPoint lowest_{no_index, std::numeric_limits<double>::infinity()};
  ChartPoint highest_{no_index, -std::numeric_limits<double>::infinity()};
  ChartPoint nan_, infinity_;
};

}  // namespace lightboard
