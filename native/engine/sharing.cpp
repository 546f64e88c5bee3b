#include "sharing.hpp"

#include <exception>
#include <system_error>
#include <thread>

namespace lightboard {

std::vector<std::string> make_shared(size_t count, bool worth, Stop stop,
                                     const std::function<void(size_t, std::string&)>& make) {
  const size_t workers = worth && count > 1 && std::thread::hardware_concurrency() > 1 ? 2 : 1;
  std::vector<std::string> shares(workers);
  std::vector<std::exception_ptr> failures(workers);
  auto work = [&](size_t worker) {
    try {
      const size_t begin = count * worker / workers, end = count * (worker + 1) / workers;
      for (size_t i = begin; i < end && !stop; i++) make(i, shares[worker]);
    } catch (...) {
      failures[worker] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (size_t worker = 1; worker < workers; worker++) {
    try {
      threads.emplace_back(work, worker);
    } catch (const std::system_error&) {
      work(worker);  // no thread to be had
    }
  }
  work(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return shares;
}

}  // namespace lightboard
