#include "stats.hpp"

#include <algorithm>
#include <cmath>

namespace lightboard {
namespace {

class StatsAccumulator {
 public:
  Stats stats;

  void add(const Series& series, size_t begin, size_t end) {
    const size_t first = std::min(end, (begin + index_rows - 1) / index_rows * index_rows);
    const size_t last = std::max(first, std::min(end / index_rows, series.index_blocks()) * index_rows);
    for (size_t row = begin; row < first; row++) add_row(series, row);
    for (size_t row = first; row < last; row += index_rows) add_block(series, row);
    for (size_t row = last; row < end; row++) add_row(series, row);
  }

  void finish() {
    if (finite_ == 0) return;
    stats.min_value = lowest_;
    stats.max_value = highest_;
    // Rounding errors may exceed both.
    stats.mean = std::clamp(sum_ / static_cast<double>(finite_), lowest_, highest_);
  }

  bool has_overflowed() const noexcept { return !std::isfinite(sum_); }

  // Computes the mean if the sum overflows, by scaling the values down. Must be called after `finish`.
  void average_scaled(const std::vector<RowRange>& ranges) {
    constexpr double small = 0x1p-64;
    double sum = 0;
    for (const RowRange& range : ranges)
      for (size_t row = range.begin; row < range.end; row++) {
        const double value = range.series->value(row);
        if (std::isfinite(value)) sum += value * small;
      }
    stats.mean = std::clamp(sum / static_cast<double>(finite_) / small, lowest_, highest_);
  }

 private:
  void add_row(const Series& series, size_t row) {
    const double value = series.value(row);
    if (!std::isfinite(value)) {
      stats.nonfinite++;
      return;
    }
    sum_ += value;
    finite_++;
    note(series, row, value);
  }

  void add_block(const Series& series, size_t begin) {
    const auto& [block, sum] = series.index_block(begin / index_rows);
    stats.nonfinite += block.nonfinite;
    finite_ += index_rows - block.nonfinite;
    sum_ += sum;
    if (block.lowest_at == index_none) return;
    note(series, begin + block.lowest_at, block.lowest);
    note(series, begin + block.highest_at, block.highest);
  }

  void note(const Series& series, size_t row, double value) {
    if (value < lowest_) {
      lowest_ = value;
      stats.min_step = series.steps()[row];
    }
    if (value > highest_) {
      highest_ = value;
      stats.max_step = series.steps()[row];
    }
  }

  double lowest_ = std::numeric_limits<double>::infinity();
  double highest_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0;
  uint64_t finite_ = 0;
};

// Goes back from the end to the last finite value and skips whole blocks of non-finite values.
void find_nonfinite_tail(const std::vector<RowRange>& ranges, Stats& stats) {
  for (size_t i = ranges.size(); i-- > 0;) {
    const auto& [series, part, begin, end, superseded, restarts] = ranges[i];
    for (size_t row = end; row > begin;) {
      const size_t block = row / index_rows - 1;
      const bool whole = row % index_rows == 0 && row >= begin + index_rows && block < series->index_blocks() &&
                         series->index_block(block).summary.nonfinite == index_rows;
      if (!whole && std::isfinite(series->value(row - 1))) return;
      const size_t rows = whole ? index_rows : 1;
      row -= rows;
      stats.nonfinite_tail += rows;
      stats.nonfinite_from = series->steps()[row];
    }
  }
}

}  // namespace

Stats series_stats(std::span<const Part> parts, bool purge) {
  for (const Part& part : parts)
    if (part.series >= 0) part.decoder->extend_index(static_cast<size_t>(part.series));
  const DecoderLocks locks(parts);
  const View view = make_view(parts, Form::scalar, purge);
  StatsAccumulator accumulator;
  accumulator.stats.held = view.held;
  accumulator.stats.superseded = view.superseded;
  for (const RowRange& range : view.ranges) accumulator.add(*range.series, range.begin, range.end);
  accumulator.finish();
  if (accumulator.has_overflowed()) [[unlikely]]
    accumulator.average_scaled(view.ranges);
  find_nonfinite_tail(view.ranges, accumulator.stats);
  if (view.ranges.empty()) return accumulator.stats;
  const RowRange& first = view.ranges.front();
  const RowRange& last = view.ranges.back();
  accumulator.stats.first_step = first.series->steps()[first.begin];
  accumulator.stats.first_wall = first.series->walls()[first.begin];
  accumulator.stats.first_value = first.series->value(first.begin);
  accumulator.stats.last_step = last.series->steps()[last.end - 1];
  accumulator.stats.last_wall = last.series->walls()[last.end - 1];
  accumulator.stats.last_value = last.series->value(last.end - 1);
  return accumulator.stats;
}

}  // namespace lightboard
