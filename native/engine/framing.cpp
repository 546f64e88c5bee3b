#include "framing.hpp"

namespace lightboard {

void Framing::add_damage(uint64_t position, const uint8_t* data, uint64_t size) {
  if (!damage.empty() && damage.back().offset + damage.back().length == position) {
    Damage& last = damage.back();
    last.crc = crc32c(last.crc, data, size);
    last.length += size;
  } else {
    damage.push_back({position, size, crc32c(0, data, size)});
  }
}

void Framing::skip_zeros(uint64_t count) {
  if (!damage.empty() && damage.back().offset + damage.back().length == offset) {
    Damage& last = damage.back();
    last.crc = crc32c_of_zeros(last.crc, count);
    last.length += count;
  } else {
    damage.push_back({offset, count, crc32c_of_zeros(0, count)});
  }
  scanning = true;
  offset += count;
}

uint64_t next_header_candidate(const uint8_t* data, uint64_t at, uint64_t size) noexcept {
  uint64_t end = at;
  while (size - end >= 64) {
    uint64_t words[8], any = 0;
    std::memcpy(words, data + end, sizeof words);
    for (const uint64_t word : words) any |= word;
    if (any != 0) break;
    end += 64;
  }
  while (end < size && data[end] == 0) end++;
  // The length of a record may end in zeros, so its header begins up to eleven of them before the first other byte.
  return end - at >= header_bytes ? end - (header_bytes - 1) : at + 1;
}

// Moves by at least one byte to the next position that could be a header.
void Framing::scan(const uint8_t* data, uint64_t& at, uint64_t size) {
  uint64_t position = at + 1, length;
  while (size - position >= header_bytes && !parse_header(data + position, length))
    position = next_header_candidate(data, position, size);
  scanning = true;
  add_damage(offset, data + at, position - at);
  offset += position - at;
  at = position;
}

Lookahead Framing::peek_after_frame(const uint8_t* data, uint64_t at, uint64_t size, bool is_last, uint64_t length) {
  const uint64_t frame = frame_bytes + length;
  const uint64_t after = size - at - frame;
  if (after == 0 && is_last) return Lookahead::end;
  if (after < header_bytes) return Lookahead::unknown;
  uint64_t next;
  return parse_header(data + at + frame, next) ? Lookahead::header : Lookahead::garbage;
}

// Skips a frame with a valid length and invalid data. If a valid header follows, only this record is damaged. Returns
// false if more bytes are needed to decide.
bool Framing::skip_bad_body(const uint8_t* data, uint64_t& at, uint64_t size, bool is_last, uint64_t length) {
  if (!scanning || is_over_budget()) {
    const Lookahead after = peek_after_frame(data, at, size, is_last, length);
    if (after == Lookahead::unknown) return false;
    if (after != Lookahead::garbage) {
      const uint64_t frame = frame_bytes + length;
      add_damage(offset, data + at, frame);
      offset += frame;
      at += frame;
      scanning = false;
      return true;
    }
  }
  if (scanning) wasted_bytes += length;
  scan(data, at, size);
  return true;
}

}  // namespace lightboard
