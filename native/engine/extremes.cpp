#include "extremes.hpp"

#include <algorithm>

namespace lightboard {
namespace {

constexpr size_t min_indexed_rows = 2 * index_rows;

}  // namespace

void Extremes::add(const Series& series, size_t begin, size_t end, uint64_t index) noexcept {
  if (begin >= end) return;
  const bool indexed = end - begin >= min_indexed_rows;
  if (series.wide())
    indexed ? add_indexed(series, series.doubles(), begin, end, index) : add(series.doubles(), begin, end, index);
  else
    indexed ? add_indexed(series, series.floats(), begin, end, index) : add(series.floats(), begin, end, index);
}

template <class Number>
void Extremes::add_indexed(const Series& series, const Number* values, size_t begin, size_t end,
                           uint64_t index) noexcept {
  const size_t first = (begin + index_rows - 1) / index_rows;
  const size_t last = std::min(end / index_rows, series.index_blocks());
  if (first >= last) return add(values, begin, end, index);
  add(values, begin, first * index_rows, index);
  const size_t row = first * index_rows;
  add_summaries(
      last - first, [&](size_t i) -> const Summary& { return series.index_block(first + i).summary; }, series, row,
      index + (row - begin));
  const size_t tail = last * index_rows;
  note_ends({index + (first * index_rows - begin), static_cast<double>(values[first * index_rows])},
            {index + (tail - 1 - begin), static_cast<double>(values[tail - 1])});
  add(values, tail, end, index + (tail - begin));
}

void Extremes::drain(std::vector<ChartPoint>& out) const {
  if (empty()) return;
  ChartPoint points[] = {first_, lowest_, highest_, nan_, infinity_, last_};
  std::sort(std::begin(points), std::end(points),
            [](const ChartPoint& a, const ChartPoint& b) { return a.index < b.index; });
  uint64_t before = no_index;
  for (const ChartPoint& point : points) {
    if (point.index == before || point.index == no_index) continue;
    out.push_back(point);
    before = point.index;
  }
}

}  // namespace lightboard
