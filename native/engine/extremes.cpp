#include "extremes.hpp"

#include <algorithm>

namespace lightboard {
namespace {

constexpr size_t worth_indexing = 2 * index_rows;

}  // namespace

void Extremes::add(const Series& series, size_t begin, size_t end, uint64_t place) noexcept {
  if (begin >= end) return;
  const bool indexed = end - begin >= worth_indexing;
  if (series.wide())
    indexed ? add_indexed(series, series.doubles(), begin, end, place) : add(series.doubles(), begin, end, place);
  else
    indexed ? add_indexed(series, series.floats(), begin, end, place) : add(series.floats(), begin, end, place);
}

template <class Number>
void Extremes::add_indexed(const Series& series, const Number* values, size_t begin, size_t end, uint64_t place) noexcept {
  const size_t first = (begin + index_rows - 1) / index_rows;
  const size_t last = std::min(end / index_rows, series.index_blocks());
  if (first >= last) return add(values, begin, end, place);
  add(values, begin, first * index_rows, place);
  const size_t row = first * index_rows;
  add_summaries(
      last - first, [&](size_t i) -> const Summary& { return series.index_block(first + i).summary; }, series, row,
      place + (row - begin));
  const size_t tail = last * index_rows;
  note_ends({place + (first * index_rows - begin), static_cast<double>(values[first * index_rows])},
            {place + (tail - 1 - begin), static_cast<double>(values[tail - 1])});
  add(values, tail, end, place + (tail - begin));
}

void Extremes::drain(std::vector<ChartPoint>& out) const {
  if (empty()) return;
  ChartPoint points[] = {first_, lowest_, highest_, nan_, infinity_, last_};
  std::sort(std::begin(points), std::end(points), [](const ChartPoint& a, const ChartPoint& b) { return a.place < b.place; });
  uint64_t before = nowhere;
  for (const ChartPoint& point : points) {
    if (point.place == before || point.place == nowhere) continue;
    out.push_back(point);
    before = point.place;
  }
}

}  // namespace lightboard
