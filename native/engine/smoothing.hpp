// TensorBoard's smoothing: an exponential moving average, rid of its bias towards the zero it starts from.
//
//   last := weight * last + (1 - weight) * y, from 0;  out = last / (1 - weight^n), n counting the finite y so far
//
// A constant series is left alone; what is not finite passes through and is not counted.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "view.hpp"

namespace lightboard {

class Smoother {
 public:
  // `constant` says that every value of the series is the same.
  Smoother(double weight, bool constant) noexcept
      : weight_(weight), rest_(1 - weight), passing_(constant), settled_(weight == 1) {}

  template <class Number>
  void run(const Number* values, size_t count, double* out) noexcept {
    Smoother here = *this;  // in registers
    for (size_t i = 0; i < count; i++) out[i] = here.next(static_cast<double>(values[i]));
    *this = here;
  }

  double next(double value) noexcept {
    if (passing_ || !std::isfinite(value)) return value;
    last_ = last_ * weight_ + rest_ * value;
    if (settled_) [[likely]] return last_;
    power_ *= weight_;
    const double share = 1 - power_;
    settled_ = share == 1;  // from here on it stays 1
    return last_ / share;
  }

 private:
  double weight_, rest_;
  double last_ = 0, power_ = 1;
  bool passing_, settled_;
};

void smooth(const double* values, size_t count, double weight, double* out) noexcept;

// Whether all values shown are equal.
bool is_constant(const View& view) noexcept;

}  // namespace lightboard
