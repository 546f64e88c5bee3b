// The protocol-buffers wire format, as far as needed to iterate over the fields of a message. Does not recurse: groups,
// which are obsolete, are skipped by counting their depth.
#pragma once

#include <cstdint>

namespace lightboard {

enum class Wire : uint32_t { varint = 0, fixed64 = 1, bytes = 2, group_start = 3, group_end = 4, fixed32 = 5 };

// One field. `value` is the number itself for a varint, else the offset of the first byte of the payload.
struct Field {
  uint32_t number;
  Wire wire;
  uint64_t value;
  uint64_t stop;

  bool is(uint32_t wanted, Wire type) const noexcept { return number == wanted && wire == type; }
  uint64_t size() const noexcept { return stop - value; }
};

// Reads a varint of at most ten bytes in [at, end) and moves past it. `out` receives its low 64 bits.
template <class Source>
inline bool read_varint(Source& source, uint64_t& at, uint64_t end, uint64_t& out) {
  if (at < end) [[likely]] {
    const uint8_t first = source.byte(at);
    if (first < 0x80) [[likely]] {
      at++;
      out = first;
      return true;
    }
  }
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (at >= end) return false;
    const uint64_t byte = source.byte(at++);
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) {
      out = value;
      return true;
    }
  }
  return false;
}

// Iterates over the fields of the message in [at, end). After `next` has returned false, `malformed` says whether the
// message was invalid.
template <class Source>
class FieldReader {
 public:
  FieldReader(Source& source, uint64_t at, uint64_t end) noexcept : source_(source), at_(at), end_(end) {}

  inline bool next(Field& field) {
    while (at_ < end_) {
      if (!step(field)) [[unlikely]] {
        malformed_ = true;
        return false;
      }
      if (depth_ == 0 && field.wire != Wire::group_end) [[likely]]
        return true;
    }
    malformed_ = depth_ != 0;
    return false;
  }

  bool malformed() const noexcept { return malformed_; }

 private:
  inline bool step(Field& field) {
    uint64_t key;
    if (!read_varint(source_, at_, end_, key) || key >> 32 || key >> 3 == 0) return false;
    field.number = static_cast<uint32_t>(key >> 3);
    field.wire = static_cast<Wire>(key & 7);
    field.value = at_;
    uint64_t size = 0;
    switch (field.wire) {
      case Wire::varint:
        if (!read_varint(source_, at_, end_, field.value)) return false;
        break;
      case Wire::fixed64:
        size = 8;
        break;
      case Wire::bytes:
        if (!read_varint(source_, at_, end_, size)) return false;
        field.value = at_;
        break;
      case Wire::fixed32:
        size = 4;
        break;
      case Wire::group_start:
        depth_++;
        break;
      case Wire::group_end:
        if (depth_ == 0) return false;
        depth_--;
        break;
      default:
        return false;
    }
    if (size > end_ - at_) return false;
    at_ += size;
    field.stop = at_;
    return true;
  }

  Source& source_;
  uint64_t at_, end_;
  uint64_t depth_ = 0;
  bool malformed_ = false;
};

}  // namespace lightboard
