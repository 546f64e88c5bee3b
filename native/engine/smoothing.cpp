#include "smoothing.hpp"

#include <algorithm>

namespace lightboard {

void smooth(const double* values, size_t count, double weight, double* out) noexcept {
  const bool constant = std::all_of(values, values + count, [&](double value) { return value == values[0]; });
  Smoother smoother(weight, constant);
  smoother.run(values, count, out);
}

}  // namespace lightboard
