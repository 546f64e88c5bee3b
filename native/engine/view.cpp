#include "view.hpp"

#include <algorithm>
#include <functional>

namespace lightboard {
namespace {

// Rows with a step of `step` or more are superseded; none if `set` is false.
struct Bound {
  bool set = false;
  int64_t step = 0;

  void lower(int64_t other) noexcept {
    if (!set || other < step) step = other;
    set = true;
  }
};

// What the earlier files of a run determine about a file.
struct FileContext {
  bool by_starts;     // version 2: START decides
  int64_t last_step;  // highest step so far, for the older rule
  uint64_t restarts;  // STARTs in earlier files
};

std::vector<FileContext> file_contexts(std::span<const Part> parts) {
  std::vector<FileContext> contexts;
  contexts.reserve(parts.size());
  int32_t version = 0;
  int64_t last_step = -1;
  uint64_t restarts = 0;
  for (const Part& part : parts) {
    const Decoder& decoder = *part.decoder;
    if (decoder.file_version() != 0) version = decoder.file_version();
    const bool by_starts = version >= 2;
    contexts.push_back({by_starts, last_step, restarts});
    if (by_starts) {
      restarts += decoder.starts().size();
    } else {
      const StepTracker& tracker = decoder.step_tracker();
      if (tracker.settled || tracker.highest_early >= last_step) last_step = tracker.last_step;
    }
  }
  return contexts;
}

// Collects ranges from the last row of a series to its first.
class ReverseRangeBuilder {
 public:
  std::vector<RowRange> ranges;

  // Adds rows [begin, end), split where the bound supersedes them. Within an ascending segment there is one such
  // position.
  void add(const RowRange& base, size_t begin, size_t end, const Bound& bound) {
    if (begin >= end) return;
    const auto& breaks = base.series->marks().breaks;
    auto next = std::lower_bound(breaks.begin(), breaks.end(), end);
    while (begin < end) {
      while (next != breaks.begin() && *(next - 1) >= end) --next;
      const size_t from = next != breaks.begin() && *(next - 1) > begin ? *(next - 1) : begin;
      add_ascending(base, from, end, bound);
      end = from;
    }
  }

 private:
  void add_ascending(const RowRange& base, size_t begin, size_t end, const Bound& bound) {
    const int64_t* steps = base.series->steps();
    const size_t cut =
        bound.set ? static_cast<size_t>(std::lower_bound(steps + begin, steps + end, bound.step) - steps) : end;
    push(base, cut, end, true);
    push(base, begin, cut, false);
  }

  void push(const RowRange& base, size_t begin, size_t end, bool superseded) {
    if (begin == end) return;
    if (!ranges.empty()) {
      RowRange& later = ranges.back();
      if (later.series == base.series && later.part == base.part && later.begin == end &&
          later.superseded == superseded && later.restarts == base.restarts) {
        later.begin = begin;
        return;
      }
    }
    ranges.push_back({base.series, base.part, begin, end, superseded, base.restarts});
  }
};

void add_by_starts(ReverseRangeBuilder& builder, const Part& part, uint32_t number, const FileContext& context,
                   Bound& bound) {
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
      builder.add({series, number, 0, 0, false, context.restarts + epoch}, begin, end, bound);
      end = begin;
    }
  }
  while (left > 0) bound.lower(starts[--left].step);
}

// Rows before the first event that is not a summary also supersede other rows if their step is below the last step of
// the earlier files. They are checked one by one, which is rare.
void add_early(ReverseRangeBuilder& builder, const RowRange& base, size_t end, const FileContext& context,
               Bound& bound) {
  const auto& same = base.series->marks().same_event;
  const auto& late = base.series->marks().late;
  for (size_t row = end; row-- > 0;) {
    builder.add(base, row, row + 1, bound);
    if (std::binary_search(same.begin(), same.end(), row)) continue;
    const int64_t step = base.series->steps()[row];
    if (step < context.last_step || std::binary_search(late.begin(), late.end(), row)) bound.lower(step);
  }
}

void add_by_order(ReverseRangeBuilder& builder, const Part& part, uint32_t number, const FileContext& context,
                  Bound& bound) {
  const Series* series = part.get();
  if (series == nullptr) return;
  const RowRange base{series, number, 0, 0, false, context.restarts};
  const auto& late = series->marks().late;
  size_t early = std::min(series->settled_row, series->rows());
  const int64_t* steps = series->steps();
  if (std::none_of(steps, steps + early, [&](int64_t step) { return step < context.last_step; })) early = 0;
  size_t end = series->rows();
  for (size_t mark = late.size(); mark-- > 0 && late[mark] >= early;) {
    builder.add(base, late[mark], end, bound);
    bound.lower(steps[late[mark]]);
    end = late[mark];
  }
  builder.add(base, early, end, bound);
  if (early != 0) add_early(builder, base, early, context, bound);
  if (series->has_late) bound.lower(series->lowest_late);
}

}  // namespace

std::vector<RowRange> all_row_ranges(std::span<const Part> parts) {
  const std::vector<FileContext> contexts = file_contexts(parts);
  ReverseRangeBuilder builder;
  Bound bound;
  for (size_t i = parts.size(); i-- > 0;) {
    const auto number = static_cast<uint32_t>(i);
    if (contexts[i].by_starts)
      add_by_starts(builder, parts[i], number, contexts[i], bound);
    else
      add_by_order(builder, parts[i], number, contexts[i], bound);
  }
  std::reverse(builder.ranges.begin(), builder.ranges.end());
  return std::move(builder.ranges);
}

View make_view(std::span<const Part> parts, Form form, bool purge) {
  View view;
  for (const Part& part : parts) {
    const Series* series = part.get();
    if (series != nullptr && series->form != form) throw FormMismatch();
    view.wide = view.wide || (series != nullptr && series->wide());
  }
  bool gap = false;
  for (const RowRange& range : all_row_ranges(parts)) {
    if (range.superseded) view.superseded += range.rows();
    if (range.superseded && purge) {
      gap = true;
      continue;
    }
    view.held += range.rows();
    view.ranges.push_back(range);
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

DecoderLocks::DecoderLocks(std::span<const Part> parts, LockMode mode) : mode_(mode) {
  for (const Part& part : parts) decoders_.push_back(part.decoder);
  std::sort(decoders_.begin(), decoders_.end(), std::less<>());
  decoders_.erase(std::unique(decoders_.begin(), decoders_.end()), decoders_.end());
  for (Decoder* decoder : decoders_)
    mode_ == LockMode::exclusive ? decoder->mutex().lock() : decoder->mutex().lock_shared();
}

DecoderLocks::~DecoderLocks() {
  for (Decoder* decoder : decoders_)
    mode_ == LockMode::exclusive ? decoder->mutex().unlock() : decoder->mutex().unlock_shared();
}

}  // namespace lightboard
