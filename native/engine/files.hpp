// Whole visits of files, by their paths or as they were opened.
#pragma once

#include <cstdint>

#include "decoder.hpp"

namespace lightboard {

// A file as one visit found it.
struct FileRead {
  uint64_t consumed = 0;  // bytes the decoder took
  uint64_t size = 0, device = 0, inode = 0;
  int64_t mtime_ns = 0;
  uint32_t head = 0, tail = 0;  // crc32c of the first, and of the last, bytes before the decoder's offset
};

// Open the file, have the decoder read about `limit` bytes, and sample up to `sample_bytes` at either end. False if it
// is no regular file or anything went wrong; what the decoder took by then, it keeps. Throws std::bad_alloc.
bool read_file(const char* path, Decoder& decoder, uint64_t limit, uint64_t sample_bytes, FileRead& out);

// The same with a descriptor, which stays open.
bool read_open_file(int fd, Decoder& decoder, uint64_t limit, uint64_t sample_bytes, FileRead& out);

}  // namespace lightboard
