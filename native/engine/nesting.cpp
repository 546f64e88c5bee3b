#include "nesting.hpp"

#include <algorithm>
#include <vector>

namespace lightboard {
namespace {

// Removes what has ended, and all when another track begins.
void close(std::vector<OpenSlice>& open, const SliceRange& slices, size_t at) noexcept {
  if (at > 0 && slices.tracks[at] != slices.tracks[at - 1]) open.clear();
  while (!open.empty() && open.back().end <= slices.starts[at]) open.pop_back();
}

}  // namespace

void self_times(const SliceRange& slices, int64_t* out) {
  std::vector<OpenSlice> open;
  for (size_t at = 0; at < slices.tracks.size(); at++) {
    close(open, slices, at);
    out[at] = slices.durations[at];
    const int64_t end = end_of(slices, at);
    for (int64_t covered = slices.starts[at]; !open.empty() && covered < end;) {
      const OpenSlice outer = open.back();
      const int64_t until = std::min(end, outer.end);
      if (until > covered) {
        out[outer.index] -= until - covered;
        covered = until;
      }
      if (outer.end > end) break;
      open.pop_back();  // what is left of it is that of this slice
    }
    open.push_back({end, at});
  }
}

void enclosing(const SliceRange& slices, std::span<const uint8_t> marked, size_t max_depth, int32_t* out) {
  std::vector<OpenSlice> open;
  for (size_t at = 0; at < slices.tracks.size(); at++) {
    close(open, slices, at);
    out[at] = open.empty() ? -1 : static_cast<int32_t>(open.back().index);
    if (marked[at] != 0 && open.size() < max_depth) open.push_back({end_of(slices, at), at});
  }
}

Segments innermost(const SliceRange& slices, std::span<const int8_t> groups) {
  Segments out;
  std::vector<OpenSlice> open;
  int64_t covered = 0;  // until when the stretches of this track are in `out`
  const auto append = [&](size_t slice, int64_t end) {
    if (!out.slice.empty() && out.end.back() == covered) {
      const auto last = static_cast<size_t>(out.slice.back());
      if (groups[last] == groups[slice] && slices.tracks[last] == slices.tracks[slice]) {
        out.end.back() = end;
        return;
      }
    }
    out.slice.push_back(static_cast<int32_t>(slice));
    out.begin.push_back(covered);
    out.end.push_back(end);
  };
  const auto cover_until = [&](int64_t moment) {
    while (!open.empty() && covered < moment) {
      const int64_t end = std::min(open.back().end, moment);
      if (end > covered) {
        append(open.back().index, end);
        covered = end;
      }
      if (open.back().end <= covered) open.pop_back();
    }
  };
  for (size_t at = 0; at < slices.tracks.size(); at++) {
    if (at > 0 && slices.tracks[at] != slices.tracks[at - 1]) {
      cover_until(std::numeric_limits<int64_t>::max());
      open.clear();
    }
    cover_until(slices.starts[at]);
    covered = slices.starts[at];
    open.push_back({end_of(slices, at), at});
  }
  cover_until(std::numeric_limits<int64_t>::max());
  return out;
}

}  // namespace lightboard
