// The series block: the binary form in which one thinned series travels to the page. Encodes; decides nothing.
// Its layout is set out in events/block.py.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lightboard {

namespace block_flag {
enum : uint32_t { raw = 1, wide = 2, aux = 4, microseconds = 8, group = 16, real = 32 };
}

// With block_flag::real every x is the bits of a double.
struct Block {
  uint32_t run = 0;
  uint32_t flags = 0;
  uint64_t held = 0;
  uint64_t in_range = 0;
  std::vector<int64_t> xs;
  std::vector<double> ys;
  std::vector<int64_t> smoothed_xs;  // empty where the smoothed points share the xs
  std::vector<double> smoothed_ys;
  // Of a group, at each point: its band, how many members have a value, and how many have one that is no number.
  std::vector<double> los, his;
  std::vector<uint32_t> members, nonfinite;
  std::vector<int64_t> restarts;
  std::vector<int64_t> aux;
  double first_aux = 0;

  // Append the bytes of the block to `out`, whose size is a multiple of 8 before and after.
  void encode(std::string& out) const;
};

}  // namespace lightboard
