// The smoothed values of a view in order, some to pass over and some to use. What a long series was smoothed to is kept
// with it for the weight asked for last; see smoothed_index.hpp.
#pragma once

#include <algorithm>
#include <iterator>

#include "extremes.hpp"
#include "smoothed_index.hpp"
#include "view.hpp"

namespace lightboard {

// Whether all values shown are equal. Such a series is its own smoothed line.
bool is_constant(const View& view) noexcept;

// Whether smoothing the view takes so long that it is worth keeping, and has not been kept yet.
bool lacks_smoothed(const View& view, double weight) noexcept;

// Keep it. The locks must be held alone. Throws std::bad_alloc.
void keep_smoothed(const View& view, double weight);

// Give the view of a series to `use`, under the locks, with what it is smoothed to kept if that is worth it. A weight
// of 0 does not smooth. Throws what `use` does, std::bad_alloc and WrongForm.
template <class Use>
void with_view(std::span<const Part> parts, bool purge, double weight, Use use) {
  extend_indexes(parts);
  {
    const Locked locked(parts);
    const View view = make_view(parts, Form::scalar, purge);
    if (!lacks_smoothed(view, weight)) return use(view);
  }
  {
    const Locked locked(parts, Locked::How::alone);
    keep_smoothed(make_view(parts, Form::scalar, purge), weight);
  }
  const Locked locked(parts);
  use(make_view(parts, Form::scalar, purge));
}

class SmoothedLine {
 public:
  SmoothedLine(const View& view, double weight) noexcept;

  // Give the values of the places [begin, end) to `use`, in pieces (values, how many, place); places must not go back.
  template <class Use>
  void walk(uint64_t begin, uint64_t end, Use use) {
    seek(begin);
    while (place_ < end) {
      const uint64_t place = place_;
      const size_t count = take(end);
      use(values_, count, place);
    }
  }

  // Add the values of the places [begin, end) to a pixel column; places must not go back.
  void add(uint64_t begin, uint64_t end, Extremes& column) noexcept;

 private:
  void seek(uint64_t place) noexcept;
  void add_kept(uint64_t end, Extremes& column) noexcept;
  size_t take(uint64_t end) noexcept;
  void pass(size_t rows) noexcept;
  void enter() noexcept;

  const View& view_;
  Smoother smoother_;
  const SmoothedIndex* kept_ = nullptr;  // of the piece, if there is one
  size_t piece_ = 0, row_ = 0;           // row_ counts from the begin of the piece
  uint64_t place_ = 0;
  double values_[512];
};

}  // namespace lightboard
