// The tags of one file: each name once, found quickly because tags tend to come in the order in which they came before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lightboard {

constexpr uint32_t no_series = 0xFFFFFFFFu;

struct Tag {
  explicit Tag(std::string_view name) : name(name) {}

  std::string name;
  std::string metadata;  // serialized SummaryMetadata, the first the file gave; empty if none
  std::string plugin;    // of that metadata
  int32_t written_class = 0;
  bool is_scalar = false;  // described as scalars
  uint32_t scalar = no_series, reference = no_series;
  uint32_t next = 0;  // the tag that came after this one last time
};

class Tags {
 public:
  // The number of the tag of that name, made if new.
  uint32_t find(std::string_view name) {
    if (last_ < tags_.size()) [[likely]] {
      const uint32_t guess = tags_[last_].next;
      if (tags_[guess].name == name) [[likely]] {
        last_ = guess;
        return guess;
      }
    }
    return search(name);
  }

  Tag& operator[](uint32_t number) noexcept { return tags_[number]; }
  const Tag& operator[](uint32_t number) const noexcept { return tags_[number]; }

 private:
  uint32_t search(std::string_view name);
  size_t slot_of(std::string_view name) const noexcept;
  void make_room();

  std::vector<Tag> tags_;
  std::vector<uint32_t> slots_;  // open addressing: tag number + 1, 0 if free; a power of two, at most half full
  size_t last_ = 0;
};

}  // namespace lightboard
