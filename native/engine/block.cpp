#include "block.hpp"

#include <cstring>

namespace lightboard {
namespace {

constexpr size_t header_size = 64;
constexpr size_t longest_varint = 10;

template <class Number>
void put(std::string& out, size_t at, Number number) {
  std::memcpy(out.data() + at, &number, sizeof number);
}

void pad(std::string& out) { out.resize((out.size() + 7) / 8 * 8); }

void put_numbers(std::string& out, const std::vector<double>& values, bool wide) {
  const size_t start = out.size();
  out.resize(start + values.size() * (wide ? sizeof(double) : sizeof(float)));
  char* at = out.data() + start;
  if (wide && !values.empty()) std::memcpy(at, values.data(), values.size() * sizeof(double));
  if (!wide)
    for (const double value : values) {
      const auto number = static_cast<float>(value);
      std::memcpy(at, &number, sizeof number);
      at += sizeof number;
    }
  pad(out);
}

void put_counts(std::string& out, const std::vector<uint32_t>& counts) {
  const size_t at = out.size(), size = counts.size() * sizeof(uint32_t);
  out.resize(at + size);
  if (size != 0) std::memcpy(out.data() + at, counts.data(), size);
  pad(out);
}

// Writes the differences between neighbours modulo 2^64 as zigzag varints. `before` is the neighbour of the first number,
// or null if there is none.
uint32_t put_deltas(std::string& out, const std::vector<int64_t>& numbers, const int64_t* before) {
  if (numbers.empty()) return 0;
  const size_t start = out.size();
  out.resize(start + numbers.size() * longest_varint);
  char* at = out.data() + start;
  auto last = static_cast<uint64_t>(before ? *before : numbers[0]);
  for (size_t i = before ? 0 : 1; i < numbers.size(); i++) {
    const auto now = static_cast<uint64_t>(numbers[i]);
    const uint64_t difference = now - last;
    uint64_t bits = (difference << 1) ^ (difference >> 63 ? ~uint64_t{0} : 0);
    while (bits > 0x7F) {
      *at++ = static_cast<char>(bits | 0x80);
      bits >>= 7;
    }
    *at++ = static_cast<char>(bits);
    last = now;
  }
  const auto size = static_cast<uint32_t>(at - (out.data() + start));
  out.resize(start + size);
  return size;
}

// Writes the numbers themselves if `real`, else the differences between them. Returns the number of bytes written.
uint32_t put_xs(std::string& out, const std::vector<int64_t>& xs, const int64_t* before, bool real) {
  if (!real) return put_deltas(out, xs, before);
  const size_t at = out.size(), size = xs.size() * sizeof(int64_t);
  out.resize(at + size);
  if (size != 0) std::memcpy(out.data() + at, xs.data(), size);
  return static_cast<uint32_t>(size);
}

}  // namespace

void Block::encode(std::string& out) const {
  const size_t at = out.size();
  const bool is_wide = flags & block_flag::wide;
  const int64_t first = xs.empty() ? 0 : xs[0];
  out.resize(at + header_size);
  put(out, at + 0, run);
  put(out, at + 4, flags);
  put(out, at + 8, static_cast<uint32_t>(ys.size()));
  put(out, at + 12, static_cast<uint32_t>(smoothed_ys.size()));
  put(out, at + 16, held);
  put(out, at + 24, in_range);
  put(out, at + 32, first);
  put(out, at + 40, first_aux);
  put(out, at + 60, static_cast<uint32_t>(restarts.size()));
  put_numbers(out, ys, is_wide);
  put_numbers(out, smoothed_ys, is_wide);
  if (flags & block_flag::group) {
    put_numbers(out, los, is_wide);
    put_numbers(out, his, is_wide);
    put_counts(out, members);
    put_counts(out, nonfinite);
  }
  put_xs(out, restarts, nullptr, true);
  const bool real = flags & block_flag::real;
  put(out, at + 48, put_xs(out, xs, nullptr, real));
  put(out, at + 52, put_xs(out, smoothed_xs, &first, real));
  put(out, at + 56, put_deltas(out, aux, nullptr));
  pad(out);
}

}  // namespace lightboard
