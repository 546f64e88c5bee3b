// The few points of a pixel column that are enough to draw it: first, lowest, highest, last, and the first that is NaN
// and the first that is infinite.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "series.hpp"

namespace lightboard {

constexpr uint64_t nowhere = std::numeric_limits<uint64_t>::max();

// A point to draw: its place among the points shown, and its y.
struct Spot {
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

  // Append the points to draw, in order, each once.
  void drain(std::vector<Spot>& out) const;

 private:
  void note_ends(Spot first, Spot last) noexcept {
    if (empty()) first_ = first;
    last_ = last;
  }
  void note_nonfinite(double value, uint64_t place) noexcept {
    Spot& spot = std::isnan(value) ? nan_ : infinity_;
    if (spot.place == nowhere) spot = {place, value};
  }

  // Smooth series rise and fall steadily, so that every value may be the highest so far: that must be cheap, too.
  template <class Number>
  void scan(const Number* values, size_t begin, size_t end, uint64_t place) noexcept {
    double low = lowest_.value, high = highest_.value;
    size_t low_row = end, high_row = end;
    for (size_t row = begin; row < end; row++) {
      const auto value = static_cast<double>(values[row]);
      if (!(value >= low)) {
        if (!std::isfinite(value)) [[unlikely]] {
          note_nonfinite(value, place + (row - begin));
          continue;
        }
        low = value;
        low_row = row;
      }
      if (value > high) {
        if (!std::isfinite(value)) [[unlikely]] {
          note_nonfinite(value, place + (row - begin));
          continue;
        }
        high = value;
        high_row = row;
      }
    }
    if (low_row != end) lowest_ = {place + (low_row - begin), low};
    if (high_row != end) highest_ = {place + (high_row - begin), high};
  }

  template <class Number>
  void add_indexed(const Series& series, const Number* values, size_t begin, size_t end, uint64_t place) noexcept;

  Spot first_, last_;
  Spot lowest_{nowhere, std::numeric_limits<double>::infinity()};
  Spot highest_{nowhere, -std::numeric_limits<double>::infinity()};
  Spot nan_, infinity_;
};

}  // namespace lightboard
