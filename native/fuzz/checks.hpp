// Runs all queries on decoders and checks invariants of their results.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <shared_mutex>
#include <vector>

#include "../engine/chart.hpp"
#include "../engine/group.hpp"
#include "../engine/listing.hpp"
#include "../engine/stats.hpp"

namespace lightboard::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "invariant violated: %s\n", what);
  std::abort();
}

// Damaged ranges are within the consumed bytes, in order, and not adjacent.
inline void check_damage(const Decoder& decoder) {
  const std::shared_lock lock(decoder.mutex());
  uint64_t end = 0;
  bool first = true;
  for (const Damage& range : decoder.damage()) {
    require(range.length > 0, "a damaged range is not empty");
    require(first || range.offset > end, "damaged ranges are in order and not adjacent");
    end = range.offset + range.length;
    first = false;
  }
  require(end <= decoder.progress().offset, "damage is before the offset");
}

inline void check_charts(const std::vector<Part>& parts) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const ChartRequest one{parts, 1, parts};
  const GroupRequest three{{one, {{parts[0]}, 2, parts}, {{parts[1]}, 3, {parts[0]}}}, 4};
  for (const AxisKind axis : {AxisKind::step, AxisKind::relative, AxisKind::wall, AxisKind::tag})
    for (const bool purge : {false, true})
      for (const uint32_t px : {1u, 3u, 200u}) {
        std::string blocks;
        for (const ChartSpec& spec : {ChartSpec{purge, axis, -infinity, infinity, px, 0.6, true},
                                      ChartSpec{purge, axis, 1.5, 4.0, px, 0, false}}) {
          draw_series(one, spec, blocks);
          for (const std::string& share : draw_groups({&three, 1}, spec, Statistic::median, Band::deviation))
            blocks += share;
        }
        require(blocks.size() % 8 == 0, "blocks are multiples of eight bytes");
      }
}

// The pages of all parts, concatenated, are the whole series.
inline void check_row_pages(const std::vector<Part>& parts) {
  constexpr size_t limit = 3;
  PointColumns joined;
  for (size_t part = 0; part <= parts.size(); part++)
    for (size_t first = 0;; first += limit) {
      const PointColumns page = list_rows(parts, part, first, limit);
      joined.steps += page.steps;
      joined.values += page.values;
      joined.superseded += page.superseded;
      if (page.superseded.size() < limit) break;
    }
  const PointColumns whole = list_points(parts, false);
  require(joined.steps == whole.steps && joined.values == whole.values && joined.superseded == whole.superseded,
          "pages add up to the series");
}

inline void check_series(const std::vector<Part>& parts, Form form) {
  for (const bool purge : {false, true}) {
    if (form == Form::reference) {
      list_references(parts, purge);
      continue;
    }
    const PointColumns columns = list_points(parts, purge);
    const Stats stats = series_stats(parts, purge);
    require(columns.steps.size() == 8 * stats.held && columns.superseded.size() == stats.held,
            "columns have as many rows as stats say");
  }
  if (form != Form::scalar) return;
  check_row_pages(parts);
  check_charts(parts);
}

// Checks the series of two decoders as two files of one run.
inline void check_all(Decoder& first, Decoder& second) {
  check_damage(first);
  check_damage(second);
  const uint64_t count = std::min<uint64_t>(first.progress().series, 8);
  for (uint64_t i = 0; i < count; i++) {
    const Form form = first.series()[i].form;
    std::vector<Part> parts{{&first, static_cast<int64_t>(i)}};
    parts.push_back(
        {&second, i < second.progress().series && second.series()[i].form == form ? static_cast<int64_t>(i) : -1});
    parts.push_back({&first, -1});
    check_series(parts, form);
  }
}

}  // namespace lightboard::fuzz
