// Memory for one column of a series that can grow without copying. Large columns are mapped: growing moves page tables
// instead of bytes, and pages that were never written use no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace lightboard {

class Column {
 public:
  Column() noexcept = default;
  Column(Column&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Column& operator=(Column&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  ~Column() { resize(0); }

  // Resizes to exactly `bytes` and keeps the contents that fit. Throws std::bad_alloc and then changes nothing.
  void resize(size_t bytes);

  template <class Number>
  Number* as() noexcept {
    return static_cast<Number*>(data_);
  }
  template <class Number>
  const Number* as() const noexcept {
    return static_cast<const Number*>(data_);
  }

 private:
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace lightboard
