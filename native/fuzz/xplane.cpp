// Fuzzes xplanes: the first byte says how much of the file is there, which is said to have all of it.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "../engine/xplane_decoder.hpp"

namespace {

using namespace lightboard;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "invariant violated: %s\n", what);
  std::abort();
}

XplaneLimits limits() {
  return {{200, 200, 10, 20, 1000, 20, 50, 100, int64_t{1} << 60, int64_t{1} << 62, "(other)", {"/tmp", 64}}, 20, 1000, 400};
}

// Reads a file that ends after `length` bytes, though it is said to have all of them.
XplaneDecoder decode(std::string_view data, size_t length) {
  XplaneDecoder decoder(limits(), data.size(), [data, length](uint64_t offset, uint8_t* into, size_t size) -> size_t {
    if (offset >= length) return 0;
    const size_t count = std::min<size_t>(size, length - offset);
    std::memcpy(into, data.data() + offset, count);
    return count;
  });
  decoder.decode();
  return decoder;
}

void check(XplaneDecoder& decoder, size_t size) {
  CaptureBuilder& builder = decoder.builder();
  SliceColumns& slices = builder.slices;
  const auto names = static_cast<int32_t>(builder.names.size()), tracks = static_cast<int32_t>(builder.tracks.size());
  const size_t count = slices.track.size();
  require(count <= 200 && tracks <= 10, "limits hold");
  for (size_t i = 0; i < count; i++) {
    require(slices.track[i] >= 0 && slices.track[i] < tracks, "tracks are known");
    require(slices.name[i] >= 0 && slices.name[i] < names, "names are known");
    require(slices.duration_ns[i] >= 0 && slices.duration_ns[i] <= int64_t{1} << 60, "durations are possible");
    require(slices.args[i] >= -1 && slices.args[i] < static_cast<int64_t>(size), "arguments are in the file");
    require(slices.kind[i] >= XplaneDecoder::plain && slices.kind[i] <= XplaneDecoder::step, "kinds are known");
  }
  for (PointRows* points : {&builder.instants, &builder.flow_begins, &builder.flow_ends})
    for (size_t i = 0; i < points->track.size(); i++)
      require(points->track[i] >= 0 && points->track[i] < tracks && points->name[i] < names, "points are known");
  for (const CaptureTrack& track : builder.tracks)
    require(static_cast<size_t>(track.process) < builder.processes.size(), "processes are known");
  for (const StepMarker& step : builder.steps)
    require(step.slice >= 0 && static_cast<size_t>(step.slice) < count && step.step >= 0, "steps are slices");
  require(decoder.hlo().size() == 0 || decoder.hlo().size() == count, "operations are of slices");
  for (size_t i = 0; i < decoder.hlo().size(); i++)
    require(decoder.hlo()[i] >= -1 && decoder.hlo()[i] < static_cast<int32_t>(decoder.hlo_keys().size()),
            "operations are known");
  for (const HloKey& key : decoder.hlo_keys())
    require(key.op >= 0 && static_cast<size_t>(key.op) < decoder.ops().size() && key.name < names, "keys are known");
}

void check_texts(XplaneDecoder& decoder) {
  for (const std::string_view name : decoder.builder().names.texts())
    require(replaced_utf8(name) == name, "names are text");
  require(replaced_utf8(decoder.host()) == decoder.host(), "the host is text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const std::string_view file(reinterpret_cast<const char*>(data) + 1, size - 1);
  XplaneDecoder whole = decode(file, file.size());
  check(whole, file.size());
  check_texts(whole);
  XplaneDecoder part = decode(file, file.size() * data[0] / 256);
  check(part, file.size());
  check_texts(part);
  return 0;
}
