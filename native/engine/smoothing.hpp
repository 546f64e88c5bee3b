// TensorBoard's smoothing: an exponential moving average that is corrected for its bias towards the initial zero.
//
// last := weight * last + (1 - weight) * y, from 0;  out = last / (1 - weight^n), n = number of finite ys so far
//
// A constant series is not changed. Non-finite values are passed through and not counted.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace lightboard {

// The state of an average after some values. `power` is weight^n.
struct SmootherState {
  double last = 0, power = 1;

  bool operator==(const SmootherState&) const noexcept = default;
};

class Smoother {
 public:
  // `constant`: every value of the series is the same.
  Smoother(double weight, bool constant) noexcept
      : weight_(weight), complement_(1 - weight), passing_(constant), settled_(weight == 1) {}

  bool is_passthrough() const noexcept { return passing_; }
  double weight() const noexcept { return weight_; }
  SmootherState state() const noexcept { return now_; }

  // Continues from a saved state.
  void restore(const SmootherState& reached) noexcept {
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
    now_.last = now_.last * weight_ + complement_ * value;
    if (settled_) [[likely]]
      return now_.last;
    now_.power *= weight_;
    const double share = 1 - now_.power;
    settled_ = share == 1;  // once 1, it stays 1
    return now_.last / share;
  }

 private:
  double weight_, complement_;
  SmootherState now_;
  bool passing_, settled_;
};

void smooth(const double* values, size_t count, double weight, double* out) noexcept;

}  // namespace lightboard
