#include "line.hpp"

#include <algorithm>
#include <limits>

namespace lightboard {
namespace {

// Appends segments, opening a new monotone_run where x goes back.
class Segmenter {
 public:
  Segmenter(const Axis& axis, std::vector<Segment>& out) noexcept : axis_(axis), out_(out) {}

  // False once there are too many.
  bool add(const Series& series, size_t begin, size_t end) {
    if (begin == end) return true;
    if (!out_.empty() && goes_back(out_.back(), series, begin)) monotone_run_++;
    out_.push_back({&series, begin, end, place_, monotone_run_});
    place_ += end - begin;
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
  uint64_t place_ = 0;
  uint32_t monotone_run_ = 0;
};

// The first row of [begin, end) for which `past` holds; it holds for all after it.
template <class Past>
size_t first_row(size_t begin, size_t end, Past past) {
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (past(middle))
      end = middle;
    else
      begin = middle + 1;
  }
  return begin;
}

// The place, among the segments [first, last) of one monotone_run, of the first row for which `past` holds.
template <class Past>
uint64_t first_place(const Segment* first, const Segment* last, Past past) {
  for (; first != last; first++) {
    if (!past(*first->series, first->end - 1)) continue;
    const size_t row = first_row(first->begin, first->end, [&](size_t r) { return past(*first->series, r); });
    return first->place + (row - first->begin);
  }
  return (last - 1)->place + ((last - 1)->end - (last - 1)->begin);
}

void serve_monotone_run(const Segment* first, const Segment* last, const Axis& axis, double x0, double x1,
                  std::vector<Segment>& out) {
  const uint64_t begin = first->place;
  const uint64_t end = (last - 1)->place + ((last - 1)->end - (last - 1)->begin);
  uint64_t low = first_place(first, last, [&](const Series& series, size_t row) { return axis.x(series, row) >= x0; });
  uint64_t high = first_place(first, last, [&](const Series& series, size_t row) { return axis.x(series, row) > x1; });
  if (low == end || high == begin || x0 > x1) return;
  if (low > begin) low--;
  if (high < end) high++;
  for (; first != last; first++) {
    const uint64_t size = first->end - first->begin;
    const uint64_t from = std::max(low, first->place), to = std::min(high, first->place + size);
    if (from >= to) continue;
    const size_t row = first->begin + (from - first->place);
    out.push_back({first->series, row, row + (to - from), from, first->monotone_run});
  }
}

}  // namespace

Axis::Axis(AxisKind kind, const View& view, const Curve* tag) noexcept : kind(kind), tag(tag) {
  if (kind != AxisKind::relative) return;
  for (const RowRange& piece : view.pieces)
    for (size_t row = piece.begin; row < piece.end; row++)
      if (drawable(piece.series->walls()[row])) {
        start = piece.series->walls()[row];
        return;
      }
}

int64_t Axis::sent(double x) const noexcept {
  constexpr double beyond = 9223372036854775808.0;  // 2^63
  if (by_tag()) return std::bit_cast<int64_t>(x);
  if (!by_step()) return static_cast<int64_t>(std::nearbyint(x * 1e6));
  return x < beyond ? static_cast<int64_t>(x) : std::numeric_limits<int64_t>::max();
}

bool make_segments(const View& view, const Axis& axis, std::vector<Segment>& out) {
  if (axis.by_tag()) return false;
  Segmenter segmenter(axis, out);
  for (const RowRange& piece : view.pieces) {
    const Series& series = *piece.series;
    size_t begin = piece.begin;
    if (axis.by_step()) {
      const auto& breaks = series.marks().breaks;
      for (auto next = std::upper_bound(breaks.begin(), breaks.end(), begin); next != breaks.end() && *next < piece.end;
           ++next) {
        if (!segmenter.add(series, begin, *next)) return false;
        begin = *next;
      }
    } else if (!series.walls_ascend()) {
      return false;
    }
    if (!segmenter.add(series, begin, piece.end)) return false;
  }
  return true;
}

std::vector<Segment> serve(const std::vector<Segment>& all, const Axis& axis, double x0, double x1) {
  std::vector<Segment> out;
  const Segment* const end = all.data() + all.size();
  for (const Segment* first = all.data(); first != end;) {
    const Segment* last = first;
    while (last != end && last->monotone_run == first->monotone_run) last++;
    serve_monotone_run(first, last, axis, x0, x1, out);
    first = last;
  }
  return out;
}

}  // namespace lightboard
