// Fuzzes traces as JSON: the first bytes say into which pieces the text is split, and how long values may be. The
// result must not depend on the pieces.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <tuple>
#include <vector>

#include "../engine/nesting.hpp"
#include "../engine/trace_decoder.hpp"

namespace {

using namespace lightboard;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "invariant violated: %s\n", what);
  std::abort();
}

JsonCaptureDecoder decode(std::string_view text, size_t piece, uint64_t value_bytes) {
  JsonCaptureLimits limits;
  limits.capture = {40, 40, 6, 30, 200, 5, 10, 20, int64_t{1} << 60, int64_t{1} << 62, "(other)", {"/tmp", 64}};
  limits.value_bytes = value_bytes;
  limits.categories = {"cpu_op", "kernel"};
  JsonCaptureDecoder decoder(limits);
  for (size_t at = 0; at < text.size() && !decoder.done(); at += piece) decoder.feed(text.substr(at, piece));
  decoder.finish();
  return decoder;
}

void check_points(PointRows& points, CaptureBuilder& builder) {
  for (size_t i = 0; i < points.track.size(); i++)
    require(static_cast<size_t>(points.track[i]) < builder.tracks.size() &&
                static_cast<size_t>(points.name[i]) < builder.names.size(),
            "tracks and names of points exist");
}

void check_slices(SliceColumns& slices, CaptureBuilder& builder) {
  const size_t count = slices.track.size();
  require(count <= 40 && builder.tracks.size() <= 6 && builder.names.size() <= 31, "limits hold");
  for (size_t i = 0; i < count; i++)
    require(static_cast<size_t>(slices.track[i]) < builder.tracks.size() &&
                static_cast<size_t>(slices.name[i]) < builder.names.size() && slices.duration_ns[i] >= 0,
            "tracks and names of slices exist, and none ends before it begins");
}

struct SortedSlices {
  std::vector<int32_t> track;
  std::vector<int64_t> start_ns, duration_ns;
};

template <typename Slices>
SliceRange range_of(Slices& slices) {
  const size_t count = slices.track.size();
  return {{&slices.track[0], count}, {&slices.start_ns[0], count}, {&slices.duration_ns[0], count}};
}

// Slices by track and begin, one before those that it contains.
SortedSlices in_order(SliceColumns& slices) {
  std::vector<size_t> order(slices.track.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t at) {
    return std::tuple(slices.track[at], slices.start_ns[at], -slices.duration_ns[at]);
  });
  SortedSlices sorted;
  for (const size_t at : order) {
    sorted.track.push_back(slices.track[at]);
    sorted.start_ns.push_back(slices.start_ns[at]);
    sorted.duration_ns.push_back(slices.duration_ns[at]);
  }
  return sorted;
}

void check_nesting(SliceColumns& slices) {
  const size_t count = slices.track.size();
  if (count == 0) return;
  std::vector<int64_t> selves(count);
  std::vector<int32_t> outer(count);
  const std::vector<uint8_t> marks(count, 1);
  // Out of order they mean nothing, but do no harm.
  self_times(range_of(slices), selves.data());
  std::vector<int8_t> groups(count);
  for (size_t i = 0; i < count; i++) groups[i] = static_cast<int8_t>(slices.name[i] % 3);
  innermost(range_of(slices), groups);
  SortedSlices sorted = in_order(slices);
  const SliceRange range = range_of(sorted);
  self_times(range, selves.data());
  enclosing(range, marks, 3, outer.data());
  for (size_t i = 0; i < count; i++)
    require(outer[i] < static_cast<int32_t>(i) && selves[i] >= 0 && selves[i] <= sorted.duration_ns[i],
            "slices contain later ones");
  uint64_t left[3] = {};  // sums may overflow
  for (size_t i = 0; i < count; i++) left[groups[i]] += static_cast<uint64_t>(selves[i]);
  const Segments segments = innermost(range, groups);
  for (size_t i = 0; i < segments.slice.size(); i++)
    left[groups[static_cast<size_t>(segments.slice[i])]] -= static_cast<uint64_t>(segments.end[i] - segments.begin[i]);
  require(std::ranges::all_of(left, [](uint64_t each) { return each == 0; }),
          "stretches of a group add up to the self times of its slices");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const uint64_t value_bytes = data[1] < 128 ? 1 << 20 : data[1];
  JsonCaptureDecoder whole = decode(text, std::max<size_t>(text.size(), 1), value_bytes);
  JsonCaptureDecoder pieces = decode(text, size_t{data[0]} + 1, value_bytes);
  CaptureBuilder &one = whole.builder(), &other = pieces.builder();
  require(whole.found() == pieces.found() && whole.cut_off() == pieces.cut_off() &&
              whole.malformed() == pieces.malformed() && one.skipped == other.skipped &&
              one.left_out == other.left_out && one.slices.track.size() == other.slices.track.size() &&
              one.names.texts() == other.names.texts() && one.steps.size() == other.steps.size(),
          "the result does not depend on the pieces");
  check_slices(one.slices, one);
  for (PointRows* points : {&one.instants, &one.counters, &one.flow_begins, &one.flow_ends}) check_points(*points, one);
  check_nesting(one.slices);
  return 0;
}
