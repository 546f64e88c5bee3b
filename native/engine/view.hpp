// A series as it is shown: its parts from several files in order, and what restarts have made void.
//
// The rule is that of TensorBoard's EventAccumulator. From file version 2 on, a SessionLog START at step s voids every
// row of the run that came before it and has a step of s or more. Before version 2 a summary whose step is below the
// one the run has reached does the same to its own tags. A file without a version goes by the files before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "decoder.hpp"

namespace lightboard {

struct Part {
  Decoder* decoder;
  int64_t series;  // -1: this file has none, but its restarts count

  const Series* get() const noexcept {
    return series < 0 ? nullptr : &decoder->series()[static_cast<size_t>(series)];
  }
};

// Rows [begin, end) of one part, all shown or all void, with no restart between them.
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

// The rows to show: with `purge`, without the void ones.
struct View {
  std::vector<RowRange> pieces;
  std::vector<bool> gap;  // for each piece, whether void rows were left out right before it
  uint64_t held = 0;
  uint64_t superseded = 0;  // void rows, shown or not
  bool wide = false;        // whether any part of the series is float64
};

// The series is of the other form than the question is about.
struct WrongForm {};

// Throws WrongForm.
View make_view(std::span<const Part> parts, Form form, bool purge);

// Bring the summaries of a series up to date; how many rows it has. Takes the locks by itself.
size_t extend_indexes(std::span<const Part> parts);

// Holds the locks of all decoders of some parts, each once and in one order for everybody.
class Locked {
 public:
  enum class How : uint8_t { shared, alone };

  explicit Locked(std::span<const Part> parts, How how = How::shared);
  ~Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  std::vector<Decoder*> decoders_;
  How how_;
};

}  // namespace lightboard
