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

// Move to the next place that could be a header, at least one byte on.
void Framing::scan(const uint8_t* data, uint64_t& at, uint64_t size) {
  uint64_t place = at + 1, length;
  while (size - place >= header_bytes && !read_header(data + place, length)) place++;
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
