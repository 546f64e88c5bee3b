#include "source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include <sys/stat.h>
#include <unistd.h>

namespace lightboard {
namespace {

constexpr uint64_t page_bytes = 32 << 10;
constexpr uint64_t largest_read = 1 << 30;

}  // namespace

int64_t read_at(int fd, uint8_t* into, uint64_t size, uint64_t offset) noexcept {
  uint64_t done = 0;
  while (done < size) {
    const ssize_t got = pread(fd, into + done, std::min(size - done, largest_read), static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<uint64_t>(got);
  }
  return static_cast<int64_t>(done);
}

uint64_t end_of_hole(int fd, uint64_t offset) noexcept {
#ifdef SEEK_DATA
  const off_t next = lseek(fd, static_cast<off_t>(offset), SEEK_DATA);
  if (next >= 0) return std::max(offset, static_cast<uint64_t>(next));
  struct stat status;
  if (errno == ENXIO && fstat(fd, &status) == 0) return std::max(offset, static_cast<uint64_t>(status.st_size));
#else
  (void)fd;
#endif
  return offset;
}

void FileSource::load(uint64_t at) {
  const uint64_t wanted = std::min(page_bytes, size_ - at);
  page_.resize(wanted);
  begin_ = at;
  const int64_t got = read_at(fd_, page_.data(), wanted, base_ + at);
  const uint64_t whole = got < 0 ? 0 : static_cast<uint64_t>(got);
  if (whole < wanted) {
    failed_ = true;
    std::fill(page_.begin() + static_cast<ptrdiff_t>(whole), page_.end(), uint8_t{0});
  }
}

std::string_view FileSource::view(uint64_t at, uint64_t size, std::string& scratch) {
  scratch.resize(size);
  const int64_t got = read_at(fd_, reinterpret_cast<uint8_t*>(scratch.data()), size, base_ + at);
  const uint64_t whole = got < 0 ? 0 : static_cast<uint64_t>(got);
  if (whole < size) {
    failed_ = true;
    std::memset(scratch.data() + whole, 0, size - whole);
  }
  return scratch;
}

}  // namespace lightboard
