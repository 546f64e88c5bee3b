#include "smoothing.hpp"

#include <algorithm>

namespace lightboard {

void smooth(const double* values, size_t count, double weight, double* out) noexcept {
  const bool constant = std::all_of(values, values + count, [&](double value) { return value == values[0]; });
  Smoother smoother(weight, constant);
  smoother.run(values, count, out);
}

bool is_constant(const View& view) noexcept {
  if (view.pieces.empty()) return true;
  const double first = view.pieces[0].series->value(view.pieces[0].begin);
  for (const Piece& piece : view.pieces)
    for (size_t row = piece.begin; row < piece.end; row++)
      if (piece.series->value(row) != first) return false;
  return first == first;
}

}  // namespace lightboard
