// What a profiler has captured, as columns: slices, points of time, and the names, processes and tracks of these.
// Limits are those of the pure-Python implementation, which passes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "file_column.hpp"

namespace lightboard {

// Where columns are kept that are too large for memory. Without a folder they stay in memory.
struct ColumnFiles {
  std::string folder;
  size_t kept_bytes = 0;  // of each column that are in memory, one number at least
};

struct CaptureLimits {
  uint64_t slices, points, tracks, names, names_bytes, flows, steps, name_chars;
  int64_t longest_ns, epoch_ns;
  std::string other_name;  // of names beyond the limits
  ColumnFiles files;
};

// A column of numbers that grows without copying. What is not at its end is out of memory if it has files.
template <class Number>
class NumberColumn {
 public:
  void keep_in(std::shared_ptr<const ColumnFiles> files) noexcept { files_ = std::move(files); }

  void add(Number number) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    column_.as<Number>()[size_++] = number;
  }
  size_t size() const noexcept { return size_; }
  Number& operator[](size_t at) noexcept { return column_.as<Number>()[at]; }
  const Number& operator[](size_t at) const noexcept { return column_.as<Number>()[at]; }

  void add_to_all(Number by) noexcept {
    const size_t step = in_file_ ? files_->kept_bytes / sizeof(Number) : size_;
    for (size_t at = 0; at < size_; column_.let_go())
      for (const size_t end = std::min(size_, at + step); at < end; at++) (*this)[at] += by;
  }

  // A copy of its memory as it is now, in a file of its own if this one is in one. Throws std::bad_alloc and DiskError.
  FileColumn copy() {
    FileColumn copied;
    const size_t bytes = size_ * sizeof(Number), step = in_file_ ? files_->kept_bytes : bytes;
    if (in_file_) copied.move_to_file(files_->folder);
    copied.resize(bytes);
    for (size_t at = 0; at < bytes; at += step) {
      std::memcpy(copied.as<char>() + at, column_.as<char>() + at, std::min(step, bytes - at));
      column_.let_go();
      copied.let_go();
    }
    return copied;
  }

  // Its memory, exactly as long as it is. The column is empty afterwards.
  FileColumn release() {
    column_.resize(size_ * sizeof(Number));
    column_.let_go();
    size_ = capacity_ = 0;
    in_file_ = false;
    return std::move(column_);
  }

 private:
  void grow() {
    size_t more = std::max<size_t>(1024, capacity_ / 2);
    if (files_ && (capacity_ + more) * sizeof(Number) > files_->kept_bytes) {
      more = files_->kept_bytes / sizeof(Number);
      if (capacity_ > 0 && !in_file_) {
        column_.move_to_file(files_->folder);
        in_file_ = true;
      }
      column_.let_go();
    }
    column_.resize((capacity_ + more) * sizeof(Number));
    capacity_ += more;
  }

  FileColumn column_;
  size_t size_ = 0, capacity_ = 0;
  bool in_file_ = false;
  std::shared_ptr<const ColumnFiles> files_;
};

struct SliceColumns {
  NumberColumn<int32_t> track;
  NumberColumn<int64_t> start_ns, duration_ns;
  NumberColumn<int32_t> name;
  NumberColumn<int8_t> kind;
  NumberColumn<int64_t> args;
};

struct PointRows {
  NumberColumn<int32_t> track;
  NumberColumn<int64_t> time_ns;
  NumberColumn<int32_t> name;
  NumberColumn<double> value;
};

struct CaptureProcess {
  std::string id, name;
};

struct CaptureTrack {
  int32_t process;
  std::string id, name;
};

struct StepMarker {
  int64_t slice, step;
};

// Indexes of texts, in the order in which they were added.
class TextIndex {
 public:
  // The index, -1 if there is none.
  int32_t find(std::string_view text) const noexcept {
    const auto found = index_.find(text);
    return found == index_.end() ? -1 : found->second;
  }
  int32_t add(std::string_view text) {
    const auto index = static_cast<int32_t>(index_.size());
    return index_.emplace(text, index).first->second;
  }
  size_t size() const noexcept { return index_.size(); }

  // The texts in the order of their indexes.
  std::vector<std::string_view> texts() const {
    std::vector<std::string_view> all(index_.size());
    for (const auto& [text, index] : index_) all[static_cast<size_t>(index)] = text;
    return all;
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> index_;
};

// Collects a capture. `skipped` counts events that no column can hold, `left_out` those beyond limits.
class CaptureBuilder {
 public:
  explicit CaptureBuilder(CaptureLimits limits);

  int32_t name_id(std::string_view text);
  int32_t process_id(std::string_view id);
  int32_t track_id(std::string_view process, std::string_view id);  // -1 if there are too many
  int32_t flow_id(std::string_view key);                            // -1 if there are too many
  void name_process(std::string_view id, std::string_view name);
  void name_track(std::string_view process, std::string_view id, std::string_view name);

  // Returns the index of the slice, or -1 if it cannot be stored.
  int64_t add_slice(int32_t track, int64_t start_ns, int64_t duration_ns, int32_t name, int8_t kind, int64_t args);
  void add_point(PointRows& points, int32_t track, int64_t time_ns, int32_t name, double value);
  void add_step(int64_t slice, int64_t step);

  // The files of further columns, null if they are to stay in memory.
  const std::shared_ptr<const ColumnFiles>& files() const noexcept { return files_; }

  // Moves everything in time.
  void shift(int64_t by_ns) noexcept;

  SliceColumns slices;
  PointRows instants, counters, flow_begins, flow_ends;
  std::vector<CaptureProcess> processes;
  std::vector<CaptureTrack> tracks;
  TextIndex names;
  std::vector<StepMarker> steps;
  uint64_t skipped = 0, left_out = 0;
  bool has_other_names = false;  // whether there were more names than the limits allow

 private:
  CaptureLimits limits_;
  std::shared_ptr<const ColumnFiles> files_;
  uint64_t names_bytes_ = 0;
  TextIndex process_index_, track_index_, flow_index_;
  std::string track_key_;
};

}  // namespace lightboard
