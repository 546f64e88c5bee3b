#include "trace_decoder.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lightboard {
namespace {

constexpr std::string_view step_prefix = "ProfilerStep#", recording = "Trace", memory_event = "[memory]",
                           allocated_memory = "allocated memory ";
constexpr size_t max_id_chars = 200, max_flow_chars = 100, max_search_bytes = 64, max_search_spaces = 20;
constexpr size_t number_tail = 2;  // a number may go on after so many bytes that are not part of it yet: 1 in 1e+7
constexpr int64_t max_count = int64_t{1} << 53;

bool is_number(JsonKind kind) noexcept {
  switch (kind) {
    case JsonKind::integer:
    case JsonKind::real:
    case JsonKind::nan:
    case JsonKind::infinity:
    case JsonKind::yes:
    case JsonKind::no:
      return true;
    default:
      return false;
  }
}

bool is_digits(std::string_view text) noexcept {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// An integer of 64 bits. Returns false if the token is none.
bool to_integer(const JsonToken& token, int64_t& out) noexcept {
  if (token.kind != JsonKind::integer) return false;
  const char* const end = token.text.data() + token.text.size();
  const auto [stop, error] = std::from_chars(token.text.data(), end, out);
  return error == std::errc() && stop == end;
}

// Whether a text is a number as JSON writes it, apart from leading zeros.
bool is_number_text(std::string_view text) noexcept {
  size_t at = text.starts_with('-');
  const auto digits = [&] {
    const size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') at++;
    return at > begin;
  };
  if (!digits()) return false;
  if (at < text.size() && text[at] == '.') {
    at++;
    if (!digits()) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    at++;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) at++;
    if (!digits()) return false;
  }
  return at == text.size();
}

// A number of a counter or an allocation. Returns false if it is none, or as large as no such number is.
bool to_amount(const JsonToken& token, double& out) noexcept {
  if (token.kind == JsonKind::yes || token.kind == JsonKind::no)
    out = token.kind == JsonKind::yes;
  else if (token.kind == JsonKind::integer || token.kind == JsonKind::real)
    out = to_double(token.text);
  else
    return false;
  return std::abs(out) < 1e300;
}

// Whether a value is not false, zero or empty.
bool is_truthy(const JsonToken& token) noexcept {
  switch (token.kind) {
    case JsonKind::object:
    case JsonKind::array:
      return token.text.find_first_not_of(" \t\n\r", 1) != token.text.size() - 1;
    case JsonKind::string:
      return !token.text.empty();
    case JsonKind::integer:
    case JsonKind::real:
      return to_double(token.text) != 0;
    default:
      return token.kind == JsonKind::yes || token.kind == JsonKind::nan || token.kind == JsonKind::infinity;
  }
}

// A process or a thread, which writers name by number or by text.
std::string_view id_of(const JsonToken& token, std::string& scratch) {
  if (token.kind == JsonKind::string) return first_chars(text_of(token, scratch), max_id_chars);
  if (token.kind == JsonKind::integer) return token.text == "-0" ? "0" : token.text.substr(0, max_id_chars);
  if (token.kind != JsonKind::real) return {};
  const double number = to_double(token.text);
  if (std::abs(number) >= static_cast<double>(max_count) || number != std::trunc(number)) return {};
  return scratch = std::to_string(static_cast<int64_t>(number));
}

// As `trace_json.device_name`, with the same numbers of c10::DeviceType.
std::string device_name(const JsonToken& kind, const JsonToken& number, std::string& scratch) {
  constexpr std::pair<int64_t, std::string_view> types[] = {{0, "CPU"},  {1, "GPU"},  {6, "GPU"},  {12, "XPU"},
                                                            {13, "MPS"}, {15, "HPU"}, {19, "MTIA"}};
  std::string name;
  int64_t value = 0;
  if (to_integer(kind, value))
    for (const auto& [type, text] : types)
      if (type == value) name = text;
  if (name == "CPU") return name;
  if (name.empty()) {
    const std::string_view id = id_of(kind, scratch);
    name = "device ";
    name += id.empty() ? "?" : id;
  }
  if (!to_integer(number, value) || value < 0 || value >= int64_t{1} << 31) value = 0;
  return name + ":" + std::to_string(value);
}

bool is_json_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Whether an event may begin with the brace at `at`.
bool begins_event(std::string_view text, size_t at) noexcept {
  const auto skip = [&] {
    for (size_t i = 0; i < max_search_spaces && at < text.size() && is_json_space(text[at]); i++) at++;
  };
  at++;
  skip();
  const std::string_view rest = text.substr(std::min(at, text.size()));
  for (const std::string_view key : {"\"ph\"", "\"name\"", "\"cat\"", "\"pid\"", "\"ts\"", "\"args\""}) {
    if (!rest.starts_with(key)) continue;
    at += key.size();
    skip();
    return at < text.size() && text[at] == ':';
  }
  return false;
}

}  // namespace

void JsonCaptureDecoder::feed(std::string_view piece) {
  if (at_ > 0) {
    text_.erase(0, at_);
    offset_ += at_;
    at_ = 0;
  }
  text_ += piece;
  if (offset_ + text_.size() >= wanted_) run();
}

void JsonCaptureDecoder::finish() {
  ended_ = true;
  run();
  for (const auto& [track, slices] : open_)
    for (const int64_t slice : slices) {
      const auto at = static_cast<size_t>(slice);
      builder_.slices.duration_ns[at] = std::max<int64_t>(0, last_ns_ - builder_.slices.start_ns[at]);
      unfinished_++;
    }
  open_.clear();
  builder_.shift(base_ns_);
  base_ns_ = 0;
}

void JsonCaptureDecoder::run() {
  while (!done() && step()) {
  }
}

bool JsonCaptureDecoder::need(size_t bytes) noexcept {
  wanted_ = offset_ + text_.size() + bytes;
  return false;
}

bool JsonCaptureDecoder::leave(State state, bool cut_off) noexcept {
  state_ = state;
  cut_off_ = cut_off_ || cut_off;
  return true;
}

bool JsonCaptureDecoder::peek(char& next) {
  const auto is_skipped = [](char c) { return is_json_space(c) || c == ',' || c == '\f' || c == '\v' || c == '\0'; };
  while (at_ < text_.size() && is_skipped(text_[at_])) at_++;
  if (at_ == text_.size() && !ended_) return need(1);
  next = at_ < text_.size() ? text_[at_] : '\0';
  return true;
}

JsonCaptureDecoder::Scan JsonCaptureDecoder::scan(JsonToken& value, Event* event) {
  JsonScanner scanner(text_);
  size_t end = at_;
  const bool is_event = event != nullptr && end < text_.size() && text_[end] == '{';
  if (is_event ? scan_event(scanner, end, value, *event) : scanner.value(end, value, 0)) {
    if (end - at_ > limits_.value_bytes) return Scan::malformed;
    if (text_.size() - end > number_tail || ended_ || !is_number(value.kind)) {
      at_ = end;
      return Scan::whole;
    }
  } else if (!scanner.may_go_on()) {
    return Scan::malformed;
  }
  const size_t rest = text_.size() - at_;
  if (rest > limits_.value_bytes) return Scan::malformed;
  if (ended_) return Scan::cut_off;
  need(rest);
  return Scan::incomplete;
}

bool JsonCaptureDecoder::skip_from_here(State state) noexcept {
  malformed_++;
  at_++;
  return leave(state, false);
}

bool JsonCaptureDecoder::step() {
  char next = 0;
  switch (state_) {
    case State::start:
      if (!peek(next)) return false;
      if (next == '[') found_ = true;
      in_object_ = next == '{';
      at_ += next == '[' || next == '{';
      return leave(next == '[' ? State::events : next == '{' ? State::key : State::done, false);
    case State::key:
      return peek(next) && step_key(next);
    case State::colon:
      if (!peek(next)) return false;
      at_ += next == ':';
      return leave(State::value, false);
    case State::value:
      return peek(next) && step_value(next);
    case State::events:
      return peek(next) && step_events(next);
    case State::skip_to_event:
    case State::search_event:
      return step_skip();
    case State::done:
      break;
  }
  return false;
}

bool JsonCaptureDecoder::step_key(char next) {
  if (next == '}' || next == '\0') return leave(State::done, next == '\0');
  if (next != '"') return skip_from_here(State::search_event);
  JsonToken key;
  switch (scan(key, nullptr)) {
    case Scan::incomplete:
      return false;
    case Scan::malformed:
      return skip_from_here(State::search_event);
    case Scan::cut_off:
      return leave(State::done, true);
    case Scan::whole:
      break;
  }
  key_ = text_of(key, scratch_);
  return leave(State::colon, false);
}

bool JsonCaptureDecoder::step_value(char next) {
  if (next == '[' && key_ == "traceEvents") {
    at_++;
    found_ = true;
    return leave(State::events, false);
  }
  JsonToken value;
  switch (scan(value, nullptr)) {
    case Scan::incomplete:
      return false;
    case Scan::malformed:
      return skip_from_here(State::search_event);
    case Scan::cut_off:
      return leave(State::done, true);
    case Scan::whole:
      break;
  }
  note(value);
  return leave(State::key, false);
}

bool JsonCaptureDecoder::step_events(char next) {
  if (next == '\0') return leave(State::done, true);
  if (next == ']') {
    at_++;
    return leave(in_object_ ? State::key : State::done, false);
  }
  JsonToken value;
  Event event;
  const auto offset = static_cast<int64_t>(offset_ + at_);
  switch (scan(value, &event)) {
    case Scan::incomplete:
      return false;
    case Scan::malformed:
      return skip_from_here(State::skip_to_event);
    case Scan::cut_off:
      return leave(State::done, true);
    case Scan::whole:
      break;
  }
  if (value.kind == JsonKind::object) add_event(event, offset);
  return true;
}

bool JsonCaptureDecoder::step_skip() {
  const bool inside = state_ == State::skip_to_event;
  for (size_t brace = at_; (brace = text_.find('{', brace)) != std::string::npos; brace++) {
    if (!begins_event(text_, brace)) continue;
    at_ = brace;
    found_ = true;
    in_object_ = in_object_ && inside;
    return leave(State::events, false);
  }
  at_ = std::max(at_, text_.size() - std::min(text_.size(), max_search_bytes));
  return ended_ ? leave(State::done, inside) : need(1);
}

bool JsonCaptureDecoder::scan_event(JsonScanner& scanner, size_t& at, JsonToken& value, Event& event) {
  const size_t begin = at;
  const auto member = [&](const JsonToken& key) {
    JsonToken ignored;
    JsonToken* into = &ignored;
    const std::string_view name = text_of(key, scratch_);
    if (name == "ph") into = &event.phase;
    if (name == "name") into = &event.name;
    if (name == "cat") into = &event.category;
    if (name == "pid") into = &event.process;
    if (name == "tid") into = &event.thread;
    if (name == "ts") into = &event.time;
    if (name == "dur") into = &event.duration;
    if (name == "id") into = &event.id;
    if (name != "args") return scanner.value(at, *into, 1);
    event.args_name = event.step_num = event.bytes = JsonToken();
    event.allocated = event.device_type = event.device_id = JsonToken();
    event.has_hlo = false;
    return scan_args(scanner, at, event);
  };
  if (!scanner.members(at, 1, member)) return false;
  value = {JsonKind::object, false, std::string_view(text_).substr(begin, at - begin)};
  return true;
}

bool JsonCaptureDecoder::scan_args(JsonScanner& scanner, size_t& at, Event& event) {
  if (at >= text_.size() || text_[at] != '{') return scanner.value(at, event.args, 1);
  const size_t begin = at;
  const auto member = [&](const JsonToken& key) {
    JsonToken ignored;
    JsonToken* into = &ignored;
    const std::string_view name = text_of(key, scratch_);
    if (name == "name") into = &event.args_name;
    if (name == "step_num") into = &event.step_num;
    if (name == "Bytes") into = &event.bytes;
    if (name == "Total Allocated") into = &event.allocated;
    if (name == "Device Type") into = &event.device_type;
    if (name == "Device Id") into = &event.device_id;
    event.has_hlo = event.has_hlo || name == "hlo_op";
    return scanner.value(at, *into, 2);
  };
  if (!scanner.members(at, 2, member)) return false;
  event.args = {JsonKind::object, false, std::string_view(text_).substr(begin, at - begin)};
  return true;
}

void JsonCaptureDecoder::note(const JsonToken& value) {
  int64_t number = 0;
  if (key_ == "baseTimeNanoseconds") {
    constexpr int64_t limit = int64_t{1} << 62;
    if (to_integer(value, number) && -limit < number && number < limit) base_ns_ = number;
  } else if (key_ == "distributedInfo" && value.kind == JsonKind::object) {
    JsonScanner scanner(value.text);
    JsonToken rank;
    size_t at = 0;
    scanner.members(at, 1, [&](const JsonToken& key) {
      JsonToken ignored;
      return scanner.value(at, text_of(key, scratch_) == "rank" ? rank : ignored, 1);
    });
    if (to_integer(rank, number) && number >= 0 && number < max_count) rank_ = number;
  } else if (key_ == "host_name" && value.kind == JsonKind::string) {
    host_ = text_of(value, scratch_);
  }
}

void JsonCaptureDecoder::add_event(const Event& event, int64_t offset) {
  if (event.phase.kind != JsonKind::string) return;
  const std::string_view phase_text = text_of(event.phase, scratch_);
  if (phase_text.size() != 1 || std::string_view("MXBEiIRCstf").find(phase_text[0]) == std::string_view::npos) return;
  const char phase = phase_text[0];
  if (phase == 'M') return add_metadata(event);
  int64_t time_ns = 0;
  if (!nanoseconds(event.time, time_ns)) {
    builder_.skipped++;
    return;
  }
  last_ns_ = std::max(last_ns_, time_ns);
  const int32_t track = track_of(event);
  switch (phase) {
    case 'X':
    case 'B':
      return add_slice(event, track, time_ns, offset);
    case 'E':
      return end_slice(track, time_ns);
    case 'C':
      return add_samples(event, track, time_ns);
    case 's':
      return add_flow(event, track, time_ns, builder_.flow_begins);
    case 'f':
      return add_flow(event, track, time_ns, builder_.flow_ends);
    case 't':
      return;
  }
  add_instant(event, track, time_ns);
}

void JsonCaptureDecoder::add_instant(const Event& event, int32_t track, int64_t time_ns) {
  double amount = 0;
  if (!to_amount(event.bytes, amount)) amount = 0;
  const std::string_view name = name_of(event);
  builder_.add_point(builder_.instants, track, time_ns, builder_.name_id(name), amount);
  if (name != memory_event || !to_amount(event.allocated, amount)) return;
  std::string counter(allocated_memory);
  counter += device_name(event.device_type, event.device_id, scratch_);
  builder_.add_point(builder_.counters, track, time_ns, builder_.name_id(counter), amount);
}

void JsonCaptureDecoder::add_metadata(const Event& event) {
  if (event.args_name.kind != JsonKind::string) return;
  const bool is_process = is_text(event.name, "process_name");
  if (!is_process && !is_text(event.name, "thread_name")) return;
  const std::string_view process = id_of(event.process, process_scratch_);
  const std::string_view name = text_of(event.args_name, scratch_);
  if (is_process)
    builder_.name_process(process, name);
  else
    builder_.name_track(process, id_of(event.thread, thread_scratch_), name);
}

void JsonCaptureDecoder::add_slice(const Event& event, int32_t track, int64_t time_ns, int64_t offset) {
  int64_t duration_ns = 0;
  if (event.duration.kind != JsonKind::none && (!nanoseconds(event.duration, duration_ns) || duration_ns < 0)) {
    builder_.skipped++;
    return;
  }
  if (is_text(event.category, recording)) return;
  const int32_t name = builder_.name_id(name_of(event));
  const int64_t args = is_truthy(event.args) ? offset : -1;
  const int64_t index = builder_.add_slice(track, time_ns, duration_ns, name, kind_of(event), args);
  if (index < 0) return;
  last_ns_ = std::max(last_ns_, time_ns + duration_ns);
  if (is_text(event.phase, "B")) open_[track].push_back(index);
  if (const int64_t step = step_of(event); step >= 0) builder_.add_step(index, step);
}

void JsonCaptureDecoder::add_samples(const Event& event, int32_t track, int64_t time_ns) {
  if (event.args.kind != JsonKind::object) return;
  // Of members with the same key, the last one counts, in the place of the first.
  std::vector<std::pair<std::string, JsonToken>> samples;
  std::unordered_map<std::string, size_t> index;
  JsonScanner scanner(event.args.text);
  size_t at = 0;
  scanner.members(at, 1, [&](const JsonToken& key) {
    std::string name(text_of(key, scratch_));
    const auto [found, is_new] = index.emplace(name, samples.size());
    if (is_new) samples.emplace_back(std::move(name), JsonToken());
    return scanner.value(at, samples[found->second].second, 1);
  });
  std::string name(name_of(event));
  name += '/';
  const size_t length = name.size();
  for (const auto& [label, value] : samples) {
    double amount = 0;
    if (!to_amount(value, amount)) continue;
    name.resize(length);
    name += label;
    builder_.add_point(builder_.counters, track, time_ns, builder_.name_id(name), amount);
  }
}

void JsonCaptureDecoder::add_flow(const Event& event, int32_t track, int64_t time_ns, PointRows& points) {
  const int32_t name = builder_.name_id(name_of(event));
  std::string key(id_of(event.category, scratch_));
  key += ':';
  key += id_of(event.id, scratch_);
  const int32_t flow = builder_.flow_id(first_chars(key, max_flow_chars));
  if (flow < 0)
    builder_.left_out++;
  else
    builder_.add_point(points, track, time_ns, name, flow);
}

void JsonCaptureDecoder::end_slice(int32_t track, int64_t time_ns) {
  const auto open = open_.find(track);
  if (track < 0 || open == open_.end() || open->second.empty()) {
    builder_.skipped++;
    return;
  }
  const auto at = static_cast<size_t>(open->second.back());
  open->second.pop_back();
  builder_.slices.duration_ns[at] = std::max<int64_t>(0, time_ns - builder_.slices.start_ns[at]);
}

int32_t JsonCaptureDecoder::track_of(const Event& event) {
  const std::string_view process = id_of(event.process, process_scratch_);
  return builder_.track_id(process, id_of(event.thread, thread_scratch_));
}

std::string_view JsonCaptureDecoder::name_of(const Event& event) {
  return event.name.kind == JsonKind::string ? text_of(event.name, name_scratch_) : std::string_view();
}

int8_t JsonCaptureDecoder::kind_of(const Event& event) {
  std::string_view category;
  if (event.category.kind == JsonKind::string) category = text_of(event.category, scratch_);
  if (category.empty()) return event.has_hlo ? 1 : 0;
  for (size_t i = 0; i < limits_.categories.size(); i++)
    if (category == limits_.categories[i]) return static_cast<int8_t>(3 + i);
  return 2;
}

bool JsonCaptureDecoder::is_text(const JsonToken& token, std::string_view wanted) {
  return token.kind == JsonKind::string && text_of(token, scratch_) == wanted;
}

bool JsonCaptureDecoder::nanoseconds(const JsonToken& token, int64_t& out) {
  constexpr int64_t limit = 4'000'000'000'000'000;
  if (int64_t whole = 0; to_integer(token, whole)) {
    if (whole <= -limit || whole >= limit) return false;
    out = whole * 1000;
    return true;
  }
  std::string_view text;
  if (token.kind == JsonKind::real) text = token.text;
  if (token.kind == JsonKind::string) text = text_of(token, scratch_);
  if (token.kind == JsonKind::string && (text.size() >= 40 || !is_number_text(text))) return false;
  if (text.empty()) return false;
  const double microseconds = to_double(text);
  if (!(std::abs(microseconds) < static_cast<double>(limit))) return false;
  out = static_cast<int64_t>(std::nearbyint(microseconds * 1000));
  return true;
}

int64_t JsonCaptureDecoder::step_of(const Event& event) {
  const std::string_view name = name_of(event);
  std::string_view digits;
  if (name.starts_with(step_prefix) && !is_text(event.category, "gpu_user_annotation"))
    digits = name.substr(step_prefix.size());
  else if (event.step_num.kind == JsonKind::string)
    digits = text_of(event.step_num, scratch_);
  else if (int64_t number = 0; to_integer(event.step_num, number))
    return number < max_count ? number : -1;
  int64_t step = -1;
  if (is_digits(digits) && digits.size() < 16) std::from_chars(digits.data(), digits.data() + digits.size(), step);
  return step;
}

}  // namespace lightboard
