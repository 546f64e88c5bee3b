// Reading from an open file: windows for ordinary records, and for records longer than a window one pass for the
// checksum and one that looks only at what it needs. The file is never mapped, as it may shrink at any moment.
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "decoder.hpp"
#include "source.hpp"

namespace lightboard {
namespace {

constexpr uint64_t window_bytes = 1 << 20;

// One window for each thread that reads, however many files it reads.
uint8_t* window_of_this_thread() {
  thread_local const auto window = std::make_unique_for_overwrite<uint8_t[]>(window_bytes);
  return window.get();
}

}  // namespace

int64_t Decoder::read(int fd, uint64_t limit) {
  const std::lock_guard only(reading_);
  uint8_t* const window = window_of_this_thread();
  const uint64_t start = framing_.offset;
  uint64_t work = 0;  // bytes read that did not move the offset
  while (framing_.offset - start + work < limit) {
    const int64_t got = read_at(fd, window, window_bytes, framing_.offset);
    if (got < 0) return framing_.offset > start ? static_cast<int64_t>(framing_.offset - start) : -1;
    const bool at_end = static_cast<uint64_t>(got) < window_bytes;
    if (!at_end && skip_hole(fd, window)) continue;
    const uint64_t consumed = consume(window, static_cast<uint64_t>(got), at_end);
    if (at_end) {
      // Mostly the file is complete, and room kept for more rows would be waste.
      if (!trimmed_) trim();
      trimmed_ = true;
      break;
    }
    if (consumed != 0) continue;
    const Large large = read_large(fd, window, work);
    if (large == Large::wait) break;
    if (large == Large::failed) return framing_.offset > start ? static_cast<int64_t>(framing_.offset - start) : -1;
  }
  return static_cast<int64_t>(framing_.offset - start);
}

// Where the window holds nothing but zeros, they may be the beginning of a hole: then go to its end without reading it.
bool Decoder::skip_hole(int fd, const uint8_t* window) {
  if (past_zeros(window, 0, window_bytes) != window_bytes - (header_bytes - 1)) return false;
  const uint64_t end = past_hole(fd, framing_.offset);
  if (end <= framing_.offset + window_bytes) return false;
  const std::unique_lock lock(mutex_);
  framing_.skip_zeros(end - framing_.offset - (header_bytes - 1));
  publish();
  return true;
}

// The record at `offset` does not fit into the window, or cannot be judged within it.
Decoder::Large Decoder::read_large(int fd, uint8_t* window, uint64_t& work) {
  uint64_t length;
  if (!read_header(window, length)) return Large::wait;
  struct stat status;
  if (fstat(fd, &status) != 0) return Large::failed;
  if (static_cast<uint64_t>(status.st_size) < framing_.offset + frame_bytes + length) return Large::wait;
  const uint64_t before = framing_.offset;
  if (framing_.impatient()) {
    const After after = look_behind(fd, frame_bytes + length);
    if (after == After::unknown) return Large::wait;
    if (after == After::nothing) return skip_large(fd, before, 1, window);
  }
  uint32_t crc, stored;
  const Large streamed = stream_crc(fd, before + header_bytes, length, window, crc);
  if (streamed != Large::consumed) return streamed;
  const int64_t got = read_at(fd, reinterpret_cast<uint8_t*>(&stored), 4, before + header_bytes + length);
  if (got != 4) return got < 0 ? Large::failed : Large::wait;
  work += length;
  const Large done = masked(crc) == stored ? take_large(fd, length, window) : pass_large(fd, length, window);
  const std::unique_lock lock(mutex_);
  publish();
  work -= std::min(work, framing_.offset - before);
  return done;
}

Decoder::Large Decoder::stream_crc(int fd, uint64_t offset, uint64_t size, uint8_t* window, uint32_t& crc) const {
  crc = 0;
  while (size != 0) {
    const uint64_t wanted = std::min(size, window_bytes);
    const int64_t got = read_at(fd, window, wanted, offset);
    if (got < 0) return Large::failed;
    if (static_cast<uint64_t>(got) < wanted) return Large::wait;
    crc = crc32c(crc, window, wanted);
    offset += wanted;
    size -= wanted;
  }
  return Large::consumed;
}

// A long record whose checksums agree.
Decoder::Large Decoder::take_large(int fd, uint64_t length, uint8_t* window) {
  FileSource source(fd, framing_.offset + header_bytes, length);
  bool whole;
  {
    const std::unique_lock lock(mutex_);
    framing_.scanning = false;
    whole = decode_record(source, length, framing_.offset + header_bytes) && !source.failed();
  }
  if (!whole) return skip_large(fd, framing_.offset, frame_bytes + length, window);
  const std::unique_lock lock(mutex_);
  now_.records++;
  framing_.offset += frame_bytes + length;
  return Large::consumed;
}

// What lies `frame` bytes from the offset; Framing::look_behind for a file.
After Decoder::look_behind(int fd, uint64_t frame) const {
  uint8_t header[header_bytes];
  const int64_t got = read_at(fd, header, header_bytes, framing_.offset + frame);
  if (got == 0) return After::end;
  if (got != static_cast<int64_t>(header_bytes)) return After::unknown;
  uint64_t next;
  return read_header(header, next) ? After::header : After::nothing;
}

// A long record whose data do not have the checksum they should; see Framing::pass_bad_body.
Decoder::Large Decoder::pass_large(int fd, uint64_t length, uint8_t* window) {
  const uint64_t frame = frame_bytes + length;
  bool pass = false;
  if (!framing_.scanning || framing_.impatient()) {
    const After after = look_behind(fd, frame);
    if (after == After::unknown) return Large::wait;
    pass = after != After::nothing;
  }
  const Large skipped = skip_large(fd, framing_.offset, pass ? frame : 1, window);
  const std::unique_lock lock(mutex_);
  if (framing_.scanning && !pass) framing_.in_vain += length;
  framing_.scanning = !pass;
  return skipped;
}

// Count a range at `offset` as damage and go past it.
Decoder::Large Decoder::skip_large(int fd, uint64_t offset, uint64_t size, uint8_t* window) {
  while (size != 0) {
    const uint64_t wanted = std::min(size, window_bytes);
    const int64_t got = read_at(fd, window, wanted, offset);
    if (got < 0) return Large::failed;
    if (got == 0) return Large::wait;
    const auto some = static_cast<uint64_t>(got);
    const std::unique_lock lock(mutex_);
    framing_.note_damage(offset, window, some);
    framing_.offset += some;
    offset += some;
    size -= some;
  }
  return Large::consumed;
}

}  // namespace lightboard
