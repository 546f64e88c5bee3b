// TensorBoard's smoothing: an exponential moving average, rid of its bias towards the zero it starts from.
//
//   last := weight * last + (1 - weight) * y, from 0;  out = last / (1 - weight^n), n counting the finite y so far
//
// A constant series is left alone; what is not finite passes through and is not counted.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace lightboard {

// How far an average has come.
struct Average {
  double last = 0, power = 1;

  bool operator==(const Average&) const noexcept = default;
};

class Smoother {
 public:
  // `constant` says that every value of the series is the same.
  Smoother(double weight, bool constant) noexcept
      : weight_(weight), rest_(1 - weight), passing_(constant), settled_(weight == 1) {}

  bool passing() const noexcept { return passing_; }
  double weight() const noexcept { return weight_; }
  Average average() const noexcept { return now_; }

  // Go on from a place that was reached before.
  void jump(const Average& reached) noexcept {
    now_ = reached;
    settled_ = weight_ == 1 || 1 - now_.power == 1;
  }

  template <class Number>
  void run(const Number* values, size_t count, double* out) noexcept {
    Smoother here = *this;  // in registers
    for (size_t i = 0; i < count; i++) out[i] = here.next(static_cast<double>(values[i]));
    *this = here;
  }

  double next(double value) noexcept {
    if (passing_ || !std::isfinite(value)) return value;
    now_.last = now_.last * weight_ + rest_ * value;
    if (settled_) [[likely]] return now_.last;
    now_.power *= weight_;
    const double share = 1 - now_.power;
    settled_ = share == 1;  // from here on it stays 1
    return now_.last / share;
  }

 private:
  double weight_, rest_;
  Average now_;
  bool passing_, settled_;
};

void smooth(const double* values, size_t count, double weight, double* out) noexcept;

}  // namespace lightboard
