#include "table.hpp"

#include <algorithm>
#include <charconv>

namespace lightboard {

size_t count_numbers(std::span<const char> text) noexcept { return text.size() / 2 + 1; }

size_t parse_table(std::span<const char> text, size_t columns, float* out) noexcept {
  const char* at = text.data();
  const char* const end = at + text.size();
  float* const begin = out;
  char apart = 0;
  while (at != end) {
    if (*at == '\n' || (*at == '\r' && end - at > 1 && at[1] == '\n')) {
      at += *at == '\n' ? 1 : 2;
      continue;
    }
    for (size_t column = 0;; column++) {
      if (column == columns) return not_plain;
      // Words such as nan, and signs that are no minus, have forms of their own in Python.
      if (at == end || !(*at == '-' || *at == '.' || (*at >= '0' && *at <= '9'))) return not_plain;
      const char* const digits = at + (*at == '-');
      if (digits == end || !(*digits == '.' || (*digits >= '0' && *digits <= '9'))) return not_plain;
      double number;
      const auto [stop, error] = std::from_chars(at, end, number);
      if (error != std::errc()) return not_plain;
      *out++ = static_cast<float>(number);
      at = stop;
      if (at == end || *at == '\n' || *at == '\r') {
        if (column + 1 != columns) return not_plain;
        break;
      }
      if (apart == 0 && (*at == '\t' || *at == ' ')) apart = *at;
      if (*at != apart) return not_plain;
      at++;
    }
    if (at != end && *at == '\r' && (end - at < 2 || at[1] != '\n')) return not_plain;
  }
  return static_cast<size_t>(out - begin);
}

}  // namespace lightboard
