#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "crc32c.hpp"
#include "source.hpp"

namespace lightboard {
namespace {

// A file descriptor that is closed on destruction.
class FileDescriptor {
 public:
  // Non-blocking, because opening a FIFO with the name of an event file would block forever.
  explicit FileDescriptor(const char* path) noexcept : fd_(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int fd() const noexcept { return fd_; }

 private:
  int fd_;
};

int64_t mtime_ns(const struct stat& status) noexcept {
#if defined(__APPLE__)
  const timespec& time = status.st_mtimespec;
#else
  const timespec& time = status.st_mtim;
#endif
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool sample(int fd, uint64_t offset, uint64_t size, uint32_t& crc) {
  std::vector<uint8_t> bytes(size);
  const int64_t got = read_at(fd, bytes.data(), size, offset);
  if (got >= 0) crc = crc32c(0, bytes.data(), static_cast<size_t>(got));
  return got >= 0;
}

}  // namespace

bool read_file(const char* path, Decoder& decoder, uint64_t limit, uint64_t sample_bytes, FileReadResult& out) {
  const FileDescriptor file(path);
  return read_open_file(file.fd(), decoder, limit, sample_bytes, out);
}

bool read_open_file(int fd, Decoder& decoder, uint64_t limit, uint64_t sample_bytes, FileReadResult& out) {
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  out.size = static_cast<uint64_t>(status.st_size);
  out.device = status.st_dev;
  out.inode = status.st_ino;
  out.mtime_ns = mtime_ns(status);
  const int64_t consumed = decoder.read(fd, limit);
  if (consumed < 0) return false;
  out.consumed = static_cast<uint64_t>(consumed);
  const uint64_t offset = decoder.progress().offset, sample_size = std::min(sample_bytes, offset);
  return sample(fd, 0, sample_size, out.head) && sample(fd, offset - sample_size, sample_size, out.tail);
}

}  // namespace lightboard
