// CRC-32C (Castagnoli), by the processor's own instruction where it has one, and the masked form event files carry.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lightboard {

// The CRC of `size` more bytes after those whose CRC is `crc`; 0 begins.
uint32_t crc32c(uint32_t crc, const uint8_t* data, size_t size) noexcept;

// The same by table, whatever the processor can do; tests hold the two equal.
uint32_t crc32c_by_table(uint32_t crc, const uint8_t* data, size_t size) noexcept;

// The same for `count` bytes that are zero, in a time that hardly depends on their number.
uint32_t crc32c_of_zeros(uint32_t crc, uint64_t count) noexcept;

// The CRC of the eight bytes of one number in memory order, unmasked; what a record's header needs.
uint32_t crc32c_of_u64(uint64_t number) noexcept;

inline uint32_t masked(uint32_t crc) noexcept { return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u; }

}  // namespace lightboard
