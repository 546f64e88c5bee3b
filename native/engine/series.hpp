// One series of one file: all values of one tag in one form, as columns, with what restarts and charts need to know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "column.hpp"
#include "smoothed_index.hpp"
#include "summary.hpp"

namespace lightboard {

enum class Form : uint8_t { scalar, reference };

// From this row on, `epoch` STARTs of the file had been seen.
struct EpochMark {
  size_t row;
  uint32_t epoch;
};

// What only some series have. Rows are in ascending order everywhere.
struct Marks {
  std::vector<size_t> breaks;      // rows whose step is below the one before
  std::vector<EpochMark> epochs;   // before the first of them, no START had been seen
  std::vector<size_t> late;        // rows that void earlier rows of this file, by the rule before file version 2
  std::vector<size_t> same_event;  // rows brought by the event that brought the row before
};

struct IndexBlock {
  Summary summary;
  double sum;  // of the finite values
};

// Wall times beyond this do not fit into signed 64-bit microseconds, and are not drawn against time.
constexpr double drawable_secs = 4e12;

class Series {
 public:
  Series(uint32_t tag, Form form) noexcept : tag(tag), form(form) {}

  size_t rows() const noexcept { return rows_; }
  const int64_t* steps() const noexcept { return steps_.as<int64_t>(); }
  const double* walls() const noexcept { return walls_.as<double>(); }
  const float* floats() const noexcept { return values_.as<float>(); }     // unless wide()
  const double* doubles() const noexcept { return values_.as<double>(); }  // if wide()
  const uint64_t* offsets() const noexcept { return values_.as<uint64_t>(); }
  const uint64_t* lengths() const noexcept { return lengths_.as<uint64_t>(); }

  // Whether the values are float64; they are float32 until one comes that float32 cannot hold.
  bool wide() const noexcept { return wide_; }
  double value(size_t row) const noexcept { return wide_ ? doubles()[row] : static_cast<double>(floats()[row]); }

  // Whether every wall time can be drawn and none is below the one before.
  bool walls_ascend() const noexcept { return walls_ascend_; }

  // Highest step of all rows; there must be one.
  int64_t highest_step() const noexcept {
    return highest_before_break_ > steps()[rows_ - 1] ? highest_before_break_ : steps()[rows_ - 1];
  }

  const Marks& marks() const noexcept { return marks_ ? *marks_ : no_marks; }
  Marks& make_marks() {
    if (!marks_) marks_ = std::make_unique<Marks>();
    return *marks_;
  }

  void add_float(int64_t step, double wall, float value) {
    place(step, wall);
    if (wide_) [[unlikely]]
      values_.as<double>()[rows_] = value == value ? value : std::numeric_limits<double>::quiet_NaN();
    else
      values_.as<float>()[rows_] = value == value ? value : std::numeric_limits<float>::quiet_NaN();
    rows_++;
  }
  void add_double(int64_t step, double wall, double value);
  void add_reference(int64_t step, double wall, uint64_t offset, uint64_t length) {
    place(step, wall);
    values_.as<uint64_t>()[rows_] = offset;
    lengths_.as<uint64_t>()[rows_] = length;
    rows_++;
  }

  // Whether the next row has no room yet.
  bool full() const noexcept { return rows_ == capacity_; }
  // Make room for more rows, and for `expected` in all if that is more.
  void grow(size_t expected = 0);

  // Give back the room kept for rows to come, where it is worth anything.
  void trim();

  // Summarise values that came since the last time. `index_blocks` of them are ready for use.
  void extend_index();
  bool index_is_behind() const noexcept { return form == Form::scalar && rows_ / index_rows > index_.size(); }
  size_t index_blocks() const noexcept { return index_.size(); }
  const IndexBlock& index_block(size_t number) const noexcept { return index_[number]; }

  // What is kept of smoothing the rows from `begin` on, `entry` coming from before them; null if nothing is.
  const SmoothedIndex* smoothed(size_t begin, const Smoother& entry) const noexcept;
  // The same to be extended, made where there is none. Only the weight asked for last is kept. The decoder's lock must
  // be held alone. Throws std::bad_alloc.
  SmoothedIndex& keep_smoothed(size_t begin, const Smoother& entry) const;

  const uint32_t tag;
  const Form form;
  int32_t data_class = 0;
  std::string plugin;

  // Kept by the decoder while it applies the rule before file version 2; see view.hpp.
  uint32_t epoch = 0;
  uint64_t last_event = 0;
  size_t settled_row = std::numeric_limits<size_t>::max();  // first row after anything but summaries had come
  bool has_late = false;
  int64_t lowest_late = 0;

 private:
  // Make room for one more row and write what all forms have in common.
  void place(int64_t step, double wall) {
    if (full()) [[unlikely]] grow();
    if (rows_ != 0) [[likely]] {
      const int64_t before = steps()[rows_ - 1];
      if (step < before) [[unlikely]] note_break(before);
      walls_ascend_ = walls_ascend_ && wall >= walls()[rows_ - 1] && wall < drawable_secs;
    } else {
      walls_ascend_ = wall > -drawable_secs && wall < drawable_secs;
    }
    steps_.as<int64_t>()[rows_] = step;
    walls_.as<double>()[rows_] = wall == wall ? wall : std::numeric_limits<double>::quiet_NaN();
  }
  void set_capacity(size_t rows);
  void note_break(int64_t before);
  void widen();
  size_t value_bytes() const noexcept { return form == Form::scalar && !wide_ ? sizeof(float) : sizeof(double); }

  static const Marks no_marks;

  Column steps_, walls_, values_, lengths_;
  size_t rows_ = 0, capacity_ = 0;
  bool wide_ = false;
  bool walls_ascend_ = true;
  int64_t highest_before_break_ = std::numeric_limits<int64_t>::min();
  std::unique_ptr<Marks> marks_;
  std::vector<IndexBlock> index_;
  mutable std::unique_ptr<std::vector<SmoothedIndex>> smoothed_;  // no part of what the series is
};

}  // namespace lightboard
