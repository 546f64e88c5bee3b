// Work shared between two threads: many pieces made one after another, put together in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lightboard {

// One byte that somebody else may set to 1 at any time: then no more is wanted. Null where nobody can.
class Stop {
 public:
  Stop() noexcept = default;
  explicit Stop(const volatile uint8_t* flag) noexcept : flag_(flag) {}
  explicit operator bool() const noexcept { return flag_ != nullptr && *flag_ != 0; }

 private:
  const volatile uint8_t* flag_ = nullptr;
};

// What `make(i, out)` appends for i from 0 to `count`, in order, in a few pieces. `worth` says whether a second thread
// earns more than it costs to start. Ends early, with less than all of it, when told to stop. Throws what `make` does.
std::vector<std::string> make_shared(size_t count, bool worth, Stop stop,
                                     const std::function<void(size_t, std::string&)>& make);

}  // namespace lightboard
