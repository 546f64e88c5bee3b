#include "tags.hpp"

#include <cstring>
#include <random>

namespace lightboard {
namespace {

uint64_t make_seed() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

// Names come from untrusted files, so collisions must not be predictable.
uint64_t hash_of(std::string_view name) noexcept {
  static const uint64_t seed = make_seed();
  constexpr uint64_t odd = 0x9E3779B97F4A7C15ull;
  uint64_t hash = seed ^ name.size();
  auto mix = [&hash](uint64_t word) {
    hash = (hash ^ word) * odd;
    hash ^= hash >> 29;
    hash = hash * (seed | 1);
    hash ^= hash >> 32;
  };
  size_t at = 0;
  for (; at + 8 <= name.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, name.data() + at, 8);
    mix(word);
  }
  uint64_t word = 0;
  if (at < name.size()) std::memcpy(&word, name.data() + at, name.size() - at);
  mix(word);
  return hash;
}

}  // namespace

size_t Tags::slot_of(std::string_view name) const noexcept {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash_of(name) & mask;
  while (slots_[slot] != 0 && tags_[slots_[slot] - 1].name != name) slot = (slot + 1) & mask;
  return slot;
}

void Tags::make_room() {
  if (slots_.size() > 2 * (tags_.size() + 1)) return;
  slots_.assign(slots_.empty() ? 32 : slots_.size() * 2, 0);
  for (size_t number = 0; number < tags_.size(); number++)
    slots_[slot_of(tags_[number].name)] = static_cast<uint32_t>(number + 1);
}

uint32_t Tags::search(std::string_view name) {
  make_room();
  const size_t slot = slot_of(name);
  uint32_t number;
  if (slots_[slot] != 0) {
    number = slots_[slot] - 1;
  } else {
    number = static_cast<uint32_t>(tags_.size());
    tags_.emplace_back(name);
    slots_[slot] = number + 1;
  }
  tags_[last_].next = number;
  last_ = number;
  return number;
}

}  // namespace lightboard
