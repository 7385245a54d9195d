// SPDX-License-Identifier: Apache-2.0

// Each result is a shared future: the first question starts it, all others wait for the same one.
// Hosts are counted block by block on all threads; a host whose keys cross the border of two blocks
// is joined when the blocks are taken in order. Networks are many, one for each date, and so are
// counts of hosts; only the last few are kept.
// Tested by tests/serve/answers_test.cpp.

#include "webstrata/serve/ask/derived.h"

#include <algorithm>

#include "webstrata/archive/ask/block_scan.h"
#include "webstrata/archive/ask/scores.h"
#include "webstrata/rank/pagerank.h"
#include "webstrata/serve/ask/years.h"
#include "webstrata/serve/wire/problem.h"
#include "webstrata/url/key.h"

namespace webstrata::serve {
namespace {

constexpr std::size_t kNetworksKept = 8;
constexpr std::size_t kHostsKept = 32;

std::string host_name_of_key(std::string_view key) {
  const std::string text = std::string(host_of_key(key)) + "/\x01";
  const auto url = url_of_key(text);
  if (!url) return "";
  constexpr std::string_view kScheme = "http://";
  return url->substr(kScheme.size(), url->size() - kScheme.size() - 1);
}

// The hosts of one block; the first and last may continue in its neighbours.
struct BlockHosts {
  std::vector<std::pair<std::string, HostRow>> rows;  // by the host's part of the key
};

void count_page(const std::vector<Time>& times, HostRow& row) {
  row.first = row.captures == 0 ? times.front() : std::min(row.first, times.front());
  row.last = row.captures == 0 ? times.back() : std::max(row.last, times.back());
  ++row.pages;
  row.captures += times.size();
  for (const Time time : times) ++row.years[year_of_time(time)];
}

BlockHosts hosts_of_block(const Archive& archive, std::uint64_t block) {
  BlockHosts found;
  KeyList keys;
  read_keys(archive.stack(), block, keys);
  const Uid first = archive.stack().first_node(block);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string_view host = host_of_key(keys[i]);
    if (found.rows.empty() || found.rows.back().first != host) {
      found.rows.emplace_back(std::string(host), HostRow{host_name_of_key(keys[i])});
    }
    HostRow& row = found.rows.back().second;
    ++row.nodes;
    const std::vector<Time> times = archive.capture_times(first + i);
    if (times.empty()) continue;
    count_page(times, row);
    row.links += archive.link_count(first + i);
  }
  return found;
}

void join(HostRow& into, const HostRow& more) {
  if (more.captures > 0) {
    into.first = into.captures == 0 ? more.first : std::min(into.first, more.first);
    into.last = into.captures == 0 ? more.last : std::max(into.last, more.last);
  }
  into.nodes += more.nodes;
  into.pages += more.pages;
  into.captures += more.captures;
  into.links += more.links;
  for (const auto& [year, count] : more.years) into.years[year] += count;
}

HostTable hosts_of(const Archive& archive, const WorkOptions& work) {
  HostTable table;
  std::string last;
  scan_blocks<BlockHosts>(
      archive, {.work = work}, "counting hosts",
      [&](std::uint64_t block) { return hosts_of_block(archive, block); },
      [&](BlockHosts&& found) {
        for (auto& [key, row] : found.rows) {
          if (row.host.empty()) continue;  // mailto: and the like
          if (!table.empty() && key == last) {
            join(table.back(), row);
          } else {
            table.push_back(std::move(row));
            last = key;
          }
        }
      });
  return table;
}

RankedNetwork network_of(const Archive& archive, const NetworkKey& key, const WorkOptions& work) {
  SnapshotRequest request;
  if (key.at) request.time = GraphTime::at(*key.at);
  request.kinds = key.kinds;
  request.work = work;
  const Snapshot pages = snapshot_of(archive, request);
  const Folding folding = at_level(pages, key.level, {.work = work});
  RankedNetwork network;
  network.graph = folding.graph;
  network.pages.resize(folding.graph.node_count());
  for (const Node node : folding.node_of) {
    if (node != kNoNode) ++network.pages[node];
  }
  if (network.graph.node_count() > 0) {
    network.scores = pagerank(network.graph, {.work = work}).scores;
  }
  network.graph.prepare_predecessors(work);
  return network;
}

template <typename Value>
std::shared_ptr<const Value> result_of(
    const std::shared_future<std::shared_ptr<const Value>>& pending, Deadline deadline) {
  if (pending.wait_until(deadline) != std::future_status::ready) {
    throw Problem(503,
                  "this is computed once for the whole archive and is not ready yet; ask again "
                  "in a minute");
  }
  return pending.get();
}

}  // namespace

Derived::~Derived() {
  cancel_.cancel();
  const auto finish = [](auto& pending) {
    if (pending.valid()) pending.wait();
  };
  finish(hosts_);
  finish(statistics_);
  for (auto& [name, pending] : scores_) finish(pending);
  for (auto& [key, pending] : networks_) finish(pending);
  for (auto& [key, pending] : groups_) finish(pending);
  for (auto& [key, pending] : churns_) finish(pending);
}

template <typename Value>
Derived::Pending<Value> Derived::begun(Pending<Value>& pending, const Compute<Value>& compute) {
  if (!pending.valid()) {
    pending = std::async(std::launch::async, [this, compute] {
                return std::make_shared<const Value>(compute({.cancel = &cancel_}));
              }).share();
  }
  return pending;
}

std::shared_ptr<const HostTable> Derived::hosts(const Archive& archive, Deadline deadline) {
  std::unique_lock lock(mutex_);
  const auto pending = begun<HostTable>(
      hosts_, [archive](const WorkOptions& work) { return hosts_of(archive, work); });
  lock.unlock();
  return result_of(pending, deadline);
}

std::shared_ptr<const LinkStatistics> Derived::statistics(const Archive& archive,
                                                          Deadline deadline) {
  std::unique_lock lock(mutex_);
  const auto pending = begun<LinkStatistics>(statistics_, [archive](const WorkOptions& work) {
    return link_statistics(archive, {.scan = {.work = work}});
  });
  lock.unlock();
  return result_of(pending, deadline);
}

std::shared_ptr<const std::vector<double>> Derived::scores(const Archive& archive,
                                                           const std::string& name,
                                                           Deadline deadline) {
  std::unique_lock lock(mutex_);
  const auto pending = begun<std::vector<double>>(
      scores_[name], [archive, name](const WorkOptions&) { return load_scores(archive, name); });
  lock.unlock();
  return result_of(pending, deadline);
}

bool Derived::has_scores(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = scores_.find(name);
  return known != scores_.end() && known->second.valid() &&
         known->second.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

template <typename Key, typename Value>
std::shared_ptr<const Value> Derived::recent(Recent<Key, Value>& kept, std::size_t kept_max,
                                             const Key& key, const Compute<Value>& compute,
                                             Deadline deadline) {
  Pending<Value> dropped;  // outlives the lock: it may still have to be finished
  std::unique_lock lock(mutex_);
  const auto known = std::ranges::find(kept, key, [](const auto& one) { return one.first; });
  if (known != kept.end()) {
    kept.splice(kept.begin(), kept, known);
  } else {
    kept.emplace_front(key, Pending<Value>());
    if (kept.size() > kept_max) {
      dropped = kept.back().second;
      kept.pop_back();
    }
  }
  const auto pending = begun<Value>(kept.front().second, compute);
  lock.unlock();
  return result_of(pending, deadline);
}

std::shared_ptr<const RankedNetwork> Derived::network(const Archive& archive, const NetworkKey& key,
                                                      Deadline deadline) {
  return recent<NetworkKey, RankedNetwork>(
      networks_, kNetworksKept, key,
      [archive, key](const WorkOptions& work) { return network_of(archive, key, work); }, deadline);
}

std::shared_ptr<const LinkGroups> Derived::link_groups(const Archive& archive,
                                                       const GroupQuestion& question,
                                                       Deadline deadline) {
  return recent<GroupQuestion, LinkGroups>(
      groups_, kHostsKept, question,
      [archive, question](const WorkOptions& work) {
        return serve::link_groups(archive, question, work);
      },
      deadline);
}

std::shared_ptr<const ChurnSums> Derived::churn(const Archive& archive, UidRange nodes,
                                                Deadline deadline) {
  return recent<UidRange, ChurnSums>(
      churns_, kHostsKept, nodes,
      [archive, nodes](const WorkOptions& work) { return churn_sums(archive, nodes, work); },
      deadline);
}

}  // namespace webstrata::serve
