#include "smoothed_line.hpp"

namespace lightboard {
namespace {

constexpr uint64_t worth_keeping = 1024;  // shorter ones are smoothed again in less time than it takes to look
constexpr size_t most_pieces = 16;        // more of them are disorder

template <class Use>
auto with_values(const Series& series, Use use) {
  return series.wide() ? use(series.doubles()) : use(series.floats());
}

// Smooth rows [begin, end) of a series without looking at what comes out.
void pass_over(const Series& series, size_t begin, size_t end, Smoother& smoother) noexcept {
  with_values(series, [&](const auto* values) {
    double sink[index_rows];
    for (; begin < end; begin += std::min(index_rows, end - begin))
      smoother.run(values + begin, std::min(index_rows, end - begin), sink);
  });
}

// Bring the smoother from the begin of a piece to its end.
void finish(const RowRange& piece, const SmoothedIndex& kept, Smoother& smoother) noexcept {
  const size_t blocks = std::min(kept.blocks(), piece.rows() / index_rows);
  smoother.jump(kept.before(blocks));
  pass_over(*piece.series, piece.begin + blocks * index_rows, piece.end, smoother);
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

bool worth_it(const View& view, double weight) noexcept {
  return weight > 0 && view.held >= worth_keeping && view.pieces.size() <= most_pieces && !is_constant(view);
}

}  // namespace

bool is_constant(const View& view) noexcept {
  if (view.pieces.empty()) return true;
  const double first = view.pieces[0].series->value(view.pieces[0].begin);
  if (!std::isfinite(first)) return false;
  return std::all_of(view.pieces.begin(), view.pieces.end(),
                     [&](const RowRange& piece) { return is_equal(*piece.series, piece.begin, piece.end, first); });
}

bool lacks_smoothed(const View& view, double weight) noexcept {
  if (!worth_it(view, weight)) return false;
  Smoother smoother(weight, false);
  for (const RowRange& piece : view.pieces) {
    const SmoothedIndex* kept = piece.series->smoothed(piece.begin, smoother);
    if (kept == nullptr || kept->blocks() < piece.rows() / index_rows) return true;
    finish(piece, *kept, smoother);
  }
  return false;
}

void keep_smoothed(const View& view, double weight) {
  if (!worth_it(view, weight)) return;
  Smoother smoother(weight, false);
  for (const RowRange& piece : view.pieces) {
    SmoothedIndex& kept = piece.series->keep_smoothed(piece.begin, smoother);
    with_values(*piece.series, [&](const auto* values) { kept.extend(values, piece.end); });
    finish(piece, kept, smoother);
  }
}

SmoothedLine::SmoothedLine(const View& view, double weight) noexcept
    : view_(view), smoother_(weight, is_constant(view)) {
  enter();
}

void SmoothedLine::add(uint64_t begin, uint64_t end, Extremes& column) noexcept {
  seek(begin);
  while (place_ < end) {
    if (!column.empty()) add_kept(end, column);
    const uint64_t place = place_;
    const size_t past = row_ % index_rows;
    const size_t count = take(kept_ != nullptr ? std::min(end, place_ + (index_rows - past)) : end);
    column.add(values_, 0, count, place);
  }
}

// Add the whole blocks that come next, as far as they are kept and hold neither the last row of the column nor of the
// piece: the end of a column is a point of its own, which a summary does not know.
void SmoothedLine::add_kept(uint64_t end, Extremes& column) noexcept {
  if (kept_ == nullptr || row_ % index_rows != 0) return;
  const RowRange& piece = view_.pieces[piece_];
  const size_t first = row_ / index_rows;
  const size_t rows = std::min(static_cast<size_t>(end - place_), piece.rows() - row_) - 1;
  const size_t last = std::min(first + rows / index_rows, kept_->blocks());
  if (last <= first) return;
  column.add_summaries(
      last - first, [&](size_t i) -> const Summary& { return kept_->block(first + i).summary; }, *piece.series,
      piece.begin + row_, place_);
  smoother_.jump(kept_->before(last));
  pass((last - first) * index_rows);
}

// Go on to a place at or after the present one, by what is kept as far as that goes.
void SmoothedLine::seek(uint64_t place) noexcept {
  while (place_ < place) {
    const RowRange& piece = view_.pieces[piece_];
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(piece.rows(), row_ + (place - place_)));
    const size_t number = kept_ != nullptr ? std::min(wanted / index_rows, kept_->blocks()) : 0;
    if (number > row_ / index_rows) {
      smoother_.jump(kept_->before(number));
      pass(number * index_rows - row_);
    } else {
      take(place);
    }
  }
}

// Smooth some of the values before `end`.
size_t SmoothedLine::take(uint64_t end) noexcept {
  const RowRange& piece = view_.pieces[piece_];
  const size_t from = piece.begin + row_;
  const size_t rows = std::min({piece.end - from, static_cast<size_t>(end - place_), std::size(values_)});
  with_values(*piece.series, [&](const auto* values) { smoother_.run(values + from, rows, values_); });
  pass(rows);
  return rows;
}

void SmoothedLine::pass(size_t rows) noexcept {
  place_ += rows;
  row_ += rows;
  if (row_ < view_.pieces[piece_].rows()) return;
  piece_++;
  row_ = 0;
  enter();
}

void SmoothedLine::enter() noexcept {
  if (piece_ >= view_.pieces.size()) return;
  const RowRange& piece = view_.pieces[piece_];
  kept_ = smoother_.passing() ? nullptr : piece.series->smoothed(piece.begin, smoother_);
}

}  // namespace lightboard
