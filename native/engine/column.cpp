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

constexpr size_t min_mapped_bytes = 64 << 10;  // larger columns are mapped, smaller ones are on the heap
constexpr size_t page = 4096;

bool is_mapped(size_t bytes) noexcept { return bytes >= min_mapped_bytes; }

size_t whole_pages(size_t bytes) noexcept { return (bytes + page - 1) / page * page; }

void* map_pages(size_t bytes) {
  void* memory =
      mmap(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void* remap_pages(void* memory, size_t before, size_t after) {
  void* moved = mremap(memory, whole_pages(before), whole_pages(after), MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) throw std::bad_alloc();
  return moved;
}

void unmap_pages(void* memory, size_t bytes) noexcept { munmap(memory, whole_pages(bytes)); }

#else

bool is_mapped(size_t) noexcept { return false; }
void* map_pages(size_t) { throw std::bad_alloc(); }
void* remap_pages(void*, size_t, size_t) { throw std::bad_alloc(); }
void unmap_pages(void*, size_t) noexcept {}

#endif

}  // namespace

void Column::resize(size_t bytes) {
  if (bytes == bytes_) return;
  const bool was_large = is_mapped(bytes_), is_large = is_mapped(bytes);
  if (bytes == 0) {
    if (was_large)
      unmap_pages(data_, bytes_);
    else
      std::free(data_);
    data_ = nullptr;
  } else if (was_large && is_large) {
    data_ = remap_pages(data_, bytes_, bytes);
  } else if (!was_large && !is_large) {
    void* moved = std::realloc(data_, bytes);
    if (moved == nullptr) throw std::bad_alloc();
    data_ = moved;
  } else {
    void* moved = is_large ? map_pages(bytes) : std::malloc(bytes);
    if (moved == nullptr) throw std::bad_alloc();
    if (data_ != nullptr) std::memcpy(moved, data_, std::min(bytes, bytes_));
    if (was_large)
      unmap_pages(data_, bytes_);
    else
      std::free(data_);
    data_ = moved;
  }
  bytes_ = bytes;
}

}  // namespace lightboard
