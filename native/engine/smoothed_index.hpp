// What is kept of the smoothed values of rows that follow one another, so that a chart need not smooth them all again:
// for each 64 rows the average before them, and where they are lowest and highest. It depends on the weight, the first
// row and the average that came from the rows before it, and on nothing that comes later: it only ever grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "smoothing.hpp"
#include "summary.hpp"

namespace lightboard {

struct SmoothedBlock {
  Average before;
  Summary summary;
};

class SmoothedIndex {
 public:
  // Rows from `begin` on; `entry` has smoothed all that comes before them.
  SmoothedIndex(size_t begin, const Smoother& entry) noexcept
      : begin_(begin), weight_(entry.weight()), entry_(entry.average()), reached_(entry_) {}

  size_t begin() const noexcept { return begin_; }
  double weight() const noexcept { return weight_; }
  bool continues(size_t begin, const Smoother& entry) const noexcept {
    return begin == begin_ && entry.weight() == weight_ && entry.average() == entry_;
  }

  // Block `number` is of the 64 rows from begin() + 64 * number on.
  size_t blocks() const noexcept { return blocks_.size(); }
  const SmoothedBlock& block(size_t number) const noexcept { return blocks_[number]; }

  // The average before block `number`, which may be the one after the last.
  const Average& before(size_t number) const noexcept {
    return number < blocks_.size() ? blocks_[number].before : reached_;
  }

  // Take in all whole blocks before row `end` of the column. Throws std::bad_alloc.
  template <class Number>
  void extend(const Number* values, size_t end);

 private:
  size_t begin_;
  double weight_;
  Average entry_, reached_;
  std::vector<SmoothedBlock> blocks_;
};

extern template void SmoothedIndex::extend(const float* values, size_t end);
extern template void SmoothedIndex::extend(const double* values, size_t end);

}  // namespace lightboard
