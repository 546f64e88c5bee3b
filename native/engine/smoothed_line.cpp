#include "smoothed_line.hpp"

namespace lightboard {
namespace {

constexpr uint64_t min_cached_rows = 1024;  // smoothing fewer rows is faster than the lookup
constexpr size_t max_ranges = 16;           // a view with more is too fragmented to cache

template <class Callback>
auto with_values(const Series& series, Callback callback) {
  return series.wide() ? callback(series.doubles()) : callback(series.floats());
}

// Smooths rows [begin, end) of a series only for the state of the smoother.
void skip_rows(const Series& series, size_t begin, size_t end, Smoother& smoother) noexcept {
  with_values(series, [&](const auto* values) {
    double sink[index_rows];
    for (; begin < end; begin += std::min(index_rows, end - begin))
      smoother.run(values + begin, std::min(index_rows, end - begin), sink);
  });
}

// Moves the smoother from the beginning of a range to its end.
void skip_range(const RowRange& range, const SmoothedIndex& cached, Smoother& smoother) noexcept {
  const size_t blocks = std::min(cached.blocks(), range.rows() / index_rows);
  smoother.restore(cached.before(blocks));
  skip_rows(*range.series, range.begin + blocks * index_rows, range.end, smoother);
}

bool is_equal(const Series& series, size_t begin, size_t end, double value) noexcept {
  size_t row = begin;
  while (row < end) {
    if (row % index_rows == 0 && row + index_rows <= end && row / index_rows < series.index_blocks()) {
      const Summary& block = series.index_block(row / index_rows).summary;
      if (block.nonfinite != 0 || block.lowest != value || block.highest != value) return false;
      row += index_rows;
    } else if (series.value(row++) != value) {
      return false;
    }
  }
  return true;
}

bool is_worth_caching(const View& view, double weight) noexcept {
  return weight > 0 && view.held >= min_cached_rows && view.ranges.size() <= max_ranges && !is_constant(view);
}

}  // namespace

bool is_constant(const View& view) noexcept {
  if (view.ranges.empty()) return true;
  const double first = view.ranges[0].series->value(view.ranges[0].begin);
  if (!std::isfinite(first)) return false;
  return std::all_of(view.ranges.begin(), view.ranges.end(),
                     [&](const RowRange& range) { return is_equal(*range.series, range.begin, range.end, first); });
}

bool needs_smoothed_index(const View& view, double weight) noexcept {
  if (!is_worth_caching(view, weight)) return false;
  Smoother smoother(weight, false);
  for (const RowRange& range : view.ranges) {
    const SmoothedIndex* cached = range.series->find_smoothed_index(range.begin, smoother);
    if (cached == nullptr || cached->blocks() < range.rows() / index_rows) return true;
    skip_range(range, *cached, smoother);
  }
  return false;
}

void build_smoothed_index(const View& view, double weight) {
  if (!is_worth_caching(view, weight)) return;
  Smoother smoother(weight, false);
  for (const RowRange& range : view.ranges) {
    SmoothedIndex& cached = range.series->ensure_smoothed_index(range.begin, smoother);
    with_values(*range.series, [&](const auto* values) { cached.extend(values, range.end); });
    skip_range(range, cached, smoother);
  }
}

SmoothedLine::SmoothedLine(const View& view, double weight) noexcept
    : view_(view), smoother_(weight, is_constant(view)) {
  enter_range();
}

void SmoothedLine::add(uint64_t begin, uint64_t end, Extremes& column) noexcept {
  seek(begin);
  while (index_ < end) {
    if (!column.empty()) add_cached_blocks(end, column);
    const uint64_t index = index_;
    const size_t past = row_ % index_rows;
    const size_t count = next_batch(cached_ != nullptr ? std::min(end, index_ + (index_rows - past)) : end);
    column.add(values_, 0, count, index);
  }
}

// Adds the complete cached blocks that come next. They must not contain the last row of the column or of the range: the
// last point of a column is drawn, and a summary does not contain it.
void SmoothedLine::add_cached_blocks(uint64_t end, Extremes& column) noexcept {
  if (cached_ == nullptr || row_ % index_rows != 0) return;
  const RowRange& range = view_.ranges[range_];
  const size_t first = row_ / index_rows;
  const size_t rows = std::min(static_cast<size_t>(end - index_), range.rows() - row_) - 1;
  const size_t last = std::min(first + rows / index_rows, cached_->blocks());
  if (last <= first) return;
  column.add_summaries(
      last - first, [&](size_t i) -> const Summary& { return cached_->block(first + i).summary; }, *range.series,
      range.begin + row_, index_);
  smoother_.restore(cached_->before(last));
  advance((last - first) * index_rows);
}

// Moves forward to an index, using the cache as far as possible.
void SmoothedLine::seek(uint64_t index) noexcept {
  while (index_ < index) {
    const RowRange& range = view_.ranges[range_];
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(range.rows(), row_ + (index - index_)));
    const size_t number = cached_ != nullptr ? std::min(wanted / index_rows, cached_->blocks()) : 0;
    if (number > row_ / index_rows) {
      smoother_.restore(cached_->before(number));
      advance(number * index_rows - row_);
    } else {
      next_batch(index);
    }
  }
}

// Smooths a batch of values before `end`.
size_t SmoothedLine::next_batch(uint64_t end) noexcept {
  const RowRange& range = view_.ranges[range_];
  const size_t from = range.begin + row_;
  const size_t rows = std::min({range.end - from, static_cast<size_t>(end - index_), std::size(values_)});
  with_values(*range.series, [&](const auto* values) { smoother_.run(values + from, rows, values_); });
  advance(rows);
  return rows;
}

void SmoothedLine::advance(size_t rows) noexcept {
  index_ += rows;
  row_ += rows;
  if (row_ < view_.ranges[range_].rows()) return;
  range_++;
  row_ = 0;
  enter_range();
}

void SmoothedLine::enter_range() noexcept {
  if (range_ >= view_.ranges.size()) return;
  const RowRange& range = view_.ranges[range_];
  cached_ = smoother_.is_passthrough() ? nullptr : range.series->find_smoothed_index(range.begin, smoother_);
}

}  // namespace lightboard
