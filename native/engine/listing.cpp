#include "listing.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace lightboard {
namespace {

// Appends fixed-width numbers to a column of known size.
class ColumnWriter {
 public:
  ColumnWriter(std::string& bytes, size_t rows, size_t width) : bytes_(bytes) { bytes_.resize(rows * width); }

  template <class Number>
  void add(const Number* numbers, size_t count) noexcept {
    std::memcpy(bytes_.data() + at_, numbers, count * sizeof(Number));
    at_ += count * sizeof(Number);
  }

  template <class Number>
  void fill(Number number, size_t count) noexcept {
    for (size_t i = 0; i < count; i++) add(&number, 1);
  }

 private:
  std::string& bytes_;
  size_t at_ = 0;
};

PointColumns packed(std::span<const RowRange> ranges) {
  size_t rows = 0;
  for (const RowRange& range : ranges) rows += range.rows();
  PointColumns columns;
  ColumnWriter steps(columns.steps, rows, 8), walls(columns.walls, rows, 8), values(columns.values, rows, 8),
      superseded(columns.superseded, rows, 1);
  for (const RowRange& range : ranges) {
    const Series& series = *range.series;
    steps.add(series.steps() + range.begin, range.rows());
    walls.add(series.walls() + range.begin, range.rows());
    superseded.fill(static_cast<uint8_t>(range.superseded), range.rows());
    if (series.wide()) {
      values.add(series.doubles() + range.begin, range.rows());
      continue;
    }
    for (size_t row = range.begin; row < range.end; row++) {
      const double value = series.floats()[row];
      values.add(&value, 1);
    }
  }
  return columns;
}

// The indices of the first lowest and the first highest finite value.
std::vector<uint64_t> find_extremes(std::span<const RowRange> ranges) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  uint64_t index = 0, low = 0, high = 0;
  bool any = false;
  for (const RowRange& range : ranges)
    for (size_t row = range.begin; row < range.end; row++, index++) {
      const double value = range.series->value(row);
      if (!std::isfinite(value)) continue;
      any = true;
      if (value < lowest) {
        lowest = value;
        low = index;
      }
      if (value > highest) {
        highest = value;
        high = index;
      }
    }
  return any ? std::vector<uint64_t>{low, high} : std::vector<uint64_t>{};
}

// The indices of the points to keep, in ascending order; 0 < limit < count.
std::vector<uint64_t> sample_indices(uint64_t count, uint64_t limit, std::span<const uint64_t> required) {
  std::vector<uint64_t> kept;
  const auto keep = [&](uint64_t index) {
    if (kept.size() < limit && std::find(kept.begin(), kept.end(), index) == kept.end()) kept.push_back(index);
  };
  keep(count - 1);
  keep(0);
  for (const uint64_t index : required) keep(index);
  const uint64_t free = limit - kept.size();
  for (uint64_t index = 0; index < free; index++) kept.push_back((count - 1) * (index + 1) / (free + 1));
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace

PointColumns list_samples(std::span<const Part> parts, bool purge, size_t limit) {
  const DecoderLocks locks(parts);
  const View view = make_view(parts, Form::scalar, purge);
  uint64_t rows = 0;
  for (const RowRange& range : view.ranges) rows += range.rows();
  if (limit == 0 || rows <= limit) return packed(view.ranges);
  const std::vector<uint64_t> kept = sample_indices(rows, limit, find_extremes(view.ranges));
  std::vector<RowRange> single;
  single.reserve(kept.size());
  uint64_t passed = 0;
  auto next = kept.begin();
  for (const RowRange& range : view.ranges) {
    for (; next != kept.end() && *next < passed + range.rows(); ++next) {
      RowRange one = range;
      one.begin = range.begin + static_cast<size_t>(*next - passed);
      one.end = one.begin + 1;
      single.push_back(one);
    }
    passed += range.rows();
  }
  return packed(single);
}

PointColumns list_points(std::span<const Part> parts, bool purge) {
  const DecoderLocks locks(parts);
  return packed(make_view(parts, Form::scalar, purge).ranges);
}

PointColumns list_rows(std::span<const Part> parts, size_t part, size_t first, size_t limit) {
  const DecoderLocks locks(parts);
  const size_t last = limit > SIZE_MAX - first ? SIZE_MAX : first + limit;
  std::vector<RowRange> wanted;
  for (RowRange range : make_view(parts, Form::scalar, false).ranges) {
    range.begin = std::max(range.begin, first);
    range.end = std::min(range.end, last);
    if (range.part == part && range.begin < range.end) wanted.push_back(range);
  }
  return packed(wanted);
}

ReferenceColumns list_references(std::span<const Part> parts, bool purge) {
  const DecoderLocks locks(parts);
  const View view = make_view(parts, Form::reference, purge);
  ReferenceColumns columns;
  ColumnWriter numbers(columns.parts, view.held, 4), offsets(columns.offsets, view.held, 8),
      lengths(columns.lengths, view.held, 8), steps(columns.steps, view.held, 8), walls(columns.walls, view.held, 8);
  for (const RowRange& range : view.ranges) {
    const Series& series = *range.series;
    numbers.fill(range.part, range.rows());
    offsets.add(series.offsets() + range.begin, range.rows());
    lengths.add(series.lengths() + range.begin, range.rows());
    steps.add(series.steps() + range.begin, range.rows());
    walls.add(series.walls() + range.begin, range.rows());
  }
  return columns;
}

}  // namespace lightboard
