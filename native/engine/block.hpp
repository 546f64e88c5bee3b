// The series block: the binary format in which one downsampled series is sent to the page. Only encodes.
// events/block.py documents the layout.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lightboard {

namespace block_flag {
enum : uint32_t { raw = 1, wide = 2, aux = 4, microseconds = 8, group = 16, real = 32, repeats = 64 };
}

// With block_flag::real every x holds the bits of a double.
struct Block {
  uint32_t run = 0;
  uint32_t flags = 0;
  uint64_t held = 0;
  uint64_t in_range = 0;
  std::vector<int64_t> xs;
  std::vector<double> ys;
  std::vector<int64_t> smoothed_xs;  // empty if the smoothed points have the same xs
  std::vector<double> smoothed_ys;
  // For a group, at each point: the band, the number of members with a value, and the number of members whose value is
  // not finite.
  std::vector<double> los, his;
  std::vector<uint32_t> members, nonfinite;
  std::vector<int64_t> restarts;
  std::vector<int64_t> aux;
  double first_aux = 0;

  // Appends the encoded block to `out`. The size of `out` must be a multiple of 8 and stays one.
  void encode(std::string& out) const;
};

}  // namespace lightboard
