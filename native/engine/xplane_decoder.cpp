#include "xplane_decoder.hpp"

#include <algorithm>

#include "source.hpp"
#include "wire.hpp"

namespace lightboard {
namespace {

constexpr uint64_t chunk_bytes = 256 << 10;       // how much is read at once
constexpr uint64_t anywhere = uint64_t{1} << 50;  // an end for messages whose last bytes may be missing
constexpr uint64_t max_head_bytes = 20;           // of a key and a length
constexpr int64_t max_step = int64_t{1} << 53;

// Events of no length about threads that wait.
constexpr std::string_view noise = "ThreadpoolListener::";

// What names of operations on devices have that are their whole definition. Then the name for display is used.
constexpr std::string_view hlo_definition = " = ";

// The length of the valid or truncated character at the front of the text. `whole` receives whether it is valid.
size_t character(std::string_view text, bool& whole) noexcept {
  const auto byte = [&](size_t at) { return static_cast<uint8_t>(text[at]); };
  const uint8_t first = byte(0);
  whole = first < 0x80;
  if (whole || first < 0xC2 || first > 0xF4) return 1;
  const size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  const uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (size_t at = 1; at < length; at++)
    if (at >= text.size() || byte(at) < (at == 1 ? low : 0x80) || byte(at) > (at == 1 ? high : 0xBF)) return at;
  whole = true;
  return length;
}

// Picoseconds as whole nanoseconds.
__int128 rounded_ns(int64_t picoseconds) noexcept {
  const __int128 sum = static_cast<__int128>(picoseconds) + 500;
  return sum >= 0 ? sum / 1000 : -((-sum + 999) / 1000);
}

int64_t clamped(__int128 value) noexcept {
  constexpr __int128 low = INT64_MIN, high = INT64_MAX;
  return static_cast<int64_t>(std::clamp(value, low, high));
}

}  // namespace

std::string replaced_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    bool whole = false;
    const size_t length = character(bytes, whole);
    text.append(whole ? bytes.substr(0, length) : std::string_view("\xEF\xBF\xBD"));
    bytes.remove_prefix(length);
  }
  return text;
}

void RangeSource::load(uint64_t at, uint64_t size) {
  if (at_end_ && at >= begin_ && at - begin_ <= held_) return;
  bytes_.resize(static_cast<size_t>(std::max(size, chunk_bytes)));
  held_ = 0;
  begin_ = at;
  held_ = read_(at, bytes_.data(), bytes_.size());
  at_end_ = held_ < bytes_.size();
}

// Iterates over the fields of a message in the file, up to the first that is malformed. The last one may end beyond the
// file. Groups, which no writer of events uses, are malformed here.
class XplaneDecoder::Fields {
 public:
  Fields(XplaneDecoder& decoder, uint64_t begin, uint64_t end) noexcept
      : decoder_(decoder), at_(begin), end_(end), limit_(end >= decoder.size_ ? anywhere : end) {}

  bool next(Field& field) {
    if (at_ >= limit_) return false;
    if (step(field)) return true;
    decoder_.cut_ = decoder_.cut_ || at_ != decoder_.size_ || end_ > decoder_.size_;
    at_ = limit_;
    return false;
  }

 private:
  bool step(Field& field) {
    const std::string_view head = decoder_.source_.view(at_, max_head_bytes);
    MemorySource bytes(reinterpret_cast<const uint8_t*>(head.data()));
    uint64_t at = 0, key = 0, value = 0, length = 0;
    if (!read_varint(bytes, at, head.size(), key) || key >> 32 || key >> 3 == 0) return false;
    const auto wire = static_cast<Wire>(key & 7);
    switch (wire) {
      case Wire::varint:
        if (!read_varint(bytes, at, head.size(), value)) return false;
        break;
      case Wire::bytes:
        if (!read_varint(bytes, at, head.size(), length)) return false;
        break;
      case Wire::fixed32:
      case Wire::fixed64:
        length = wire == Wire::fixed32 ? 4 : 8;
        break;
      default:
        return false;
    }
    const uint64_t begin = at_ + at;
    if (begin > limit_ || length > limit_ - begin) return false;
    at_ = begin + length;
    field = {static_cast<uint32_t>(key >> 3), wire, wire == Wire::varint ? value : begin, at_};
    return true;
  }

  XplaneDecoder& decoder_;
  uint64_t at_, end_, limit_;
};

void XplaneDecoder::decode() {
  Fields fields(*this, 0, size_);
  Field field;
  while (fields.next(field)) {
    if (field.is(1, Wire::bytes)) {
      Plane plane = plane_of(field.value, field.stop);
      found_ = found_ || !plane.lines.empty() || !plane.name.empty();
      read_plane(plane);
    } else if (field.is(4, Wire::bytes) && host_.empty()) {
      host_ = text(field.value, field.stop);
    }
  }
  while (hlo_.size() > 0 && hlo_.size() < builder_.slices.track.size()) hlo_.add(-1);
}

std::string XplaneDecoder::text(uint64_t begin, uint64_t end) {
  const uint64_t length = std::min(end - begin, limits_.text_bytes);
  const std::string_view bytes = source_.view(begin, length);
  if (bytes.size() == length) return replaced_utf8(bytes);
  cut_ = true;
  return {};
}

XplaneDecoder::Plane XplaneDecoder::plane_of(uint64_t begin, uint64_t end) {
  Plane plane;
  Fields fields(*this, begin, end);
  Field field;
  while (fields.next(field)) {
    if (field.is(1, Wire::varint))
      plane.id = static_cast<int64_t>(field.value);
    else if (field.is(2, Wire::bytes))
      plane.name = text(field.value, field.stop);
    else if (field.is(3, Wire::bytes) && plane.lines.size() < limits_.lines)
      plane.lines.push_back({field.value, field.stop});
    else if (field.is(4, Wire::bytes))
      read_entry(plane.events, field.value, field.stop);
    else if (field.is(5, Wire::bytes))
      read_entry(plane.stats, field.value, field.stop);
  }
  return plane;
}

// An entry of a map from numbers to what has a name.
template <class Entry>
void XplaneDecoder::read_entry(std::unordered_map<int64_t, Entry>& names, uint64_t begin, uint64_t end) {
  int64_t key = 0;
  std::string name, shown;
  Fields fields(*this, begin, end);
  Field field, inner;
  while (fields.next(field)) {
    if (field.is(1, Wire::varint)) {
      key = static_cast<int64_t>(field.value);
    } else if (field.is(2, Wire::bytes)) {
      Fields parts(*this, field.value, field.stop);
      while (parts.next(inner)) {
        if (inner.is(2, Wire::bytes))
          name = text(inner.value, inner.stop);
        else if (inner.is(4, Wire::bytes))
          shown = text(inner.value, inner.stop);
      }
    }
  }
  if (names.size() >= limits_.capture.names) return;
  const bool is_definition = !shown.empty() && name.find(hlo_definition) != std::string::npos;
  names[key].text = is_definition || name.empty() ? std::move(shown) : std::move(name);
}

void XplaneDecoder::read_plane(Plane& plane) {
  if (plane.lines.empty()) return;
  const std::string process = plane.name.empty() ? std::to_string(plane.id) : plane.name;
  builder_.name_process(process, plane.name);
  for (auto& [number, stat] : plane.stats) {
    if (stat.text == "step_num") stat.role = Role::step_num;
    if (stat.text == "hlo_op") stat.role = Role::hlo_op;
    if (stat.text == "program_id") stat.role = Role::program_id;
    if (stat.text == "_p") stat.role = Role::producer;
    if (stat.text == "_c") stat.role = Role::consumer;
  }
  for (const Span& line : plane.lines) read_line(plane, process, line);
}

// An XLine, whose events may come before its own fields.
void XplaneDecoder::read_line(Plane& plane, const std::string& process, Span line) {
  int64_t id = 0, start_ns = 0;
  std::string name, shown;
  bool has_events = false;
  Field field;
  for (Fields fields(*this, line.begin, line.end); fields.next(field);) {
    if (field.is(1, Wire::varint))
      id = static_cast<int64_t>(field.value);
    else if (field.is(2, Wire::bytes))
      name = text(field.value, field.stop);
    else if (field.is(11, Wire::bytes))
      shown = text(field.value, field.stop);
    else if (field.is(3, Wire::varint))
      start_ns = static_cast<int64_t>(field.value);
    has_events = has_events || field.number == 4;
  }
  if (!has_events) return;
  const std::string track_id = std::to_string(id);
  builder_.name_track(process, track_id, shown.empty() ? name : shown);
  const int32_t track = builder_.track_id(process, track_id);
  for (Fields fields(*this, line.begin, line.end); fields.next(field);) {
    if (!field.is(4, Wire::bytes)) continue;
    Event event;
    decoded_ = field.value;
    if (read_event(plane, field.value, field.stop, event))
      add_event(plane, track, start_ns, field.value, event);
    else if (field.stop > size_)
      cut_ = true;
    else
      builder_.skipped++;
  }
}

// Returns false if it is malformed, too large, or not all there.
bool XplaneDecoder::read_event(Plane& plane, uint64_t begin, uint64_t end, Event& event) {
  const uint64_t size = end - begin;
  if (size > limits_.event_bytes) return false;
  const std::string_view data = source_.view(begin, size);
  if (data.size() != size) return false;
  MemorySource bytes(reinterpret_cast<const uint8_t*>(data.data()));
  FieldReader<MemorySource> fields(bytes, 0, size);
  Field field;
  while (fields.next(field)) {
    if (field.is(1, Wire::varint)) {
      event.metadata = static_cast<int64_t>(field.value);
    } else if (field.is(2, Wire::varint)) {
      event.offset_ps = static_cast<int64_t>(field.value);
    } else if (field.is(3, Wire::varint)) {
      event.duration_ps = static_cast<int64_t>(field.value);
    } else if (field.is(4, Wire::bytes)) {
      event.has_stats = true;
      if (!read_stat(plane, data, field.value, field.stop, event)) return false;
    }
  }
  return !fields.malformed();
}

// An XStat, if it is one that says what the event is. Returns false if it is malformed.
bool XplaneDecoder::read_stat(Plane& plane, std::string_view data, uint64_t begin, uint64_t end, Event& event) {
  MemorySource bytes(reinterpret_cast<const uint8_t*>(data.data()));
  FieldReader<MemorySource> fields(bytes, begin, end);
  Field field;
  StatName* stat = nullptr;
  bool has_key = false, is_reference = false;
  int64_t number = 0;
  std::string_view text;
  const auto is_wanted = [&](int64_t key) {
    const auto found = plane.stats.find(key);
    stat = found == plane.stats.end() || found->second.role == Role::none ? nullptr : &found->second;
    return stat != nullptr;
  };
  while (fields.next(field)) {
    if (field.is(1, Wire::varint)) {
      has_key = true;
      if (!is_wanted(static_cast<int64_t>(field.value))) return true;
    } else if (field.wire == Wire::varint) {
      number = static_cast<int64_t>(field.value);
      is_reference = field.number == 7;
    } else if (field.is(5, Wire::bytes)) {
      text = data.substr(field.value, field.size());
    }
  }
  if (fields.malformed()) return false;
  if (!has_key && !is_wanted(0)) return true;
  switch (stat->role) {
    case Role::step_num:
      if (number >= 0 && number < max_step) {
        event.has_step = true;
        event.step_num = number;
      }
      break;
    case Role::hlo_op: {
      event.has_hlo = true;
      event.op = text.substr(0, limits_.text_bytes);
      event.op_stat = nullptr;
      if (!is_reference) break;
      const auto found = plane.stats.find(number);
      event.op_stat = found == plane.stats.end() ? nullptr : &found->second;
      event.op = event.op_stat == nullptr ? std::string_view() : event.op_stat->text;
      break;
    }
    case Role::program_id:
      event.program = number;
      break;
    case Role::producer:
      event.has_out = true;
      event.flow_out = number;
      break;
    case Role::consumer:
      event.has_in = true;
      event.flow_in = number;
      break;
    case Role::none:
      break;
  }
  return true;
}

// A slice, or an instant if it has no length.
void XplaneDecoder::add_event(Plane& plane, int32_t track, int64_t start_ns, uint64_t offset, const Event& event) {
  const auto found = plane.events.find(event.metadata);
  EventName unnamed;
  EventName& name = found == plane.events.end() || found->second.text.empty() ? unnamed : found->second;
  if (name.text.empty()) name.text = "event " + std::to_string(event.metadata);
  const auto name_id = [&] { return name.id >= 0 ? name.id : name.id = builder_.name_id(name.text); };
  const int64_t time_ns = clamped(start_ns + rounded_ns(event.offset_ps));
  if (track >= 0 && event.has_out) add_flow(builder_.flow_begins, track, time_ns, name_id(), event.flow_out);
  if (track >= 0 && event.has_in) add_flow(builder_.flow_ends, track, time_ns, name_id(), event.flow_in);
  if (event.duration_ps == 0 && !event.has_step) {
    if (!name.text.starts_with(noise)) builder_.add_point(builder_.instants, track, time_ns, name_id(), 0);
    return;
  }
  const Kind kind = event.has_step ? step : event.has_hlo ? operation : plain;
  const int64_t args = event.has_stats ? static_cast<int64_t>(offset) : -1;
  const int64_t duration_ns = clamped(rounded_ns(event.duration_ps));
  const int64_t index = builder_.add_slice(track, time_ns, duration_ns, name_id(), kind, args);
  if (index < 0) return;
  if (event.has_step) builder_.add_step(index, event.step_num);
  if (!event.op.empty()) add_hlo(index, name_id(), event);
}

void XplaneDecoder::add_flow(PointRows& points, int32_t track, int64_t time_ns, int32_t name, int64_t flow) {
  const int32_t number = builder_.flow_id({reinterpret_cast<const char*>(&flow), sizeof flow});
  if (number < 0)
    builder_.left_out++;
  else
    builder_.add_point(points, track, time_ns, name, number);
}

// The index of the operation of an event, -1 if there are too many.
int32_t XplaneDecoder::op_id(const Event& event) {
  if (event.op_stat != nullptr && event.op_stat->op >= 0) return event.op_stat->op;
  const std::string text = event.op_stat != nullptr ? event.op_stat->text : replaced_utf8(event.op);
  int32_t id = ops_.find(text);
  if (id < 0 && ops_.size() < limits_.capture.names) id = ops_.add(text);
  if (event.op_stat != nullptr) event.op_stat->op = id;
  return id;
}

void XplaneDecoder::add_hlo(int64_t slice, int32_t name, const Event& event) {
  const HloKey key{event.program, op_id(event), name};
  if (key.op < 0) return;
  auto found = hlo_index_.find(key);
  if (found == hlo_index_.end()) {
    if (hlo_keys_.size() >= limits_.capture.names) return;
    found = hlo_index_.emplace(key, static_cast<int32_t>(hlo_keys_.size())).first;
    hlo_keys_.push_back(key);
  }
  while (hlo_.size() < static_cast<size_t>(slice)) hlo_.add(-1);
  hlo_.add(found->second);
}

}  // namespace lightboard
