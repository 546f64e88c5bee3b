// CRC-32C (Castagnoli), computed by the processor's instruction if it has one, and the masked form used in event files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lightboard {

// The CRC of bytes whose first part has the CRC `crc`, followed by `size` bytes of `data`. Start with 0.
uint32_t crc32c(uint32_t crc, const uint8_t* data, size_t size) noexcept;

// The same, always computed by table. Tests check that both agree.
uint32_t crc32c_by_table(uint32_t crc, const uint8_t* data, size_t size) noexcept;

// The same for `count` zero bytes, in logarithmic time.
uint32_t crc32c_of_zeros(uint32_t crc, uint64_t count) noexcept;

// The unmasked CRC of the eight bytes of a number in memory order, as used in the header of a record.
uint32_t crc32c_of_u64(uint64_t number) noexcept;

inline uint32_t masked(uint32_t crc) noexcept { return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u; }

}  // namespace lightboard
