#include "slice_rows.hpp"

#include <algorithm>
#include <vector>

namespace lightboard {
namespace {

// Where the slices of each track begin in the order of tracks, and where the last ones end.
std::vector<size_t> track_begins(const SliceRange& slices, size_t tracks) {
  std::vector<size_t> begins(tracks + 1);
  for (const int32_t track : slices.tracks) begins[static_cast<size_t>(track) + 1]++;
  for (size_t i = 1; i <= tracks; i++) begins[i] += begins[i - 1];
  return begins;
}

// The slices of one track, in the order of time.
class TrackRows {
 public:
  TrackRows(const SliceRange& slices, std::span<const int8_t> groups, int max_rows, const SliceRowColumns& out)
      : slices_(slices), groups_(groups), max_rows_(max_rows), out_(out) {}

  void arrange(std::span<int32_t> track) {
    const auto before = [this](int32_t a, int32_t b) {
      const auto first = static_cast<size_t>(a), second = static_cast<size_t>(b);
      if (slices_.starts[first] != slices_.starts[second]) return slices_.starts[first] < slices_.starts[second];
      if (slices_.durations[first] != slices_.durations[second])
        return slices_.durations[first] > slices_.durations[second];
      return a < b;
    };
    // Writers store most tracks in the order of time.
    if (!std::is_sorted(track.begin(), track.end(), before)) std::sort(track.begin(), track.end(), before);
    const int above = set_depths(track, true, 0);
    set_depths(track, false, above);
    set_self_times(track, false);
    set_self_times(track, true);
    sort_by_depth(track);
  }

 private:
  bool is_step(size_t at) const noexcept { return groups_[at] == static_cast<int8_t>(SliceGroup::step); }
  bool is_operation(size_t at) const noexcept { return groups_[at] == static_cast<int8_t>(SliceGroup::operation); }

  // Sets the depths of steps, or of all others, and returns how many rows they have with those above.
  int set_depths(std::span<const int32_t> track, bool steps, int above) {
    open_.clear();
    int rows = above;
    for (const int32_t each : track) {
      const auto at = static_cast<size_t>(each);
      if (is_step(at) != steps) continue;
      while (!open_.empty() && open_.back().end <= slices_.starts[at]) open_.pop_back();
      const auto inside = static_cast<int>(std::min(open_.size(), static_cast<size_t>(max_rows_ - 1)));
      const int depth = std::min(above + inside, max_rows_ - 1);
      out_.depth[at] = static_cast<int8_t>(depth);
      rows = std::max(rows, depth + 1);
      open_.push_back({end_of(slices_, at), at});
    }
    return rows;
  }

  // Sets the self times of operators among operators, or of all others among all slices.
  void set_self_times(std::span<const int32_t> track, bool operations) {
    open_.clear();
    for (const int32_t each : track) {
      const auto at = static_cast<size_t>(each);
      if (operations && !is_operation(at)) continue;
      while (!open_.empty() && open_.back().end <= slices_.starts[at]) open_.pop_back();
      out_.self_ns[at] = slices_.durations[at];
      const int64_t end = end_of(slices_, at);
      for (int64_t covered = slices_.starts[at]; !open_.empty() && covered < end;) {
        const OpenSlice outer = open_.back();
        const int64_t until = std::min(end, outer.end);
        if (until > covered) {
          out_.self_ns[outer.index] -= until - covered;
          covered = until;
        }
        if (outer.end > end) break;
        open_.pop_back();  // what is left of it is that of this slice
      }
      open_.push_back({end, at});
    }
  }

  // Keeps the order of time in each row.
  void sort_by_depth(std::span<int32_t> track) {
    std::vector<size_t> next(static_cast<size_t>(max_rows_) + 1);
    for (const int32_t each : track) next[static_cast<size_t>(out_.depth[each]) + 1]++;
    if (next[1] == track.size()) return;
    for (size_t i = 1; i < next.size(); i++) next[i] += next[i - 1];
    sorted_.resize(track.size());
    for (const int32_t each : track) sorted_[next[static_cast<size_t>(out_.depth[each])]++] = each;
    std::copy(sorted_.begin(), sorted_.end(), track.begin());
  }

  const SliceRange& slices_;
  std::span<const int8_t> groups_;
  int max_rows_;
  const SliceRowColumns& out_;
  std::vector<OpenSlice> open_;
  std::vector<int32_t> sorted_;
};

}  // namespace

void arrange_slices(const SliceRange& slices, std::span<const int8_t> groups, size_t tracks, int max_rows,
                    const SliceRowColumns& out) {
  const std::vector<size_t> begins = track_begins(slices, tracks);
  std::vector<size_t> next(begins.begin(), begins.end());
  for (size_t at = 0; at < slices.tracks.size(); at++)
    out.order[next[static_cast<size_t>(slices.tracks[at])]++] = static_cast<int32_t>(at);
  TrackRows rows(slices, groups, max_rows, out);
  for (size_t track = 0; track < tracks; track++)
    rows.arrange({out.order + begins[track], out.order + begins[track + 1]});
}

}  // namespace lightboard
