#include "crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__) || defined(_M_X64)
#include <nmmintrin.h>
#define LIGHTBOARD_CRC_X86 1
#elif defined(__aarch64__)
#include <arm_acle.h>
#if defined(__linux__)
#include <sys/auxv.h>
#ifndef HWCAP_CRC32
#define HWCAP_CRC32 (1 << 7)
#endif
#endif
#define LIGHTBOARD_CRC_ARM 1
#endif

namespace lightboard {
namespace {

constexpr uint32_t polynomial = 0x82F63B78u;

// tables[k][b]: the effect of byte b, followed by k zero bytes, on the register.
constexpr auto make_tables() {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) ? polynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t k = 1; k < 8; k++)
    for (size_t byte = 0; byte < 256; byte++)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xFF];
  return tables;
}

constexpr auto tables = make_tables();

// Long runs are split into three lanes that are computed in parallel. Joining the lanes requires the effect of one lane
// of zero bytes on a register. It is linear, so it can be computed for the four bytes of the register separately.
constexpr size_t lane_bytes = 1024;

constexpr auto make_lane_shift() {
  std::array<std::array<uint32_t, 256>, 4> shift{};
  std::array<uint32_t, 32> bits{};
  for (size_t bit = 0; bit < 32; bit++) {
    uint32_t crc = 1u << bit;
    for (size_t i = 0; i < lane_bytes; i++) crc = (crc >> 8) ^ tables[0][crc & 0xFF];
    bits[bit] = crc;
  }
  for (size_t part = 0; part < 4; part++)
    for (size_t byte = 0; byte < 256; byte++)
      for (size_t bit = 0; bit < 8; bit++)
        if (byte >> bit & 1) shift[part][byte] ^= bits[part * 8 + bit];
  return shift;
}

template <class Word>
inline Word load(const uint8_t* data) noexcept {
  Word word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

inline uint64_t load64(const uint8_t* data) noexcept { return load<uint64_t>(data); }

uint32_t extend_by_table(uint32_t crc, const uint8_t* data, size_t size) noexcept {
  for (; size >= 8; data += 8, size -= 8) {
    const uint64_t word = load64(data) ^ crc;
    crc = 0;
    for (size_t k = 0; k < 8; k++) crc ^= tables[7 - k][(word >> (8 * k)) & 0xFF];
  }
  for (; size; size--) crc = (crc >> 8) ^ tables[0][(crc ^ *data++) & 0xFF];
  return crc;
}

#if LIGHTBOARD_CRC_X86 || LIGHTBOARD_CRC_ARM

#if LIGHTBOARD_CRC_X86
#define LIGHTBOARD_CRC_TARGET __attribute__((target("sse4.2")))
LIGHTBOARD_CRC_TARGET inline uint32_t step64(uint32_t crc, uint64_t word) noexcept {
  return static_cast<uint32_t>(_mm_crc32_u64(crc, word));
}
LIGHTBOARD_CRC_TARGET inline uint32_t step32(uint32_t crc, uint32_t word) noexcept { return _mm_crc32_u32(crc, word); }
LIGHTBOARD_CRC_TARGET inline uint32_t step16(uint32_t crc, uint16_t word) noexcept { return _mm_crc32_u16(crc, word); }
LIGHTBOARD_CRC_TARGET inline uint32_t step8(uint32_t crc, uint8_t byte) noexcept { return _mm_crc32_u8(crc, byte); }
bool processor_has_crc() noexcept { return __builtin_cpu_supports("sse4.2"); }
#else
#if defined(__clang__)
#define LIGHTBOARD_CRC_TARGET __attribute__((target("crc")))
#else
#define LIGHTBOARD_CRC_TARGET __attribute__((target("+crc")))
#endif
LIGHTBOARD_CRC_TARGET inline uint32_t step64(uint32_t crc, uint64_t word) noexcept { return __crc32cd(crc, word); }
LIGHTBOARD_CRC_TARGET inline uint32_t step32(uint32_t crc, uint32_t word) noexcept { return __crc32cw(crc, word); }
LIGHTBOARD_CRC_TARGET inline uint32_t step16(uint32_t crc, uint16_t word) noexcept { return __crc32ch(crc, word); }
LIGHTBOARD_CRC_TARGET inline uint32_t step8(uint32_t crc, uint8_t byte) noexcept { return __crc32cb(crc, byte); }
bool processor_has_crc() noexcept {
#if defined(__linux__)
  return getauxval(AT_HWCAP) & HWCAP_CRC32;
#else
  return true;  // every 64-bit Apple processor
#endif
}
#endif

const std::array<std::array<uint32_t, 256>, 4>& lane_shift() noexcept {
  static const auto shift = make_lane_shift();
  return shift;
}

uint32_t past_a_lane(const std::array<std::array<uint32_t, 256>, 4>& shift, uint32_t crc) noexcept {
  return shift[0][crc & 0xFF] ^ shift[1][crc >> 8 & 0xFF] ^ shift[2][crc >> 16 & 0xFF] ^ shift[3][crc >> 24];
}

LIGHTBOARD_CRC_TARGET uint32_t extend_by_processor(uint32_t crc, const uint8_t* data, size_t size) noexcept {
  if (size >= 3 * lane_bytes) {
    const auto& shift = lane_shift();
    for (; size >= 3 * lane_bytes; data += 3 * lane_bytes, size -= 3 * lane_bytes) {
      uint32_t second = 0, third = 0;
      for (size_t i = 0; i < lane_bytes; i += 8) {
        crc = step64(crc, load64(data + i));
        second = step64(second, load64(data + lane_bytes + i));
        third = step64(third, load64(data + 2 * lane_bytes + i));
      }
      crc = past_a_lane(shift, past_a_lane(shift, crc) ^ second) ^ third;
    }
  }
  for (; size >= 8; data += 8, size -= 8) crc = step64(crc, load64(data));
  if (size & 4) {
    crc = step32(crc, load<uint32_t>(data));
    data += 4;
  }
  if (size & 2) {
    crc = step16(crc, load<uint16_t>(data));
    data += 2;
  }
  return size & 1 ? step8(crc, *data) : crc;
}

LIGHTBOARD_CRC_TARGET uint32_t of_u64_by_processor(uint64_t number) noexcept { return ~step64(0xFFFFFFFFu, number); }

#else

bool processor_has_crc() noexcept { return false; }
uint32_t extend_by_processor(uint32_t crc, const uint8_t* data, size_t size) noexcept {
  return extend_by_table(crc, data, size);
}
uint32_t of_u64_by_processor(uint64_t number) noexcept {
  uint8_t bytes[8];
  std::memcpy(bytes, &number, 8);
  return ~extend_by_table(0xFFFFFFFFu, bytes, 8);
}

#endif

uint32_t of_u64_by_table(uint64_t number) noexcept {
  uint8_t bytes[8];
  std::memcpy(bytes, &number, 8);
  return ~extend_by_table(0xFFFFFFFFu, bytes, 8);
}

const bool by_processor = processor_has_crc();

// The effect of zero bytes on a register, as a matrix over its bits: column b is the result for bit b alone.
using Shift = std::array<uint32_t, 32>;

uint32_t multiply(const Shift& shift, uint32_t crc) noexcept {
  uint32_t after = 0;
  for (size_t bit = 0; crc != 0; bit++, crc >>= 1)
    if (crc & 1) after ^= shift[bit];
  return after;
}

// shifts[k] is for 2^k zero bytes.
std::array<Shift, 64> make_shifts() noexcept {
  std::array<Shift, 64> shifts;
  for (size_t bit = 0; bit < 32; bit++) {
    const uint32_t crc = 1u << bit;
    shifts[0][bit] = (crc >> 8) ^ tables[0][crc & 0xFF];
  }
  for (size_t k = 1; k < shifts.size(); k++)
    for (size_t bit = 0; bit < 32; bit++) shifts[k][bit] = multiply(shifts[k - 1], shifts[k - 1][bit]);
  return shifts;
}

}  // namespace

uint32_t crc32c_of_zeros(uint32_t crc, uint64_t count) noexcept {
  static const auto shifts = make_shifts();
  crc = ~crc;
  for (size_t k = 0; count != 0; k++, count >>= 1)
    if (count & 1) crc = multiply(shifts[k], crc);
  return ~crc;
}

uint32_t crc32c(uint32_t crc, const uint8_t* data, size_t size) noexcept {
  return by_processor ? ~extend_by_processor(~crc, data, size) : ~extend_by_table(~crc, data, size);
}

uint32_t crc32c_by_table(uint32_t crc, const uint8_t* data, size_t size) noexcept {
  return ~extend_by_table(~crc, data, size);
}

uint32_t crc32c_of_u64(uint64_t number) noexcept {
  return by_processor ? of_u64_by_processor(number) : of_u64_by_table(number);
}

}  // namespace lightboard
