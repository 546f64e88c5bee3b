// Which slices contain others, for slices in the order of track and begin, a slice before those that it contains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace lightboard {

struct SliceRange {
  std::span<const int32_t> tracks;
  std::span<const int64_t> starts, durations;
};

// A slice that has begun, until it ends.
struct OpenSlice {
  int64_t end;
  size_t index;
};

inline int64_t end_of(const SliceRange& slices, size_t at) noexcept {
  constexpr int64_t latest = std::numeric_limits<int64_t>::max();
  const int64_t start = slices.starts[at], duration = slices.durations[at];
  return start > latest - duration ? latest : start + duration;
}

// For each slice, the time in which no other one runs that began later on its track. Throws std::bad_alloc.
void self_times(const SliceRange& slices, int64_t* out);

// For each slice, the index of the innermost marked one around it, -1 if there is none. Marked ones within `max_depth`
// others contain nothing. Throws std::bad_alloc.
void enclosing(const SliceRange& slices, std::span<const uint8_t> marked, size_t max_depth, int32_t* out);

// Stretches of time, each with its first slice: columns of the same length.
struct Segments {
  std::vector<int32_t> slice;
  std::vector<int64_t> begin, end;
};

// When the slices of a group are those that began last among those that run on their track; there is a group for each
// slice. The stretches of a group add up to the self times of its slices; those of a track are in the order of time and
// do not overlap, and those that touch are of different groups. Throws std::bad_alloc.
Segments innermost(const SliceRange& slices, std::span<const int8_t> groups);

}  // namespace lightboard
