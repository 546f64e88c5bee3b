#include "smoothed_index.hpp"

namespace lightboard {
namespace {

SmoothedBlock summarise(const double (&values)[index_rows], const Average& before) noexcept {
  SmoothedBlock block{before, 0, 0, index_none, index_none, index_none, index_none};
  for (size_t i = 0; i < index_rows; i++) {
    const double value = values[i];
    const auto at = static_cast<uint8_t>(i);
    if (!std::isfinite(value)) [[unlikely]] {
      uint8_t& first = std::isnan(value) ? block.nan_at : block.infinity_at;
      if (first == index_none) first = at;
      continue;
    }
    if (block.lowest_at == index_none || value < block.lowest) {
      block.lowest = value;
      block.lowest_at = at;
    }
    if (block.highest_at == index_none || value > block.highest) {
      block.highest = value;
      block.highest_at = at;
    }
  }
  return block;
}

}  // namespace

template <class Number>
void SmoothedIndex::extend(const Number* values, size_t end) {
  const size_t wanted = (end - begin_) / index_rows;
  if (blocks_.empty()) blocks_.reserve(wanted);
  Smoother smoother(weight_, false);
  smoother.jump(reached_);
  while (blocks_.size() < wanted) {
    double smoothed[index_rows];
    smoother.run(values + begin_ + blocks_.size() * index_rows, index_rows, smoothed);
    blocks_.push_back(summarise(smoothed, reached_));
    reached_ = smoother.average();
  }
}

template void SmoothedIndex::extend(const float* values, size_t end);
template void SmoothedIndex::extend(const double* values, size_t end);

}  // namespace lightboard
