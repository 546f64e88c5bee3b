// Matches the most common form of a record: wall time, step, and a summary of one value with a tag and a simple value,
// each short and in this order. Records that do not match exactly are parsed by the general decoder.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace lightboard {

struct FastScalar {
  double wall_time;
  int64_t step;
  std::string_view tag;
  float value;
};

inline bool match_fast_scalar(const uint8_t* data, uint64_t size, FastScalar& out) noexcept {
  constexpr uint64_t shortest = 9 + 6 + 5, longest = 127;  // so that every length is a one-byte varint
  if (size < shortest || size > longest || data[0] != 0x09) return false;
  uint64_t at = 9;
  uint64_t step = 0;
  if (data[at] == 0x10) {
    unsigned shift = 0;
    uint64_t byte;
    do {
      if (++at >= size || shift > 63) return false;
      byte = data[at];
      step |= (byte & 0x7F) << shift;
      shift += 7;
    } while (byte & 0x80);
    at++;
  }
  if (size - at < 6 + 5) return false;
  const uint8_t* const summary = data + at;
  const uint64_t rest = size - at;
  const uint64_t tag_size = rest - 6 - 5;
  if (summary[0] != 0x2A || summary[1] != rest - 2 || summary[2] != 0x0A || summary[3] != rest - 4 ||
      summary[4] != 0x0A || summary[5] != tag_size || summary[6 + tag_size] != 0x15)
    return false;
  std::memcpy(&out.wall_time, data + 1, 8);
  std::memcpy(&out.value, data + size - 4, 4);
  out.step = static_cast<int64_t>(step);
  out.tag = {reinterpret_cast<const char*>(summary + 6), tag_size};
  return true;
}

}  // namespace lightboard
