// The last point of each step, of series that have several at one, as when a program logs each batch with the number of
// its epoch. Points belong to one step if they follow each other with the same step and no restart is between them.
#pragma once

#include "series.hpp"
#include "smoothed_line.hpp"
#include "view.hpp"

namespace lightboard {

// Whether points of the view share a step. Superseded points of the same files count too.
bool has_repeated_steps(const View& view) noexcept;

// A view of copied rows: the last point of each step of another view, with its restarts and gaps.
class LastOfStep {
 public:
  // Throws std::bad_alloc.
  explicit LastOfStep(const View& view);
  LastOfStep(const LastOfStep&) = delete;
  LastOfStep& operator=(const LastOfStep&) = delete;

  const View& view() const noexcept { return view_; }

 private:
  Series series_;
  View view_;
};

// Like `with_view`, with the view that is drawn and whether the series has repeated steps.
template <class Callback>
void with_drawn_view(std::span<const Part> parts, bool purge, bool last_of_step, double weight, Callback callback) {
  with_view(parts, purge, last_of_step ? 0 : weight, [&](const View& view) {
    const bool repeated = has_repeated_steps(view);
    if (last_of_step && repeated)
      callback(LastOfStep(view).view(), repeated);
    else
      callback(view, repeated);
  });
}

}  // namespace lightboard
