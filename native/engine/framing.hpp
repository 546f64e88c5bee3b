// Finds the records of an event file, checks their checksums, and records which bytes were skipped. Stores no data and
// opens no files.
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

// Serialized messages are at most 2 GiB long, so a longer length is damage even if its checksum is valid.
constexpr uint64_t max_record_bytes = 0x7FFFFFFF;

// Parses the twelve bytes at `data`. Returns false if they are not a header.
inline bool parse_header(const uint8_t* data, uint64_t& length) noexcept {
  uint32_t crc;
  std::memcpy(&length, data, 8);
  std::memcpy(&crc, data + 8, 4);
  return length <= max_record_bytes && masked(crc32c_of_u64(length)) == crc;
}

// The next position after `at` at which a header may begin. There must be no header at `at`. Twelve zeros are not a
// header.
uint64_t next_header_candidate(const uint8_t* data, uint64_t at, uint64_t size) noexcept;

// Whether the checksum of the data in the complete frame at `frame` is valid.
inline bool has_valid_body(const uint8_t* frame, uint64_t length) noexcept {
  uint32_t crc;
  std::memcpy(&crc, frame + header_bytes + length, 4);
  return masked(crc32c(0, frame + header_bytes, length)) == crc;
}

// A range of bytes without a valid record.
struct Damage {
  uint64_t offset, length;
  uint32_t crc;
};

// How many bytes of invalid bodies are checked while looking for the next record, before headers must be followed by
// another header to be trusted.
constexpr uint64_t scan_budget_bytes = 16 << 20;

// What follows a frame.
enum class Lookahead { header, end, garbage, unknown };

enum class FindResult { record, need_more };

class Framing {
 public:
  uint64_t offset = 0;
  bool scanning = false;      // looking for the next record, byte by byte
  uint64_t wasted_bytes = 0;  // bytes of invalid bodies checked while scanning
  std::vector<Damage> damage;

  // A malicious file may have a valid header everywhere, each with a long length, so that checking the bodies takes
  // quadratic time. Over the budget, only frames followed by another header are checked, and a frame with an invalid
  // body is skipped as a whole.
  bool is_over_budget() const noexcept { return scanning && wasted_bytes > scan_budget_bytes; }

  // Finds the next record in the bytes [at, size) of `data`. Initially `at` is the position of file offset `offset`;
  // both move to the beginning of the record. The record found is complete, valid, and has `length` bytes of data.
  // `is_last` says that no bytes are known to follow `data`; otherwise `need_more` is returned if the following bytes
  // matter.
  FindResult find_record(const uint8_t* data, uint64_t& at, uint64_t size, bool is_last, uint64_t& length) {
    while (size - at >= header_bytes) {
      if (!parse_header(data + at, length)) [[unlikely]] {
        scan(data, at, size);
        continue;
      }
      const uint64_t rest = size - at - header_bytes;
      if (length > rest || rest - length < 4) return FindResult::need_more;
      if (is_over_budget()) [[unlikely]] {
        const Lookahead after = peek_after_frame(data, at, size, is_last, length);
        if (after == Lookahead::unknown) return FindResult::need_more;
        if (after == Lookahead::garbage) {
          scan(data, at, size);
          continue;
        }
      }
      if (has_valid_body(data + at, length)) [[likely]] {
        scanning = false;
        return FindResult::record;
      }
      if (!skip_bad_body(data, at, size, is_last, length)) return FindResult::need_more;
    }
    return FindResult::need_more;
  }

  // Adds bytes at file offset `position` to the damage. Adjacent ranges are merged.
  void add_damage(uint64_t position, const uint8_t* data, uint64_t size);

  // Skips `count` bytes that are known to be zero, without reading them.
  void skip_zeros(uint64_t count);

 private:
  void scan(const uint8_t* data, uint64_t& at, uint64_t size);
  static Lookahead peek_after_frame(const uint8_t* data, uint64_t at, uint64_t size, bool is_last, uint64_t length);
  bool skip_bad_body(const uint8_t* data, uint64_t& at, uint64_t size, bool is_last, uint64_t length);
};

}  // namespace lightboard
