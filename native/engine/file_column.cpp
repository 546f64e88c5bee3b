#include "file_column.hpp"

#include <cstring>
#include <new>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#endif

namespace lightboard {
namespace {

#if defined(__linux__)

constexpr size_t file_page = 4096;

// Files have a page at least, since nothing of no length can be mapped.
size_t pages_of_file(size_t bytes) noexcept {
  return bytes == 0 ? file_page : (bytes + file_page - 1) / file_page * file_page;
}

int open_unnamed(const std::string& folder) {
  int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0 && errno != ENOSPC) {  // some file systems have no unnamed files
    std::string name = folder + "/column-XXXXXX";
    file = mkostemp(name.data(), O_CLOEXEC);
    if (file >= 0) unlink(name.c_str());
  }
  if (file < 0) throw DiskError(errno);
  return file;
}

// Gives a file its space, without which writing to mapped memory would end the process. Throws DiskError.
void reserve_space(int file, size_t bytes) {
  const int error = posix_fallocate(file, 0, static_cast<off_t>(pages_of_file(bytes)));
  if (error != 0) throw DiskError(error);
}

void* map_file(int file, size_t bytes) {
  void* memory = mmap(nullptr, pages_of_file(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void* remap_file(void* memory, size_t before, size_t after) {
  void* moved = mremap(memory, pages_of_file(before), pages_of_file(after), MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) throw std::bad_alloc();
  return moved;
}

void close_file(int file, void* memory, size_t bytes) noexcept {
  if (memory != nullptr) munmap(memory, pages_of_file(bytes));
  close(file);
}

void forget_pages(void* memory, size_t bytes) noexcept { madvise(memory, pages_of_file(bytes), MADV_DONTNEED); }

#else

int open_unnamed(const std::string&) { return -1; }
void reserve_space(int, size_t) {}
void* map_file(int, size_t) { throw std::bad_alloc(); }
void* remap_file(void*, size_t, size_t) { throw std::bad_alloc(); }
void close_file(int, void*, size_t) noexcept {}
void forget_pages(void*, size_t) noexcept {}

#endif

}  // namespace

FileColumn::~FileColumn() {
  if (file_ >= 0) close_file(file_, data_, bytes_);
}

void FileColumn::swap(FileColumn& other) noexcept {
  memory_ = std::move(other.memory_);  // which swaps
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(file_, other.file_);
}

void FileColumn::resize(size_t bytes) {
  if (file_ >= 0) {
    if (bytes > bytes_) reserve_space(file_, bytes);
    data_ = remap_file(data_, bytes_, bytes);
  } else {
    memory_.resize(bytes);
    data_ = memory_.as<void>();
  }
  bytes_ = bytes;
}

void FileColumn::move_to_file(const std::string& folder) {
  FileColumn moved;
  moved.file_ = open_unnamed(folder);
  if (moved.file_ < 0) return;
  reserve_space(moved.file_, bytes_);
  moved.data_ = map_file(moved.file_, bytes_);
  moved.bytes_ = bytes_;
  if (bytes_ > 0) std::memcpy(moved.data_, data_, bytes_);
  swap(moved);
}

void FileColumn::let_go() noexcept {
  if (file_ >= 0) forget_pages(data_, bytes_);
}

}  // namespace lightboard
