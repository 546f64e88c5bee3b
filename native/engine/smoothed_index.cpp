#include "smoothed_index.hpp"

namespace lightboard {
template <class Number>
void SmoothedIndex::extend(const Number* values, size_t end) {
  const size_t wanted = (end - begin_) / index_rows;
  if (blocks_.empty()) blocks_.reserve(wanted);
  Smoother smoother(weight_, false);
  smoother.restore(state_);
  while (blocks_.size() < wanted) {
    double smoothed[index_rows];
    smoother.run(values + begin_ + blocks_.size() * index_rows, index_rows, smoothed);
    blocks_.push_back({state_, summarise(smoothed)});
    state_ = smoother.state();
  }
}

template void SmoothedIndex::extend(const float* values, size_t end);
template void SmoothedIndex::extend(const double* values, size_t end);

}  // namespace lightboard
