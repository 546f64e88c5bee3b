// Parses Event, Summary.Value and their parts from any source into plain structs. Knows nothing about series.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire.hpp"

namespace lightboard {

namespace what {
enum : uint32_t {
  nothing = 0,
  file_version = 3,
  graph_def = 4,
  summary = 5,
  log_message = 6,
  session_log = 7,
  tagged_run_metadata = 8,
  meta_graph_def = 9,
};
}

namespace payload {
enum : uint32_t { none = 0, simple_value = 2, old_histogram = 3, image = 4, histogram = 5, audio = 6, tensor = 8 };
}

namespace session {
enum : uint64_t { unspecified = 0, start = 1, stop = 2, checkpoint = 3 };
}

struct Span {
  uint64_t begin = 0, end = 0;
  uint64_t size() const noexcept { return end - begin; }
};

// One record. `what` is the last field set of the oneof `what`. If a summary is split over several fields, its first
// part is in `span` and the others are in `more`.
struct Event {
  double wall_time = 0;
  int64_t step = 0;
  uint32_t what = what::nothing;
  Span span;
  std::vector<Span>* more;  // owned by the caller, initially empty
};

template <class Source>
inline bool parse_event(Source& source, uint64_t size, Event& event) {
  FieldReader<Source> fields(source, 0, size);
  Field field;
  while (fields.next(field)) {
    if (field.is(1, Wire::fixed64)) {
      event.wall_time = source.template number<double>(field.value);
    } else if (field.is(2, Wire::varint)) {
      event.step = static_cast<int64_t>(field.value);
    } else if (field.number >= what::file_version && field.number <= what::meta_graph_def &&
               field.wire == Wire::bytes) {
      if (field.number == what::summary && event.what == what::summary) [[unlikely]] {
        event.more->push_back({field.value, field.stop});
      } else {
        event.what = field.number;
        event.span = {field.value, field.stop};
        if (!event.more->empty()) event.more->clear();
      }
    }
  }
  return !fields.malformed();
}

// One value of a summary. `payload` is the field number of the payload, 0 if there is none.
struct Value {
  Span tag, node_name, metadata, data;
  uint32_t payload = payload::none;
  float number = 0;
};

template <class Source>
inline bool parse_value(Source& source, uint64_t at, uint64_t end, Value& value) {
  FieldReader<Source> fields(source, at, end);
  Field field;
  while (fields.next(field)) {
    const Span span{field.value, field.stop};
    if (field.wire == Wire::bytes) {
      switch (field.number) {
        case 1:
          value.tag = span;
          break;
        case 7:
          value.node_name = span;
          break;
        case 9:
          value.metadata = span;
          break;
        case payload::old_histogram:
        case payload::image:
        case payload::histogram:
        case payload::audio:
        case payload::tensor:
          value.payload = field.number;
          value.data = span;
          break;
        default:
          break;
      }
    } else if (field.is(payload::simple_value, Wire::fixed32)) {
      value.payload = payload::simple_value;
      value.number = source.template number<float>(field.value);
    }
  }
  // The oldest tensors have a node name instead of a tag.
  if (value.payload == payload::tensor && value.tag.size() == 0) value.tag = value.node_name;
  return !fields.malformed();
}

// The part of SummaryMetadata that says what kind of data a tag holds.
struct Metadata {
  std::string_view plugin;  // points into the parsed bytes
  int32_t data_class = 0;
};

bool parse_metadata(std::string_view bytes, Metadata& metadata);

template <class Source>
bool parse_session_log(Source& source, Span span, uint64_t& status) {
  status = session::unspecified;
  FieldReader<Source> fields(source, span.begin, span.end);
  Field field;
  while (fields.next(field))
    if (field.is(1, Wire::varint)) status = field.value;
  return !fields.malformed();
}

template <class Source>
bool parse_tagged_run_metadata(Source& source, Span span, Span& tag, Span& run_metadata) {
  run_metadata = {span.begin, span.begin};
  FieldReader<Source> fields(source, span.begin, span.end);
  Field field;
  while (fields.next(field)) {
    if (field.is(1, Wire::bytes)) tag = {field.value, field.stop};
    if (field.is(2, Wire::bytes)) run_metadata = {field.value, field.stop};
  }
  return !fields.malformed();
}

// The number in "brain.Event:2"; -1 if there is no number greater than 0.
int32_t parse_file_version(std::string_view text);

}  // namespace lightboard
