#include "view.hpp"

#include <algorithm>
#include <functional>

namespace lightboard {
namespace {

// Rows with a step of `step` or more are void; nothing is while `set` is false.
struct Bound {
  bool set = false;
  int64_t step = 0;

  void lower(int64_t other) noexcept {
    if (!set || other < step) step = other;
    set = true;
  }
  bool voids(int64_t other) const noexcept { return set && other >= step; }
};

// What the files before one say about it.
struct Setting {
  bool by_starts;    // version 2: START decides
  int64_t reached;   // highest step so far, for the older rule
  uint64_t restarts;  // STARTs that counted
};

std::vector<Setting> settings_of(std::span<const Part> parts) {
  std::vector<Setting> settings;
  settings.reserve(parts.size());
  int32_t version = 0;
  int64_t reached = -1;
  uint64_t restarts = 0;
  for (const Part& part : parts) {
    const Decoder& decoder = *part.decoder;
    if (decoder.file_version() != 0) version = decoder.file_version();
    const bool by_starts = version >= 2;
    settings.push_back({by_starts, reached, restarts});
    if (by_starts) {
      restarts += decoder.starts().size();
    } else {
      const Reach& reach = decoder.reach();
      if (reach.settled || reach.highest_early >= reached) reached = reach.step;
    }
  }
  return settings;
}

// Collects pieces from the last row of a series to its first.
class Backward {
 public:
  std::vector<RowRange> pieces;

  // Rows [begin, end), cut where the bound cuts them; within an ascending segment it does so once.
  void add(const RowRange& like, size_t begin, size_t end, const Bound& bound) {
    if (begin >= end) return;
    const auto& breaks = like.series->marks().breaks;
    auto next = std::lower_bound(breaks.begin(), breaks.end(), end);
    while (begin < end) {
      while (next != breaks.begin() && *(next - 1) >= end) --next;
      const size_t from = next != breaks.begin() && *(next - 1) > begin ? *(next - 1) : begin;
      add_ascending(like, from, end, bound);
      end = from;
    }
  }

 private:
  void add_ascending(const RowRange& like, size_t begin, size_t end, const Bound& bound) {
    const int64_t* steps = like.series->steps();
    const size_t cut = bound.set ? static_cast<size_t>(std::lower_bound(steps + begin, steps + end, bound.step) - steps) : end;
    push(like, cut, end, true);
    push(like, begin, cut, false);
  }

  void push(const RowRange& like, size_t begin, size_t end, bool superseded) {
    if (begin == end) return;
    if (!pieces.empty()) {
      RowRange& later = pieces.back();
      if (later.series == like.series && later.part == like.part && later.begin == end && later.superseded == superseded &&
          later.restarts == like.restarts) {
        later.begin = begin;
        return;
      }
    }
    pieces.push_back({like.series, like.part, begin, end, superseded, like.restarts});
  }
};

void add_by_starts(Backward& out, const Part& part, uint32_t number, const Setting& setting, Bound& bound) {
  const auto& starts = part.decoder->starts();
  size_t left = starts.size();
  const Series* series = part.get();
  if (series != nullptr) {
    const auto& epochs = series->marks().epochs;
    size_t end = series->rows();
    for (size_t mark = epochs.size() + 1; mark-- > 0;) {
      const size_t begin = mark == 0 ? 0 : epochs[mark - 1].row;
      const size_t epoch = mark == 0 ? 0 : epochs[mark - 1].epoch;
      while (left > epoch) bound.lower(starts[--left].step);
      out.add({series, number, 0, 0, false, setting.restarts + epoch}, begin, end, bound);
      end = begin;
    }
  }
  while (left > 0) bound.lower(starts[--left].step);
}

// Rows before anything but summaries had come and below what earlier files had reached void others too; they need to
// be looked at one by one, which is rare.
void add_early(Backward& out, const RowRange& like, size_t end, const Setting& setting, Bound& bound) {
  const auto& same = like.series->marks().same_event;
  const auto& late = like.series->marks().late;
  for (size_t row = end; row-- > 0;) {
    out.add(like, row, row + 1, bound);
    if (std::binary_search(same.begin(), same.end(), row)) continue;
    const int64_t step = like.series->steps()[row];
    if (step < setting.reached || std::binary_search(late.begin(), late.end(), row)) bound.lower(step);
  }
}

void add_by_order(Backward& out, const Part& part, uint32_t number, const Setting& setting, Bound& bound) {
  const Series* series = part.get();
  if (series == nullptr) return;
  const RowRange like{series, number, 0, 0, false, setting.restarts};
  const auto& late = series->marks().late;
  size_t early = std::min(series->settled_row, series->rows());
  const int64_t* steps = series->steps();
  if (std::none_of(steps, steps + early, [&](int64_t step) { return step < setting.reached; })) early = 0;
  size_t end = series->rows();
  for (size_t mark = late.size(); mark-- > 0 && late[mark] >= early;) {
    out.add(like, late[mark], end, bound);
    bound.lower(steps[late[mark]]);
    end = late[mark];
  }
  out.add(like, early, end, bound);
  if (early != 0) add_early(out, like, early, setting, bound);
  if (series->has_late) bound.lower(series->lowest_late);
}

}  // namespace

std::vector<RowRange> all_row_ranges(std::span<const Part> parts) {
  const std::vector<Setting> settings = settings_of(parts);
  Backward out;
  Bound bound;
  for (size_t i = parts.size(); i-- > 0;) {
    const auto number = static_cast<uint32_t>(i);
    if (settings[i].by_starts)
      add_by_starts(out, parts[i], number, settings[i], bound);
    else
      add_by_order(out, parts[i], number, settings[i], bound);
  }
  std::reverse(out.pieces.begin(), out.pieces.end());
  return std::move(out.pieces);
}

View make_view(std::span<const Part> parts, Form form, bool purge) {
  View view;
  for (const Part& part : parts) {
    const Series* series = part.get();
    if (series != nullptr && series->form != form) throw WrongForm();
    view.wide = view.wide || (series != nullptr && series->wide());
  }
  bool gap = false;
  for (const RowRange& piece : all_row_ranges(parts)) {
    if (piece.superseded) view.superseded += piece.rows();
    if (piece.superseded && purge) {
      gap = true;
      continue;
    }
    view.held += piece.rows();
    view.pieces.push_back(piece);
    view.gap.push_back(gap);
    gap = false;
  }
  return view;
}

size_t extend_indexes(std::span<const Part> parts) {
  size_t rows = 0;
  for (const Part& part : parts)
    if (part.series >= 0) rows += part.decoder->extend_index(static_cast<size_t>(part.series));
  return rows;
}

Locked::Locked(std::span<const Part> parts, How how) : how_(how) {
  for (const Part& part : parts) decoders_.push_back(part.decoder);
  std::sort(decoders_.begin(), decoders_.end(), std::less<>());
  decoders_.erase(std::unique(decoders_.begin(), decoders_.end()), decoders_.end());
  for (Decoder* decoder : decoders_) how_ == How::alone ? decoder->mutex().lock() : decoder->mutex().lock_shared();
}

Locked::~Locked() {
  for (Decoder* decoder : decoders_) how_ == How::alone ? decoder->mutex().unlock() : decoder->mutex().unlock_shared();
}

}  // namespace lightboard
