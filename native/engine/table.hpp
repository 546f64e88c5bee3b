// Lines of plain numbers, as tables of embeddings have them, made into float32. What is not plain is left to others.
#pragma once

#include <cstddef>
#include <span>

namespace lightboard {

// How many numbers lines of `text` hold at most: room for parse_table.
size_t count_numbers(std::span<const char> text) noexcept;

// The numbers of the lines of `text` to `out`, `columns` to a line, set apart by single tabs or single blanks, the same
// throughout; empty lines are passed over. Each is rounded to a double first, as Python reads it, then to a float.
//
// How many there are; or nothing (`not_plain`) where a line has others or something is no plain decimal number.
inline constexpr size_t not_plain = static_cast<size_t>(-1);
size_t parse_table(std::span<const char> text, size_t columns, float* out) noexcept;

}  // namespace lightboard
