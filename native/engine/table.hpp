// Parses lines of decimal numbers, such as tables of embeddings, into float32. Anything else is left to the caller.
#pragma once

#include <cstddef>
#include <span>

namespace lightboard {

// An upper bound for the count of numbers in `text`: the capacity that parse_table needs.
size_t count_numbers(std::span<const char> text) noexcept;

// Writes the numbers of `text` to `out`. Every line must have `columns` numbers, separated by single tabs or single
// spaces, the same throughout; empty lines are skipped. Each number is rounded to a double first, like in Python, then
// to a float.
//
// Returns the count of numbers, or `unsupported_table` if a line has a different count or something is not a plain
// decimal number.
inline constexpr size_t unsupported_table = static_cast<size_t>(-1);
size_t parse_table(std::span<const char> text, size_t columns, float* out) noexcept;

}  // namespace lightboard
