// Whole series as packed columns: everything that is held, for exports and for reading what references point at.
#pragma once

#include <span>
#include <string>

#include "view.hpp"

namespace lightboard {

struct PointColumns {
  std::string steps, walls, values, superseded;  // int64, float64, float64, uint8
};

struct ReferenceColumns {
  std::string parts, offsets, lengths, steps, walls;  // uint32, uint64, uint64, int64, float64
};

// All take the locks of the decoders.
PointColumns list_points(std::span<const Part> parts, bool purge);

// At most `most` of the points to show, 0 = all: the last, the first, the first lowest and highest finite one as far as there is
// room, and others evenly spaced between; kept_indices of events/sampling.py says the same in plain words.
PointColumns list_samples(std::span<const Part> parts, bool purge, size_t most);

// Rows [first, first + most) of one part, shown and void ones; fewer where it ends. What a row holds never changes, whatever
// is read meanwhile, so that a long series can be taken a segment at a time.
PointColumns list_rows(std::span<const Part> parts, size_t part, size_t first, size_t most);

ReferenceColumns list_references(std::span<const Part> parts, bool purge);

}  // namespace lightboard
