// Whole series as packed columns, for exports and for reading the referenced values.
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

// All functions lock the decoders.
PointColumns list_points(std::span<const Part> parts, bool purge);

// At most `limit` of the visible points (0: all): the last, the first, the first lowest and highest finite one, as far
// as the limit allows, and others evenly spaced. The reference implementation is sample_indices in events/sampling.py.
PointColumns list_samples(std::span<const Part> parts, bool purge, size_t limit);

// Rows [first, first + limit) of one part, superseded ones included; fewer at its end. Rows never change while files
// are read on, so a long series can be listed in pages.
PointColumns list_rows(std::span<const Part> parts, size_t part, size_t first, size_t limit);

ReferenceColumns list_references(std::span<const Part> parts, bool purge);

}  // namespace lightboard
