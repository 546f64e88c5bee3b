// Memory for one column of a series: grows in place of being copied. Large columns come straight from the system, where
// growing moves page tables instead of bytes and what was never written costs nothing.
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

  // Make room for exactly `bytes`, keeping what fits. Throws std::bad_alloc and then leaves all as it was.
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
