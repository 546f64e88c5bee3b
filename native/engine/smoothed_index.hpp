// A cache of smoothed values, so that a chart need not smooth all rows again: for every 64 rows the smoother's state
// before them and the summary of their smoothed values. It depends only on the weight, the first row and the state
// before it, so it never changes and can be extended when rows are added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "smoothing.hpp"
#include "summary.hpp"

namespace lightboard {

struct SmoothedBlock {
  SmootherState before;
  Summary summary;
};

class SmoothedIndex {
 public:
  // For rows from `begin` on. `initial` has smoothed all rows before them.
  SmoothedIndex(size_t begin, const Smoother& initial) noexcept
      : begin_(begin), weight_(initial.weight()), initial_(initial.state()), state_(initial_) {}

  size_t begin() const noexcept { return begin_; }
  double weight() const noexcept { return weight_; }
  bool continues(size_t begin, const Smoother& initial) const noexcept {
    return begin == begin_ && initial.weight() == weight_ && initial.state() == initial_;
  }

  // Block `number` covers the 64 rows from begin() + 64 * number on.
  size_t blocks() const noexcept { return blocks_.size(); }
  const SmoothedBlock& block(size_t number) const noexcept { return blocks_[number]; }

  // The state before block `number`, which may be one past the last block.
  const SmootherState& before(size_t number) const noexcept {
    return number < blocks_.size() ? blocks_[number].before : state_;
  }

  // Adds all complete blocks before row `end` of the column. Throws std::bad_alloc.
  template <class Number>
  void extend(const Number* values, size_t end);

 private:
  size_t begin_;
  double weight_;
  SmootherState initial_, state_;
  std::vector<SmoothedBlock> blocks_;
};

extern template void SmoothedIndex::extend(const float* values, size_t end);
extern template void SmoothedIndex::extend(const double* values, size_t end);

}  // namespace lightboard
