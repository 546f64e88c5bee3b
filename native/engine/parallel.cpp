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

// Few, because each piece is a string of its own; enough to share the rest with a helper that starts late.
constexpr size_t most_pieces = 16;

// Work shared by two threads: each takes the next free piece. A thread that finds none left no longer touches data of the
// caller, so the caller does not wait for a helper that has not started yet.
class Job {
 public:
  Job(size_t count, size_t pieces, Stop stop, const std::function<void(size_t, std::string&)>& make)
      : count_(count), pieces_(pieces), made_(pieces_), failures_(pieces_), left_(pieces_), stop_(stop), make_(make) {}

  void work() {
    for (size_t piece = next_++; piece < pieces_; piece = next_++) {
      try {
        const size_t begin = count_ * piece / pieces_, end = count_ * (piece + 1) / pieces_;
        for (size_t i = begin; i < end && !stop_; i++) make_(i, made_[piece]);
      } catch (...) {
        failures_[piece] = std::current_exception();
      }
      if (--left_ == 0) left_.notify_one();
    }
  }

  std::vector<std::string> wait() {
    for (size_t left = left_; left != 0; left = left_) left_.wait(left);
    for (const std::exception_ptr& failure : failures_)
      if (failure) std::rethrow_exception(failure);
    return std::move(made_);
  }

 private:
  const size_t count_, pieces_;
  std::vector<std::string> made_;
  std::vector<std::exception_ptr> failures_;
  std::atomic<size_t> next_ = 0, left_;
  const Stop stop_;
  const std::function<void(size_t, std::string&)>& make_;
};

// Otherwise the scheduler may queue the new thread behind its parent although another processor is idle.
void keep_off_this_processor([[maybe_unused]] pthread_attr_t& attributes) {
#ifdef __GLIBC__
  cpu_set_t others;
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof others, &others) != 0) return;
  CPU_CLR(static_cast<size_t>(here), &others);
  if (CPU_COUNT(&others) > 0) pthread_attr_setaffinity_np(&attributes, sizeof others, &others);
#endif
}

void* run_job(void* held) {
  const std::unique_ptr<std::shared_ptr<Job>> job(static_cast<std::shared_ptr<Job>*>(held));
  (*job)->work();
  return nullptr;
}

// Starts a second thread for a job. If that fails, the caller does all of the work.
void start_helper(const std::shared_ptr<Job>& job) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  keep_off_this_processor(attributes);
  auto held = std::make_unique<std::shared_ptr<Job>>(job);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run_job, held.get()) == 0) held.release();
  pthread_attr_destroy(&attributes);
}

}  // namespace

std::vector<std::string> run_parallel(size_t count, bool worth, Stop stop,
                                     const std::function<void(size_t, std::string&)>& make) {
  const bool helped = worth && count > 1 && std::thread::hardware_concurrency() > 1;
  const auto job = std::make_shared<Job>(count, std::min(count, helped ? most_pieces : 1), stop, make);
  if (helped) start_helper(job);
  job->work();
  return job->wait();
}

}  // namespace lightboard
