// Scans JSON values in a buffer that may end within one. Strings may contain any bytes, and NaN and infinities are
// numbers, as in Python's decoder; the positions of errors are those that it reports.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace lightboard {

enum class JsonKind : uint8_t { none, string, integer, real, nan, infinity, yes, no, null, object, array };

// A value in the text: of a string what is between its quotes, else all of it. `plain` is a string of ASCII without
// escapes.
struct JsonToken {
  JsonKind kind = JsonKind::none;
  bool plain = false;
  std::string_view text;
};

class JsonScanner {
 public:
  static constexpr unsigned max_depth = 100;     // of nested values; limits recursion
  static constexpr size_t max_int_digits = 4300;  // Python refuses to convert more

  explicit JsonScanner(std::string_view text) noexcept : text_(text) {}

  // Scans the value at `at` and moves behind it. Returns false at the first error. `depth` is the number of values
  // around it.
  bool value(size_t& at, JsonToken& out, unsigned depth) {
    if (at >= text_.size()) return fail(at);
    switch (text_[at]) {
      case '"':
        return string(at, out);
      case '{':
        return container(at, out, JsonKind::object, [&] {
          return members(at, depth + 1, [&](const JsonToken&) {
            JsonToken ignored;
            return value(at, ignored, depth + 1);
          });
        });
      case '[':
        return container(at, out, JsonKind::array, [&] { return elements(at, depth + 1); });
      case 'n':
        if (word(at, "null", JsonKind::null, out)) return true;
        break;
      case 't':
        if (word(at, "true", JsonKind::yes, out)) return true;
        break;
      case 'f':
        if (word(at, "false", JsonKind::no, out)) return true;
        break;
      case 'N':
        if (word(at, "NaN", JsonKind::nan, out)) return true;
        break;
      case 'I':
        if (word(at, "Infinity", JsonKind::infinity, out)) return true;
        break;
      case '-':
        if (word(at, "-Infinity", JsonKind::infinity, out)) return true;
        break;
    }
    return number(at, out);
  }

  // Scans the object at `at`, which is its brace. `on_member(key)` must scan the value, at which `at` then is.
  template <class OnMember>
  bool members(size_t& at, unsigned depth, OnMember&& on_member) {
    if (depth > max_depth) return refuse();
    skip_space(++at);
    if (peek(at) == '}') return at++, true;
    for (;;) {
      if (peek(at) != '"') return fail(at);
      JsonToken key;
      if (!string(at, key)) return false;
      skip_space(at);
      if (peek(at) != ':') return fail(at);
      skip_space(++at);
      if (!on_member(key)) return false;
      skip_space(at);
      if (peek(at) == '}') return at++, true;
      if (peek(at) != ',') return fail(at);
      skip_space(++at);
    }
  }

  bool string(size_t& at, JsonToken& out);

  // Whether the error may only mean that the buffer ends too early.
  bool may_go_on() const noexcept { return !refused_ && (unterminated_ || text_.size() - error_at_ < 16); }

 private:
  template <class Scan>
  bool container(const size_t& at, JsonToken& out, JsonKind kind, Scan&& scan) {
    const size_t begin = at;
    if (!scan()) return false;
    out = {kind, false, text_.substr(begin, at - begin)};
    return true;
  }

  bool elements(size_t& at, unsigned depth);
  bool number(size_t& at, JsonToken& out);

  bool word(size_t& at, std::string_view wanted, JsonKind kind, JsonToken& out) const noexcept {
    if (text_.substr(at, wanted.size()) != wanted) return false;
    out = {kind, false, text_.substr(at, wanted.size())};
    at += wanted.size();
    return true;
  }

  // The byte at a position, or 0, which no syntax has, at the end.
  char peek(size_t at) const noexcept { return at < text_.size() ? text_[at] : '\0'; }
  bool is_digit(size_t at) const noexcept { return at < text_.size() && text_[at] >= '0' && text_[at] <= '9'; }

  void skip_space(size_t& at) const noexcept {
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\n' || text_[at] == '\r' || text_[at] == '\t')) at++;
  }

  bool fail(size_t at) noexcept {
    error_at_ = at;
    return false;
  }

  bool refuse() noexcept {
    refused_ = true;
    return false;
  }

  std::string_view text_;
  size_t error_at_ = 0;
  bool unterminated_ = false, refused_ = false;
};

// The text of a string as UTF-8. Bytes that are not valid UTF-8 are taken as Latin-1, and half of a surrogate pair
// is U+FFFD. `scratch` is used unless the string is plain.
std::string_view text_of(const JsonToken& token, std::string& scratch);

// The first `count` characters of a text in UTF-8.
std::string_view first_chars(std::string_view text, size_t count) noexcept;

// A number as double, correctly rounded: zero or an infinity beyond its range.
double to_double(std::string_view number) noexcept;

}  // namespace lightboard
