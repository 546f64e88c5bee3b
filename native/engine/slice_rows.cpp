#include "slice_rows.hpp"

#include <algorithm>
#include <vector>

namespace lightboard {
namespace {

// Where the slices of each track begin in the order of tracks, and where the last ones end.
std::vector<size_t> track_begins(const SliceRange& slices, size_t tracks, UsedPages& pages) {
  std::vector<size_t> begins(tracks + 1);
  for (size_t at = 0; at < slices.tracks.size(); at++) {
    pages.use(at);
    begins[static_cast<size_t>(slices.tracks[at]) + 1]++;
  }
  for (size_t i = 1; i <= tracks; i++) begins[i] += begins[i - 1];
  return begins;
}

// The slices of one track, in the order of time.
class TrackRows {
 public:
  TrackRows(const SliceRange& slices, std::span<const int8_t> groups, const SliceRowLimits& limits, UsedPages& pages,
            const SliceRowColumns& out)
      : slices_(slices), groups_(groups), limits_(limits), pages_(pages), out_(out) {}

  // `order` receives the slices by depth.
  void arrange(std::span<int32_t> track, int32_t* order) {
    const auto before = [this](int32_t a, int32_t b) {
      const auto first = static_cast<size_t>(a), second = static_cast<size_t>(b);
      pages_.use(second);
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
    if (out_.module != nullptr) set_modules(track);
    sort_by_depth(track, order);
  }

 private:
  bool is_in(SliceGroup group, size_t at) const noexcept {
    return (groups_[at] & ~module_mark) == static_cast<int8_t>(group);
  }
  bool is_step(size_t at) const noexcept { return is_in(SliceGroup::step, at); }
  bool is_operation(size_t at) const noexcept { return is_in(SliceGroup::operation, at); }

  // The slices of a track in its order, of which pages are counted.
  template <class Each>
  void for_each(std::span<const int32_t> track, Each&& each) {
    for (const int32_t slice : track) {
      pages_.use(static_cast<size_t>(slice));
      each(static_cast<size_t>(slice));
    }
  }

  void close_before(int64_t start) noexcept {
    while (!open_.empty() && open_.back().end <= start) open_.pop_back();
  }

  // Sets the depths of steps, or of all others, and returns how many rows they have with those above.
  int set_depths(std::span<const int32_t> track, bool steps, int above) {
    open_.clear();
    int rows = above;
    for_each(track, [&](size_t at) {
      if (is_step(at) != steps) return;
      close_before(slices_.starts[at]);
      const auto inside = static_cast<int>(std::min(open_.size(), static_cast<size_t>(limits_.rows - 1)));
      const int depth = std::min(above + inside, limits_.rows - 1);
      out_.depth[at] = static_cast<int8_t>(depth);
      rows = std::max(rows, depth + 1);
      open_.push_back({end_of(slices_, at), at});
    });
    return rows;
  }

  // Sets the self times of operators among operators, or of all others among all slices.
  void set_self_times(std::span<const int32_t> track, bool operations) {
    open_.clear();
    for_each(track, [&](size_t at) {
      if (operations && !is_operation(at)) return;
      close_before(slices_.starts[at]);
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
    });
  }

  void set_modules(std::span<const int32_t> track) {
    open_.clear();
    for_each(track, [&](size_t at) {
      close_before(slices_.starts[at]);
      out_.module[at] = open_.empty() ? -1 : static_cast<int32_t>(open_.back().index);
      if ((groups_[at] & module_mark) != 0 && open_.size() < limits_.modules)
        open_.push_back({end_of(slices_, at), at});
    });
  }

  // Keeps the order of time in each row.
  void sort_by_depth(std::span<const int32_t> track, int32_t* order) {
    std::vector<size_t> next(static_cast<size_t>(limits_.rows) + 1);
    for_each(track, [&](size_t at) { next[static_cast<size_t>(out_.depth[at]) + 1]++; });
    for (size_t i = 1; i < next.size(); i++) next[i] += next[i - 1];
    for_each(track,
             [&](size_t at) { order[next[static_cast<size_t>(out_.depth[at])]++] = static_cast<int32_t>(at); });
  }

  const SliceRange& slices_;
  std::span<const int8_t> groups_;
  SliceRowLimits limits_;
  UsedPages& pages_;
  const SliceRowColumns& out_;
  std::vector<OpenSlice> open_;
};

}  // namespace

void UsedPages::let_go() noexcept {
  for (FileColumn* column : columns_) column->let_go();
  count_ = 0;
}

void arrange_slices(const SliceRange& slices, std::span<const int8_t> groups, size_t tracks,
                    const SliceRowLimits& limits, UsedPages& pages, const SliceRowColumns& out) {
  const std::vector<size_t> begins = track_begins(slices, tracks, pages);
  std::vector<size_t> next(begins.begin(), begins.end());
  for (size_t at = 0; at < slices.tracks.size(); at++) {
    pages.use(at);
    out.by_time[next[static_cast<size_t>(slices.tracks[at])]++] = static_cast<int32_t>(at);
  }
  TrackRows rows(slices, groups, limits, pages, out);
  for (size_t track = 0; track < tracks; track++)
    rows.arrange({out.by_time + begins[track], out.by_time + begins[track + 1]}, out.order + begins[track]);
  pages.let_go();
}

}  // namespace lightboard
