#include "json_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace lightboard {
namespace {

// Whether any of eight bytes is a quote, a backslash or not ASCII.
inline bool has_special(uint64_t bytes) noexcept {
  constexpr uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
  const uint64_t quote = bytes ^ (ones * '"'), backslash = bytes ^ (ones * '\\');
  return ((((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | bytes) & high) != 0;
}

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Four hexadecimal digits, or -1.
int32_t hex_of_four(const char* digits) noexcept {
  int32_t value = 0;
  for (int i = 0; i < 4; i++) {
    const int digit = hex_digit(digits[i]);
    if (digit < 0) return -1;
    value = value << 4 | digit;
  }
  return value;
}

constexpr uint32_t replacement = 0xFFFD;

bool is_high_surrogate(int32_t c) noexcept { return c >= 0xD800 && c < 0xDC00; }
bool is_low_surrogate(int32_t c) noexcept { return c >= 0xDC00 && c < 0xE000; }

void put_utf8(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xC0 | c >> 6));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | c >> 12));
    out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else {
    out.push_back(static_cast<char>(0xF0 | c >> 18));
    out.push_back(static_cast<char>(0x80 | (c >> 12 & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  }
}

bool is_utf8(std::string_view bytes) noexcept {
  for (size_t at = 0; at < bytes.size();) {
    const auto first = static_cast<uint8_t>(bytes[at]);
    const size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    if (length == 0 || length > bytes.size() - at) return false;
    uint32_t c = length == 1 ? first : first & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
      const auto next = static_cast<uint8_t>(bytes[at + i]);
      if (next >> 6 != 2) return false;
      c = c << 6 | (next & 0x3F);
    }
    constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c < least[length] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return false;
    at += length;
  }
  return true;
}

// Appends bytes of 0x80 and above.
void put_high(std::string& out, std::string& run) {
  if (is_utf8(run))
    out += run;
  else
    for (const char c : run) put_utf8(out, static_cast<uint8_t>(c));
  run.clear();
}

// The character of an escape in a valid string, and the position after it.
uint32_t unescape(std::string_view text, size_t& at) noexcept {
  const char kind = text[at + 1];
  at += 2;
  switch (kind) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'u':
      break;
    default:
      return static_cast<uint8_t>(kind);
  }
  const int32_t c = hex_of_four(text.data() + at);
  at += 4;
  if (is_high_surrogate(c) && text.size() - at >= 6 && text[at] == '\\' && text[at + 1] == 'u') {
    const int32_t low = hex_of_four(text.data() + at + 2);
    if (is_low_surrogate(low)) {
      at += 6;
      return 0x10000 + (static_cast<uint32_t>(c - 0xD800) << 10) + static_cast<uint32_t>(low - 0xDC00);
    }
  }
  return is_high_surrogate(c) || is_low_surrogate(c) ? replacement : static_cast<uint32_t>(c);
}

// Whether a number that no double can hold is too large, rather than too small.
bool is_huge(std::string_view number) noexcept {
  const size_t e = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, e);
  const size_t point = std::min(digits.find('.'), digits.size()), first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  if (e == std::string_view::npos) return first < point;
  const bool negative = number[e + 1] == '-';
  int64_t exponent = 0;
  for (const char c : number.substr(e + 1))
    if (c >= '0' && c <= '9') exponent = std::min<int64_t>(exponent * 10 + (c - '0'), int64_t{1} << 50);
  return (negative ? -exponent : exponent) + static_cast<int64_t>(point) - static_cast<int64_t>(first) > 0;
}

}  // namespace

bool JsonScanner::string(size_t& at, JsonToken& out) {
  const size_t begin = at + 1, size = text_.size();
  const char* const data = text_.data();
  size_t next = begin;
  bool plain = true;
  for (;;) {
    uint64_t word;
    while (size - next >= 8 && (std::memcpy(&word, data + next, 8), !has_special(word))) next += 8;
    for (; next < size && data[next] != '"' && data[next] != '\\'; next++)
      plain = plain && static_cast<uint8_t>(data[next]) < 0x80;
    if (next < size && data[next] == '"') break;
    if (next + 1 >= size) {
      unterminated_ = true;
      return fail(at);
    }
    plain = false;
    const char kind = data[next + 1];
    next += 2;
    if (kind != 'u') {
      if (std::string_view("\"\\/bfnrt").find(kind) == std::string_view::npos) return fail(next - 2);
      continue;
    }
    if (next + 4 >= size) return fail(next - 1);
    const int32_t c = hex_of_four(data + next);
    if (c < 0) return fail(next - 1);
    next += 4;
    // After a high surrogate, Python reads the digits of the next escape as well, and refuses them if they are none.
    if (is_high_surrogate(c) && next + 6 < size && data[next] == '\\' && data[next + 1] == 'u' &&
        hex_of_four(data + next + 2) < 0)
      return fail(next + 1);
  }
  out = {JsonKind::string, plain, text_.substr(begin, next - begin)};
  at = next + 1;
  return true;
}

bool JsonScanner::elements(size_t& at, unsigned depth) {
  if (depth > max_depth) return refuse();
  skip_space(++at);
  if (peek(at) == ']') return at++, true;
  for (;;) {
    JsonToken ignored;
    if (!value(at, ignored, depth)) return false;
    skip_space(at);
    if (peek(at) == ']') return at++, true;
    if (peek(at) != ',') return fail(at);
    skip_space(++at);
  }
}

bool JsonScanner::number(size_t& at, JsonToken& out) {
  size_t end = at + (text_[at] == '-');
  const size_t digits = end;
  if (!is_digit(end)) return fail(at);
  if (text_[end++] != '0')
    while (is_digit(end)) end++;
  JsonKind kind = JsonKind::integer;
  const size_t count = end - digits;
  if (peek(end) == '.' && is_digit(end + 1)) {
    kind = JsonKind::real;
    end += 2;
    while (is_digit(end)) end++;
  }
  if (peek(end) == 'e' || peek(end) == 'E') {
    const size_t power = end + 1 + (peek(end + 1) == '+' || peek(end + 1) == '-');
    if (is_digit(power)) {
      kind = JsonKind::real;
      end = power;
      while (is_digit(end)) end++;
    }
  }
  if (kind == JsonKind::integer && count > max_int_digits) return refuse();
  out = {kind, false, text_.substr(at, end - at)};
  at = end;
  return true;
}

std::string_view text_of(const JsonToken& token, std::string& scratch) {
  if (token.plain) return token.text;
  scratch.clear();
  std::string high;
  for (size_t at = 0; at < token.text.size();) {
    uint32_t c = static_cast<uint8_t>(token.text[at]);
    if (c == '\\')
      c = unescape(token.text, at);
    else
      at++;
    if (c >= 0x80 && c < 0x100) {
      high.push_back(static_cast<char>(c));
      continue;
    }
    if (!high.empty()) put_high(scratch, high);
    put_utf8(scratch, c);
  }
  if (!high.empty()) put_high(scratch, high);
  return scratch;
}

std::string_view first_chars(std::string_view text, size_t count) noexcept {
  if (text.size() <= count) return text;
  for (size_t at = 0; at < text.size(); at++)
    if ((static_cast<uint8_t>(text[at]) & 0xC0) != 0x80 && count-- == 0) return text.substr(0, at);
  return text;
}

double to_double(std::string_view number) noexcept {
  double value = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc::result_out_of_range) return value;
  value = is_huge(number) ? std::numeric_limits<double>::infinity() : 0.0;
  return number.front() == '-' ? -value : value;
}

}  // namespace lightboard
