// Interns the tags of one file. Lookups are fast because tags tend to repeat in the same order.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace lightboard {

constexpr uint32_t no_series = 0xFFFFFFFFu;

struct Tag {
  explicit Tag(std::string_view name) : name(name) {}

  std::string name;
  std::string metadata;  // serialized SummaryMetadata, the first one in the file; empty if none
  std::string plugin;    // of that metadata
  int32_t written_class = 0;
  bool is_scalar = false;  // described as scalars
  uint32_t scalar = no_series, reference = no_series;
  uint32_t next = 0;  // the tag that followed this one last time
};

class Tags {
 public:
  // The index of the tag with that name, which is added if it is new.
  uint32_t find(std::string_view name) {
    if (last_ < tags_.size()) [[likely]] {
      const uint32_t guess = tags_[last_].next;
      if (same(tags_[guess].name, name)) [[likely]] {
        last_ = guess;
        return guess;
      }
    }
    return search(name);
  }

  // Releases unused capacity.
  void trim() { tags_.shrink_to_fit(); }

  Tag& operator[](uint32_t number) noexcept { return tags_[number]; }
  const Tag& operator[](uint32_t number) const noexcept { return tags_[number]; }

 private:
  // Equality without a function call, because most names are only a few words long.
  static bool same(const std::string& a, std::string_view b) noexcept {
    const size_t size = b.size();
    if (a.size() != size) return false;
    if (size < 8 || size > 64) return std::memcmp(a.data(), b.data(), size) == 0;
    uint64_t difference = word(a.data() + size - 8) ^ word(b.data() + size - 8);
    for (size_t at = 0; at + 8 < size; at += 8) difference |= word(a.data() + at) ^ word(b.data() + at);
    return difference == 0;
  }
  static uint64_t word(const char* data) noexcept {
    uint64_t bits;
    std::memcpy(&bits, data, 8);
    return bits;
  }

  uint32_t search(std::string_view name);
  size_t slot_of(std::string_view name) const noexcept;
  void make_room();

  std::vector<Tag> tags_;
  std::vector<uint32_t> slots_;  // open addressing: tag index + 1, 0 if free; a power of two, at most half full
  size_t last_ = 0;
};

}  // namespace lightboard
