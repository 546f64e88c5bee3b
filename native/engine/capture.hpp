// What a profiler has captured, as columns: slices, points of time, and the names, processes and tracks of these.
// Limits are those of the pure-Python implementation, which passes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "column.hpp"

namespace lightboard {

struct CaptureLimits {
  uint64_t slices, tracks, names, flows, name_chars;
  int64_t longest_ns, epoch_ns;
  std::string other_name;  // of names beyond the limit
};

// A column of numbers that grows without copying.
template <class Number>
class NumberColumn {
 public:
  void add(Number number) {
    if (size_ == capacity_) reserve(capacity_ < 1024 ? 1024 : capacity_ + capacity_ / 2);
    column_.as<Number>()[size_++] = number;
  }
  size_t size() const noexcept { return size_; }
  Number& operator[](size_t at) noexcept { return column_.as<Number>()[at]; }
  const Number& operator[](size_t at) const noexcept { return column_.as<Number>()[at]; }

  // Its memory, exactly as long as it is. The column is empty afterwards.
  Column release() {
    column_.resize(size_ * sizeof(Number));
    size_ = capacity_ = 0;
    return std::move(column_);
  }

 private:
  void reserve(size_t count) {
    column_.resize(count * sizeof(Number));
    capacity_ = count;
  }

  Column column_;
  size_t size_ = 0, capacity_ = 0;
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
  explicit CaptureBuilder(CaptureLimits limits) : limits_(std::move(limits)) {}

  int32_t name_id(std::string_view text);
  int32_t process_id(std::string_view id);
  int32_t track_id(std::string_view process, std::string_view id);  // -1 if there are too many
  int32_t flow_id(std::string_view key);                            // -1 if there are too many
  void name_process(std::string_view id, std::string_view name);
  void name_track(std::string_view process, std::string_view id, std::string_view name);

  // Returns the index of the slice, or -1 if it cannot be stored.
  int64_t add_slice(int32_t track, int64_t start_ns, int64_t duration_ns, int32_t name, int8_t kind, int64_t args);
  void add_point(PointRows& points, int32_t track, int64_t time_ns, int32_t name, double value);

  // Moves everything in time.
  void shift(int64_t by_ns) noexcept;

  SliceColumns slices;
  PointRows instants, counters, flow_begins, flow_ends;
  std::vector<CaptureProcess> processes;
  std::vector<CaptureTrack> tracks;
  TextIndex names;
  std::vector<StepMarker> steps;
  uint64_t skipped = 0, left_out = 0;

 private:
  CaptureLimits limits_;
  TextIndex process_index_, track_index_, flow_index_;
  std::string track_key_;
};

}  // namespace lightboard
