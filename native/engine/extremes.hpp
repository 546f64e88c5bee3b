// The few points of a pixel column that are enough to draw it: first, lowest, highest, last, and the first that is NaN
// and the first that is infinite.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "series.hpp"

namespace lightboard {

constexpr uint64_t nowhere = std::numeric_limits<uint64_t>::max();

// A point to draw: its place among the points shown, and its y.
struct ChartPoint {
  uint64_t place = nowhere;
  double value = 0;
};

class Extremes {
 public:
  bool empty() const noexcept { return first_.place == nowhere; }

  // Rows [begin, end) of `values`, the first of them at `place`; more must always lie further on.
  template <class Number>
  void add(const Number* values, size_t begin, size_t end, uint64_t place) noexcept {
    if (begin >= end) return;
    note_ends({place, static_cast<double>(values[begin])}, {place + (end - begin - 1), static_cast<double>(values[end - 1])});
    scan(values, begin, end, place);
  }

  // The same from a series, helped by its index where it has one.
  void add(const Series& series, size_t begin, size_t end, uint64_t place) noexcept;

  // `count` summaries, given by number from 0 on, of the rows of the series from `row` on, none of which is the first or
  // last of the column.
  template <class SummaryOf>
  void add_summaries(size_t count, SummaryOf summary_of, const Series& series, size_t row, uint64_t place) noexcept {
    if (count == 0) return;
    size_t low = 0, high = 0;
    double lowest = summary_of(0).lowest, highest = summary_of(0).highest;
    unsigned odd = summary_of(0).nonfinite;
    for (size_t i = 1; i < count; i++) {  // without branches on the values, which nobody could foresee
      const Summary& summary = summary_of(i);
      odd |= summary.nonfinite;
      low = summary.lowest < lowest ? i : low;
      high = summary.highest > highest ? i : high;
      lowest = summary.lowest < lowest ? summary.lowest : lowest;
      highest = summary.highest > highest ? summary.highest : highest;
    }
    if (odd != 0) [[unlikely]] {
      for (size_t i = 0; i < count; i++) add(summary_of(i), series, row + i * index_rows, place + i * index_rows);
      return;
    }
    note({place + low * index_rows + summary_of(low).lowest_at, lowest});
    note({place + high * index_rows + summary_of(high).highest_at, highest});
  }

  // Append the points to draw, in order, each once.
  void drain(std::vector<ChartPoint>& out) const;

 private:
  void add(const Summary& summary, const Series& series, size_t row, uint64_t place) noexcept {
    if (summary.lowest_at != index_none) {
      note({place + summary.lowest_at, summary.lowest});
      note({place + summary.highest_at, summary.highest});
    }
    for (const uint8_t at : {summary.nan_at, summary.infinity_at})
      if (at != index_none) note({place + at, series.value(row + at)});
  }
  void note_ends(ChartPoint first, ChartPoint last) noexcept {
    if (empty()) first_ = first;
    last_ = last;
  }
  // Lowest and highest of a long run are found first and their rows afterwards, and only if they are new: without
  // branches on the values, which nobody could foresee.
  template <class Number>
  void scan(const Number* values, size_t begin, size_t end, uint64_t place) noexcept {
    constexpr size_t lanes = 8;
    if (end - begin < 2 * lanes) return scan_short(values, begin, end, place);
    Number low[lanes], high[lanes], odd[lanes] = {};
    std::copy_n(values + begin, lanes, low);
    std::copy_n(values + begin, lanes, high);
    size_t row = begin;
    for (; row + lanes <= end; row += lanes)
      for (size_t lane = 0; lane < lanes; lane++) {
        const Number value = values[row + lane];
        low[lane] = value < low[lane] ? value : low[lane];
        high[lane] = value > high[lane] ? value : high[lane];
        odd[lane] += value - value;  // stays 0 unless something is not finite
      }
    for (size_t lane = 1; lane < lanes; lane++) {
      low[0] = low[lane] < low[0] ? low[lane] : low[0];
      high[0] = high[lane] > high[0] ? high[lane] : high[0];
      odd[0] += odd[lane];
    }
    if (odd[0] != 0) return scan_short(values, begin, end, place);
    if (low[0] < lowest_.value) lowest_ = {place + (find(values + begin, low[0])), static_cast<double>(low[0])};
    if (high[0] > highest_.value) highest_ = {place + (find(values + begin, high[0])), static_cast<double>(high[0])};
    scan_short(values, row, end, place + (row - begin));
  }

  // How far the value, which is there, lies from the front.
  template <class Number>
  static size_t find(const Number* values, Number wanted) noexcept {
    size_t at = 0;
    while (values[at] != wanted) at++;
    return at;
  }

  template <class Number>
  void scan_short(const Number* values, size_t begin, size_t end, uint64_t place) noexcept {
    for (size_t row = begin; row < end; row++) note({place + (row - begin), static_cast<double>(values[row])});
  }

  void note(const ChartPoint& point) noexcept {
    if (point.value >= lowest_.value && point.value <= highest_.value) return;
    if (!std::isfinite(point.value)) [[unlikely]] {
      ChartPoint& first = std::isnan(point.value) ? nan_ : infinity_;
      if (first.place == nowhere) first = point;
      return;
    }
    if (point.value < lowest_.value) lowest_ = point;
    if (point.value > highest_.value) highest_ = point;
  }

  template <class Number>
  void add_indexed(const Series& series, const Number* values, size_t begin, size_t end, uint64_t place) noexcept;

  ChartPoint first_, last_;
  ChartPoint lowest_{nowhere, std::numeric_limits<double>::infinity()};
  ChartPoint highest_{nowhere, -std::numeric_limits<double>::infinity()};
  ChartPoint nan_, infinity_;
};

}  // namespace lightboard
