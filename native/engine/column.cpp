#include "column.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace lightboard {
namespace {

#if defined(__linux__)

constexpr size_t system_bytes = 64 << 10;  // from here on the system is asked instead of the heap
constexpr size_t page = 4096;

bool from_system(size_t bytes) noexcept { return bytes >= system_bytes; }

size_t whole_pages(size_t bytes) noexcept { return (bytes + page - 1) / page * page; }

void* take(size_t bytes) {
  void* memory = mmap(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void* change(void* memory, size_t before, size_t after) {
  void* moved = mremap(memory, whole_pages(before), whole_pages(after), MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) throw std::bad_alloc();
  return moved;
}

void give_back(void* memory, size_t bytes) noexcept { munmap(memory, whole_pages(bytes)); }

#else

bool from_system(size_t) noexcept { return false; }
void* take(size_t) { throw std::bad_alloc(); }
void* change(void*, size_t, size_t) { throw std::bad_alloc(); }
void give_back(void*, size_t) noexcept {}

#endif

}  // namespace

void Column::resize(size_t bytes) {
  if (bytes == bytes_) return;
  const bool was_large = from_system(bytes_), is_large = from_system(bytes);
  if (bytes == 0) {
    if (was_large)
      give_back(data_, bytes_);
    else
      std::free(data_);
    data_ = nullptr;
  } else if (was_large && is_large) {
    data_ = change(data_, bytes_, bytes);
  } else if (!was_large && !is_large) {
    void* moved = std::realloc(data_, bytes);
    if (moved == nullptr) throw std::bad_alloc();
    data_ = moved;
  } else {
    void* moved = is_large ? take(bytes) : std::malloc(bytes);
    if (moved == nullptr) throw std::bad_alloc();
    if (data_ != nullptr) std::memcpy(moved, data_, std::min(bytes, bytes_));
    if (was_large)
      give_back(data_, bytes_);
    else
      std::free(data_);
    data_ = moved;
  }
  bytes_ = bytes;
}

}  // namespace lightboard
