// SPDX-License-Identifier: Apache-2.0

// What is computed once from a whole generation, when it is first asked for: the table of hosts,
// statistics of links, networks at a date, counts of all pages of a host.
//
// It is computed on a thread of its own, so that it is finished even if the first who asked no
// longer waits: a question waits until its deadline and then says that it is not ready yet.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/ask/comparison.h"
#include "webstrata/base/progress.h"
#include "webstrata/graph/archive_snapshot.h"
#include "webstrata/serve/ask/wide_scans.h"

namespace webstrata::serve {

// One host of an archive.
struct HostRow {
  std::string host;
  std::uint64_t nodes = 0;
  std::uint64_t pages = 0;
  std::uint64_t captures = 0;
  std::uint64_t links = 0;  // distinct links from its pages
  Time first = 0;           // of captures; meaningless without
  Time last = 0;
  std::map<int, std::uint64_t> years = {};  // captures
};

// In the order of their keys.
using HostTable = std::vector<HostRow>;

// A graph at one time, with the PageRank of its nodes.
struct RankedNetwork {
  Snapshot graph;
  std::vector<double> scores;
  std::vector<std::uint32_t> pages;  // of each host or domain
};

struct NetworkKey {
  std::optional<Time> at;  // empty: ever
  Level level = Level::Host;
  LinkKinds kinds = kGraphKinds;

  friend bool operator==(const NetworkKey&, const NetworkKey&) = default;
};

using Deadline = std::chrono::steady_clock::time_point;

class Derived {
 public:
  Derived() = default;
  Derived(const Derived&) = delete;
  Derived& operator=(const Derived&) = delete;
  // Ends what is being computed.
  ~Derived();

  // All throw Problem(503) at the deadline, and what computing throws.
  std::shared_ptr<const HostTable> hosts(const Archive& archive, Deadline deadline);
  std::shared_ptr<const LinkStatistics> statistics(const Archive& archive, Deadline deadline);
  std::shared_ptr<const std::vector<double>> scores(const Archive& archive, const std::string& name,
                                                    Deadline deadline);
  // Whether scores() would not wait.
  [[nodiscard]] bool has_scores(const std::string& name);
  std::shared_ptr<const RankedNetwork> network(const Archive& archive, const NetworkKey& key,
                                               Deadline deadline);
  std::shared_ptr<const LinkGroups> link_groups(const Archive& archive,
                                                const GroupQuestion& question, Deadline deadline);
  std::shared_ptr<const ChurnSums> churn(const Archive& archive, UidRange nodes, Deadline deadline);

 private:
  // A result, or the thread that computes it.
  template <typename Value>
  using Pending = std::shared_future<std::shared_ptr<const Value>>;
  template <typename Value>
  using Compute = std::function<Value(const WorkOptions&)>;
  template <typename Key, typename Value>
  using Recent = std::list<std::pair<Key, Pending<Value>>>;  // the last used first

  // `pending`, begun if it was not; the caller holds the mutex.
  template <typename Value>
  Pending<Value> begun(Pending<Value>& pending, const Compute<Value>& compute);
  // The one of `key`, begun if it is not among those that are kept.
  template <typename Key, typename Value>
  std::shared_ptr<const Value> recent(Recent<Key, Value>& kept, std::size_t kept_max,
                                      const Key& key, const Compute<Value>& compute,
                                      Deadline deadline);

  std::mutex mutex_;
  CancelToken cancel_;
  Pending<HostTable> hosts_;
  Pending<LinkStatistics> statistics_;
  std::map<std::string, Pending<std::vector<double>>> scores_;
  Recent<NetworkKey, RankedNetwork> networks_;
  Recent<GroupQuestion, LinkGroups> groups_;
  Recent<UidRange, ChurnSums> churns_;
};

}  // namespace webstrata::serve
