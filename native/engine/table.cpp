#include "table.hpp"

#include <algorithm>
#include <charconv>

namespace lightboard {

size_t count_numbers(std::span<const char> text) noexcept { return text.size() / 2 + 1; }

size_t parse_table(std::span<const char> text, size_t columns, float* out) noexcept {
  const char* at = text.data();
  const char* const end = at + text.size();
  float* const begin = out;
  char separator = 0;
  while (at != end) {
    if (*at == '\n' || (*at == '\r' && end - at > 1 && at[1] == '\n')) {
      at += *at == '\n' ? 1 : 2;
      continue;
    }
    for (size_t column = 0;; column++) {
      if (column == columns) return unsupported_table;
      // Python has its own syntax for words such as nan and for plus signs.
      if (at == end || !(*at == '-' || *at == '.' || (*at >= '0' && *at <= '9'))) return unsupported_table;
      const char* const digits = at + (*at == '-');
      if (digits == end || !(*digits == '.' || (*digits >= '0' && *digits <= '9'))) return unsupported_table;
      double number;
      const auto [stop, error] = std::from_chars(at, end, number);
      if (error != std::errc()) return unsupported_table;
      *out++ = static_cast<float>(number);
      at = stop;
      if (at == end || *at == '\n' || *at == '\r') {
        if (column + 1 != columns) return unsupported_table;
        break;
      }
      if (separator == 0 && (*at == '\t' || *at == ' ')) separator = *at;
      if (*at != separator) return unsupported_table;
      at++;
    }
    if (at != end && *at == '\r' && (end - at < 2 || at[1] != '\n')) return unsupported_table;
  }
  return static_cast<size_t>(out - begin);
}

}  // namespace lightboard
