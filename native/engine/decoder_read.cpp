// Reading from an open file. Ordinary records are read in windows. Records longer than a window are read twice: once
// for the checksum, then only the parts that are needed. The file is never mapped, because it may shrink at any time.
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "decoder.hpp"
#include "source.hpp"

namespace lightboard {
namespace {

constexpr uint64_t window_bytes = 1 << 20;

// One window per thread, however many files the thread reads.
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
      // Most files are complete by now, so spare capacity would be wasted.
      if (!trimmed_) trim();
      trimmed_ = true;
      break;
    }
    if (consumed != 0) continue;
    const LargeRecordResult large = read_large_record(fd, window, work);
    if (large == LargeRecordResult::need_more) break;
    if (large == LargeRecordResult::failed)
      return framing_.offset > start ? static_cast<int64_t>(framing_.offset - start) : -1;
  }
  return static_cast<int64_t>(framing_.offset - start);
}

// If the window holds only zeros, they may be the beginning of a hole. Then skips to the end of the hole without
// reading it.
bool Decoder::skip_hole(int fd, const uint8_t* window) {
  if (next_header_candidate(window, 0, window_bytes) != window_bytes - (header_bytes - 1)) return false;
  const uint64_t end = end_of_hole(fd, framing_.offset);
  if (end <= framing_.offset + window_bytes) return false;
  const std::unique_lock lock(mutex_);
  framing_.skip_zeros(end - framing_.offset - (header_bytes - 1));
  publish();
  return true;
}

// Reads a record at `offset` that does not fit into the window or cannot be checked within it.
Decoder::LargeRecordResult Decoder::read_large_record(int fd, uint8_t* window, uint64_t& work) {
  uint64_t length;
  if (!parse_header(window, length)) return LargeRecordResult::need_more;
  struct stat status;
  if (fstat(fd, &status) != 0) return LargeRecordResult::failed;
  if (static_cast<uint64_t>(status.st_size) < framing_.offset + frame_bytes + length)
    return LargeRecordResult::need_more;
  const uint64_t before = framing_.offset;
  if (framing_.is_over_budget()) {
    const Lookahead after = peek_after_frame(fd, frame_bytes + length);
    if (after == Lookahead::unknown) return LargeRecordResult::need_more;
    if (after == Lookahead::garbage) return skip_damaged(fd, before, 1, window);
  }
  uint32_t crc, stored;
  const LargeRecordResult streamed = stream_crc(fd, before + header_bytes, length, window, crc);
  if (streamed != LargeRecordResult::consumed) return streamed;
  const int64_t got = read_at(fd, reinterpret_cast<uint8_t*>(&stored), 4, before + header_bytes + length);
  if (got != 4) return got < 0 ? LargeRecordResult::failed : LargeRecordResult::need_more;
  work += length;
  const LargeRecordResult done =
      masked(crc) == stored ? decode_large_record(fd, length, window) : skip_bad_large_record(fd, length, window);
  const std::unique_lock lock(mutex_);
  publish();
  work -= std::min(work, framing_.offset - before);
  return done;
}

Decoder::LargeRecordResult Decoder::stream_crc(int fd, uint64_t offset, uint64_t size, uint8_t* window,
                                               uint32_t& crc) const {
  crc = 0;
  while (size != 0) {
    const uint64_t wanted = std::min(size, window_bytes);
    const int64_t got = read_at(fd, window, wanted, offset);
    if (got < 0) return LargeRecordResult::failed;
    if (static_cast<uint64_t>(got) < wanted) return LargeRecordResult::need_more;
    crc = crc32c(crc, window, wanted);
    offset += wanted;
    size -= wanted;
  }
  return LargeRecordResult::consumed;
}

// Decodes a long record whose checksums are valid.
Decoder::LargeRecordResult Decoder::decode_large_record(int fd, uint64_t length, uint8_t* window) {
  FileSource source(fd, framing_.offset + header_bytes, length);
  bool whole;
  {
    const std::unique_lock lock(mutex_);
    framing_.scanning = false;
    whole = decode_record(source, length, framing_.offset + header_bytes) && !source.failed();
  }
  if (!whole) return skip_damaged(fd, framing_.offset, frame_bytes + length, window);
  const std::unique_lock lock(mutex_);
  now_.records++;
  framing_.offset += frame_bytes + length;
  return LargeRecordResult::consumed;
}

// Framing::peek_after_frame for a file: what follows `frame` bytes after the offset.
Lookahead Decoder::peek_after_frame(int fd, uint64_t frame) const {
  uint8_t header[header_bytes];
  const int64_t got = read_at(fd, header, header_bytes, framing_.offset + frame);
  if (got == 0) return Lookahead::end;
  if (got != static_cast<int64_t>(header_bytes)) return Lookahead::unknown;
  uint64_t next;
  return parse_header(header, next) ? Lookahead::header : Lookahead::garbage;
}

// Skips a long record with an invalid data checksum; see Framing::skip_bad_body.
Decoder::LargeRecordResult Decoder::skip_bad_large_record(int fd, uint64_t length, uint8_t* window) {
  const uint64_t frame = frame_bytes + length;
  bool pass = false;
  if (!framing_.scanning || framing_.is_over_budget()) {
    const Lookahead after = peek_after_frame(fd, frame);
    if (after == Lookahead::unknown) return LargeRecordResult::need_more;
    pass = after != Lookahead::garbage;
  }
  const LargeRecordResult skipped = skip_damaged(fd, framing_.offset, pass ? frame : 1, window);
  const std::unique_lock lock(mutex_);
  if (framing_.scanning && !pass) framing_.wasted_bytes += length;
  framing_.scanning = !pass;
  return skipped;
}

// Adds a range at `offset` to the damage and skips it.
Decoder::LargeRecordResult Decoder::skip_damaged(int fd, uint64_t offset, uint64_t size, uint8_t* window) {
  while (size != 0) {
    const uint64_t wanted = std::min(size, window_bytes);
    const int64_t got = read_at(fd, window, wanted, offset);
    if (got < 0) return LargeRecordResult::failed;
    if (got == 0) return LargeRecordResult::need_more;
    const auto some = static_cast<uint64_t>(got);
    const std::unique_lock lock(mutex_);
    framing_.add_damage(offset, window, some);
    framing_.offset += some;
    offset += some;
    size -= some;
  }
  return LargeRecordResult::consumed;
}

}  // namespace lightboard
