// Decodes traces as JSON, those of PyTorch and JAX and any other in the format of Chrome's trace viewer, from pieces of
// their text. Gives the same as the pure-Python implementation, lightboard.profiles.trace_json.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture.hpp"
#include "json_scanner.hpp"

namespace lightboard {

struct JsonCaptureLimits {
  CaptureLimits capture;
  uint64_t value_bytes;
  std::vector<std::string> categories;  // those of writers that have a meaning, less than 60
};

class JsonCaptureDecoder {
 public:
  explicit JsonCaptureDecoder(JsonCaptureLimits limits) : builder_(limits.capture), limits_(std::move(limits)) {}

  // Decodes a further piece. Throws std::bad_alloc.
  void feed(std::string_view piece);

  // Decodes what is left after the last piece, and ends slices that have no end. Throws std::bad_alloc.
  void finish();

  // Nothing that follows is read.
  bool done() const noexcept { return state_ == State::done; }

  CaptureBuilder& builder() noexcept { return builder_; }
  bool found() const noexcept { return found_; }  // whether there was a list of events
  bool cut_off() const noexcept { return cut_off_; }
  uint64_t malformed() const noexcept { return malformed_; }
  uint64_t unfinished() const noexcept { return unfinished_; }
  int64_t rank() const noexcept { return rank_; }  // -1 if the file does not say
  const std::string& host() const noexcept { return host_; }

 private:
  enum class State { start, key, colon, value, events, skip_to_event, search_event, done };
  enum class Scan { whole, incomplete, malformed, cut_off };

  // An event, with the members that are used.
  struct Event {
    JsonToken phase, name, category, process, thread, time, duration, id, args;
    JsonToken args_name, step_num, bytes, allocated, device_type, device_id;
    bool has_hlo = false;
  };

  void run();
  bool step();  // This and the steps of a state return false if they need more text.
  bool step_key(char next);
  bool step_value(char next);
  bool step_events(char next);
  bool step_skip();

  // The next byte that is no space or comma, 0 at the end of the text. Returns false if it needs more.
  bool peek(char& next);
  bool need(size_t bytes) noexcept;
  bool leave(State state, bool cut_off) noexcept;
  bool skip_from_here(State state) noexcept;

  // The value at the position, and the members of an event if `event` is not null. Moves behind a whole one.
  Scan scan(JsonToken& value, Event* event);
  bool scan_event(JsonScanner& scanner, size_t& at, JsonToken& value, Event& event);
  bool scan_args(JsonScanner& scanner, size_t& at, Event& event);
  void note(const JsonToken& value);

  void add_event(const Event& event, int64_t offset);
  void add_metadata(const Event& event);
  void add_slice(const Event& event, int32_t track, int64_t time_ns, int64_t offset);
  void add_samples(const Event& event, int32_t track, int64_t time_ns);
  void add_instant(const Event& event, int32_t track, int64_t time_ns);
  void add_flow(const Event& event, int32_t track, int64_t time_ns, PointRows& points);
  void end_slice(int32_t track, int64_t time_ns);
  int32_t track_of(const Event& event);
  std::string_view name_of(const Event& event);

  // 0 and 1 without a category, 1 for an operation of XLA; 2 for an unknown one; then those of `categories`.
  int8_t kind_of(const Event& event);
  bool is_text(const JsonToken& token, std::string_view wanted);
  bool nanoseconds(const JsonToken& token, int64_t& out);
  int64_t step_of(const Event& event);

  CaptureBuilder builder_;
  JsonCaptureLimits limits_;
  std::string text_;          // what has not been decoded, from `at_`
  size_t at_ = 0;
  uint64_t offset_ = 0;       // of the beginning of `text_` in the file
  uint64_t wanted_ = 0;       // how much of the file must be there to go on
  State state_ = State::start;
  bool ended_ = false, found_ = false, in_object_ = false, cut_off_ = false;
  std::string key_;
  uint64_t malformed_ = 0, unfinished_ = 0;
  int64_t rank_ = -1, base_ns_ = 0, last_ns_ = 0;
  std::string host_;
  std::unordered_map<int32_t, std::vector<int64_t>> open_;  // slices that have begun, by their tracks
  std::string scratch_, name_scratch_, process_scratch_, thread_scratch_;
};

}  // namespace lightboard
