// The slices of a capture in rows that do not overlap, and the time that each does not share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "file_column.hpp"
#include "nesting.hpp"

namespace lightboard {

// What a slice is: only operators take time from operators, and steps are in rows above all others of their track.
enum class SliceGroup : int8_t { operation, python, step };

// What is added to the group of a slice that is the call of a module.
inline constexpr int8_t module_mark = 4;

struct SliceRowColumns {
  int32_t* order;    // the slices by track, depth, begin, and negative duration
  int8_t* depth;     // of each slice, `max_rows` - 1 at most
  int64_t* self_ns;  // of each slice
  int32_t* by_time;  // room for the slices by track, begin, and negative duration
  int32_t* module;   // the innermost module around each slice, -1 if there is none; null if nobody asks
};

struct SliceRowLimits {
  int rows;        // of a track
  size_t modules;  // around a slice; those within more of them contain nothing
};

// Lets columns in files out of memory each time that enough of them was used.
class UsedPages {
 public:
  explicit UsedPages(std::vector<FileColumn*> columns) noexcept : columns_(std::move(columns)) {}

  void use(size_t slice) noexcept {
    if (slice / page_slices == last_) return;
    last_ = slice / page_slices;
    if (++count_ >= most) let_go();
  }
  void let_go() noexcept;

 private:
  static constexpr size_t page_slices = 512;  // those of a page of times
  static constexpr size_t most = 1024;        // pages of a column; systems map a few more around each
  std::vector<FileColumn*> columns_;
  size_t last_ = 0, count_ = 0;
};

// Arranges slices of tracks below `tracks`, in any order. Throws std::bad_alloc.
void arrange_slices(const SliceRange& slices, std::span<const int8_t> groups, size_t tracks,
                    const SliceRowLimits& limits, UsedPages& pages, const SliceRowColumns& out);

}  // namespace lightboard
