// SPDX-License-Identifier: Apache-2.0

// Parts are taken one by one with an atomic counter, by the caller as well as by the threads. Since
// results are stored by part and added up in order afterwards, it does not matter which thread did
// which part. Threads spin for a while before they sleep; the comment at TeamWorkers says why.
// Tested by tests/rank/team_test.cpp.

#include "webstrata/rank/team.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "webstrata/base/threads.h"

namespace webstrata {
namespace {

// A smaller part is not worth a thread.
constexpr std::uint64_t kPartWeightMin = std::uint64_t{1} << 14;
constexpr std::uint64_t kItemsWorthAThread = std::uint64_t{1} << 15;

}  // namespace

template <typename Degree>
Parts Parts::cut(const Snapshot& graph, std::uint64_t count_max, Degree degree) {
  const std::uint64_t total = graph.link_count() + graph.node_count();
  const std::uint64_t weight_max = std::max(kPartWeightMin, total / count_max + 1);
  Parts parts;
  std::uint64_t weight = 0;
  for (Node node = 0; node < graph.node_count(); ++node) {
    weight += std::uint64_t{1} + degree(node);
    if (weight < weight_max && node + 1 < graph.node_count()) continue;
    parts.borders_.push_back(node + 1);
    weight = 0;
  }
  return parts;
}

Parts Parts::by_in_links(const Snapshot& graph, std::uint64_t count_max) {
  return cut(graph, count_max, [&](Node node) { return graph.in_degree(node); });
}

Parts Parts::by_out_links(const Snapshot& graph) {
  return cut(graph, kPartsMax, [&](Node node) { return graph.out_degree(node); });
}

// A pass may take less than a millisecond, and waking a thread a twentieth of one: so threads spin
// for a while before they sleep. A pass is over when its parts are done, not when all threads have
// seen it: on busy cores a thread may be many passes late.
class TeamWorkers {
 public:
  // Fewer threads, or none, if the system refuses: the caller does parts too.
  explicit TeamWorkers(unsigned count) {
    threads_ = start_threads(count, [this] { work(); });
  }
  ~TeamWorkers() {
    is_closing_ = true;
    wake();
    for (std::thread& thread : threads_) thread.join();
  }
  TeamWorkers(const TeamWorkers&) = delete;
  TeamWorkers& operator=(const TeamWorkers&) = delete;

  void run(std::size_t count, const std::function<void(std::size_t)>& task) {
    if (count == 0) return;
    task_ = &task;
    count_ = static_cast<unsigned>(count);
    undone_ = count_;
    untaken_ = count_;  // from here on threads may take parts
    wake();
    take_parts();
    for (unsigned left = undone_; left > 0; left = undone_) wait_while(undone_, left);
    has_error_ = false;
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void wake() {
    ++passes_;
    passes_.notify_all();
  }

  void work() {
    while (true) {
      const unsigned seen = passes_;
      if (is_closing_) return;
      take_parts();
      wait_while(passes_, seen);
    }
  }

  // A thread that holds a part keeps the pass open: task and count stay valid until the part is
  // done. Without a part they must not be read.
  void take_parts() noexcept {
    unsigned left = untaken_;
    while (left > 0) {
      if (!untaken_.compare_exchange_weak(left, left - 1)) continue;
      do_part(count_ - left);
      if (--undone_ == 0) undone_.notify_one();
      left = untaken_;
    }
  }

  void do_part(std::size_t part) noexcept {
    if (has_error_) return;
    try {
      (*task_)(part);
    } catch (...) {
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
      has_error_ = true;
    }
  }

  static void wait_while(const std::atomic<unsigned>& value, unsigned old) {
    constexpr int kLooks = 2000;
    for (int i = 0; i < kLooks; ++i) {
      if (value != old) return;
    }
    value.wait(old);
  }

  std::vector<std::thread> threads_;
  std::atomic<unsigned> passes_ = 0;
  std::atomic<unsigned> untaken_ = 0;  // parts of the pass that are not started
  std::atomic<unsigned> undone_ = 0;   // parts of the pass that are not finished
  std::atomic<bool> is_closing_ = false;
  unsigned count_ = 0;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::atomic<bool> has_error_ = false;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

Team::Team(const WorkOptions& work, std::uint64_t items) : work_(work) {
  const unsigned wanted = work.threads == 0 ? default_thread_count() : work.threads;
  const auto useful =
      static_cast<unsigned>(std::min<std::uint64_t>(wanted, 1 + items / kItemsWorthAThread));
  if (useful > 1) workers_ = std::make_unique<TeamWorkers>(useful - 1);
}

Team::~Team() = default;

void Team::share(std::size_t count, const std::function<void(std::size_t)>& task) {
  workers_->run(count, task);
}

}  // namespace webstrata
