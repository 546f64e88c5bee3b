// Memory for a column that can be moved to an unnamed file, of which only what is used is in memory.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include "column.hpp"

namespace lightboard {

// The disk has no space for a column, or its folder cannot be used. `number` is an errno.
class DiskError : public std::exception {
 public:
  explicit DiskError(int number) noexcept : number(number) {}
  const char* what() const noexcept override { return "a column cannot be kept on the disk"; }
  const int number;
};

class FileColumn {
 public:
  FileColumn() noexcept = default;
  FileColumn(FileColumn&& other) noexcept { swap(other); }
  FileColumn& operator=(FileColumn&& other) noexcept {
    swap(other);
    return *this;
  }
  FileColumn(const FileColumn&) = delete;
  FileColumn& operator=(const FileColumn&) = delete;
  ~FileColumn();

  // Resizes to exactly `bytes` and keeps the contents that fit. Throws std::bad_alloc, or DiskError in a file, and then
  // changes nothing.
  void resize(size_t bytes);

  // Moves it to an unnamed file in a folder. Does nothing where systems cannot do this. Throws std::bad_alloc and
  // DiskError, and then changes nothing.
  void move_to_file(const std::string& folder);

  // Lets what is in a file out of memory. Whatever uses it brings it back.
  void let_go() noexcept;

  template <class Number>
  Number* as() noexcept {
    return static_cast<Number*>(data_);
  }
  template <class Number>
  const Number* as() const noexcept {
    return static_cast<const Number*>(data_);
  }

 private:
  void swap(FileColumn& other) noexcept;

  Column memory_;          // without a file
  void* data_ = nullptr;   // in memory or mapped
  size_t bytes_ = 0;
  int file_ = -1;
};

}  // namespace lightboard
