#include "messages.hpp"

#include <algorithm>

#include "source.hpp"

namespace lightboard {
namespace {

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool parse_metadata(std::string_view bytes, Metadata& metadata) {
  MemorySource source(reinterpret_cast<const uint8_t*>(bytes.data()));
  FieldReader<MemorySource> fields(source, 0, bytes.size());
  Field field;
  while (fields.next(field)) {
    if (field.is(1, Wire::bytes)) {
      FieldReader<MemorySource> parts(source, field.value, field.stop);
      Field part;
      while (parts.next(part))
        if (part.is(1, Wire::bytes)) metadata.plugin = bytes.substr(part.value, part.size());
      if (parts.malformed()) return false;
    } else if (field.is(4, Wire::varint)) {
      metadata.data_class = static_cast<int32_t>(static_cast<uint32_t>(field.value));
    }
  }
  return !fields.malformed();
}

int32_t parse_file_version(std::string_view text) {
  constexpr std::string_view prefix = "brain.Event:";
  const size_t found = text.rfind(prefix);
  if (found != std::string_view::npos) text.remove_prefix(found + prefix.size());
  const size_t dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  const std::string_view fraction = dot == std::string_view::npos ? "" : text.substr(dot + 1);
  if (whole.empty() || whole.size() >= 10 || !all_digits(whole) || !all_digits(fraction)) return -1;
  int32_t version = 0;
  for (char digit : whole) version = version * 10 + (digit - '0');
  return version ? version : -1;
}

}  // namespace lightboard
