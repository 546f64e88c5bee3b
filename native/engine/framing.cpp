#include "framing.hpp"

namespace lightboard {

void Framing::note_damage(uint64_t place, const uint8_t* data, uint64_t size) {
  if (!damage.empty() && damage.back().offset + damage.back().length == place) {
    Damage& last = damage.back();
    last.crc = crc32c(last.crc, data, size);
    last.length += size;
  } else {
    damage.push_back({place, size, crc32c(0, data, size)});
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

uint64_t past_zeros(const uint8_t* data, uint64_t at, uint64_t size) noexcept {
  uint64_t end = at;
  while (size - end >= 64) {
    uint64_t words[8], any = 0;
    std::memcpy(words, data + end, sizeof words);
    for (const uint64_t word : words) any |= word;
    if (any != 0) break;
    end += 64;
  }
  while (end < size && data[end] == 0) end++;
  // The length of a record may end in zeros: its header begins up to eleven of them before the first other byte.
  return end - at >= header_bytes ? end - (header_bytes - 1) : at + 1;
}

// Move to the next place that could be a header, at least one byte on.
void Framing::scan(const uint8_t* data, uint64_t& at, uint64_t size) {
  uint64_t place = at + 1, length;
  while (size - place >= header_bytes && !read_header(data + place, length)) place = past_zeros(data, place, size);
  scanning = true;
  note_damage(offset, data + at, place - at);
  offset += place - at;
  at = place;
}

After Framing::look_behind(const uint8_t* data, uint64_t at, uint64_t size, bool to_the_end, uint64_t length) {
  const uint64_t frame = frame_bytes + length;
  const uint64_t after = size - at - frame;
  if (after == 0 && to_the_end) return After::end;
  if (after < header_bytes) return After::unknown;
  uint64_t next;
  return read_header(data + at + frame, next) ? After::header : After::nothing;
}

// A frame whose length is right and whose data are not: if a right header follows, only this record is bad. False if
// that cannot be told yet.
bool Framing::pass_bad_body(const uint8_t* data, uint64_t& at, uint64_t size, bool to_the_end, uint64_t length) {
  if (!scanning || impatient()) {
    const After after = look_behind(data, at, size, to_the_end, length);
    if (after == After::unknown) return false;
    if (after != After::nothing) {
      const uint64_t frame = frame_bytes + length;
      note_damage(offset, data + at, frame);
      offset += frame;
      at += frame;
      scanning = false;
      return true;
    }
  }
  if (scanning) in_vain += length;
  scan(data, at, size);
  return true;
}

}  // namespace lightboard
