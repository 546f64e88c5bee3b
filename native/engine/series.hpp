// One series of one file: all values of one tag in one form, as columns, with the marks that restarts and charts need.
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

// From this row on, `epoch` STARTs of the file had been read.
struct EpochMark {
  size_t row;
  uint32_t epoch;
};

// Marks that few series have. All rows are in ascending order.
struct Marks {
  std::vector<size_t> breaks;      // rows whose step is below the one before
  std::vector<EpochMark> epochs;   // before the first of them, no START had been seen
  std::vector<size_t> late;        // rows that void earlier rows of this file, by the rule before file version 2
  std::vector<size_t> same_event;  // rows from the same event as the row before
};

struct IndexBlock {
  Summary summary;
  double sum;  // of the finite values
};

// Later wall times do not fit into signed 64-bit microseconds and are not drawn on time axes.
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

  // Whether the values are float64. They are float32 until a value does not fit into float32.
  bool wide() const noexcept { return wide_; }
  double value(size_t row) const noexcept { return wide_ ? doubles()[row] : static_cast<double>(floats()[row]); }

  // Whether the wall times never decrease and all of them can be drawn.
  bool walls_ascend() const noexcept { return walls_ascend_; }

  // Whether a row has the step of the row before it.
  bool has_repeated_steps() const noexcept { return repeats_step_; }

  // The highest step of all rows. The series must not be empty.
  int64_t highest_step() const noexcept {
    return highest_before_break_ > steps()[rows_ - 1] ? highest_before_break_ : steps()[rows_ - 1];
  }

  const Marks& marks() const noexcept { return marks_ ? *marks_ : no_marks; }
  Marks& make_marks() {
    if (!marks_) marks_ = std::make_unique<Marks>();
    return *marks_;
  }

  void add_float(int64_t step, double wall, float value) {
    begin_row(step, wall);
    if (wide_) [[unlikely]]
      values_.as<double>()[rows_] = value == value ? value : std::numeric_limits<double>::quiet_NaN();
    else
      values_.as<float>()[rows_] = value == value ? value : std::numeric_limits<float>::quiet_NaN();
    rows_++;
  }
  void add_double(int64_t step, double wall, double value);
  void add_reference(int64_t step, double wall, uint64_t offset, uint64_t length) {
    begin_row(step, wall);
    values_.as<uint64_t>()[rows_] = offset;
    lengths_.as<uint64_t>()[rows_] = length;
    rows_++;
  }

  // Whether the capacity is used up.
  bool full() const noexcept { return rows_ == capacity_; }
  // Increases the capacity, to at least `expected` rows.
  void grow(size_t expected = 0);

  // Releases unused capacity if that saves enough memory.
  void trim();

  // Adds blocks to the index for all complete groups of new values.
  void extend_index();
  bool index_is_behind() const noexcept { return form == Form::scalar && rows_ / index_rows > index_.size(); }
  size_t index_blocks() const noexcept { return index_.size(); }
  const IndexBlock& index_block(size_t number) const noexcept { return index_[number]; }

  // The cached smoothing of the rows from `begin` on, where `initial` has smoothed the rows before; null if there is
  // none.
  const SmoothedIndex* find_smoothed_index(size_t begin, const Smoother& initial) const noexcept;
  // The same, created if it does not exist, to be extended. Only the last weight used is cached. Requires the exclusive
  // lock of the decoder. Throws std::bad_alloc.
  SmoothedIndex& ensure_smoothed_index(size_t begin, const Smoother& initial) const;

  const uint32_t tag;
  const Form form;
  int32_t data_class = 0;
  std::string plugin;

  // Set by the decoder for the rule before file version 2; see view.hpp.
  uint32_t epoch = 0;
  uint64_t last_event = 0;
  size_t settled_row = std::numeric_limits<size_t>::max();  // first row after an event that is not a summary
  bool has_late = false;
  int64_t lowest_late = 0;

 private:
  // Begins a new row: makes room and writes its step and wall time.
  void begin_row(int64_t step, double wall) {
    if (full()) [[unlikely]]
      grow();
    if (rows_ != 0) [[likely]] {
      const int64_t before = steps()[rows_ - 1];
      if (step <= before) [[unlikely]] {
        if (step < before)
          note_break(before);
        else
          repeats_step_ = true;
      }
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
  bool repeats_step_ = false;
  int64_t highest_before_break_ = std::numeric_limits<int64_t>::min();
  std::unique_ptr<Marks> marks_;
  std::vector<IndexBlock> index_;
  mutable std::unique_ptr<std::vector<SmoothedIndex>> smoothed_indexes_;  // a cache
};

}  // namespace lightboard
