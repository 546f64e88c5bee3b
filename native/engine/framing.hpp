// Where records begin and end in an event file, whether their checksums agree, and what was skipped in between. Holds
// no bytes and opens nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "crc32c.hpp"

namespace lightboard {

static_assert(std::endian::native == std::endian::little, "numbers are read from files as they lie in memory");

constexpr uint64_t header_bytes = 12;
constexpr uint64_t frame_bytes = 16;

// No serialized message is longer than 2 GiB; a length above it is damage, whatever its checksum says.
constexpr uint64_t max_record_bytes = 0x7FFFFFFF;

// The length in the header at `data`, or false if those twelve bytes are no header.
inline bool read_header(const uint8_t* data, uint64_t& length) noexcept {
  uint32_t crc;
  std::memcpy(&length, data, 8);
  std::memcpy(&crc, data + 8, 4);
  return length <= max_record_bytes && masked(crc32c_of_u64(length)) == crc;
}

// Where a header may begin at the earliest in the bytes [at, size), which begin with none: no header is twelve zeros.
uint64_t past_zeros(const uint8_t* data, uint64_t at, uint64_t size) noexcept;

// Whether the data of the whole frame at `frame` has the checksum the frame gives.
inline bool body_agrees(const uint8_t* frame, uint64_t length) noexcept {
  uint32_t crc;
  std::memcpy(&crc, frame + header_bytes + length, 4);
  return masked(crc32c(0, frame + header_bytes, length)) == crc;
}

// A range of bytes that held no good record.
struct Damage {
  uint64_t offset, length;
  uint32_t crc;
};

// Bytes read in vain for records that were none, while looking for one, before headers are believed more than bodies.
constexpr uint64_t patience_bytes = 16 << 20;

// What lies behind a frame.
enum class After { header, end, nothing, unknown };

// What to do with the bytes at hand.
enum class Next { record, more };

class Framing {
 public:
  uint64_t offset = 0;
  bool scanning = false;  // looking for the next record, byte by byte
  uint64_t in_vain = 0;   // bytes of bodies that were wrong, met while scanning
  std::vector<Damage> damage;

  // A file made to waste our time holds right headers everywhere, each of which promises a long body. After some of
  // that, only frames with another header right behind them are looked at, and passed whole if their body is wrong.
  bool impatient() const noexcept { return scanning && in_vain > patience_bytes; }

  // Go to the next record in the bytes [at, size) of `data`, whose first byte lies at `at` == `offset` in the file, and
  // leave `at` and `offset` there; the record is then whole, right, and `length` bytes of data long. `more` says that
  // nothing can be told without bytes that follow; `to_the_end` that none are known to.
  Next find(const uint8_t* data, uint64_t& at, uint64_t size, bool to_the_end, uint64_t& length) {
    while (size - at >= header_bytes) {
      if (!read_header(data + at, length)) [[unlikely]] {
        scan(data, at, size);
        continue;
      }
      const uint64_t rest = size - at - header_bytes;
      if (length > rest || rest - length < 4) return Next::more;
      if (impatient()) [[unlikely]] {
        const After after = look_behind(data, at, size, to_the_end, length);
        if (after == After::unknown) return Next::more;
        if (after == After::nothing) {
          scan(data, at, size);
          continue;
        }
      }
      if (body_agrees(data + at, length)) [[likely]] {
        scanning = false;
        return Next::record;
      }
      if (!pass_bad_body(data, at, size, to_the_end, length)) return Next::more;
    }
    return Next::more;
  }

  // Count bytes at `place` as damaged; ranges that touch become one.
  void note_damage(uint64_t place, const uint8_t* data, uint64_t size);

  // Go past `count` bytes that are known to be zero, without looking at them.
  void skip_zeros(uint64_t count);

 private:
  void scan(const uint8_t* data, uint64_t& at, uint64_t size);
  static After look_behind(const uint8_t* data, uint64_t at, uint64_t size, bool to_the_end, uint64_t length);
  bool pass_bad_body(const uint8_t* data, uint64_t& at, uint64_t size, bool to_the_end, uint64_t length);
};

}  // namespace lightboard
