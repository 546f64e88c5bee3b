#include "last_of_step.hpp"

#include <algorithm>

namespace lightboard {
namespace {

// Whether range `i` begins with the step that the one before it ends with.
bool continues_step(const View& view, size_t i) noexcept {
  if (i == 0 || i >= view.ranges.size() || view.gap[i]) return false;
  const RowRange &before = view.ranges[i - 1], &range = view.ranges[i];
  return range.restarts == before.restarts &&
         range.series->steps()[range.begin] == before.series->steps()[before.end - 1];
}

}  // namespace

bool has_repeated_steps(const View& view) noexcept {
  for (size_t i = 0; i < view.ranges.size(); i++)
    if (view.ranges[i].series->has_repeated_steps() || continues_step(view, i)) return true;
  return false;
}

LastOfStep::LastOfStep(const View& view) : series_(0, Form::scalar) {
  view_.superseded = view.superseded;
  view_.wide = view.wide;
  bool gap = false;
  for (size_t i = 0; i < view.ranges.size(); i++) {
    RowRange range = view.ranges[i];
    const Series& from = *range.series;
    const int64_t* steps = from.steps();
    const size_t begin = series_.rows();
    for (size_t row = range.begin; row < range.end; row++) {
      const bool followed = row + 1 < range.end ? steps[row + 1] == steps[row] : continues_step(view, i + 1);
      if (followed) continue;
      if (from.wide())
        series_.add_double(steps[row], from.walls()[row], from.doubles()[row]);
      else
        series_.add_float(steps[row], from.walls()[row], from.floats()[row]);
    }
    gap = gap || view.gap[i];
    range.series = &series_;
    range.begin = begin;
    range.end = series_.rows();
    if (range.rows() == 0) continue;
    view_.held += range.rows();
    view_.ranges.push_back(range);
    view_.gap.push_back(gap);
    gap = false;
  }
  series_.extend_index();
}

}  // namespace lightboard
