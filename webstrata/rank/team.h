// SPDX-License-Identifier: Apache-2.0

// How the work of one pass over all nodes is divided, so that its result never depends on the
// number of threads.
//
// Nodes are cut into parts by the graph alone. A part is done by one thread, and the results of the
// parts are added up in order: the same additions in the same order on any machine.
//
//   Team team(options.work, graph.link_count());
//   const Parts parts = Parts::by_in_links(graph);
//   const double norm = team.sum(parts, [&](Node first, Node last) { ... return part; });

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/base/work.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

// Enough for many threads.
inline constexpr std::uint64_t kPartsMax = 64;

// Consecutive ranges of nodes with about equally many links, into them or out of them.
class Parts {
 public:
  static Parts by_in_links(const Snapshot& graph, std::uint64_t count_max = kPartsMax);
  static Parts by_out_links(const Snapshot& graph);

  [[nodiscard]] std::size_t count() const noexcept { return borders_.size() - 1; }
  [[nodiscard]] Node first(std::size_t part) const noexcept { return borders_[part]; }
  [[nodiscard]] Node last(std::size_t part) const noexcept { return borders_[part + 1]; }

 private:
  template <typename Degree>
  static Parts cut(const Snapshot& graph, std::uint64_t count_max, Degree degree);

  std::vector<Node> borders_ = {0};  // a part ends where the next begins
};

class TeamWorkers;

// Threads that stay for many passes; the caller is one of them.
class Team {
 public:
  // `items`: links read in a pass; if there are few, a second thread does not pay.
  Team(const WorkOptions& work, std::uint64_t items);
  ~Team();

  // Calls task(part) for every part below `count` and waits. Throws Error(Cancelled).
  template <typename Task>
  void each(std::size_t count, const Task& task) {
    work_.check_cancelled();
    if (workers_ == nullptr) {
      for (std::size_t part = 0; part < count; ++part) task(part);
      return;
    }
    share(count, task);
  }

  // The sum of task(first, last) over the parts, added in their order.
  template <typename Task>
  double sum(const Parts& parts, const Task& task) {
    found_.assign(parts.count(), 0);
    each(parts.count(),
         [&](std::size_t part) { found_[part] = task(parts.first(part), parts.last(part)); });
    double all = 0;
    for (const double part : found_) all += part;
    return all;
  }

  // Reports progress.
  void tell(std::string_view phase, int done, int total) const {
    if (!work_.progress) return;
    work_.progress(
        {phase, static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(total), "iterations"});
  }

 private:
  void share(std::size_t count, const std::function<void(std::size_t)>& task);

  const WorkOptions& work_;
  std::unique_ptr<TeamWorkers> workers_;  // none: the caller does all
  std::vector<double> found_;
};

}  // namespace webstrata
