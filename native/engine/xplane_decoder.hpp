// Decodes an XSpace, the captures of TensorFlow, Keras and JAX: see xplane.proto. Gives the same as the pure-Python
// implementation, lightboard.profiles.xplane.
//
// Events are read one at a time; what describes them may follow them, so the bytes of lines are noted first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture.hpp"
#include "messages.hpp"

namespace lightboard {

struct XplaneLimits {
  CaptureLimits capture;
  uint64_t lines;       // of a plane
  uint64_t event_bytes; // larger events are left out
  uint64_t text_bytes;  // longer names are cut
};

// A file that is read where it is needed. Only the part around the last position is in memory.
class RangeSource {
 public:
  // Reads up to so many bytes at an offset, fewer only at the end of the file. May throw.
  using Read = std::function<size_t(uint64_t offset, uint8_t* into, size_t size)>;

  explicit RangeSource(Read read) : read_(std::move(read)) {}

  // Up to `size` bytes from `at` on, fewer only at the end of the file. Valid until the next call.
  std::string_view view(uint64_t at, uint64_t size) {
    if (at < begin_ || at - begin_ > held_ || size > held_ - (at - begin_)) [[unlikely]]
      load(at, size);
    const uint64_t from = at - begin_;
    return {reinterpret_cast<const char*>(bytes_.data()) + from, static_cast<size_t>(std::min(size, held_ - from))};
  }

 private:
  void load(uint64_t at, uint64_t size);

  Read read_;
  uint64_t begin_ = 0, held_ = 0;
  bool at_end_ = false;  // there is nothing after what is held
  std::vector<uint8_t> bytes_;
};

// Which operation of XLA a slice has run: the number of its program, the index of its name among those of operations,
// and the index of the name of the slice.
struct HloKey {
  int64_t program;
  int32_t op, name;
  bool operator==(const HloKey&) const = default;
};

class XplaneDecoder {
 public:
  // What the stats of a slice say about it.
  enum Kind : int8_t { plain, operation, step };

  XplaneDecoder(XplaneLimits limits, uint64_t size_bytes, RangeSource::Read read)
      : builder_(limits.capture), limits_(std::move(limits)), size_(size_bytes), source_(std::move(read)) {
    hlo_.keep_in(builder_.files());
  }

  // Decodes all, once. Throws std::bad_alloc, and what `read` throws.
  void decode();

  CaptureBuilder& builder() noexcept { return builder_; }
  bool found() const noexcept { return found_; }  // whether there was a plane
  bool cut() const noexcept { return cut_; }      // whether something was malformed or is missing
  const std::string& host() const noexcept { return host_; }

  // Where in the file the last event that was decoded begins.
  uint64_t decoded() const noexcept { return decoded_; }

  const TextIndex& ops() const noexcept { return ops_; }
  const std::vector<HloKey>& hlo_keys() const noexcept { return hlo_keys_; }

  // For each slice the index of its key, -1 if it has none. Empty if no slice has one.
  NumberColumn<int32_t>& hlo() noexcept { return hlo_; }

 private:
  class Fields;
  enum class Role : int8_t { none, step_num, hlo_op, program_id, producer, consumer };

  struct EventName {
    std::string text;
    int32_t id = -1;  // in the capture, once it is used
  };
  struct StatName {
    std::string text;
    Role role = Role::none;
    int32_t op = -1;  // among the names of operations, once it is used
  };
  struct Plane {
    int64_t id = 0;
    std::string name;
    std::vector<Span> lines;
    std::unordered_map<int64_t, EventName> events;
    std::unordered_map<int64_t, StatName> stats;
  };
  struct Event {
    int64_t metadata = 0, offset_ps = 0, duration_ps = 0;
    int64_t step_num = 0, program = 0, flow_out = 0, flow_in = 0;
    std::string_view op;             // in the file or the name of a stat, valid until the source is read again
    StatName* op_stat = nullptr;
    bool has_step = false, has_hlo = false, has_out = false, has_in = false, has_stats = false;
  };

  Plane plane_of(uint64_t begin, uint64_t end);
  template <class Entry>
  void read_entry(std::unordered_map<int64_t, Entry>& names, uint64_t begin, uint64_t end);
  void read_plane(Plane& plane);
  void read_line(Plane& plane, const std::string& process, Span line);
  bool read_event(Plane& plane, uint64_t begin, uint64_t end, Event& event);
  bool read_stat(Plane& plane, std::string_view data, uint64_t begin, uint64_t end, Event& event);
  void add_event(Plane& plane, int32_t track, int64_t start_ns, uint64_t offset, const Event& event);
  void add_flow(PointRows& points, int32_t track, int64_t time_ns, int32_t name, int64_t flow);
  void add_hlo(int64_t slice, int32_t name, const Event& event);
  int32_t op_id(const Event& event);
  std::string text(uint64_t begin, uint64_t end);

  struct KeyHash {
    size_t operator()(const HloKey& key) const noexcept {
      const auto both = static_cast<uint64_t>(key.op) << 32 | static_cast<uint32_t>(key.name);
      return std::hash<uint64_t>{}((static_cast<uint64_t>(key.program) * 0x9E3779B97F4A7C15u) ^ both * 0xC2B2AE3D27D4EB4Fu);
    }
  };

  CaptureBuilder builder_;
  XplaneLimits limits_;
  uint64_t size_, decoded_ = 0;
  RangeSource source_;
  bool found_ = false, cut_ = false;
  std::string host_;
  TextIndex ops_;
  std::vector<HloKey> hlo_keys_;
  std::unordered_map<HloKey, int32_t, KeyHash> hlo_index_;
  NumberColumn<int32_t> hlo_;
};

// Bytes as text in UTF-8, with a replacement character for each part that is invalid, as Python decodes them.
std::string replaced_utf8(std::string_view bytes);

}  // namespace lightboard
