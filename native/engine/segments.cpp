#include "segments.hpp"

#include <algorithm>
#include <limits>

namespace lightboard {
namespace {

// Appends segments and begins a new monotone run where x decreases.
class Segmenter {
 public:
  Segmenter(const Axis& axis, std::vector<Segment>& out) noexcept : axis_(axis), out_(out) {}

  // Returns false if there are too many monotone runs.
  bool add(const Series& series, size_t begin, size_t end) {
    if (begin == end) return true;
    if (!out_.empty() && goes_back(out_.back(), series, begin)) monotone_run_++;
    out_.push_back({&series, begin, end, next_index_, monotone_run_});
    next_index_ += end - begin;
    return monotone_run_ < max_monotone_runs;
  }

 private:
  bool goes_back(const Segment& before, const Series& series, size_t row) const noexcept {
    const size_t last = before.end - 1;
    if (axis_.by_step()) return series.steps()[row] < before.series->steps()[last];
    return axis_.x(series, row) < axis_.x(*before.series, last);
  }

  const Axis& axis_;
  std::vector<Segment>& out_;
  uint64_t next_index_ = 0;
  uint32_t monotone_run_ = 0;
};

// The first row of [begin, end) for which `predicate` is true. It must be true for all rows after it.
template <class Predicate>
size_t first_row(size_t begin, size_t end, Predicate predicate) {
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (predicate(middle))
      end = middle;
    else
      begin = middle + 1;
  }
  return begin;
}

// The index of the first row for which `predicate` is true in the segments [first, last) of one monotone run.
template <class Predicate>
uint64_t first_index_where(const Segment* first, const Segment* last, Predicate predicate) {
  for (; first != last; first++) {
    if (!predicate(*first->series, first->end - 1)) continue;
    const size_t row = first_row(first->begin, first->end, [&](size_t r) { return predicate(*first->series, r); });
    return first->first_index + (row - first->begin);
  }
  return (last - 1)->first_index + ((last - 1)->end - (last - 1)->begin);
}

void clip_monotone_run(const Segment* first, const Segment* last, const Axis& axis, double x0, double x1,
                       std::vector<Segment>& out) {
  const uint64_t begin = first->first_index;
  const uint64_t end = (last - 1)->first_index + ((last - 1)->end - (last - 1)->begin);
  uint64_t low =
      first_index_where(first, last, [&](const Series& series, size_t row) { return axis.x(series, row) >= x0; });
  uint64_t high =
      first_index_where(first, last, [&](const Series& series, size_t row) { return axis.x(series, row) > x1; });
  if (low == end || high == begin || x0 > x1) return;
  if (low > begin) low--;
  if (high < end) high++;
  for (; first != last; first++) {
    const uint64_t size = first->end - first->begin;
    const uint64_t from = std::max(low, first->first_index), to = std::min(high, first->first_index + size);
    if (from >= to) continue;
    const size_t row = first->begin + (from - first->first_index);
    out.push_back({first->series, row, row + (to - from), from, first->monotone_run});
  }
}

}  // namespace

Axis::Axis(AxisKind kind, const View& view, const Curve* tag) noexcept : kind(kind), tag(tag) {
  if (kind != AxisKind::relative) return;
  for (const RowRange& range : view.ranges)
    for (size_t row = range.begin; row < range.end; row++)
      if (is_drawable(range.series->walls()[row])) {
        origin = range.series->walls()[row];
        return;
      }
}

int64_t Axis::encode_x(double x) const noexcept {
  constexpr double beyond = 9223372036854775808.0;  // 2^63
  if (by_tag()) return std::bit_cast<int64_t>(x);
  if (!by_step()) return static_cast<int64_t>(std::nearbyint(x * 1e6));
  return x < beyond ? static_cast<int64_t>(x) : std::numeric_limits<int64_t>::max();
}

bool make_segments(const View& view, const Axis& axis, std::vector<Segment>& out) {
  if (axis.by_tag()) return false;
  Segmenter segmenter(axis, out);
  for (const RowRange& range : view.ranges) {
    const Series& series = *range.series;
    size_t begin = range.begin;
    if (axis.by_step()) {
      const auto& breaks = series.marks().breaks;
      for (auto next = std::upper_bound(breaks.begin(), breaks.end(), begin); next != breaks.end() && *next < range.end;
           ++next) {
        if (!segmenter.add(series, begin, *next)) return false;
        begin = *next;
      }
    } else if (!series.walls_ascend()) {
      return false;
    }
    if (!segmenter.add(series, begin, range.end)) return false;
  }
  return true;
}

std::vector<Segment> clip_segments(const std::vector<Segment>& all, const Axis& axis, double x0, double x1) {
  std::vector<Segment> out;
  const Segment* const end = all.data() + all.size();
  for (const Segment* first = all.data(); first != end;) {
    const Segment* last = first;
    while (last != end && last->monotone_run == first->monotone_run) last++;
    clip_monotone_run(first, last, axis, x0, x1, out);
    first = last;
  }
  return out;
}

}  // namespace lightboard
