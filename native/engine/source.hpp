// The source of the bytes of one record: memory, or pages of a file if the record is too long to load. Offsets are
// relative to the beginning of the record's data and must lie within it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace lightboard {

class MemorySource {
 public:
  explicit MemorySource(const uint8_t* data) noexcept : data_(data) {}

  uint8_t byte(uint64_t at) const noexcept { return data_[at]; }

  template <class Number>
  Number number(uint64_t at) const noexcept {
    Number value;
    std::memcpy(&value, data_ + at, sizeof value);
    return value;
  }

  // The bytes as a contiguous view. They are copied to `scratch` if necessary.
  std::string_view view(uint64_t at, uint64_t size, std::string&) const noexcept {
    return {reinterpret_cast<const char*>(data_ + at), static_cast<size_t>(size)};
  }

  bool failed() const noexcept { return false; }

 private:
  const uint8_t* data_;
};

// Reads a record of an open file page by page. If the file turns out to be shorter than expected, reads zeros and sets
// `failed`.
class FileSource {
 public:
  FileSource(int fd, uint64_t base, uint64_t size) noexcept : fd_(fd), base_(base), size_(size) {}

  uint8_t byte(uint64_t at) {
    if (at < begin_ || at - begin_ >= page_.size()) load(at);
    return page_[at - begin_];
  }

  template <class Number>
  Number number(uint64_t at) {
    uint8_t bytes[sizeof(Number)];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = byte(at + i);
    Number value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }

  std::string_view view(uint64_t at, uint64_t size, std::string& scratch);

  bool failed() const noexcept { return failed_; }

 private:
  void load(uint64_t at);

  int fd_;
  uint64_t base_, size_;
  uint64_t begin_ = 0;
  std::vector<uint8_t> page_;
  bool failed_ = false;
};

// The first offset at or after `offset` that is not in a hole of the file, or the end of the file. Returns `offset` if
// the file system does not support this.
uint64_t end_of_hole(int fd, uint64_t offset) noexcept;

// Calls pread until `size` bytes are read or the file ends. Returns the number of bytes read, or -1 with errno set.
int64_t read_at(int fd, uint8_t* into, uint64_t size, uint64_t offset) noexcept;

}  // namespace lightboard
