#include "parallel.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <thread>

namespace lightboard {
namespace {

// Few, because each chunk has its own string; enough to share the rest with a helper that starts late.
constexpr size_t max_chunks = 16;

// A loop shared by two threads: each takes the next free chunk. A thread that finds no free chunk no longer touches
// data of the caller, so the caller does not wait for a helper that has not started yet.
class ParallelLoop {
 public:
  ParallelLoop(size_t count, size_t chunks, Stop stop, const std::function<void(size_t, std::string&)>& body)
      : count_(count),
        chunks_(chunks),
        results_(chunks_),
        failures_(chunks_),
        remaining_(chunks_),
        stop_(stop),
        body_(body) {}

  void work() {
    for (size_t chunk = next_++; chunk < chunks_; chunk = next_++) {
      try {
        const size_t begin = count_ * chunk / chunks_, end = count_ * (chunk + 1) / chunks_;
        for (size_t i = begin; i < end && !stop_; i++) body_(i, results_[chunk]);
      } catch (...) {
        failures_[chunk] = std::current_exception();
      }
      if (--remaining_ == 0) remaining_.notify_one();
    }
  }

  std::vector<std::string> wait() {
    for (size_t remaining = remaining_; remaining != 0; remaining = remaining_) remaining_.wait(remaining);
    for (const std::exception_ptr& failure : failures_)
      if (failure) std::rethrow_exception(failure);
    return std::move(results_);
  }

 private:
  const size_t count_, chunks_;
  std::vector<std::string> results_;
  std::vector<std::exception_ptr> failures_;
  std::atomic<size_t> next_ = 0, remaining_;
  const Stop stop_;
  const std::function<void(size_t, std::string&)>& body_;
};

// Otherwise the scheduler may queue the new thread behind its parent although another processor is idle.
void avoid_current_cpu([[maybe_unused]] pthread_attr_t& attributes) {
#ifdef __GLIBC__
  cpu_set_t others;
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof others, &others) != 0) return;
  CPU_CLR(static_cast<size_t>(here), &others);
  if (CPU_COUNT(&others) > 0) pthread_attr_setaffinity_np(&attributes, sizeof others, &others);
#endif
}

void* run_loop(void* argument) {
  const std::unique_ptr<std::shared_ptr<ParallelLoop>> loop(static_cast<std::shared_ptr<ParallelLoop>*>(argument));
  (*loop)->work();
  return nullptr;
}

// Starts a second thread. If that fails, the caller does all of the work.
void start_helper(const std::shared_ptr<ParallelLoop>& loop) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  avoid_current_cpu(attributes);
  auto argument = std::make_unique<std::shared_ptr<ParallelLoop>>(loop);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run_loop, argument.get()) == 0) argument.release();
  pthread_attr_destroy(&attributes);
}

}  // namespace

std::vector<std::string> run_parallel(size_t count, bool use_helper, Stop stop,
                                      const std::function<void(size_t, std::string&)>& body) {
  use_helper = use_helper && count > 1 && std::thread::hardware_concurrency() > 1;
  const auto loop = std::make_shared<ParallelLoop>(count, std::min(count, use_helper ? max_chunks : 1), stop, body);
  if (use_helper) start_helper(loop);
  loop->work();
  return loop->wait();
}

}  // namespace lightboard
