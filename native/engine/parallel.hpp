// Runs a loop on two threads and concatenates its output in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lightboard {

// A flag that another thread may set to 1 at any time to cancel the work. Null if the work cannot be cancelled.
class Stop {
 public:
  Stop() noexcept = default;
  explicit Stop(const volatile uint8_t* flag) noexcept : flag_(flag) {}
  explicit operator bool() const noexcept { return flag_ != nullptr && *flag_ != 0; }

 private:
  const volatile uint8_t* flag_ = nullptr;
};

// Calls `body(i, out)` for i from 0 to `count` - 1 and returns what it appended, in order, as a few strings. Starts a
// second thread if `use_helper` is set. Returns early with a part of the output if stopped. Throws what `body` throws.
std::vector<std::string> run_parallel(size_t count, bool use_helper, Stop stop,
                                      const std::function<void(size_t, std::string&)>& body);

}  // namespace lightboard
