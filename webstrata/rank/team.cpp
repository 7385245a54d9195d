// Tested by tests/rank/team_test.cpp.

#include "webstrata/rank/team.h"

#include <algorithm>
#include <atomic>

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

Team::Team(const WorkOptions& work, std::uint64_t items) : work_(work) {
  const unsigned wanted = work.threads == 0 ? default_thread_count() : work.threads;
  const auto useful =
      static_cast<unsigned>(std::min<std::uint64_t>(wanted, 1 + items / kItemsWorthAThread));
  if (useful > 1) pool_ = std::make_unique<ThreadPool>(useful);
}

void Team::share(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  const auto take_parts = [&] {
    for (std::size_t part = next++; part < count; part = next++) task(part);
  };
  for (std::size_t i = 0; i < pool_->thread_count(); ++i) pool_->submit(take_parts);
  pool_->wait();
}

}  // namespace webstrata
