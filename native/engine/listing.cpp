#include "listing.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace lightboard {
namespace {

// Fills a column of fixed-width numbers from the front.
class Packed {
 public:
  Packed(std::string& bytes, size_t rows, size_t width) : bytes_(bytes) { bytes_.resize(rows * width); }

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

PointColumns packed(std::span<const RowRange> pieces) {
  size_t rows = 0;
  for (const RowRange& piece : pieces) rows += piece.rows();
  PointColumns columns;
  Packed steps(columns.steps, rows, 8), walls(columns.walls, rows, 8), values(columns.values, rows, 8),
      superseded(columns.superseded, rows, 1);
  for (const RowRange& piece : pieces) {
    const Series& series = *piece.series;
    steps.add(series.steps() + piece.begin, piece.rows());
    walls.add(series.walls() + piece.begin, piece.rows());
    superseded.fill(static_cast<uint8_t>(piece.superseded), piece.rows());
    if (series.wide()) {
      values.add(series.doubles() + piece.begin, piece.rows());
      continue;
    }
    for (size_t row = piece.begin; row < piece.end; row++) {
      const double value = series.floats()[row];
      values.add(&value, 1);
    }
  }
  return columns;
}

// Where among the rows of a view its first lowest and its first highest finite value are.
std::vector<uint64_t> extremes_of(std::span<const RowRange> pieces) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  uint64_t place = 0, low = 0, high = 0;
  bool any = false;
  for (const RowRange& piece : pieces)
    for (size_t row = piece.begin; row < piece.end; row++, place++) {
      const double value = piece.series->value(row);
      if (!std::isfinite(value)) continue;
      any = true;
      if (value < lowest) {
        lowest = value;
        low = place;
      }
      if (value > highest) {
        highest = value;
        high = place;
      }
    }
  return any ? std::vector<uint64_t>{low, high} : std::vector<uint64_t>{};
}

// Which of `count` points to keep, in ascending order; 0 < most < count.
std::vector<uint64_t> kept_of(uint64_t count, uint64_t most, std::span<const uint64_t> precious) {
  std::vector<uint64_t> kept;
  const auto keep = [&](uint64_t place) {
    if (kept.size() < most && std::find(kept.begin(), kept.end(), place) == kept.end()) kept.push_back(place);
  };
  keep(count - 1);
  keep(0);
  for (const uint64_t place : precious) keep(place);
  const uint64_t free = most - kept.size();
  for (uint64_t place = 0; place < free; place++) kept.push_back((count - 1) * (place + 1) / (free + 1));
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace

PointColumns list_samples(std::span<const Part> parts, bool purge, size_t most) {
  const Locked locked(parts);
  const View view = make_view(parts, Form::scalar, purge);
  uint64_t rows = 0;
  for (const RowRange& piece : view.pieces) rows += piece.rows();
  if (most == 0 || rows <= most) return packed(view.pieces);
  const std::vector<uint64_t> kept = kept_of(rows, most, extremes_of(view.pieces));
  std::vector<RowRange> single;
  single.reserve(kept.size());
  uint64_t passed = 0;
  auto next = kept.begin();
  for (const RowRange& piece : view.pieces) {
    for (; next != kept.end() && *next < passed + piece.rows(); ++next) {
      RowRange one = piece;
      one.begin = piece.begin + static_cast<size_t>(*next - passed);
      one.end = one.begin + 1;
      single.push_back(one);
    }
    passed += piece.rows();
  }
  return packed(single);
}

PointColumns list_points(std::span<const Part> parts, bool purge) {
  const Locked locked(parts);
  return packed(make_view(parts, Form::scalar, purge).pieces);
}

PointColumns list_rows(std::span<const Part> parts, size_t part, size_t first, size_t most) {
  const Locked locked(parts);
  const size_t last = most > SIZE_MAX - first ? SIZE_MAX : first + most;
  std::vector<RowRange> wanted;
  for (RowRange piece : make_view(parts, Form::scalar, false).pieces) {
    piece.begin = std::max(piece.begin, first);
    piece.end = std::min(piece.end, last);
    if (piece.part == part && piece.begin < piece.end) wanted.push_back(piece);
  }
  return packed(wanted);
}

ReferenceColumns list_references(std::span<const Part> parts, bool purge) {
  const Locked locked(parts);
  const View view = make_view(parts, Form::reference, purge);
  ReferenceColumns columns;
  Packed numbers(columns.parts, view.held, 4), offsets(columns.offsets, view.held, 8),
      lengths(columns.lengths, view.held, 8), steps(columns.steps, view.held, 8), walls(columns.walls, view.held, 8);
  for (const RowRange& piece : view.pieces) {
    const Series& series = *piece.series;
    numbers.fill(piece.part, piece.rows());
    offsets.add(series.offsets() + piece.begin, piece.rows());
    lengths.add(series.lengths() + piece.begin, piece.rows());
    steps.add(series.steps() + piece.begin, piece.rows());
    walls.add(series.walls() + piece.begin, piece.rows());
  }
  return columns;
}

}  // namespace lightboard
