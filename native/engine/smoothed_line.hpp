// Iterates over the smoothed values of a view, some of which can be skipped. The smoothing of a long series is cached
// for the last weight used; see smoothed_index.hpp.
#pragma once

#include <algorithm>
#include <iterator>

#include "extremes.hpp"
#include "smoothed_index.hpp"
#include "view.hpp"

namespace lightboard {

// Whether all visible values are equal. Such a series is its own smoothed line.
bool is_constant(const View& view) noexcept;

// Whether the view is long enough to cache its smoothing and is not cached yet.
bool needs_smoothed_index(const View& view, double weight) noexcept;

// Adds the view to the cache. Requires the exclusive locks. Throws std::bad_alloc.
void build_smoothed_index(const View& view, double weight);

// Calls `callback` with the view of a series while the decoders are locked, after caching its smoothing if it is long
// enough. A weight of 0 does not smooth. Throws what `callback` throws, std::bad_alloc and FormMismatch.
template <class Callback>
void with_view(std::span<const Part> parts, bool purge, double weight, Callback callback) {
  extend_indexes(parts);
  {
    const DecoderLocks locks(parts);
    const View view = make_view(parts, Form::scalar, purge);
    if (!needs_smoothed_index(view, weight)) return callback(view);
  }
  {
    const DecoderLocks locks(parts, DecoderLocks::LockMode::exclusive);
    build_smoothed_index(make_view(parts, Form::scalar, purge), weight);
  }
  const DecoderLocks locks(parts);
  callback(make_view(parts, Form::scalar, purge));
}

class SmoothedLine {
 public:
  SmoothedLine(const View& view, double weight) noexcept;

  // Calls `callback(values, count, index)` for batches of the values at indices [begin, end). Indices must ascend from
  // call to call.
  template <class Callback>
  void for_each_batch(uint64_t begin, uint64_t end, Callback callback) {
    seek(begin);
    while (index_ < end) {
      const uint64_t index = index_;
      const size_t count = next_batch(end);
      callback(values_, count, index);
    }
  }

  // Adds the values at indices [begin, end) to a pixel column. Indices must ascend from call to call.
  void add(uint64_t begin, uint64_t end, Extremes& column) noexcept;

 private:
  void seek(uint64_t index) noexcept;
  void add_cached_blocks(uint64_t end, Extremes& column) noexcept;
  size_t next_batch(uint64_t end) noexcept;
  void advance(size_t rows) noexcept;
  void enter_range() noexcept;

  const View& view_;
  Smoother smoother_;
  const SmoothedIndex* cached_ = nullptr;  // of the current range, or null
  size_t range_ = 0, row_ = 0;             // row_ is relative to the beginning of the range
  uint64_t index_ = 0;
  double values_[512];
};

}  // namespace lightboard
