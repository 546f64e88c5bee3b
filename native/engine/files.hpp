// Reads from files, given by path or as open descriptors.
#pragma once

#include <cstdint>

#include "decoder.hpp"

namespace lightboard {

// The state of a file when it was read.
struct FileReadResult {
  uint64_t consumed = 0;  // bytes consumed by the decoder
  uint64_t size = 0, device = 0, inode = 0;
  int64_t mtime_ns = 0;
  uint32_t head = 0, tail = 0;  // crc32c of the first bytes, and of the last bytes before the decoder's offset
};

// Opens the file, lets the decoder read about `limit` bytes, and computes checksums of up to `sample_bytes` at either
// end. Returns false if the file is not regular or an error occurs. The decoder keeps what it consumed before an error.
// Throws std::bad_alloc.
bool read_file(const char* path, Decoder& decoder, uint64_t limit, uint64_t sample_bytes, FileReadResult& out);

// The same for a descriptor, which stays open.
bool read_open_file(int fd, Decoder& decoder, uint64_t limit, uint64_t sample_bytes, FileReadResult& out);

}  // namespace lightboard
