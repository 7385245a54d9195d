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

// A smaller part is not worth handing to a thread.
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

// A pass may take less than a millisecond, and waking a thread a twentieth of one: so threads look
// for the next pass a while before they sleep.
class TeamWorkers {
 public:
  explicit TeamWorkers(unsigned count) {
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  }
  ~TeamWorkers() {
    is_closing_ = true;
    begin_round();
    for (std::thread& thread : threads_) thread.join();
  }
  TeamWorkers(const TeamWorkers&) = delete;
  TeamWorkers& operator=(const TeamWorkers&) = delete;

  void run(std::size_t count, const std::function<void(std::size_t)>& task) {
    task_ = &task;
    count_ = count;
    next_.store(0, std::memory_order_relaxed);
    begin_round();
    take_parts();
    for (unsigned left = busy_; left > 0; left = busy_) wait_while(busy_, left);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void begin_round() {
    busy_ = static_cast<unsigned>(threads_.size());
    ++round_;
    round_.notify_all();
  }

  void work() {
    for (unsigned seen = 0;; ++seen) {
      wait_while(round_, seen);
      if (is_closing_) return;
      take_parts();
      if (--busy_ == 0) busy_.notify_one();
    }
  }

  void take_parts() noexcept {
    try {
      for (std::size_t part = next_++; part < count_; part = next_++) (*task_)(part);
    } catch (...) {
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
      next_ = count_;
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
  std::atomic<unsigned> round_ = 0;
  std::atomic<unsigned> busy_ = 0;  // threads that have not finished the round
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> is_closing_ = false;
  std::size_t count_ = 0;
  const std::function<void(std::size_t)>* task_ = nullptr;
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
