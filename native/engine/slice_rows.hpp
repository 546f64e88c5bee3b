// The slices of a capture in rows that do not overlap, and the time that each does not share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nesting.hpp"

namespace lightboard {

// What a slice is: only operators take time from operators, and steps are in rows above all others of their track.
enum class SliceGroup : int8_t { operation, python, step };

struct SliceRowColumns {
  int32_t* order;    // the slices by track, depth, begin, and negative duration
  int8_t* depth;     // of each slice, `max_rows` - 1 at most
  int64_t* self_ns;  // of each slice
};

// Arranges slices of tracks below `tracks`, in any order. Throws std::bad_alloc.
void arrange_slices(const SliceRange& slices, std::span<const int8_t> groups, size_t tracks, int max_rows,
                    const SliceRowColumns& out);

}  // namespace lightboard
