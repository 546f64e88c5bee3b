// A series as it is displayed: its parts from several files in order, and which rows restarts have superseded.
//
// The rule is that of TensorBoard's EventAccumulator. From file version 2 on, a SessionLog START at step s supersedes
// every earlier row of the run with a step of s or more. Before version 2, a summary whose step is below the last step
// of the run does the same to the rows of its own tags. A file without a version has the version of the file before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "decoder.hpp"

namespace lightboard {

struct Part {
  Decoder* decoder;
  int64_t series;  // -1: this file lacks the series, but its restarts count

  const Series* get() const noexcept { return series < 0 ? nullptr : &decoder->series()[static_cast<size_t>(series)]; }
};

// Rows [begin, end) of one part: all visible or all superseded, and without a restart between them.
struct RowRange {
  const Series* series;
  uint32_t part;
  size_t begin, end;
  bool superseded;
  uint64_t restarts;  // STARTs of the run before these rows

  size_t rows() const noexcept { return end - begin; }
};

// Every row of the series in file order.
std::vector<RowRange> all_row_ranges(std::span<const Part> parts);

// The visible rows: with `purge`, without the superseded ones.
struct View {
  std::vector<RowRange> ranges;
  std::vector<bool> gap;  // for each range, whether superseded rows were left out right before it
  uint64_t held = 0;
  uint64_t superseded = 0;  // superseded rows, visible or not
  bool wide = false;        // whether any part of the series is float64
};

// Thrown if the form of the series does not fit the query.
struct FormMismatch {};

// Throws FormMismatch.
View make_view(std::span<const Part> parts, Form form, bool purge);

// Updates the indexes of a series and returns its number of rows. Locks by itself.
size_t extend_indexes(std::span<const Part> parts);

// Locks all decoders of some parts, each once and always in the same order.
class DecoderLocks {
 public:
  enum class LockMode : uint8_t { shared, exclusive };

  explicit DecoderLocks(std::span<const Part> parts, LockMode mode = LockMode::shared);
  ~DecoderLocks();
  DecoderLocks(const DecoderLocks&) = delete;
  DecoderLocks& operator=(const DecoderLocks&) = delete;

 private:
  std::vector<Decoder*> decoders_;
  LockMode mode_;
};

}  // namespace lightboard
