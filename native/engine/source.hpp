// Where the bytes of one record are read from: memory, or a file in small pages when the record is too long to hold.
// Places are counted from the first byte of the record's data; asking beyond its end is the caller's fault.
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

  // The bytes as one piece; `scratch` is where they go if they must be copied.
  std::string_view view(uint64_t at, uint64_t size, std::string&) const noexcept {
    return {reinterpret_cast<const char*>(data_ + at), static_cast<size_t>(size)};
  }

  bool failed() const noexcept { return false; }

 private:
  const uint8_t* data_;
};

// Reads a record of an open file page by page. Where the file turns out shorter than promised, zeros are given and
// `failed` says so afterwards.
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

// Where the first byte at or after `offset` lies that is not in a hole of the file; the end of the file if none is, and
// `offset` itself where the file system cannot tell.
uint64_t past_hole(int fd, uint64_t offset) noexcept;

// pread until `size` bytes are there or the file ends; what was read, or -1 with errno set.
int64_t read_at(int fd, uint8_t* into, uint64_t size, uint64_t offset) noexcept;

}  // namespace lightboard
